//! Results on standard output, notes on standard error.

use std::fmt::{Arguments, Display};
use std::io::{self, Write};

use serde::Serialize;

/// Writes a line of results.
pub(crate) fn line(text: impl Display) -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{text}")?;
    Ok(())
}

/// Writes one JSON value as a result.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(serde_json::to_string_pretty(value)?)
}

/// Writes a line to standard error, [printable]. That it can't be written is nothing to act on.
pub(crate) fn note(text: Arguments<'_>) {
    writeln!(io::stderr().lock(), "{}", printable(&text.to_string())).ok();
}

/// True if the reader of our output went away, as `head` does: no reason to complain.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// Makes text from documents safe for a terminal: control characters, which could move the cursor or change colours,
/// become `\u{fffd}`; line breaks and tabs stay.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}

/// ` (printed iii)` where a page's printed label differs from its number.
pub(crate) fn printed(label: Option<&str>, page: u32) -> String {
    let differs = label.filter(|label| *label != page.to_string());
    differs.map_or_else(String::new, |label| format!(" (printed {})", printable(label)))
}

/// `1 page`, `2 pages`.
pub(crate) fn count(n: u64, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}
