//! Pages that a query names by where they are: `page 12`, `the last slide`, `the cover`. What is on them, and which page
//! has 12 printed on it, is not known here.

use crate::query::PAGE_WORDS;
use crate::tokenize::{Form, Token};

/// A page, by where it is in its document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum PlaceName {
    /// The page that is called so: by the number printed on it, or else by counting.
    Number(u32),
    /// Counted from 1.
    FromStart(u32),
    /// Counted from the last, which is 0.
    FromEnd(u32),
}

const FIRST: PlaceName = PlaceName::FromStart(1);

/// Numbers in words, from 1.
const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
                       seventeen eighteen nineteen twenty";
/// The same to count with.
const ORDINALS: &str = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth";

/// What is told of a document on its first page.
const FRONT: &str = "title author authors presenter presenters presented written wrote writer publisher published";
/// What a document is called.
const DOCUMENTS: &str = "document paper report article presentation slide slides deck book booklet brochure handbook manual \
                         guide guidebook thesis";

/// The pages that a query names by their places.
pub(super) fn place_names(query: &[Token]) -> Vec<PlaceName> {
    let words = words(query);
    let mut names = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = |n: usize| at.checked_sub(n).and_then(|at| words.get(at)).copied().unwrap_or_default();
        let after = words.get(at + 1).copied().unwrap_or_default();
        if is_page(word) {
            names.extend(numbers_after(&words[at + 1..]).map(PlaceName::Number));
            names.extend(counted(before(2), before(1)));
        } else if *word == "cover" && (is_page(after) || is_any(before(1), "the front") && after != "letter") {
            names.push(FIRST);
        }
    }
    names.extend(counted_apart(&words));
    names.sort_unstable();
    names.dedup();
    names
}

fn words(query: &[Token]) -> Vec<&str> {
    query.iter().filter(|token| token.form == Form::Word).map(|token| token.term.as_str()).collect()
}

/// `page`, `pages`, `slide`, and other languages' words for it.
pub(super) fn is_page(word: &str) -> bool {
    PAGE_WORDS.contains(&word) || word.strip_suffix('s').is_some_and(|one| PAGE_WORDS.contains(&one))
}

fn is_any(word: &str, words: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

/// From 1: where a word stands in a list.
fn place_in(word: &str, words: &str) -> Option<u32> {
    words.split_whitespace().zip(1..).find(|(other, _)| *other == word).map(|(_, place)| place)
}

/// The numbers that words begin with: `4`, `4 and 6`, `four`.
fn numbers_after<'w>(words: &'w [&'w str]) -> impl Iterator<Item = u32> + 'w {
    let number = |word: &&str| word.parse().ok().or_else(|| place_in(word, NUMBERS));
    let is_part = move |word: &&&str| is_any(word, "and or to") || number(word).is_some();
    let starts = words.first().is_some_and(|first| number(first).is_some());
    words.iter().take_while(is_part).filter(move |_| starts).filter_map(number)
}

/// What `the second last` or `first` before `page` says.
fn counted(first: &str, second: &str) -> Option<PlaceName> {
    match second {
        "last" | "final" => Some(PlaceName::FromEnd(place_in(first, ORDINALS).map_or(0, |place| place - 1))),
        "penultimate" => Some(PlaceName::FromEnd(1)),
        "title" | "front" => Some(FIRST),
        _ => place_in(second, ORDINALS).map(PlaceName::FromStart),
    }
}

/// What `the page that is second last` says.
fn counted_apart(words: &[&str]) -> Option<PlaceName> {
    let at = words.iter().position(|word| is_page(word))?;
    let behind = words.get(at + 1..at + 6).or_else(|| words.get(at + 1..))?;
    let pair = behind.windows(2).find(|pair| pair[1] == "last" && place_in(pair[0], ORDINALS).is_some())?;
    counted(pair[0], pair[1])
}

/// Whether what first pages tell is asked: `the title of the report`, `who wrote this paper`.
pub(super) fn is_about_document(query: &[Token]) -> bool {
    let words = words(query);
    let is_document = |word: &&str| is_any(word, DOCUMENTS);
    let tells = |run: &[&str]| match run {
        [told, "of" | "by", "the" | "this", document] => is_any(told, FRONT) && is_document(document),
        [told, "the" | "this", document, ..] => is_any(told, "wrote presented published") && is_document(document),
        _ => false,
    };
    words.windows(4).any(tells) || words.len() >= 3 && tells(&words[words.len() - 3..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::tokens;

    #[test]
    fn pages_are_named_by_their_places() {
        use PlaceName::{FromEnd, FromStart, Number};
        for (query, want) in [
            ("What is on page 12?", vec![Number(12)]),
            ("the mill on page two", vec![Number(2)]),
            ("Compare pages 4, 5 and 6 of the report", vec![Number(4), Number(5), Number(6)]),
            ("Seite 7", vec![Number(7)]),
            ("Who signed the first page?", vec![FromStart(1)]),
            ("the third slide", vec![FromStart(3)]),
            ("In the picture on the cover, who is it?", vec![FromStart(1)]),
            ("on the cover page", vec![FromStart(1)]),
            ("does it cover floods", vec![]),
            ("the cover letter", vec![]),
            ("the last slide", vec![FromEnd(0)]),
            ("the second last page", vec![FromEnd(1)]),
            ("the page that is second last", vec![FromEnd(1)]),
            ("How many pages have tables?", vec![]),
            ("page", vec![]),
        ] {
            assert_eq!(place_names(&tokens(query)), want, "{query}");
        }
    }

    #[test]
    fn first_pages_tell_what_a_document_is() {
        for (query, want) in [
            ("What is the title of the report?", true),
            ("who wrote this paper", true),
            ("Who is the presenter of this slide?", true),
            ("the title of the chart in the report", false),
            ("What does the report say?", false),
            ("report", false),
        ] {
            assert_eq!(is_about_document(&tokens(query)), want, "{query}");
        }
    }
}
