//! An answer as it is shown: what is said, on what it stands, how much was looked at and what it cost. A decline is shown as
//! one.

use maud::{Markup, html};
use recto_agent::{Answer, Citation, Status};
use recto_model::Usage;
use recto_page::{Page, PageId, PageSize};

use super::layout::{capital, name_of, printed};
use super::link::{Links, THUMB_DPI, marks_text, query};
use super::sheet::{self, Marks};
use super::viewer::beside;
use crate::output;

/// An answer, and what is needed to show it.
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
    pub(super) nearest: Vec<PageId>,
    /// The sizes of the cited pages.
    pub(super) sizes: Vec<PageSize>,
    /// The page that is cited first.
    pub(super) first: Option<Page>,
}

/// The answer, its first cited page beside it.
pub(super) fn shown(links: Links<'_>, id: &str, asked: &Asked) -> Markup {
    let permanent = links.to(&format!("ask?answer={id}"));
    let first = asked.answer.evidence.first().zip(asked.first.as_ref());
    html! {
        div class=(if first.is_some() { "split" } else { "narrow" }) data-permanent=(permanent) tabindex="-1" {
            section.answer.none[asked.answer.status != Status::Answered] aria-label="Answer" {
                (said(links, asked))
            }
            @if let Some((citation, page)) = first {
                section #pane.pane aria-label="Cited page" { (beside(links, &citation.page, page, &citation.regions)) }
            }
        }
    }
}

fn said(links: Links<'_>, asked: &Asked) -> Markup {
    let answer = &asked.answer;
    html! {
        @match answer.status {
            Status::Answered => { p.text { (answer.text) } }
            Status::NotInDocuments => { p.text { "Not in the documents." } }
            Status::Failed => { p.text { "The question could not be worked on." } }
        }
        (facts(asked))
        @for note in &answer.notes { p.note.warn { (capital(note)) "." } }
        @if !answer.evidence.is_empty() { (citations(links, asked)) }
        @if answer.status != Status::Answered { (elsewhere(links, asked)) }
    }
}

/// Who answered, from how much, at which cost.
fn facts(asked: &Asked) -> Markup {
    let answer = &asked.answer;
    let spent = (asked.spent.requests() > 0).then(|| crate::answerer::told(&asked.spent));
    let by = if answer.answerer == Answer::OFFLINE { "Offline answerer, no language model" } else { &answer.answerer };
    html! {
        ul.facts {
            li { (by) }
            li { (capital(&answer.coverage.to_string())) }
            @if asked.unread > 0 { li { (output::count(asked.unread, "page")) " in scope could not be read" } }
            li.num { (format!("{:.1} s", asked.seconds)) }
            @match spent {
                Some(spent) => { li { (spent) } @if asked.spent.unpriced > 0 { li { "Price not known" } } }
                None => { li { "No cost" } }
            }
        }
    }
}

fn citations(links: Links<'_>, asked: &Asked) -> Markup {
    html! {
        h2 { "Where it stands" }
        ol.cites {
            @for (index, citation) in asked.answer.evidence.iter().enumerate() {
                li { (cite(links, citation, asked.sizes.get(index).copied(), index == 0)) }
            }
        }
    }
}

fn cite(links: Links<'_>, citation: &Citation, size: Option<PageSize>, is_open: bool) -> Markup {
    let id = &citation.page;
    let (file, _) = name_of(id.doc.as_str());
    let pane = query(links.document(&id.doc, &format!("{}/pane", id.page)), "mark", &marks_text(&citation.regions));
    html! {
        a.cite href=(links.marked(id, &citation.regions)) data-pane=(pane) aria-current=[is_open.then_some("true")] {
            span.thumb {
                img src=(links.image(id, THUMB_DPI)) alt="" decoding="async";
                @if let Some(size) = size { (sheet::drawn_marks(size, Marks { cited: &citation.regions, found: &[] })) }
            }
            span {
                span.where { (file) ", page " (id.page) (printed(citation.label.as_deref(), id.page.get())) }
                @if !citation.quote.trim().is_empty() { q { (citation.quote) } }
                @if let Some(note) = &citation.note { small { (capital(note)) "." } }
            }
        }
    }
}

/// Where a reader might look who got no answer.
fn elsewhere(links: Links<'_>, asked: &Asked) -> Markup {
    html! {
        @if !asked.nearest.is_empty() {
            h2 { "Pages that share most words with the question" }
            ul { @for page in &asked.nearest {
                li { a href=(query(links.page(page), "terms", &asked.question)) { (page.doc) ", page " (page.page) } }
            } }
        }
    }
}
