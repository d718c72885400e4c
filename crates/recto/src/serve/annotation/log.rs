//! A file of JSON lines that only grows.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A file that lines are added to.
pub(super) struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// The file with what it holds so far. A last line without its end was torn by a kill; it is taken away.
    ///
    /// # Errors
    /// With file and line: a line of another form.
    pub(super) fn open<T: DeserializeOwned>(path: &Path) -> anyhow::Result<(Self, Vec<T>)> {
        let told = || path.display().to_string();
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.with_context(told)?,
        };
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let lines = bytes.get(..whole).unwrap_or_default().split(|byte| *byte == b'\n').zip(1..);
        let lines = lines.filter(|(line, _)| !line.trim_ascii().is_empty());
        let parsed = lines
            .map(|(line, number)| serde_json::from_slice(line).with_context(|| format!("{}:{number}", path.display())));
        let parsed = parsed.collect::<anyhow::Result<Vec<T>>>()?;
        let file = OpenOptions::new().create(true).append(true).open(path).with_context(told)?;
        if whole < bytes.len() {
            file.set_len(whole as u64).with_context(told)?;
        }
        Ok((Self { path: path.into(), file }, parsed))
    }

    /// Adds a line, which is on its way to the disk when this returns.
    ///
    /// # Errors
    /// When it can't be written.
    pub(super) fn add(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let line = serde_json::to_string(value)? + "\n";
        self.file.write_all(line.as_bytes()).with_context(|| self.path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_is_none_and_the_next_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        for (held, want, after) in [
            ("", vec![], "7\n"),
            ("1\n2\n", vec![1, 2], "1\n2\n7\n"),
            ("1\n2", vec![1], "1\n7\n"),
            ("\n1\n{", vec![1], "\n1\n7\n"),
        ] {
            fs::write(&path, held).unwrap();
            let (mut log, read) = Log::open::<u32>(&path).unwrap();
            assert_eq!(read, want, "{held:?}");
            log.add(&7).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), after, "{held:?}");
        }
        fs::write(&path, "1\nx\n").unwrap();
        assert!(format!("{:#}", Log::open::<u32>(&path).err().unwrap()).contains("log.jsonl:2"));
    }
}
