//! Pages, figures and tables that a question names.

use super::names::between;
use crate::qa::number::spelt;
use crate::qa::term::bare;

/// A figure, table or other numbered thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// `figure`, `table`, ... in lower case.
    pub kind: String,
    /// Its number as written.
    pub number: String,
}

const ORDINALS: &[(&str, &str)] = &[
    ("first", "1"),
    ("second", "2"),
    ("third", "3"),
    ("fourth", "4"),
    ("fifth", "5"),
    ("cover", "1"),
    ("last", "last"),
];

/// Pages that the question names: `page 7`, `slide iii`, `p. 4`, `the last page`, `第7页`.
pub(super) fn pages(lower: &str) -> Vec<String> {
    let words: Vec<&str> =
        lower.split(|c: char| c.is_whitespace() || ",;?()".contains(c)).filter(|w| !w.is_empty()).collect();
    let mut pages = Vec::new();
    for pair in words.windows(2) {
        let [a, b] = pair else { continue };
        let bare = bare(b);
        if matches!(*a, "page" | "pages" | "slide" | "p." | "pg." | "pg") && is_page_name(bare) {
            let spelt = spelt(bare).map(|n| n.to_string());
            pages.push(spelt.unwrap_or_else(|| bare.to_owned()));
        } else if matches!(bare, "page" | "slide") {
            let ordinal = ORDINALS.iter().find(|(name, _)| name == a).map(|(_, number)| *number);
            pages.extend(ordinal.map(str::to_owned));
        }
    }
    pages.extend(between(lower, '第', '页').into_iter().filter(|n| n.chars().all(|c| c.is_ascii_digit())));
    pages
}

/// The question without words that only say on which page to look, as `on the first page`, `on the cover`.
pub(super) fn without_pages(asked: &str) -> String {
    let words: Vec<&str> = asked.split_whitespace().collect();
    let bare = |at: usize| words.get(at).map(|w| bare(w).to_lowercase());
    let is = |at: usize, names: &[&str]| bare(at).is_some_and(|word| names.contains(&word.as_str()));
    let is_page = |at: usize| is(at, &["page", "pages", "slide"]);
    let is_place = |at: usize| is(at, &["cover", "title", "front", "last", "final"]) || is_ordinal(bare(at).as_deref());
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let is_number = bare(at + 1).is_some_and(|number| is_page_name(&number));
        let taken = if is_page(at) && is_number
            || is_place(at) && is_page(at + 1)
            || is(at, &["the"]) && is(at + 1, &["cover"])
        {
            2
        } else if is_place(at) && is_place(at + 1) && is_page(at + 2) {
            3
        } else {
            kept.push(*word);
            1
        };
        at += taken;
    }
    kept.join(" ")
}

fn is_ordinal(word: Option<&str>) -> bool {
    ORDINALS.iter().any(|(name, _)| Some(*name) == word)
}

/// A number, a spelt number, or a roman numeral.
fn is_page_name(word: &str) -> bool {
    let digits = word.chars().any(|c| c.is_ascii_digit()) && word.len() <= 6;
    let roman = !word.is_empty() && word.len() <= 6 && word.chars().all(|c| "ivxlc".contains(c));
    digits || roman || spelt(word).is_some()
}

const ITEMS: &[&str] =
    &["figure", "fig", "table", "appendix", "section", "chapter", "exhibit", "equation", "box", "chart"];

/// Numbered things that the question names: `Figure 3`, `Table A-1`, `Appendix C`.
pub(super) fn items(lower: &str) -> Vec<Item> {
    let spaced: String = lower.chars().map(|c| if ",;?()\"'".contains(c) { ' ' } else { c }).collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut items: Vec<Item> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let letters = word.trim_end_matches(|c: char| !c.is_alphabetic());
        let Some(kind) = ITEMS.iter().find(|k| {
            letters == **k || word.starts_with(**k) && word[k.len()..].starts_with(|c: char| c.is_ascii_digit())
        }) else {
            continue;
        };
        let glued = word[kind.len()..].trim_start_matches('.');
        let number = if glued.is_empty() { words.get(i + 1).copied().unwrap_or_default() } else { glued };
        let number = bare(number);
        let single = number.len() == 1 && number != "a" && number != "i" || number.chars().all(|c| "ivx".contains(c));
        if !number.is_empty() && (number.chars().any(|c| c.is_ascii_digit()) || single) && number.len() <= 8 {
            items.push(Item { kind: (*kind).to_owned(), number: number.to_owned() });
        }
    }
    items
}
