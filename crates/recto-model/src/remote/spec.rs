//! What names a model: `PROVIDER:NAME`, such as `openrouter:google/gemini-2.5-flash`; and the keys for it.

use std::fmt;
use std::str::FromStr;

use super::anthropic;
use super::chat::{ChatOptions, Habits, RemoteChat};
use super::transport::Transport;
use super::wire::Wire;
use crate::{ModelError, Price, Result, Secret};

/// Who runs a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Provider {
    /// OpenRouter.
    OpenRouter,
    /// OpenAI, or whoever speaks like it.
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini, by its interface that is like OpenAI's.
    Gemini,
    /// Ollama on this machine.
    Ollama,
    /// vLLM on this machine.
    Vllm,
    /// llama-server of llama.cpp on this machine.
    LlamaServer,
}

impl Provider {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::OpenRouter, Self::OpenAi, Self::Anthropic, Self::Gemini, Self::Ollama, Self::Vllm, Self::LlamaServer];

    /// What stands before the colon.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenRouter => "openrouter",
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::Vllm => "vllm",
            Self::LlamaServer => "llama-server",
        }
    }

    /// Where it is, if nothing else is said.
    pub const fn base_url(self) -> &'static str {
        match self {
            Self::OpenRouter => "https://openrouter.ai/api/v1",
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta/openai",
            Self::Ollama => "http://localhost:11434/v1",
            Self::Vllm => "http://localhost:8000/v1",
            Self::LlamaServer => "http://localhost:8080/v1",
        }
    }

    /// Whether it runs on one's own machine: it wants no key and costs nothing.
    pub const fn is_own(self) -> bool {
        matches!(self, Self::Ollama | Self::Vllm | Self::LlamaServer)
    }

    /// OpenAI's newer models know the limit of tokens by its newer name only, most others by the older one only.
    fn habits(self, base: &str) -> Habits {
        let wire = if self == Self::Anthropic { Wire::Anthropic } else { Wire::OpenAi };
        let (new_limit, cache_marks) = (base.contains("openai."), self == Self::OpenRouter);
        Habits { wire, new_limit, cache_marks }
    }

    fn headers(self, key: Option<&Secret>) -> Vec<(&'static str, Secret)> {
        let mut headers = Vec::new();
        if self == Self::Anthropic {
            headers.push(("anthropic-version", Secret::new(anthropic::VERSION)));
            headers.extend(key.map(|key| ("x-api-key", key.clone())));
        } else {
            headers.extend(key.map(|key| ("Authorization", Secret::new(&format!("Bearer {}", key.expose())))));
        }
        headers
    }
}

/// A model of a provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelSpec {
    /// Who runs it.
    pub provider: Provider,
    /// Its name there.
    pub name: String,
}

impl FromStr for ModelSpec {
    type Err = ModelError;

    fn from_str(spec: &str) -> Result<Self> {
        let bad = |why: String| ModelError::BadSpec { spec: spec.into(), why };
        let known = || Provider::ALL.map(Provider::as_str).join(", ");
        let Some((provider, name)) = spec.trim().split_once(':') else {
            return Err(bad(format!("expected PROVIDER:NAME with one of {}", known())));
        };
        let provider = Provider::ALL.into_iter().find(|one| one.as_str() == provider);
        let provider = provider.ok_or_else(|| bad(format!("known providers are {}", known())))?;
        if name.is_empty() || name.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(bad("the name after the colon is empty or has white space".into()));
        }
        Ok(Self { provider, name: name.into() })
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider.as_str(), self.name)
    }
}

/// The keys that whoever calls has.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// For whatever model is configured, before all others.
    pub any: Option<Secret>,
    /// For OpenRouter.
    pub openrouter: Option<Secret>,
    /// For OpenAI.
    pub openai: Option<Secret>,
    /// For Anthropic.
    pub anthropic: Option<Secret>,
    /// For Gemini.
    pub gemini: Option<Secret>,
}

impl Keys {
    /// The key that a provider gets. Those on one's own machine get none but the one for whatever model.
    pub fn of(&self, provider: Provider) -> Option<&Secret> {
        let own = match provider {
            Provider::OpenRouter => &self.openrouter,
            Provider::OpenAi => &self.openai,
            Provider::Anthropic => &self.anthropic,
            Provider::Gemini => &self.gemini,
            Provider::Ollama | Provider::Vllm | Provider::LlamaServer => &None,
        };
        self.any.as_ref().or(own.as_ref())
    }
}

/// The chat of a model. Nothing is sent yet.
///
/// # Errors
/// [`ModelError::Refused`] if there is no key and the provider's own address wants one, if the key can be none, or if an
/// address, proxy or file of certificates is of no use.
pub fn chat_from_spec(spec: &ModelSpec, keys: &Keys, mut options: ChatOptions) -> Result<RemoteChat> {
    let provider = spec.provider;
    let key = keys.of(provider);
    if key.is_none() && !provider.is_own() && options.base_url.is_none() {
        return Err(ModelError::Refused { why: format!("there is no key for {}", provider.as_str()) });
    }
    if provider.is_own() {
        options.price.get_or_insert(Price::default());
    }
    let base = options.base_url.as_deref().unwrap_or(provider.base_url()).trim_end_matches('/');
    let habits = provider.habits(base);
    let url = format!("{base}{}", habits.wire.path());
    let (proxy, roots) = (options.proxy.as_deref(), options.roots.as_deref());
    let transport = Transport::new(url, key.cloned(), provider.headers(key), proxy, roots)?;
    Ok(RemoteChat::new(spec.to_string(), spec.name.clone(), habits, transport, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_named() {
        let table = [
            ("openrouter:google/gemini-2.5-flash", Some((Provider::OpenRouter, "google/gemini-2.5-flash"))),
            (" ollama:qwen3-vl:8b ", Some((Provider::Ollama, "qwen3-vl:8b"))),
            ("llama-server:any", Some((Provider::LlamaServer, "any"))),
            ("gpt-5", None),
            ("mistral:large", None),
            ("openai:", None),
            ("openai:a b", None),
        ];
        for (text, want) in table {
            let spec = text.parse::<ModelSpec>().ok();
            assert_eq!(spec.as_ref().map(|spec| (spec.provider, spec.name.as_str())), want, "{text}");
            assert!(spec.is_none_or(|spec| spec.to_string() == text.trim()), "{text}");
        }
        let why = "mistral:large".parse::<ModelSpec>().unwrap_err().to_string();
        assert!(why.contains("openrouter, openai, anthropic"), "{why}");
    }

    #[test]
    fn keys_go_to_their_own_provider_only() {
        let some = |text: &str| Some(Secret::new(text));
        let keys = Keys { openrouter: some("r"), openai: some("o"), anthropic: some("a"), ..Keys::default() };
        let table = [
            (Provider::OpenRouter, some("r")),
            (Provider::OpenAi, some("o")),
            (Provider::Anthropic, some("a")),
            (Provider::Gemini, None),
            (Provider::Vllm, None),
        ];
        for (provider, want) in table {
            assert_eq!(keys.of(provider), want.as_ref(), "{provider:?}");
            let any = Keys { any: some("k"), ..keys.clone() };
            assert_eq!(any.of(provider), some("k").as_ref(), "{provider:?}");
        }
    }

    #[test]
    fn only_openai_itself_has_the_newer_limit() {
        let table = [
            (Provider::OpenAi, Provider::OpenAi.base_url(), true),
            (Provider::OpenAi, "https://mine.openai.azure.com/openai/v1", true),
            (Provider::OpenAi, "http://localhost:8000/v1", false),
            (Provider::OpenRouter, Provider::OpenRouter.base_url(), false),
            (Provider::Gemini, Provider::Gemini.base_url(), false),
        ];
        table.into_iter().for_each(|(one, base, want)| assert_eq!(one.habits(base).new_limit, want, "{base}"));
    }

    #[test]
    fn what_cannot_be_asked_is_refused_at_once() {
        let chat = |spec: &str, key: Option<&str>, change: fn(&mut ChatOptions)| {
            let mut options = ChatOptions::default();
            change(&mut options);
            let keys = Keys { any: key.map(Secret::new), ..Keys::default() };
            chat_from_spec(&spec.parse().unwrap(), &keys, options).map(|chat| format!("{chat:?}"))
        };
        assert!(chat("ollama:x", None, |_| ()).is_ok());
        let good = chat("openai:x", Some("sk-12345678"), |_| ()).unwrap();
        assert!(!good.contains("12345678"), "{good}");
        assert!(chat("openai:x", None, |options| options.base_url = Some("http://h/v1".into())).is_ok());
        assert!(chat("openai:x", None, |_| ()).is_err());
        assert!(chat("openai:x", Some("a\nb"), |_| ()).is_err());
        assert!(chat("ollama:x", None, |options| options.base_url = Some("ftp://h".into())).is_err());
        assert!(chat("ollama:x", None, |options| options.base_url = Some("http:///v1".into())).is_err());
        assert!(chat("ollama:x", None, |options| options.roots = Some(b"none".to_vec())).is_err());
        assert!(chat("openai:x", Some("k"), |options| options.proxy = Some("::".into())).is_err());
    }
}
