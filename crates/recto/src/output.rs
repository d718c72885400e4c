//! Results on standard output, notes on standard error.

use std::fmt::{Arguments, Display};
use std::io::{self, IsTerminal, Write};
use std::ops::Range;

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

/// Makes text from documents safe for a terminal: characters that could move the cursor, change colours or turn the
/// direction of what follows become `\u{fffd}`; line breaks and tabs stay.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if is_control(c) && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}

/// A name, [printable] and on one line, so that none looks like two.
pub(crate) fn name(name: &str) -> String {
    name.chars().map(|c| if is_control(c) { '\u{fffd}' } else { c }).collect()
}

/// Control characters, and those that embed, override or isolate a direction of writing.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A stretch of a page on one line, [printable]; on a terminal what `matches` names (bytes of it) stands out.
pub(crate) fn stretch(text: &str, matches: &[Range<usize>]) -> String {
    let colours = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    marked(text, if colours { matches } else { &[] })
}

fn marked(text: &str, matches: &[Range<usize>]) -> String {
    let (mut told, mut done) = (String::new(), 0);
    for found in matches {
        let part = |range: Range<usize>| printable(text.get(range).unwrap_or_default());
        told += &format!("{}\x1b[1m{}\x1b[0m", part(done..found.start), part(found.clone()));
        done = found.end;
    }
    told += &printable(text.get(done..).unwrap_or_default());
    told.split_whitespace().collect::<Vec<_>>().join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_documents_say_moves_no_cursor() {
        assert_eq!(printable("a\x1b[2Jb\nc\t\u{202e}d"), "a\u{fffd}[2Jb\nc\t\u{fffd}d");
        assert_eq!(name("a\n1 problem\u{2066}.pdf"), "a\u{fffd}1 problem\u{fffd}.pdf");
        assert_eq!(
            marked("the  old\nbridge \x1b", &[0..3, 5..8]),
            "\x1b[1mthe\x1b[0m \x1b[1mold\x1b[0m bridge \u{fffd}"
        );
    }
}
