//! Files of benchmarks: which there are, a JSON value, or one a line. Says in which line something is wrong. Not what
//! rows mean, see [`super::rows`].

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::error::{BenchError, Result};

/// The file of this name in a folder; the path itself if it is a file.
pub(crate) fn within(path: &Path, name: &str) -> PathBuf {
    if path.is_dir() { path.join(name) } else { path.into() }
}

/// The files of a table: the path itself if it is a file, else what the folder has of it under the first of `names` that
/// is there (`data/dev` stands for `data/dev.jsonl`, `.json`, `.parquet` and for parts such as
/// `data/dev-00000-of-00002.parquet`).
pub(crate) fn table(path: &Path, names: &[&str], published: &str) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.into()]);
    }
    let found = names.iter().map(|name| parts(path, name)).find(|parts| !parts.is_empty());
    let missing = || BenchError::MissingFile {
        file: path.join(format!("{}.parquet", names.first().unwrap_or(&""))),
        published: published.into(),
    };
    found.ok_or_else(missing)
}

/// See [`table`]; the parts in order.
fn parts(folder: &Path, name: &str) -> Vec<PathBuf> {
    let whole = |ending: &&str| Some(folder.join(format!("{name}.{ending}"))).filter(|file| file.is_file());
    if let Some(whole) = ["jsonl", "json", "parquet"].iter().find_map(whole) {
        return vec![whole];
    }
    let stem = folder.join(format!("{name}-"));
    let is_part = |file: &PathBuf| {
        let (file, stem) = (file.to_string_lossy(), stem.to_string_lossy());
        file.starts_with(&*stem) && file.ends_with(".parquet")
    };
    let files = stem.parent().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let mut parts: Vec<PathBuf> = files.map(|entry| entry.path()).filter(is_part).collect();
    parts.sort();
    parts
}

/// The file, if it is there.
pub(crate) fn need(file: PathBuf, published: &str) -> Result<PathBuf> {
    if file.is_file() { Ok(file) } else { Err(BenchError::MissingFile { file, published: published.into() }) }
}

/// A line of a file, and where it stands.
pub(crate) struct Line {
    file: Arc<Path>,
    number: usize,
    text: String,
}

impl Line {
    /// The line as a value.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_str(self.text()).map_err(|error| self.fault(without_line(&error) + self.hint(&error)))
    }

    /// What people who write such lines may not know.
    fn hint(&self, error: &serde_json::Error) -> &'static str {
        match error.classify() {
            Category::Eof => "; a row stands on one line",
            Category::Syntax if ["NaN", "Infinity"].iter().any(|word| self.text.contains(word)) => {
                "; JSON has no NaN and no Infinity"
            }
            _ => "",
        }
    }

    /// The line, without white space at its ends.
    pub(crate) fn text(&self) -> &str {
        self.text.trim()
    }

    /// Its columns, parted by tabs if there are that many, else by white space: names of files have blanks in them.
    pub(crate) fn columns<const N: usize>(&self) -> Result<[&str; N]> {
        let tabbed: Vec<&str> = self.text().split('\t').map(str::trim).collect();
        let columns = if tabbed.len() == N { tabbed } else { self.text.split_whitespace().collect() };
        <[&str; N]>::try_from(columns).map_err(|found| self.fault(format!("{} columns, not {N}", found.len())))
    }

    /// A fault in this line.
    pub(crate) fn fault(&self, why: impl ToString) -> BenchError {
        BenchError::row(&*self.file, self.number, why)
    }
}

/// The lines of a file that hold something, one at a time: a file may be larger than memory. A byte order mark and line
/// ends of any system are no part of a line.
pub(crate) fn lines(file: &Path) -> Result<impl Iterator<Item = Result<Line>>> {
    let mut reader = BufReader::new(File::open(file).map_err(BenchError::io(file))?);
    readable(file, reader.fill_buf().map_err(BenchError::io(file))?)?;
    Ok(lines_of(file, reader))
}

/// The first of [`lines`], or as much of it as tells what it is: some files are one long line.
pub(crate) fn head(file: &Path) -> Result<Option<Line>> {
    let mut head = Vec::new();
    let open = File::open(file).map_err(BenchError::io(file))?;
    open.take(HEAD).read_to_end(&mut head).map_err(BenchError::io(file))?;
    readable(file, &head)?;
    // A character that is cut off at the end is none.
    if let Err(error) = std::str::from_utf8(&head)
        && error.error_len().is_none()
    {
        head.truncate(error.valid_up_to());
    }
    lines_of(file, &*head).next().transpose()
}

/// Bytes that tell what a file is.
const HEAD: u64 = 1 << 20;

fn lines_of(file: &Path, mut reader: impl BufRead) -> impl Iterator<Item = Result<Line>> {
    let (file, mut number) = (Arc::<Path>::from(file), 0);
    std::iter::from_fn(move || {
        loop {
            number += 1;
            let mut bytes = Vec::new();
            match reader.read_until(b'\n', &mut bytes) {
                Err(error) => return Some(Err(BenchError::io(&*file)(error))),
                Ok(0) => return None,
                Ok(_) => {}
            }
            if number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
                bytes.drain(..3);
            }
            let line = |text| Line { file: Arc::clone(&file), number, text };
            match String::from_utf8(bytes) {
                Err(error) => return Some(Err(line(String::new()).fault(error))),
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => return Some(Ok(line(text))),
            }
        }
    })
}

/// A whole file as one value.
pub(crate) fn json<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let bytes = std::fs::read(file).map_err(BenchError::io(file))?;
    readable(file, &bytes)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(bytes).map_err(|error| BenchError::row(file, error.line(), without_line(&error)))
}

/// Refuses what only looks like a file of rows by its name.
fn readable(file: &Path, head: &[u8]) -> Result<()> {
    const KINDS: [(&[u8], &str); 6] = [
        (b"\x1f\x8b", "it is packed with gzip; unpack it first"),
        (b"\x28\xb5\x2f\xfd", "it is packed with Zstandard; unpack it first"),
        (b"PK\x03\x04", "it is a ZIP archive; unpack it first"),
        (b"\x89PNG", "it is a picture"),
        (b"%PDF", "it is a PDF document"),
        (b"\0", "it holds no text"),
    ];
    match KINDS.iter().find(|(start, _)| head.starts_with(start)) {
        Some((_, what)) => Err(BenchError::row(file, 0, what)),
        None => Ok(()),
    }
}

/// What is wrong and where in its line: the line is named elsewhere.
fn without_line(error: &serde_json::Error) -> String {
    error.to_string().replace(&format!(" at line {} column ", error.line()), " at column ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::desk::write;

    #[test]
    fn of_a_file_that_is_one_long_line_only_the_head_is_read() {
        let desk = tempfile::tempdir().unwrap();
        let long = format!("\u{feff}\r\n [{}", "é".repeat(HEAD as usize));
        let head_of = |bytes: &[u8]| head(&write(&desk, "long", bytes)).map(|line| line.map(|line| line.text.len()));
        let length = head_of(long.as_bytes()).unwrap().unwrap() as u64;
        // The mark, the blank and the line end are no part of it, nor is half a letter.
        assert!((HEAD - 8..HEAD).contains(&length), "{length}");
        assert_eq!(head_of(b"\n \nq1 Q0 d1\nq2").unwrap(), Some("q1 Q0 d1\n".len()));
        assert_eq!(head_of(b" \n").unwrap(), None);
        assert!(head_of(b"a\xff b").is_err());
    }
}
