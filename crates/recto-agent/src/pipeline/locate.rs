//! Which pages are shown: those that the question names, then those that the search and, where it is asked, the model
//! choose.

use std::collections::BTreeSet;

use recto_model::{ChatMessage, ChatRequest, Schema};
use recto_page::{DocId, Numbered, Page, PageId, PageNumber};
use recto_search::{Scope, SearchError};
use serde_json::{Value, json};

use super::facts::facts;
use super::passages::passages;
use super::read::header;
use super::survey::Tally;
use super::{Means, Plan};
use crate::fence::Fence;
use crate::prompt::{DOCUMENT_PAGES, fence_rule};
use crate::{Question, Result};

/// Labels of longer documents are not looked through.
const MOST_LABELLED: u32 = 500;
/// Of so many pages, one is the document's first.
const FIRST_TOO: usize = 8;
/// Where captions of the figures that a question names are looked for.
const CAPTIONED: usize = 12;
/// Pages of one call that chooses pages.
const BATCH: usize = 50;
/// Bytes of a page's text in such a call, and of what stands around it.
const GLANCE: usize = 2_000;
const HEADER: usize = 100;

/// Pages to show, the most promising first.
pub(super) struct Located {
    pub(super) pages: Vec<PageId>,
    /// Pages in scope; `None` for the whole corpus.
    pub(super) of: Option<u32>,
    /// What the program found out about them.
    pub(super) facts: String,
    /// What went wrong.
    pub(super) notes: Vec<String>,
}

/// The pages for a question; `known` ones come from going through all pages: first if they decide, else as the model's choice.
pub(super) fn locate(
    question: &Question,
    scope: &Scope,
    means: &Means<'_>,
    plan: &Plan,
    fence: &Fence,
    known: &Tally,
) -> Result<Located> {
    let documents = documents(scope, means)?;
    let of = matches!(scope, Scope::Documents(_)).then(|| documents.iter().map(|(_, n)| n).sum());
    let mut notes = Vec::new();
    let looked_through = of.filter(|of| *of as usize > plan.pages && *of <= plan.look_through);
    // All of them are ranked where the model chooses some.
    let ranked = looked_through.or(of.filter(|_| known.coverage.read > 0));
    let depth = ranked.map_or(plan.pages.max(CAPTIONED), |of| of as usize);
    let found = found(&question.asked, scope, means, depth)?;
    let mut pages: Vec<PageId> = means.search.named(&question.asked, scope)?.into_iter().collect();
    pages.extend(named(question, &documents, means)?);
    pages.extend(captioned(question, scope, means)?);
    pages.extend(known.pages().into_iter().filter(|_| known.decides()));
    let mut chosen = match looked_through {
        Some(_) => chosen(question, &documents, means, plan, fence, &mut notes)?,
        None => known.pages(),
    };
    // What both choose comes first.
    chosen.sort_by_key(|page| found.iter().position(|other| other == page).unwrap_or(usize::MAX));
    pages.extend(in_turn(chosen, found));
    // Where no word of the question stands anywhere, pictures may still tell.
    if pages.is_empty() || of.is_some_and(|of| of as usize <= plan.pages) {
        pages.extend(all(&documents).take(plan.pages));
    }
    let mut seen = BTreeSet::new();
    pages.retain(|page| seen.insert(page.clone()));
    with_first(&mut pages, &documents, plan.pages);
    let facts = facts(question, &documents, means)?;
    Ok(Located { pages, of, facts, notes })
}

/// Documents in scope with their pages; none for the whole corpus.
pub(super) fn documents(scope: &Scope, means: &Means<'_>) -> Result<Vec<(DocId, u32)>> {
    let Scope::Documents(documents) = scope else { return Ok(Vec::new()) };
    let sized = |doc: &DocId| Ok(means.pages.n_pages(doc)?.map(|n| (doc.clone(), n)));
    documents.iter().filter_map(|doc| sized(doc).transpose()).collect()
}

pub(super) fn all(documents: &[(DocId, u32)]) -> impl Iterator<Item = PageId> {
    documents.iter().flat_map(|(doc, n)| PageNumber::first(*n).map(|number| PageId::new(doc.clone(), number)))
}

pub(super) fn found(query: &str, scope: &Scope, means: &Means<'_>, k: usize) -> Result<Vec<PageId>> {
    match means.search.search(query, scope, k) {
        Ok(ranking) => Ok(ranking.0.into_iter().map(|hit| hit.page).collect()),
        Err(SearchError::EmptyQuery) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// The first `most` pages; of one document its first page among them, which tells what it is and whose.
fn with_first(pages: &mut Vec<PageId>, documents: &[(DocId, u32)], most: usize) {
    pages.truncate(most);
    let [(doc, 1..)] = documents else { return };
    let first = PageId::new(doc.clone(), PageNumber::FIRST);
    if most >= FIRST_TOO && !pages.contains(&first) {
        pages.truncate(most - 1);
        pages.push(first);
    }
}

/// Pages that the question names: first by their printed label, then by their number.
fn named(question: &Question, documents: &[(DocId, u32)], means: &Means<'_>) -> Result<Vec<PageId>> {
    let (mut labelled, mut counted) = (Vec::new(), Vec::new());
    for (doc, n) in documents.iter().filter(|_| !question.pages.is_empty()) {
        let by_number = question.pages.iter().filter_map(|name| match name.as_str() {
            "last" => PageNumber::new(*n),
            name => name.parse().ok().filter(|number: &PageNumber| number.get() <= *n),
        });
        counted.extend(by_number.map(|number| PageId::new(doc.clone(), number)));
        for number in PageNumber::first((*n).min(MOST_LABELLED)) {
            let id = PageId::new(doc.clone(), number);
            let label = means.pages.page(&id)?.and_then(|page| page.label);
            let is_meant = |label: String| question.pages.iter().any(|name| name.eq_ignore_ascii_case(&label));
            labelled.extend(label.is_some_and(is_meant).then_some(id));
        }
    }
    labelled.extend(counted);
    Ok(labelled)
}

/// Pages with the caption of a figure or table that the question names.
fn captioned(question: &Question, scope: &Scope, means: &Means<'_>) -> Result<Vec<PageId>> {
    let mut pages = Vec::new();
    for item in &question.items {
        for id in found(&format!("{} {}", item.kind, item.number), scope, means, CAPTIONED)? {
            let is_there = means.pages.page(&id)?.is_some_and(|page| holds(&page, &item.kind, &item.number));
            pages.extend(is_there.then_some(id));
        }
    }
    Ok(pages)
}

fn holds(page: &Page, kind: &str, number: &str) -> bool {
    Numbered::on(page).iter().any(|(on, _)| on.kind.starts_with(kind) && on.number.eq_ignore_ascii_case(number))
}

/// What the model chooses, batch by batch; a batch that fails chooses nothing.
fn chosen(
    question: &Question,
    documents: &[(DocId, u32)],
    means: &Means<'_>,
    plan: &Plan,
    fence: &Fence,
    notes: &mut Vec<String>,
) -> Result<Vec<PageId>> {
    let mut chosen = Vec::new();
    for (doc, n) in documents {
        let numbers: Vec<PageNumber> = PageNumber::first(*n).collect();
        for batch in numbers.chunks((plan.request / (GLANCE + HEADER)).clamp(1, BATCH)) {
            match means.chat.reply(&request(question, doc, batch, means, fence)?, means.ledger) {
                Ok(reply) => {
                    notes.extend(reply.notes);
                    chosen.extend(numbers_in(reply.json, batch).map(|page| PageId::new(doc.clone(), page)));
                }
                Err(error) => notes.push(format!("{} pages were not looked through: {error}", batch.len())),
            }
        }
    }
    Ok(chosen)
}

fn request(
    question: &Question,
    doc: &DocId,
    batch: &[PageNumber],
    means: &Means<'_>,
    fence: &Fence,
) -> Result<ChatRequest> {
    let mut text = String::new();
    for number in batch {
        let id = PageId::new(doc.clone(), *number);
        let Some(page) = means.pages.page(&id)? else { continue };
        let glance = passages(&page.to_markdown(), question, GLANCE);
        text.push_str(&format!("{}\n{}\n\n", header(&page), fence.around(&glance)));
    }
    text.push_str(&format!("Question: {}", question.asked));
    let rules = DOCUMENT_PAGES.fill(&[("fence", &fence_rule(fence))]);
    let messages = vec![ChatMessage::system(rules), ChatMessage::user(text)];
    Ok(ChatRequest { schema: schema(), max_tokens: 2_000, ..ChatRequest::new(messages) })
}

fn schema() -> Option<Schema> {
    let json = json!({"type": "object", "additionalProperties": false, "required": ["pages"],
        "properties": {"pages": {"type": "array", "items": {"type": "integer"}}}});
    Schema::new("pages", json).ok()
}

fn numbers_in(reply: Option<Value>, batch: &[PageNumber]) -> impl Iterator<Item = PageNumber> {
    let pages = reply.and_then(|reply| reply.get("pages")?.as_array().cloned()).unwrap_or_default();
    let number = |page: Value| PageNumber::new(u32::try_from(page.as_u64()?).ok()?);
    pages.into_iter().filter_map(number).filter(|number| batch.contains(number))
}

/// One of the first, one of the second, and so on.
fn in_turn(first: Vec<PageId>, second: Vec<PageId>) -> Vec<PageId> {
    let mut all = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    loop {
        let before = all.len();
        all.extend(first.next());
        all.extend(second.next());
        if all.len() == before {
            return all;
        }
    }
}
