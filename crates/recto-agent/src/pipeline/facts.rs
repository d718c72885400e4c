//! What a question takes for granted, looked up on all pages: the program knows how many there are, and what stands on none
//! of them. The model is told; it decides.

use std::collections::BTreeSet;

use recto_page::{DocId, Numbered, PageId, PageNumber};

use super::Means;
use crate::qa::term::bare;
use crate::qa::terms;
use crate::{Question, Result};

/// Longer documents are not looked through.
const MOST_PAGES: u32 = 150;
/// Of a document with more pages without words nothing is said to be missing: a share of its pages.
const WORDLESS: f64 = 0.05;
/// So many missing things are told.
const MOST: usize = 6;

/// A sentence or two on the pages in scope; empty if there is nothing to tell.
pub(super) fn facts(question: &Question, documents: &[(DocId, u32)], means: &Means<'_>) -> Result<String> {
    let of: u32 = documents.iter().map(|(_, n)| n).sum();
    if of == 0 {
        return Ok(String::new());
    }
    let mut facts = match documents {
        [_] => format!("The document has {of} pages."),
        several => format!("The {} documents have {of} pages.", several.len()),
    };
    if of <= MOST_PAGES && supposes(question) {
        let missing: Vec<String> = missing(question, documents, means)?.into_iter().take(MOST).collect();
        if !missing.is_empty() {
            facts.push_str(&format!(" Looked for and found on none of them: {}.", missing.join("; ")));
        }
    }
    Ok(facts)
}

fn supposes(question: &Question) -> bool {
    let Question { years, quoted, names, pages, items, .. } = question;
    !items.is_empty() || [years, quoted, names, pages].iter().any(|named| !named.is_empty())
}

/// What the question names and no page holds.
fn missing(question: &Question, documents: &[(DocId, u32)], means: &Means<'_>) -> Result<Vec<String>> {
    let held = Held::of(question, documents, means)?;
    let mut missing = Vec::new();
    if (held.wordless as f64) <= WORDLESS * f64::from(held.pages) {
        let named = question.years.iter().chain(&question.quoted).chain(&question.names);
        missing.extend(named.filter(|name| !held.has(name)).map(|name| format!("“{}”", crate::fence::clean(name))));
        let items = question.items.iter().filter(|item| !held.items.contains(&item.number.to_lowercase()));
        missing.extend(items.map(|item| format!("{} {}", item.kind, item.number)));
    }
    let most = documents.iter().map(|(_, n)| *n).max().unwrap_or(0);
    let is_missing = |name: &&String| match name.parse::<u32>() {
        Ok(number) => number == 0 || number > most && !held.labels.contains(&name.to_lowercase()),
        Err(_) => name.as_str() != "last" && !held.labels.contains(&name.to_lowercase()),
    };
    missing.extend(question.pages.iter().filter(is_missing).map(|name| format!("a page {name}")));
    Ok(missing)
}

/// All that stands on the pages of documents.
#[derive(Default)]
struct Held {
    pages: u32,
    wordless: u32,
    terms: BTreeSet<String>,
    labels: BTreeSet<String>,
    /// Numbers that follow the kinds of things that the question names, or stand in captions and headings.
    items: BTreeSet<String>,
}

impl Held {
    fn of(question: &Question, documents: &[(DocId, u32)], means: &Means<'_>) -> Result<Self> {
        let mut held = Self::default();
        for (doc, n) in documents {
            held.terms.extend(terms(doc.as_str()));
            for number in PageNumber::first(*n) {
                let Some(page) = means.pages.page(&PageId::new(doc.clone(), number))? else { continue };
                let text = page.text();
                held.pages += 1;
                held.wordless += u32::from(text.trim().is_empty());
                held.items.extend(mentioned(question, &text));
                held.terms.extend(terms(&text));
                held.labels.extend(page.label.as_ref().map(|label| label.to_lowercase()));
                held.items.extend(Numbered::on(&page).into_iter().map(|(named, _)| named.number.to_lowercase()));
            }
        }
        Ok(held)
    }

    /// Whether each term of a name stands on some page.
    fn has(&self, name: &str) -> bool {
        terms(name).iter().all(|term| self.terms.contains(term))
    }
}

/// What follows `figure`, `table` and the like, where the question names such a thing.
fn mentioned(question: &Question, text: &str) -> Vec<String> {
    if question.items.is_empty() {
        return Vec::new();
    }
    let bare = |word: &str| bare(word).to_lowercase();
    let words: Vec<String> = text.split_whitespace().map(bare).collect();
    let is_kind =
        |word: &str| question.items.iter().any(|item| word.starts_with(item.kind.get(..3).unwrap_or(&item.kind)));
    words.windows(2).filter(|pair| is_kind(&pair[0])).map(|pair| pair[1].clone()).collect()
}
