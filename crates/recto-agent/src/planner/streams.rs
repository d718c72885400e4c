//! Two streams of lines to whoever plays: one JSON value a line goes out, one line comes in.

use std::io::{BufRead, Write};

use serde_json::Value;

pub(crate) struct Streams<R, W> {
    pub(crate) input: R,
    pub(crate) output: W,
}

impl<R: BufRead, W: Write> Streams<R, W> {
    pub(crate) fn tell(&mut self, line: &Value) -> Result<(), String> {
        writeln!(self.output, "{line}").and_then(|()| self.output.flush()).map_err(|error| error.to_string())
    }

    /// The next line that is not empty.
    pub(crate) fn hear(&mut self) -> Result<String, String> {
        loop {
            let mut line = String::new();
            if self.input.read_line(&mut line).map_err(|error| error.to_string())? == 0 {
                return Err("the planner's input ended".into());
            }
            if !line.trim().is_empty() {
                return Ok(line);
            }
        }
    }
}
