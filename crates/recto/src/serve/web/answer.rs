//! An answer as it is shown: what is said, on what it stands, how much was looked at and what it cost. A decline is shown as
//! one.

use std::ops::Range;

use maud::{Markup, html};
use recto_agent::{Answer, Citation, Status};
use recto_model::Usage;
use recto_page::{Page, PageId, PageSize, Pages};
use serde::{Deserialize, Serialize};

use super::layout::{capital, name, printed};
use super::link::{Links, THUMB_DPI, marks_text, query};
use super::search::snippet;
use super::sheet::{self, Marks};
use super::viewer::beside;
use crate::library::Shelf;
use crate::output;

/// An answer as it is kept.
#[derive(Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) question: String,
    /// The documents that were asked, if not all.
    pub(super) doc: String,
    pub(super) answer: Answer,
    pub(super) spent: Usage,
    pub(super) seconds: f64,
    /// Pages without text that could not be read.
    pub(super) unread: u64,
    /// Where a reader might look who got no answer.
    pub(super) nearest: Vec<Near>,
    /// The commit of the index that was asked.
    pub(super) commit: u64,
}

/// A page that may help, and words of it.
#[derive(Serialize, Deserialize)]
pub(super) struct Near {
    pub(super) page: PageId,
    pub(super) text: String,
    /// The bytes of the text that match.
    pub(super) matches: Vec<Range<usize>>,
}

/// An answer with its pages as they are now.
pub(super) struct Shown {
    pub(super) asked: Asked,
    /// The sizes of the cited pages; `None` for one that is gone.
    sizes: Vec<Option<PageSize>>,
    /// The page that is cited first.
    first: Option<Page>,
    /// Whether the index is as it was when it was asked.
    is_current: bool,
}

impl Shown {
    pub(super) fn of(asked: Asked, shelf: &Shelf<'_>) -> anyhow::Result<Self> {
        let catalog = &shelf.corpus.catalog;
        let page = |citation: &Citation| catalog.page(&citation.page).ok().flatten();
        let pages: Vec<Option<Page>> = asked.answer.evidence.iter().map(page).collect();
        let sizes = pages.iter().map(|page| page.as_ref().map(|page| page.size)).collect();
        let is_current = catalog.generation()? == asked.commit;
        Ok(Self { asked, sizes, first: pages.into_iter().next().flatten(), is_current })
    }

    /// The answer, its first cited page beside it.
    pub(super) fn told(&self, links: Links<'_>, id: &str) -> Markup {
        let Self { asked, first, .. } = self;
        let permanent = links.to(&format!("ask?answer={id}"));
        let first = asked.answer.evidence.first().zip(first.as_ref());
        html! {
            div class=(if first.is_some() { "split" } else { "narrow" }) data-permanent=(permanent) tabindex="-1" {
                section.answer.none[asked.answer.status != Status::Answered] aria-label="Answer" {
                    (said(links, self))
                }
                @if let Some((citation, page)) = first {
                    section #pane.pane aria-label="Cited page" { (beside(links, &citation.page, page, &citation.regions)) }
                }
            }
        }
    }
}

fn said(links: Links<'_>, shown: &Shown) -> Markup {
    let (asked, answer) = (&shown.asked, &shown.asked.answer);
    let is_offline = answer.answerer == Answer::OFFLINE;
    html! {
        @match answer.status {
            Status::Answered => { p.text dir="auto" { (answer.told()) } }
            // Rules do not know what they did not understand.
            Status::NotInDocuments if is_offline => { p.text { "No answer found." } }
            Status::NotInDocuments => { p.text { "Not in the documents." } }
            Status::Failed => { p.text { "The question could not be worked on." } }
        }
        @if answer.is_weak() { p.note { "Perhaps: what stands around it says only part of what is asked." } }
        (facts(asked))
        @if !shown.is_current {
            p.note { "The documents have changed since this was answered. "
                a href=(links.with("ask", &[("q", &asked.question), ("doc", &asked.doc)])) { "Ask again" } }
        }
        @for note in &answer.notes { p.note.warn { (capital(note)) "." } }
        @if answer.status == Status::NotInDocuments && is_offline {
            p.note { "Rules find what is written in words like those of the question. Other words may help, or a language model." }
        }
        @if !answer.evidence.is_empty() { (citations(links, shown)) }
        @if answer.status != Status::Answered { (elsewhere(links, asked)) }
        p.row.acts {
            button type="button" data-copy="answer" data-key="c" { "Copy answer" }
            button type="button" data-copy="link" data-key="l" { "Copy link" }
        }
    }
}

/// Who answered, from how much, at which cost.
fn facts(asked: &Asked) -> Markup {
    let answer = &asked.answer;
    let spent = (asked.spent.requests() > 0).then(|| crate::answerer::told(&asked.spent));
    let by = if answer.answerer == Answer::OFFLINE { "Answered by rules, no language model" } else { &answer.answerer };
    html! {
        ul.facts {
            li { (by) }
            li { (capital(&answer.coverage.to_string())) }
            @if asked.unread > 0 { li { (output::count(asked.unread, "page")) " in scope could not be read" } }
            li.num { @if asked.seconds < 0.1 { "less than 0.1 s" } @else { (format!("{:.1} s", asked.seconds)) } }
            @match spent {
                Some(spent) => { li { (spent) } @if asked.spent.unpriced > 0 { li { "Price not known" } } }
                None => { li { "No cost" } }
            }
        }
    }
}

fn citations(links: Links<'_>, shown: &Shown) -> Markup {
    html! {
        h2 { "Where it stands" }
        ol.cites {
            @for (index, citation) in shown.asked.answer.evidence.iter().enumerate() {
                li { (cite(links, citation, shown.sizes.get(index).copied().flatten(), index)) }
            }
        }
    }
}

fn cite(links: Links<'_>, citation: &Citation, size: Option<PageSize>, index: usize) -> Markup {
    let id = &citation.page;
    let pane = query(links.document(&id.doc, &format!("{}/pane", id.page)), "mark", &marks_text(&citation.regions));
    let said = html! {
        span {
            span.where { (name(id.doc.as_str())) ", page " (id.page) (printed(citation.label.as_deref(), id.page.get())) }
            @if !citation.quote.trim().is_empty() { q dir="auto" { (citation.quote) } }
            @if let Some(note) = &citation.note { small { (capital(note)) "." } }
            @if size.is_none() { small { "This page is no longer in the index." } }
        }
    };
    html! {
        @match size {
            Some(size) => {
                a.cite href=(links.marked(id, &citation.regions)) data-pane=(pane) data-key=[(index < 9).then_some(index + 1)]
                    aria-current=[(index == 0).then_some("true")] {
                    span.thumb {
                        img src=(links.image(id, THUMB_DPI)) alt="" decoding="async";
                        (sheet::drawn_marks(size, Marks { cited: &citation.regions, found: &[] }))
                    }
                    (said)
                }
            }
            None => { div.cite { span.thumb {} (said) } }
        }
    }
}

/// Where a reader might look who got no answer.
fn elsewhere(links: Links<'_>, asked: &Asked) -> Markup {
    html! {
        @if !asked.nearest.is_empty() {
            h2 { "Pages that share most words with the question" }
            ol.cites { @for (Near { page, text, matches }, number) in asked.nearest.iter().zip(1..) {
                li { a.cite href=(query(links.page(page), "terms", &asked.question)) data-key=(number) {
                    span.thumb { img src=(links.image(page, THUMB_DPI)) alt="" decoding="async"; }
                    span { span.where { (name(page.doc.as_str())) ", page " (page.page) } span.said-there dir="auto" { (snippet(text, matches)) } }
                } }
            } }
        }
    }
}
