//! Proper names, years, identifiers and quoted strings of a question.

use crate::qa::term::{bare, is_spaceless, is_stop_word, is_year, terms};

pub(crate) fn years(asked: &str) -> Vec<String> {
    let mut years: Vec<String> = Vec::new();
    for run in asked.split(|c: char| !c.is_ascii_digit()).filter(|r| is_year(r)) {
        if !years.iter().any(|y| y == run) {
            years.push(run.to_owned());
        }
    }
    years
}

/// Capitalised words within a sentence, neighbours joined.
pub(super) fn names(asked: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut joined = false;
    let mut first = true;
    for word in asked.split_whitespace() {
        let bare = bare(word);
        let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("\u{2019}s")).unwrap_or(bare);
        let capital = bare.starts_with(char::is_uppercase) && bare.chars().any(char::is_alphabetic);
        let inner_capital = bare.chars().skip(1).any(char::is_uppercase);
        let named =
            capital && (!first || inner_capital) && !is_stop_word(bare) && !is_fiscal(bare) && !is_date_form(bare);
        match names.last_mut() {
            Some(last) if named && joined => *last = format!("{last} {bare}"),
            _ if named => names.push(bare.to_owned()),
            _ => {}
        }
        joined = named && !word.ends_with([',', ';', ':', '.']);
        first = word.ends_with(['?', '.', ':', '!']);
    }
    names
}

/// `FY`, `FY2021`: the year counts, not the name.
pub(super) fn is_fiscal(word: &str) -> bool {
    word.strip_prefix("FY").is_some_and(|y| y.is_empty() || is_year(y))
}

/// `YYYY-MM-DD`, `DD/MM/YY`: how a date is to be written.
pub(super) fn is_date_form(word: &str) -> bool {
    word.contains("YY") && word.chars().all(|c| "YMD-/.".contains(c))
}

pub(super) fn quoted(asked: &str) -> Vec<String> {
    let pairs = [
        ('"', '"'),
        ('\u{201c}', '\u{201d}'),
        ('\'', '\''),
        ('\u{2018}', '\u{2019}'),
        ('`', '`'),
        ('「', '」'),
        ('《', '》'),
    ];
    pairs.iter().flat_map(|&(open, close)| between(asked, open, close)).collect()
}

/// Strings between two marks that stand at word edges.
pub(super) fn between(text: &str, open: char, close: char) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        let at_edge = rest[..start].chars().next_back().is_none_or(|c| !c.is_alphanumeric() || is_spaceless(c));
        let inner = &rest[start + open.len_utf8()..];
        let Some(end) = inner.find(close).filter(|_| at_edge) else {
            rest = inner;
            continue;
        };
        found.push(inner[..end].trim().to_owned());
        rest = &inner[end + close.len_utf8()..];
    }
    found.retain(|q| !q.is_empty());
    found
}

/// Words of letters and digits, neither years nor numbers with a unit.
pub(super) fn identifiers(asked: &str) -> Vec<String> {
    let words = asked.split_whitespace().map(bare);
    let mixed = |w: &&str| {
        let (letters, digits) =
            (w.chars().filter(|c| c.is_ascii_uppercase()).count(), w.chars().filter(char::is_ascii_digit).count());
        letters >= 1 && digits >= 2 && w.len() >= 3 && w.chars().all(char::is_alphanumeric) && !is_fiscal(w)
    };
    let ordinals = asked
        .match_indices('第')
        .filter_map(|(i, _)| asked[i..].char_indices().nth(2).map(|(end, _)| &asked[i..i + end]));
    let page = |ordinal: &&str| !ordinal.ends_with(|c: char| c.is_ascii_digit());
    words.filter(mixed).chain(ordinals.filter(page)).flat_map(terms).collect()
}
