//! What names a language model in a file: `local:FILE.gguf`, options after `#`. Not the opening of it.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use crate::{ModelError, Result};

/// What stands before the file.
const PREFIX: &str = "local:";
const OPTIONS: &str =
    "options after # are mmproj=FILE, context=N, reply=N, threads=N and picture=N, with & between them";

/// A language model in a file, and how it is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalSpec {
    /// The model, as GGUF.
    pub file: PathBuf,
    /// What turns pictures into tokens of this model, as GGUF; without one it sees none.
    pub mmproj: Option<PathBuf>,
    /// Tokens of prompt and reply together, at most.
    pub context: u32,
    /// Tokens of a reply, at most.
    pub reply: u32,
    /// Threads that compute; as many as the caller thinks best, if not given.
    pub threads: Option<u32>,
    /// Tokens that a picture takes, at least; more show more detail.
    pub picture: Option<u32>,
}

impl LocalSpec {
    /// Whether a text names a model in a file, well or badly.
    pub fn is_meant(text: &str) -> bool {
        text.trim_start().starts_with(PREFIX)
    }

    /// A model with the usual options: as much context as a processor reads in a minute or two.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into(), mmproj: None, context: 4096, reply: 768, threads: None, picture: None }
    }

    fn set(&mut self, name: &str, value: &str) -> std::result::Result<(), String> {
        match name {
            "mmproj" if !value.is_empty() => self.mmproj = Some(value.into()),
            "context" => self.context = number(name, value, 512..=1_048_576)?,
            "reply" => self.reply = number(name, value, 16..=65_536)?,
            "threads" => self.threads = Some(number(name, value, 1..=256)?),
            "picture" => self.picture = Some(number(name, value, 1..=16_384)?),
            _ => return Err(OPTIONS.into()),
        }
        Ok(())
    }
}

fn number(name: &str, value: &str, range: RangeInclusive<u32>) -> std::result::Result<u32, String> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("{name} is a number from {} to {}", range.start(), range.end()))
}

impl FromStr for LocalSpec {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<Self> {
        let bad = |why: String| ModelError::BadSpec { spec: text.into(), why };
        let named = text.trim().strip_prefix(PREFIX).ok_or_else(|| bad(format!("expected {PREFIX}FILE.gguf")))?;
        let (file, options) = named.split_once('#').unwrap_or((named, ""));
        if file.is_empty() {
            return Err(bad(format!("expected a file after {PREFIX}")));
        }
        let mut spec = Self::new(file);
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            spec.set(name, value).map_err(bad)?;
        }
        if spec.reply * 2 > spec.context {
            return Err(bad("reply is at most half of context".into()));
        }
        Ok(spec)
    }
}

/// The model's name: its file without the folder, so that records do not depend on where it lies.
impl fmt::Display for LocalSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.file.file_name().unwrap_or_default().to_string_lossy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_in_files_are_named() {
        let usual = LocalSpec::new("m/a b.gguf");
        let table = [
            ("local:m/a b.gguf", Some(usual.clone())),
            (" local:m/a b.gguf# ", Some(usual.clone())),
            (
                "local:m/a b.gguf#mmproj=p.gguf&context=2048&reply=64&threads=2&picture=1024",
                Some(LocalSpec {
                    mmproj: Some("p.gguf".into()),
                    context: 2048,
                    reply: 64,
                    threads: Some(2),
                    picture: Some(1024),
                    ..usual
                }),
            ),
            ("openai:a.gguf", None),
            ("local:", None),
            ("local:#context=1024", None),
            ("local:a#context=100", None),
            ("local:a#context=1024&reply=1000", None),
            ("local:a#threads=0", None),
            ("local:a#mmproj=", None),
            ("local:a#reply", None),
            ("local:a#colour=red", None),
        ];
        for (text, want) in table {
            assert_eq!(text.parse::<LocalSpec>().ok(), want, "{text}");
        }
        assert_eq!("local:m/a b.gguf#reply=64".parse::<LocalSpec>().unwrap().to_string(), "local:a b.gguf");
        let why = "local:a#colour=red".parse::<LocalSpec>().unwrap_err().to_string();
        assert!(why.contains("mmproj=FILE"), "{why}");
        assert!(LocalSpec::is_meant("local:") && !LocalSpec::is_meant("ollama:local:x"));
    }
}
