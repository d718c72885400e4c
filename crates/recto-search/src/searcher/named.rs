//! What a query names: pages, by label, number or place, and figures, tables and the like by their numbers.

use std::collections::{BTreeMap, BTreeSet};

use recto_page::{PageId, PageNumber};

use super::Searcher;
use super::folio::Named;
use super::place_name::{PlaceName, is_about_document, place_names};
use super::segment::Segment;
use crate::query::Query;
use crate::tokenize::{Form, Token, tokens};
use crate::{Result, Scope};

/// What a page that is named weighs, or one with the caption or heading of what is named, 1 being what words give the best
/// page: it comes first, and several come in the order of their words.
const NAMED: f64 = 1.0;
/// What a page weighs that has the number, where another has it printed on it.
const COUNTED: f64 = 0.3;
/// What the mention of a figure weighs.
const MENTION: f64 = 0.05;

impl Searcher {
    /// The pages that a query about documents names, by the numbers printed on them, by counting (`the last page`), or by
    /// labels that were looked up.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn named_by(&self, query: &Query, scope: &Scope) -> Result<BTreeSet<PageId>> {
        let query = &query.asked();
        let named = self.places_named(query, &place_names(&tokens(&query.text)), scope)?.into_iter();
        let meant = named.filter(|(_, weight)| *weight >= NAMED);
        let id = |((doc, page), _): (Named, f64)| {
            Some(PageId::new(self.docs.get(doc as usize)?.clone(), PageNumber::new(page)?))
        };
        Ok(meant.filter_map(id).collect())
    }

    /// The pages that a query means by their places, and what that weighs: those that it names, and the first where what
    /// first pages tell is asked.
    pub(super) fn places_meant(&self, query: &Query, scope: &Scope) -> Result<BTreeMap<Named, f64>> {
        let words = tokens(&query.text);
        let mut places = place_names(&words);
        places.extend(is_about_document(&words).then_some(PlaceName::FromStart(1)));
        self.places_named(query, &places, scope)
    }

    /// Asked of a whole corpus, every document would have such a page: none is named.
    fn places_named(&self, query: &Query, places: &[PlaceName], scope: &Scope) -> Result<BTreeMap<Named, f64>> {
        let mut named = BTreeMap::new();
        if *scope == Scope::All || places.is_empty() && query.pages.is_empty() {
            return Ok(named);
        }
        let labelled = self.labelled(query, places);
        let in_scope = self.in_scope(scope);
        let last = self.last_pages(&in_scope);
        for place in places {
            match *place {
                PlaceName::Number(number) => {
                    let mut printed = self.printed(number, &in_scope)?;
                    printed.retain(|(doc, _)| !labelled.iter().any(|(other, _)| other == doc));
                    let known: BTreeSet<u32> = printed.iter().chain(&labelled).map(|(doc, _)| *doc).collect();
                    let counted = last.iter().filter(|(_, last)| number <= **last).map(|(doc, _)| (*doc, number));
                    named.extend(counted.map(|at| (at, if known.contains(&at.0) { COUNTED } else { NAMED })));
                    named.extend(printed.into_iter().map(|at| (at, NAMED)));
                }
                PlaceName::FromStart(number) => named.extend(last.keys().map(|doc| ((*doc, number), NAMED))),
                PlaceName::FromEnd(n) => {
                    named.extend(last.iter().map(|(doc, last)| ((*doc, last.saturating_sub(n)), NAMED)))
                }
            }
        }
        named.extend(labelled.into_iter().map(|at| (at, NAMED)));
        Ok(named)
    }

    /// Pages that are named by their printed labels; labels that only count say nothing.
    fn labelled(&self, query: &Query, places: &[PlaceName]) -> Vec<Named> {
        let tells = query.pages.iter().filter(|id| !places.contains(&PlaceName::Number(id.page.get())));
        let named = |id: &PageId| {
            let rank = self.docs.binary_search(&id.doc).ok()?;
            Some((u32::try_from(rank).ok()?, id.page.get()))
        };
        tells.filter_map(named).collect()
    }

    /// The last page of each document in scope.
    fn last_pages(&self, in_scope: &[bool]) -> BTreeMap<u32, u32> {
        let mut last = BTreeMap::new();
        for place in self.segments.iter().flat_map(Segment::live) {
            if in_scope.get(place.doc as usize) == Some(&true) {
                let page = last.entry(place.doc).or_default();
                *page = place.page.max(*page);
            }
        }
        last
    }
}

/// A figure, a table or the like that a query names.
pub(super) struct Thing {
    /// What pages may call it.
    names: &'static [&'static str],
    number: String,
    /// Whether headings give its number alone.
    is_section: bool,
}

/// What may be named by a number, and how pages may write it.
const NAMES: [(&str, &[&str]); 9] = [
    ("figure", &["figure", "fig"]),
    ("fig", &["figure", "fig"]),
    ("table", &["table", "tab"]),
    ("chart", &["chart"]),
    ("section", &["section"]),
    ("chapter", &["chapter"]),
    ("exhibit", &["exhibit"]),
    ("appendix", &["appendix"]),
    ("annex", &["annex"]),
];

/// The things that a query names by their numbers.
pub(super) fn things(query: &[Token]) -> Vec<Thing> {
    let words: Vec<&Token> = query.iter().filter(|token| token.form == Form::Word).collect();
    let mut things = Vec::new();
    for (word, next) in words.iter().zip(words.iter().skip(1)) {
        let Some((name, names)) = NAMES.iter().find(|(name, _)| *name == word.term) else { continue };
        let whole = query.iter().find(|token| token.position == next.position && token.form == Form::Whole);
        let number = &whole.filter(|whole| whole.span.start == next.span.start).unwrap_or(next).term;
        if is_number(number) {
            things.push(Thing {
                names,
                number: number.clone(),
                is_section: *name == "section" && number.contains('.'),
            });
        }
    }
    things
}

/// A number, or what stands for one: a letter, but for articles, or a Roman numeral.
fn is_number(word: &str) -> bool {
    let is_letter = word.len() == 1 && word != "a" && word.bytes().all(|b| b.is_ascii_lowercase());
    let is_roman = word.len() <= 4 && word.bytes().all(|b| matches!(b, b'i' | b'v' | b'x'));
    word.starts_with(|c: char| c.is_ascii_digit()) || is_letter || is_roman
}

impl Thing {
    /// What each of the `wanted` pages of a segment (position, tag) has of it weighs: its caption or heading, or a
    /// mention.
    pub(super) fn weigh(&self, segment: &Segment, wanted: &[(u32, usize)]) -> Result<BTreeMap<usize, f64>> {
        let mut weights = BTreeMap::new();
        let mut numbered = BTreeSet::new();
        segment.headed(&self.number, wanted, |tag| {
            numbered.insert(tag);
        })?;
        if self.is_section {
            weights.extend(numbered.iter().map(|tag| (*tag, NAMED)));
        }
        for name in self.names {
            let has = segment.has_side_by_side(&[(*name).to_owned(), self.number.clone()])?;
            let mut headed = BTreeSet::new();
            segment.headed(name, wanted, |tag| {
                headed.insert(tag);
            })?;
            for (_, tag) in wanted.iter().filter(|(local, _)| has.get(*local as usize) == Some(&true)) {
                let weight = if numbered.contains(tag) && headed.contains(tag) { NAMED } else { MENTION };
                let known = weights.entry(*tag).or_insert(weight);
                *known = known.max(weight);
            }
        }
        Ok(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_named_by_numbers() {
        let named = |query: &str| -> Vec<String> {
            let things = things(&tokens(query));
            things.iter().map(|thing| format!("{} {}", thing.names.join("/"), thing.number)).collect()
        };
        for (query, want) in [
            ("Compare Fig. 3 with table 2.1 on page 7", vec!["figure/fig 3", "table/tab 2.1"]),
            ("Table 1-1", vec!["table/tab 1-1"]),
            ("in Appendix E and Table IV", vec!["appendix e", "table/tab iv"]),
            ("the figure a mill has", vec![]),
            ("a table of contents", vec![]),
        ] {
            assert_eq!(named(query), want, "{query}");
        }
    }
}
