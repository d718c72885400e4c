//! Language models in GGUF files, run in this process by llama.cpp (feature `local-llm`). What names one is understood
//! without the feature too, so that a build can say that it lacks it.

#[cfg(feature = "local-llm")]
mod chat;
#[cfg(feature = "local-llm")]
mod engine;
#[cfg(feature = "local-llm")]
mod grammar;
#[cfg(feature = "local-llm")]
mod loaded;
#[cfg(feature = "local-llm")]
mod picker;
#[cfg(feature = "local-llm")]
mod prompt;
mod spec;
#[cfg(all(test, feature = "local-llm"))]
mod tests;

#[cfg(feature = "local-llm")]
pub use chat::LocalChat;
pub use spec::LocalSpec;
