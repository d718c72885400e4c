//! Two streams of lines to whoever plays: one JSON value a line goes out, one line comes in.

use std::io::{BufRead, Read, Write};

use serde_json::Value;

/// Bytes of a line: a reply is a few thousand.
const LONGEST: u64 = 16 << 20;

pub(crate) struct Streams<R, W> {
    pub(crate) input: R,
    pub(crate) output: W,
}

impl<R: BufRead, W: Write> Streams<R, W> {
    pub(crate) fn tell(&mut self, line: &Value) -> Result<(), String> {
        writeln!(self.output, "{line}").and_then(|()| self.output.flush()).map_err(|error| error.to_string())
    }

    /// The next line that is not empty. Of one that is longer than [`LONGEST`] only the beginning, which is no reply; what
    /// is no text in it becomes U+FFFD.
    pub(crate) fn hear(&mut self) -> Result<String, String> {
        loop {
            let mut line = Vec::new();
            let mut read = || (&mut self.input).take(LONGEST).read_until(b'\n', &mut line);
            if read().map_err(|error| error.to_string())? == 0 {
                return Err("the planner's input ended".into());
            }
            if !line.ends_with(b"\n") {
                self.input.skip_until(b'\n').map_err(|error| error.to_string())?;
            }
            let line = String::from_utf8_lossy(&line);
            if !line.trim().is_empty() {
                return Ok(line.into_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_may_be_anything() {
        let long = vec![b'a'; LONGEST as usize + 5];
        let input = [&b"\n  \n{}\n\xff{\n"[..], &long, b"\nlast"].concat();
        let mut streams = Streams { input: &input[..], output: Vec::new() };
        assert_eq!(streams.hear().unwrap(), "{}\n");
        assert_eq!(streams.hear().unwrap(), "\u{fffd}{\n");
        assert_eq!(streams.hear().unwrap().len() as u64, LONGEST);
        assert_eq!(streams.hear().unwrap(), "last");
        assert!(streams.hear().is_err());
    }
}
