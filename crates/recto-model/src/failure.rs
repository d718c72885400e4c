//! Why a chat gave no reply, by what can be done about it, with what the server said.

use std::fmt;
use std::time::Duration;

/// So many bytes of what a server said are kept.
const RAW_BYTES: usize = 4096;

/// What kind of failure it was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Class {
    /// No connection, or it broke before the reply began.
    Connection,
    /// No reply in time.
    Timeout,
    /// Too many requests or tokens (429).
    RateLimit,
    /// The server has too much to do (503, 529).
    Overloaded,
    /// A fault of the server (500, 502, 504 and the like).
    Server,
    /// The reply broke off.
    Cut,
    /// An HTML page in place of a reply.
    ErrorPage,
    /// The reply is not JSON.
    NotJson,
    /// The reply is JSON of another shape than a chat's.
    NotChat,
    /// The reply holds no text.
    Empty,
    /// The key is missing or refused (401, 403).
    Key,
    /// The account has no credit (402).
    NoCredit,
    /// There is no such model or address (404).
    NoModel,
    /// The request is too long (413, or 400 that says so).
    TooLong,
    /// The server does not take the request (400 and the like).
    Request,
    /// The model, or a filter before it, declines to answer.
    Declined,
    /// The reply was as long as was allowed, and what is there of it is of no use.
    OutOfTokens,
    /// The reply does not obey the schema, asked twice.
    Schema,
}

impl Class {
    /// Whether asking again may help.
    pub const fn is_passing(self) -> bool {
        matches!(self, Self::Connection | Self::Timeout | Self::RateLimit | Self::Overloaded | Self::Server | Self::Cut)
            || matches!(self, Self::ErrorPage | Self::NotJson | Self::Empty)
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::Connection => "no connection to the model",
            Self::Timeout => "no reply from the model in time",
            Self::RateLimit => "too many requests to the model",
            Self::Overloaded => "the model's server is overloaded",
            Self::Server => "the model's server failed",
            Self::Cut => "the model's reply broke off",
            Self::ErrorPage => "a web page came in place of the model's reply",
            Self::NotJson => "the model's server did not reply in JSON",
            Self::NotChat => "the model's server did not reply as a chat does",
            Self::Empty => "the model's reply is empty",
            Self::Key => "the model's server does not take the key",
            Self::NoCredit => "the account with the model's server has no credit",
            Self::NoModel => "there is no such model",
            Self::TooLong => "the request is too long for the model",
            Self::Request => "the model's server does not take the request",
            Self::Declined => "the model declines to answer",
            Self::OutOfTokens => "the model's reply is too long",
            Self::Schema => "the model's reply is not in the form asked for",
        }
    }
}

/// Why a chat gave no reply. No key is ever in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What kind it is.
    pub class: Class,
    /// What happened, in a line.
    pub why: String,
    /// What the server said, its first 4,096 bytes.
    pub raw: String,
    /// How long the server asks to wait.
    pub retry_after: Option<Duration>,
    /// How many requests were sent before giving up; 0 if none was.
    pub attempts: u32,
}

impl Failure {
    pub(crate) fn new(class: Class, why: impl Into<String>, raw: &str) -> Self {
        Self { class, why: why.into(), raw: bounded(raw), retry_after: None, attempts: 0 }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class.sentence(), self.why)?;
        if self.attempts > 1 { write!(f, " (asked {} times)", self.attempts) } else { Ok(()) }
    }
}

/// The first bytes of a text, up to a whole character.
pub(crate) fn bounded(text: &str) -> String {
    text.get(..text.floor_char_boundary(RAW_BYTES)).unwrap_or_default().into()
}
