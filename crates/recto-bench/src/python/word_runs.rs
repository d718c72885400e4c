//! `re.findall(r"\w+", text.lower())`: runs of letters, digits and underscores.

/// The runs, in order.
pub fn word_runs(text: &str) -> Vec<String> {
    // `is_alphanumeric` is Alphabetic or a number; `\w` is a letter or a number. Marks, such as the dot that lower-casing
    // leaves of a dotted capital I, are alphabetic only where they are vowel signs.
    let lower = text.to_lowercase();
    let is_word = |c: char| c == '_' || c.is_alphanumeric() && !is_mark(c);
    lower.split(|c| !is_word(c)).filter(|run| !run.is_empty()).map(str::to_owned).collect()
}

/// Marks (general category M): alphabetic to Unicode, no word characters to Python.
fn is_mark(c: char) -> bool {
    use unicode_normalization::char::is_combining_mark;
    is_combining_mark(c)
}
