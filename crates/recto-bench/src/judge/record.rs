//! Judgements and replies on disk: one JSON object a line.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::judging::{Judgement, Open};
use super::{Picture, Prompt, Respondent};
use crate::error::{BenchError, Result};
use crate::set::lines;

/// Where a run's judgements are.
pub fn judgements(run: &Path) -> PathBuf {
    run.join("judgements.jsonl")
}

/// The judgements of a run; none if nobody judged it. A last line that a kill left torn is none.
///
/// # Errors
/// With file and line: a line that is no judgement.
pub fn read(run: &Path) -> Result<Vec<Judgement>> {
    let file = judgements(run);
    if !file.exists() {
        return Ok(Vec::new());
    }
    let torn = std::fs::read(&file).map_err(BenchError::io(&file))?.last().is_some_and(|last| *last != b'\n');
    let mut read: Vec<Result<Judgement>> = lines(&file)?.map(|line| line?.parse()).collect();
    if torn {
        read.pop_if(|last| last.is_err());
    }
    read.into_iter().collect()
}

/// Adds judgements to those of a run.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Opens a run's file of judgements and puts `known` into it, which makes an end of what a kill left torn.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn open(run: &Path, known: &[Judgement]) -> Result<Self> {
        let path = judgements(run);
        let new = path.with_extension("new");
        let write = |new: &Path| {
            let mut out = BufWriter::new(File::create(new)?);
            known.iter().try_for_each(|known| writeln!(out, "{}", serde_json::to_string(known)?))?;
            out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
            std::fs::rename(new, &path)?;
            OpenOptions::new().append(true).open(&path)
        };
        let file = write(&new).map_err(BenchError::io(&path))?;
        Ok(Self { path, file })
    }

    /// Adds one.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn add(&mut self, judgement: &Judgement) -> Result<()> {
        let line = serde_json::to_string(judgement).unwrap_or_default() + "\n";
        self.file.write_all(line.as_bytes()).map_err(BenchError::io(&self.path))
    }
}

/// A prompt to be answered by whatever means, and then its reply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Exchange {
    /// The prompt's key.
    pub key: String,
    /// What is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Prompt>,
    /// The files of its pictures, in order; beside the file of prompts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
}

/// Writes what is open, to be answered elsewhere. `drawn` names the file of a picture.
///
/// # Errors
/// When it can't be written.
pub fn write_prompts(file: &Path, open: &[Open<'_>], drawn: impl Fn(&Picture) -> String) -> Result<()> {
    let write = || {
        let mut out = BufWriter::new(File::create(file)?);
        for Open { prompt, .. } in open {
            let files = prompt.pictures.iter().map(&drawn).collect();
            let line = Exchange { key: prompt.key(), prompt: Some(prompt.clone()), files, reply: None };
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        }
        out.flush()
    };
    write().map_err(BenchError::io(file))
}

/// Replies from a file: what a model said before, or whoever answered [`write_prompts`].
#[derive(Debug)]
pub struct Recorded {
    name: String,
    replies: BTreeMap<String, String>,
}

impl Recorded {
    /// Reads the replies of `name`.
    ///
    /// # Errors
    /// With file and line: a line of another form.
    pub fn open(file: &Path, name: &str) -> Result<Self> {
        let mut replies = BTreeMap::new();
        for line in lines(file)? {
            let line: Exchange = line?.parse()?;
            if let Some(reply) = line.reply {
                replies.insert(line.key, reply);
            }
        }
        Ok(Self { name: name.into(), replies })
    }

    /// The reply to a prompt, if there is one.
    pub fn to(&self, prompt: &Prompt) -> Option<String> {
        self.replies.get(&prompt.key()).cloned()
    }
}

impl Respondent for Recorded {
    fn name(&self) -> &str {
        &self.name
    }

    fn reply(&self, prompt: &Prompt) -> std::result::Result<String, String> {
        self.to(prompt).ok_or_else(|| "the record has no reply to this prompt".into())
    }
}
