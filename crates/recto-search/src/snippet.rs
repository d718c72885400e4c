//! The part of a page's text that shows best why it was found.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::tokenize::{Token, tokens};
use crate::{Hit, Query};

/// Some whole words of a page's text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snippet {
    /// The words on one line: every line end or tab of the page is a space here.
    pub text: String,
    /// Which bytes of the page's text it is; as long as `text`.
    pub range: Range<usize>,
    /// The bytes of `text` that match the query, in order, none touching another.
    pub matches: Vec<Range<usize>>,
}

/// The window of about `max_chars` characters of `page` with the most weight of different terms; of equals the first,
/// and the beginning of the page if none of the terms stands on it. `weights` may be the parts of a
/// [`Hit`].
pub fn snippet(page: &str, weights: &BTreeMap<&str, f64>, max_chars: usize) -> Snippet {
    let tokens = tokens(page);
    let words: Vec<&Token> = tokens.iter().filter(|t| t.form.is_surface()).collect();
    let mut matched: Vec<&Token> = tokens.iter().filter(|t| weights.contains_key(t.term.as_str())).collect();
    matched.sort_by_key(|t| (t.span.start, t.span.end));
    let core = best_window(page, &matched, weights, max_chars);
    let range = with_signs(page, widen(page, &words, core, max_chars));
    let text = page.get(range.clone()).unwrap_or_default().replace(['\n', '\r', '\t'], " ");
    let spans = matched.iter().map(|t| t.span.clone());
    let within = spans.filter(|s| range.start <= s.start && s.end <= range.end);
    let matches = merged(within.map(|s| s.start - range.start..s.end - range.start));
    Snippet { text, range, matches }
}

/// The snippet of a page that was found. What was found by its words is shown by them; else it is the window that is nearest
/// to the query, if there is one, and the query's words in it.
pub fn snippet_of(hit: &Hit, query: &Query, window: Option<Range<usize>>, page: &str, max_chars: usize) -> Snippet {
    if hit.parts.is_empty() {
        let weights = query.terms.keys().map(|term| (term.as_str(), 1.0)).collect();
        let place = window.unwrap_or(0..page.len());
        return snippet(page.get(place).unwrap_or_default(), &weights, max_chars);
    }
    snippet(page, &hit.parts.iter().map(|part| (part.term.as_str(), part.score)).collect(), max_chars)
}

/// From the first to the last match of the heaviest window; empty at 0 if there is no match.
fn best_window(page: &str, matched: &[&Token], weights: &BTreeMap<&str, f64>, max_chars: usize) -> Range<usize> {
    let mut best = (0.0, 0..0);
    for (i, first) in matched.iter().enumerate() {
        let limit = chars_on(page, first.span.start, max_chars);
        let mut seen = BTreeSet::new();
        let (mut weight, mut end) = (0.0, first.span.end);
        for token in matched.iter().skip(i).take_while(|t| t.span.start < limit).filter(|t| t.span.end <= limit) {
            if seen.insert(token.term.as_str()) {
                weight += weights.get(token.term.as_str()).copied().unwrap_or_default();
                end = end.max(token.span.end);
            }
        }
        if weight > best.0 || best.1.is_empty() {
            best = (weight, first.span.start..end);
        }
    }
    best.1
}

/// The byte `count` characters after `start`.
fn chars_on(text: &str, start: usize, count: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    rest.char_indices().nth(count).map_or(text.len(), |(offset, _)| start + offset)
}

/// `core` with as many whole words around it as fit, a third of the room before it if the text after it fills the rest.
fn widen(page: &str, words: &[&Token], core: Range<usize>, max_chars: usize) -> Range<usize> {
    let chars = |range: Range<usize>| page.get(range).map_or(0, |text| text.chars().count());
    let room = |range: &Range<usize>| max_chars.saturating_sub(chars(range.clone()));
    let back = |range: Range<usize>, room: usize| {
        let starts = words.iter().rev().map(|w| w.span.start).filter(|start| *start < range.start);
        starts.take_while(|start| chars(*start..range.start) <= room).last().unwrap_or(range.start)..range.end
    };
    let on = |range: Range<usize>, room: usize| {
        let ends = words.iter().map(|w| w.span.end).filter(|end| *end > range.end);
        range.start..ends.take_while(|end| chars(range.end..*end) <= room).last().unwrap_or(range.end)
    };
    let third = room(&core) / 3;
    let range = back(core, third);
    let rest = room(&range);
    let range = on(range, rest);
    let rest = room(&range);
    back(range, rest)
}

/// How many signs are kept that touch a snippet.
const MAX_SIGNS: usize = 3;

/// `range` with the signs that touch it (`(`, `.`, `%`, quotes), without white space at its ends.
fn with_signs(page: &str, range: Range<usize>) -> Range<usize> {
    let is_sign = |c: &char| !c.is_whitespace() && !c.is_alphanumeric();
    let before = page.get(..range.start).unwrap_or_default().chars().rev();
    let after = page.get(range.end..).unwrap_or_default().chars();
    let bytes = |signs: &mut dyn Iterator<Item = char>| signs.take(MAX_SIGNS).map(char::len_utf8).sum::<usize>();
    let (left, right) = (bytes(&mut before.take_while(is_sign)), bytes(&mut after.take_while(is_sign)));
    let text = page.get(range.start - left..range.end + right).unwrap_or_default();
    let start = range.start - left + (text.len() - text.trim_start().len());
    start..start + text.trim().len()
}

/// Sorted ranges with those that touch or overlap made one.
fn merged(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::query_terms;

    /// The snippet with its matches in brackets.
    fn marked(page: &str, query: &str, max_chars: usize) -> String {
        let terms = query_terms(query);
        let weights = terms.iter().map(|t| (t.as_str(), 1.0)).collect();
        let found = snippet(page, &weights, max_chars);
        assert_eq!(found.text.len(), found.range.len());
        let mut text = found.text;
        for range in found.matches.iter().rev() {
            text.insert(range.end, ']');
            text.insert(range.start, '[');
        }
        text
    }

    #[track_caller]
    fn check(page: &str, query: &str, max_chars: usize, want: &str) {
        assert_eq!(marked(page, query, max_chars), want);
    }

    #[test]
    fn windows_and_matches() {
        let page = "First words of it.\nThe income (net) rose by 5%.\nNothing else happened.";
        check(page, "net income", 30, "it. The [income] ([net]) rose by 5%.");
        check(page, "Nothing", 30, "by 5%. [Nothing] else happened.");
        check(page, "zebra", 12, "First words");
        check(page, "happened", 22, "Nothing else [happened].");
        check("", "a", 20, "");
        check(" \n ", "a", 20, "");
        check("order AB-1234 of ﬁne CAFÉ", "ab-1234 fine cafe", 80, "order [AB-1234] of [ﬁne] [CAFÉ]");
        check("the infor-\nmation here", "information", 80, "the [infor- mation] here");
        check("日本の東京都庁は新宿にある。", "東京", 6, "の[東京]都庁は");
    }

    proptest::proptest! {
        #[test]
        fn any_page_has_a_snippet(page in "(\\PC|[-\n aé東\u{AD}\u{301}.(]){0,60}", query in "(\\PC|[aé東]){0,3}", max in 0..20_usize) {
            marked(&page, &query, max);
        }
    }
}
