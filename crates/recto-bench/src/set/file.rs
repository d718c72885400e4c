//! Files of benchmarks: a JSON value, or one a line. Says in which line something is wrong.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::error::{BenchError, Result};

/// A line of a file, and where it stands.
pub(crate) struct Line {
    file: PathBuf,
    number: usize,
    text: String,
}

impl Line {
    /// The line as a value.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        // Where in the line: that the value is the first line of itself says nothing.
        let placed =
            |error: serde_json::Error| self.fault(error.to_string().replace(" at line 1 column ", " at column "));
        serde_json::from_str(&self.text).map_err(placed)
    }

    /// The line, without white space at its ends.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// A fault in this line.
    pub(crate) fn fault(&self, why: impl ToString) -> BenchError {
        BenchError::row(&self.file, self.number, why)
    }
}

/// The lines of a file that hold something, one at a time: a file may be larger than memory. A byte order mark and line
/// ends of any system are no part of a line.
pub(crate) fn lines(file: &Path) -> Result<impl Iterator<Item = Result<Line>>> {
    let mut reader = BufReader::new(File::open(file).map_err(BenchError::io(file))?);
    let (file, mut number) = (file.to_owned(), 0);
    Ok(std::iter::from_fn(move || {
        loop {
            number += 1;
            let mut bytes = Vec::new();
            match reader.read_until(b'\n', &mut bytes) {
                Err(error) => return Some(Err(BenchError::io(&file)(error))),
                Ok(0) => return None,
                Ok(_) => {}
            }
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").filter(|_| number == 1).unwrap_or(&bytes);
            let line = |text: &str| Line { file: file.clone(), number, text: text.trim().into() };
            match std::str::from_utf8(bytes) {
                Err(error) => return Some(Err(line("").fault(error))),
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) => return Some(Ok(line(text))),
            }
        }
    }))
}

/// A whole file as one value.
pub(crate) fn json<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let bytes = std::fs::read(file).map_err(BenchError::io(file))?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(bytes).map_err(|error| BenchError::row(file, error.line(), error))
}
