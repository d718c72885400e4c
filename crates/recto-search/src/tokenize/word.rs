//! Extra forms of one word: its parts, the number it writes, its plain spelling. Not what spans several words
//! (see `chain`).

use std::borrow::Cow;

use super::Form;
use super::fold::without_accents;

/// Longer words are blobs, not something that was written to be read.
const MAX_WORD_BYTES: usize = 64;

/// Gives the extra forms of a folded `word`.
pub(super) fn forms(word: &str, mut add: impl FnMut(Form, String)) {
    if word.len() > MAX_WORD_BYTES {
        return;
    }
    if !word.is_ascii() {
        let plain = without_accents(word);
        if plain != word && !plain.is_empty() {
            add(Form::Plain, plain);
        }
        hangul_pairs(word, &mut add);
    }
    match Shape::of(word) {
        Shape::Simple => match singular(word) {
            one if one == word => {}
            one => add(Form::Singular, one.into_owned()),
        },
        Shape::Number => add(Form::Joined, canonical_number(word)),
        Shape::Abbreviation => add(Form::Joined, word.replace('.', "")),
        Shape::Compound => compound_parts(word, &mut add),
    }
}

/// `word` without what looks like an English plural ending. It need not be right, only the same for both numbers.
pub(super) fn singular(word: &str) -> Cow<'_, str> {
    if word.len() <= 3 || !word.bytes().all(|b| b.is_ascii_alphabetic()) {
        return word.into();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return (stem.to_owned() + "y").into();
    }
    let hissing = ["sses", "shes", "ches", "xes"].iter().any(|end| word.ends_with(end));
    let kept = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix(if hissing { "es" } else { "s" }) {
        Some(stem) if !kept => stem.into(),
        _ => word.into(),
    }
}

enum Shape {
    /// Letters only, or digits only.
    Simple,
    /// `12,345.67`
    Number,
    /// `u.s.a`
    Abbreviation,
    /// Anything else: `foo_bar.baz`, `q3fy2015`, `smith's`, `05.03.2021`
    Compound,
}

impl Shape {
    fn of(word: &str) -> Self {
        let digits_only = word.bytes().all(|b| b.is_ascii_digit());
        if digits_only || word.chars().all(char::is_alphabetic) {
            Self::Simple
        } else if is_number(word) {
            Self::Number
        } else if word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic)) {
            Self::Abbreviation
        } else {
            Self::Compound
        }
    }
}

/// True for a number with separators between its digits; not for dates and versions (`05.03.2021`, `1.2.3`).
pub(super) fn is_number(word: &str) -> bool {
    let groups: Vec<&str> = word.split(['.', ',', '\'']).collect();
    let digits = groups.iter().all(|g| !g.is_empty() && g.bytes().all(|b| b.is_ascii_digit()));
    let inner = groups.get(1..groups.len().saturating_sub(1)).unwrap_or_default();
    digits && groups.len() > 1 && inner.iter().all(|g| g.len() == 3)
}

/// The number with no separator but a decimal point: a lone comma before exactly three digits parts thousands, and
/// where two kinds of signs occur the last is the decimal one.
pub(super) fn canonical_number(word: &str) -> String {
    let separators: Vec<char> = word.chars().filter(|c| !c.is_ascii_digit()).collect();
    let last = separators.last().copied().unwrap_or('.');
    let once = separators.iter().filter(|c| **c == last).count() == 1;
    let after = word.rsplit(last).next().map_or(0, str::len);
    let decimal = once && (separators.len() > 1 || last == '.' || (last == ',' && after != 3));
    let cut = if decimal { word.len() - after - 1 } else { word.len() };
    let (whole, fraction) = word.split_at_checked(cut).unwrap_or((word, ""));
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    if fraction.is_empty() { digits } else { digits + "." + fraction.trim_start_matches(last) }
}

fn compound_parts(word: &str, add: &mut impl FnMut(Form, String)) {
    let parts: Vec<&str> =
        word.split(|c: char| !c.is_alphanumeric() && !is_mark(c)).filter(|p| !p.is_empty()).collect();
    let elided = word.contains('\'');
    for part in &parts {
        if parts.len() > 1 && !(elided && part.chars().count() < 2) {
            add(Form::Part, (*part).to_owned());
        }
        border_parts(part, add);
    }
}

/// True for combining signs that belong to the letter before them, as in Indic scripts.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && unicode_normalization::char::is_combining_mark(c)
}

/// `q3fy2015` at the borders of letters and digits: each pair `q3`, `fy2015`, and each run of two or more characters.
fn border_parts(part: &str, add: &mut impl FnMut(Form, String)) {
    let runs = runs(part);
    if runs.len() < 2 {
        return;
    }
    if runs.len() > 2 {
        for pair in runs.windows(2).filter(|p| p[0].starts_with(char::is_alphabetic)) {
            add(Form::Part, pair.concat());
        }
    }
    for run in runs.iter().filter(|r| r.len() > 1) {
        add(Form::Part, (*run).to_owned());
    }
}

fn runs(part: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut start = 0;
    let mut before: Option<bool> = None;
    for (at, c) in part.char_indices() {
        let numeric = c.is_numeric();
        if before.is_some_and(|b| b != numeric) {
            runs.push(part.get(start..at).unwrap_or_default());
            start = at;
        }
        before = Some(numeric);
    }
    runs.push(part.get(start..).unwrap_or_default());
    runs
}

/// Korean writes particles onto words: pairs of syllables find the word without them.
fn hangul_pairs(word: &str, add: &mut impl FnMut(Form, String)) {
    let chars: Vec<char> = word.chars().collect();
    for pair in chars.windows(2).filter(|p| p.iter().all(|c| matches!(c, '\u{AC00}'..='\u{D7A3}'))) {
        add(Form::Bigram, pair.iter().collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, want: &[&str]) {
        let mut got = Vec::new();
        forms(word, |_, term| got.push(term));
        assert_eq!(got, want, "{word}");
    }

    #[test]
    fn numbers_lose_their_separators() {
        check("12345", &[]);
        check("12,345", &["12345"]);
        check("12,345.67", &["12345.67"]);
        check("12.345,67", &["12345.67"]);
        check("1,234,567", &["1234567"]);
        check("1.234.567", &["1234567"]);
        check("12,40", &["12.40"]);
        check("3.14", &["3.14"]);
        check("1'000'000", &["1000000"]);
    }

    #[test]
    fn plurals_lose_their_ending() {
        let table = [
            ("invoices", "invoice"),
            ("companies", "company"),
            ("ties", "tie"),
            ("boxes", "box"),
            ("classes", "class"),
            ("branches", "branch"),
            ("class", "class"),
            ("status", "status"),
            ("analysis", "analysis"),
            ("gas", "gas"),
            ("cafés", "cafés"),
        ];
        for (word, want) in table {
            assert_eq!(singular(word), want);
        }
    }

    #[test]
    fn compounds_give_their_parts() {
        check("foo_bar.baz", &["foo", "bar", "baz"]);
        check("05.03.2021", &["05", "03", "2021"]);
        check("v1.2.3", &["v1", "2", "3"]);
        check("q3fy2015", &["q3", "fy2015", "fy", "2015"]);
        check("fy2015", &["fy", "2015"]);
        check("q3", &[]);
        check("smith's", &["smith"]);
        check("l'homme", &["homme"]);
        check("can't", &["can"]);
        check("u.s.a", &["usa"]);
        check("हिन्दी", &[]);
        check("서울에서", &["서울", "울에", "에서"]);
        check("\u{64b}", &[]);
    }
}
