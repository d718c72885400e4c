//! What a vector is: which model made it, and how. Vectors of different identities never mix.

use serde::{Deserialize, Serialize};

/// What made a vector. Vectors compare only where all of this is equal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// The model's name.
    pub model: String,
    /// Which version of it: for files the first 16 digits of the SHA-256 of all that decides the vectors.
    pub revision: String,
    /// Dimensions of each vector.
    pub dim: u32,
    /// Whether vectors have the length 1.
    pub normalised: bool,
    /// What is written before texts.
    pub prefix: Prefix,
    /// The resolution that page pictures are wanted in, in dots per inch; `None` for encoders of text.
    pub dpi: Option<u32>,
    /// How a vector came from the model's output.
    pub pooling: Pooling,
}

/// What is written before texts, for models that were taught so.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Prefix {
    /// Before queries.
    pub query: String,
    /// Before texts of pages.
    pub page: String,
}

/// How one vector, or several, come from a model's output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    /// The mean of the token vectors.
    Mean,
    /// The vector of the first token.
    First,
    /// The vector of the last token.
    Last,
    /// The token vectors themselves.
    Tokens,
    /// The model, or its server, gives what is stored.
    Given,
}
