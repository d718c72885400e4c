//! The frame of the document viewer: bar, rail with pages, contents and finding, the pages, and what is known of one.

use maud::{Markup, html};
use recto_page::{
    Document, DocumentState, HiddenKind, Page, PageId, PageNumber, PageSize, Problem, ProblemCode, TextReason,
    TextSource,
};

use recto_page::page::LinkTarget;

use super::layout::{capital, keys_dialog, name_of};
use super::link::{DPI, Links, THUMB_DPI, query};
use super::sheet;
use super::table::table;
use super::viewer::of_page;

/// A document that is opened at a page.
pub(super) struct Open {
    pub(super) id: PageId,
    /// The page; `None` if the document has none.
    pub(super) page: Option<Page>,
    /// Of every page.
    pub(super) sizes: Vec<PageSize>,
    pub(super) labels: Vec<(PageNumber, String)>,
    pub(super) document: Document,
    pub(super) problems: Vec<Problem>,
}

/// What is marked on the page that is opened.
#[derive(Clone, Copy)]
pub(super) struct Leaf<'a> {
    pub(super) mark: &'a str,
    pub(super) find: &'a str,
    pub(super) terms: &'a str,
}

impl Open {
    fn label(&self, page: PageNumber) -> Option<&str> {
        let at = self.labels.binary_search_by_key(&page, |(number, _)| *number).ok()?;
        self.labels.get(at).map(|(_, label)| label.as_str()).filter(|label| *label != page.to_string())
    }

    fn at(&self, page: PageNumber) -> PageId {
        PageId::new(self.id.doc.clone(), page)
    }
}

/// The viewer.
pub(super) fn frame(links: Links<'_>, open: &Open, leaf: Leaf<'_>, found: &Markup) -> Markup {
    html! {
        div #viewer data-page=(open.id.page) data-find=(leaf.find) {
            (bar(links, open))
            div.viewer-body {
                (rail(links, open, leaf, found))
                div.pages { (document_problems(open)) (leaves(links, open, leaf)) }
                aside #about.about aria-label="About this page" data-n=(open.id.page) {
                    div.row { h2 { "About this page" } button.quiet.small-only type="button" data-act="about" { "Close" } }
                    div.told { @if let Some(page) = &open.page { (about_page(page)) } }
                }
            }
            div #pops.pops hidden { button type="button" { "Copy link to these words" } }
            (keys())
        }
    }
}

fn bar(links: Links<'_>, open: &Open) -> Markup {
    let (file, folder) = name_of(open.id.doc.as_str());
    let title = open.document.title.as_deref().filter(|title| !title.trim().is_empty());
    let act = |name: &str, label: &str, text: &str| {
        html! { button.quiet type="button" data-act=(name) title=(label) aria-label=(label) { (text) } }
    };
    let toggle = |name: &str, label: &str, text: &str| {
        html! { button.quiet type="button" data-act=(name) aria-pressed="false" title=(label) { (text) } }
    };
    html! {
        div.viewer-bar {
            (act("rail", "Pages, contents and finding (t)", "☰"))
            h1 title=(open.id.doc) { bdi { (file) }
                @if let Some(title) = title { span.dim { " · " (title) } } @else if let Some(folder) = folder { span.dim { " · " (folder) } }
            }
            form.jump action=(links.document(&open.id.doc, "")) {
                (act("previous", "Page before (p)", "‹"))
                label.unseen for="go" { "Page" }
                input #go name="page" value=(open.id.page) autocomplete="off" inputmode="text";
                span.num { "of " (open.document.n_pages) }
                (act("next", "Next page (n)", "›"))
            }
            div.group {
                (act("smaller", "Smaller (-)", "−"))
                button.quiet #zoom-now type="button" data-act="fit" title="Fit to the window (0)" { "100 %" }
                (act("larger", "Larger (+)", "+"))
            }
            div.group.draw role="group" aria-label="Draw on the page" {
                (toggle("words", "Draw words (w)", "Words"))
                (toggle("blocks", "Draw blocks and tables (b)", "Blocks"))
                (toggle("order", "Draw the order of reading (o)", "Order"))
            }
            (toggle("about", "Text, tables and problems of the page (i)", "About"))
            (act("keys", "Keys (?)", "?"))
        }
    }
}

fn rail(links: Links<'_>, open: &Open, leaf: Leaf<'_>, found: &Markup) -> Markup {
    let has_outline = !open.document.outline.is_empty();
    let chosen = if leaf.find.is_empty() { "pages" } else { "find" };
    let tab = |name: &str, text: &str| {
        html! {
            button type="button" role="tab" id={ "tab-" (name) } aria-controls={ "rail-" (name) }
                aria-selected=(if name == chosen { "true" } else { "false" }) tabindex=(if name == chosen { "0" } else { "-1" }) { (text) }
        }
    };
    html! {
        aside.rail aria-label="Pages of the document" {
            div.tabs role="tablist" aria-label="Ways through the document" {
                (tab("pages", "Pages"))
                @if has_outline { (tab("outline", "Contents")) }
                (tab("find", "Find"))
            }
            div #rail-pages role="tabpanel" aria-labelledby="tab-pages" hidden[chosen != "pages"] { (thumbs(links, open)) }
            @if has_outline {
                div #rail-outline role="tabpanel" aria-labelledby="tab-outline" hidden { (outline(links, open)) }
            }
            div #rail-find role="tabpanel" aria-labelledby="tab-find" hidden[chosen != "find"] {
                form #find action=(links.document(&open.id.doc, "find")) role="search" {
                    label.unseen for="find-words" { "Find in this document" }
                    input #find-words type="search" name="find" value=(leaf.find) placeholder="Find in this document" size="14";
                }
                div #found { (found) }
            }
        }
    }
}

fn thumbs(links: Links<'_>, open: &Open) -> Markup {
    html! {
        ol.thumbs {
            @for (number, size) in (1..).filter_map(PageNumber::new).zip(&open.sizes) {
                @let id = open.at(number);
                @let flagged = of_page(&open.problems, Some(number)).any(|problem| problem.code.is_failure());
                li { a href=(links.page(&id)) data-n=(number) class=[flagged.then_some("flag")] aria-current=[(number == open.id.page).then_some("page")] {
                    span.thumb { img src=(links.image(&id, THUMB_DPI)) alt="" loading="lazy" decoding="async" width=(size.width as u32) height=(size.height as u32); }
                    span.unseen { "Page " } (number)
                    @if let Some(label) = open.label(number) { " · " (label) }
                    @if flagged { span.unseen { ", with problems" } }
                } }
            }
        }
    }
}

fn outline(links: Links<'_>, open: &Open) -> Markup {
    html! {
        ol.outline {
            @for entry in &open.document.outline {
                li { @match entry.page {
                    Some(page) => { a class={ "d" (entry.depth.min(3)) } href=(links.page(&open.at(page))) data-n=(page) { span { (entry.title) } span.num { (page) } } }
                    None => { span class={ "d" (entry.depth.min(3)) } { (entry.title) } }
                } }
            }
        }
    }
}

fn leaves(links: Links<'_>, open: &Open, leaf: Leaf<'_>) -> Markup {
    html! {
        @for (number, size) in (1..).filter_map(PageNumber::new).zip(&open.sizes) {
            @let id = open.at(number);
            @let is_current = number == open.id.page;
            @let mark = Some(leaf.mark).filter(|mark| is_current && !mark.is_empty());
            @let layer = query(links.document(&id.doc, &format!("{number}/layer")), "terms", leaf.terms);
            section.leaf id={ "p" (number) } data-n=(number) data-label=[open.label(number)] data-width=(size.width) data-dpi=(DPI)
                data-image=(links.image(&id, DPI)) data-layer=(layer) data-mark=[mark]
                data-about=(links.document(&id.doc, &format!("{number}/about"))) data-here=(query(links.page(&id), "mark", mark.unwrap_or_default()))
                aria-label={ "Page " (number) } tabindex="-1" {
                div.folio {
                    span.num { "Page " (number) @if let Some(label) = open.label(number) { " · printed " (label) } }
                    span { @for problem in of_page(&open.problems, Some(number)).filter(|p| p.code.is_failure()) { span.tag.warn title=(problem.detail) { (plain(problem.code.as_str())) } " " } }
                }
                div.sheet { (sheet::picture(links, &id, *size, !is_current)) }
            }
        }
    }
}

/// What went wrong with the document as a whole; and what there is of one without pages.
fn document_problems(open: &Open) -> Markup {
    let failed = open.document.state == DocumentState::Failed || open.document.n_pages == 0;
    html! {
        @if failed { div.empty { h1 { "This document could not be read" } } }
        @for problem in of_page(&open.problems, None) {
            div.card role="note" { (told(problem)) }
        }
    }
}

/// A problem with its next step.
pub(super) fn told(problem: &Problem) -> Markup {
    html! {
        p { span.tag.warn[problem.code.is_failure()] { (plain(problem.code.as_str())) } " " (problem.code.meaning()) }
        @if !problem.detail.is_empty() { p.dim { (problem.detail) } }
        p { b { "Next: " } (capital(next_step(problem.code))) "." }
    }
}

/// What to do, for somebody who has the page before them.
fn next_step(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::HiddenText => "read it below, and judge whether it matters",
        code => code.next_step(),
    }
}

fn plain(code: &str) -> String {
    code.replace('_', " ")
}

/// What is known of a page.
pub(super) fn about_page(page: &Page) -> Markup {
    let text = page.text();
    html! {
        dl {
            dt { "Size" } dd.num { (page.size.width.round()) " × " (page.size.height.round()) " pt" }
            @if let Some(label) = &page.label { dt { "Printed" } dd { (label) } }
            dt { "Text from" } dd { (source(page.text_source)) }
            dt { "Because" } dd { (reason(page.text_reason)) }
            @if let Some(ocr) = &page.ocr { dt { "Read by" } dd { (ocr.engine) ", sure to " (format!("{:.0} %", 100.0 * ocr.mean_confidence())) } }
        }
        @if !page.problems.is_empty() {
            h2 { "Problems" }
            @for problem in &page.problems { div.problem { (told(problem)) } }
        }
        @if !page.hidden.is_empty() {
            h2 { "Text that can’t be seen" }
            p.dim { "The file holds it, a reader does not see it, and search and answers do not use it." }
            @for hidden in &page.hidden { div.note.warn { (hidden_kind(hidden.kind)) ": " (hidden.text) } }
        }
        @if !page.tables.is_empty() {
            h2 { (page.tables.len()) @if page.tables.len() == 1 { " table" } @else { " tables" } }
            @for one in &page.tables { (table(one)) }
        }
        @if !page.links.is_empty() {
            h2 { "Links" }
            ul { @for link in page.links.iter().take(100) { li { @match &link.target {
                LinkTarget::Uri(address) => { code { (address) } }
                LinkTarget::Page(number) => { "page " (number) }
            } } } }
        }
        h2 { "Text" }
        @if text.trim().is_empty() { p.dim { "No text that could be read." } } @else { pre { (text) } }
    }
}

const fn source(source: TextSource) -> &'static str {
    match source {
        TextSource::Layer => "the file",
        TextSource::OcrLayer => "an earlier reading, kept in the file",
        TextSource::Ocr => "the page’s picture",
        TextSource::Mixed => "the file, and pictures on the page",
        TextSource::Given => "records beside the file",
        TextSource::None => "nowhere",
    }
}

const fn reason(reason: TextReason) -> &'static str {
    match reason {
        TextReason::Unread => "the page could not be read",
        TextReason::GoodLayer => "the file’s text reads well",
        TextReason::ScannerLayer => "it lies over the scan that it was read from",
        TextReason::WrongScannerLayer => "the file’s text says something else than the picture",
        TextReason::Scan => "the page is a picture",
        TextReason::Outlines => "letters are drawn as shapes",
        TextReason::UnmappedGlyphs => "letters of the file have no known meaning",
        TextReason::Nonsense => "the file’s text makes no words",
        TextReason::Blank => "the page is blank",
        TextReason::Given => "it came beside the file",
    }
}

const fn hidden_kind(kind: HiddenKind) -> &'static str {
    match kind {
        HiddenKind::Invisible => "Not drawn",
        HiddenKind::SameColour => "In the colour of what is behind it",
        HiddenKind::Tiny => "Too small",
        HiddenKind::OffPage => "Outside the page",
        HiddenKind::Covered => "Covered",
    }
}

fn keys() -> Markup {
    let keys = [
        ("n  p", "next page, page before"),
        ("+  −  0", "larger, smaller, fit"),
        ("g", "go to a page, by number or printed label"),
        ("/", "find in this document"),
        ("t", "pages and contents"),
        ("i", "about this page: text, tables, problems"),
        ("w  b  o", "draw words, blocks, order of reading"),
    ];
    keys_dialog(&keys, "Select words on a page to copy a link that marks them.")
}
