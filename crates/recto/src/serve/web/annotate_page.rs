//! The page on which a question is answered: the question on top, below it the search with its results and the page that is
//! open, beside them progress, chosen evidence, the searches so far and the answer.

use axum::response::Response;
use maud::{Markup, html};
use recto_bench::{AnswerText, Item, Outcome, Row};
use recto_page::{Page, PageId, PageNumber, Pages, Region};
use recto_search::Scope;

use super::annotate::{HITS, Wanted, address, desk, find, page_id, ways};
use super::annotate_people::time;
use super::find::terms;
use super::guest::Guest;
use super::layout::{capital, keys_dialog, name_of, printed};
use super::link::{Links, THUMB_DPI};
use super::runs_item::said;
use super::search::snippet;
use super::sheet::{self, Marks};
use crate::commands::search;
use crate::library::Shelf;
use crate::output;
use crate::serve::annotation::{Person, Work, version};
use crate::serve::fault::Fault;

/// An item, and where it stands among the others.
pub(super) struct Task {
    pub(super) item: Item,
    number: usize,
    n: usize,
    answered: usize,
    row: Option<Row>,
    version: String,
    before: Option<String>,
    after: Option<String>,
    /// A document that is asked about and not there.
    pub(super) lacking: Option<String>,
}

/// What was searched and looked at.
pub(super) struct Research {
    pub(super) work: Work,
    /// Which search is shown, from 1; 0 if none is.
    shown: usize,
    rows: Result<Vec<(search::Row, PageId)>, String>,
    open: Option<Opened>,
}

/// The page that is open.
struct Opened {
    id: PageId,
    page: Page,
    n_pages: u32,
    /// Where the words of the search stand.
    found: Vec<Region>,
}

impl Task {
    pub(super) fn new(items: &[Item], place: usize, person: &Person) -> Self {
        let id = |place: Option<usize>| place.and_then(|place| items.get(place)).map(|item| item.id.clone());
        let item = items.get(place).cloned().unwrap_or_default();
        let row = person.row(&item.id).cloned();
        Self {
            number: place + 1,
            n: items.len(),
            answered: items.iter().filter(|item| person.row(&item.id).is_some()).count(),
            version: version(row.as_ref()),
            row,
            before: id(place.checked_sub(1)),
            after: id(Some(place + 1)),
            lacking: None,
            item,
        }
    }
}

/// What is shown of the work so far: a search of it, the page that is open.
pub(super) fn research(shelf: &Shelf<'_>, scope: &Scope, work: Work, wanted: &Wanted) -> anyhow::Result<Research> {
    let shown = wanted.s.parse().ok().filter(|s| (1..=work.searches.len()).contains(s)).unwrap_or(work.searches.len());
    let query = shown.checked_sub(1).and_then(|place| work.searches.get(place)).map(|search| search.query.clone());
    let rows = match &query {
        Some(query) => find(query, scope, shelf).map_err(|error| Fault::from(error).message().to_owned()),
        None => Ok(Vec::new()),
    };
    let open = page_id(&wanted.doc, &wanted.page);
    let open = open.map(|id| opened(id, query.as_deref().unwrap_or_default(), shelf)).transpose()?;
    Ok(Research { work, shown, rows, open })
}

fn opened(id: PageId, query: &str, shelf: &Shelf<'_>) -> anyhow::Result<Opened> {
    let page = shelf.corpus.catalog.page(&id)?.ok_or_else(|| Fault::not_found("page"))?;
    let found = terms(&page, query);
    Ok(Opened { n_pages: shelf.corpus.catalog.document(&id.doc)?.n_pages, id, page, found })
}

/// The page.
pub(super) fn answer_page(guest: &Guest, wanted: &Wanted, task: &Task, research: &Research) -> Response {
    let links = guest.links();
    let Ok(desk) = desk(guest) else { return guest.page("annotate", "Annotate", &[], &html! {}) };
    let content = html! {
        div #study.study data-as=(wanted.name) data-id=(task.item.id) data-post=(links.to("annotate")) {
            div.study-top {
                (ways(links, &desk, &wanted.name, "annotate"))
                (question(links, &wanted.name, task))
            }
            div.study-body {
                div.study-main { (search_bar(links, wanted)) (places(links, wanted, research)) }
                aside.study-side aria-label="Your answer" {
                    (answer_form(links, wanted, task, research))
                    (evidence(links, wanted, research))
                    (history(links, wanted, research))
                }
            }
            (keys())
        }
    };
    guest.bare("annotate", &task.item.question, &["keys.js", "annotate.js"], &content)
}

fn question(links: Links<'_>, name: &str, task: &Task) -> Markup {
    let step = |to: &Option<String>, key: &str, label: &str, sign: &str| {
        html! { @if let Some(id) = to { a.button.quiet href=(address(links, name, id, "", None)) data-key=(key) title={ (label) " (" (key) ")" } aria-label=(label) { (sign) } } }
    };
    html! {
        div.task {
            div.task-head {
                span.num { "Question " (task.number) " of " (task.n) }
                progress.short max=(task.n) value=(task.answered) aria-label="Answered" {}
                span.num { (task.answered) " answered" }
                span.steps-nav { (step(&task.before, "[", "Question before", "‹")) (step(&task.after, "]", "Next question", "›"))
                    button.quiet type="button" data-act="keys" title="Keys (?)" aria-label="Keys" { "?" } }
            }
            h1 { (task.item.question) }
            @if !task.item.docs.is_empty() { p.dim { "About " @for (at, doc) in task.item.docs.iter().take(5).enumerate() { @if at > 0 { ", " } (doc) } } }
            @if let Some(why) = &task.lacking { p.note.warn { (capital(why)) ". Everything is searched instead." } }
        }
    }
}

/// What every form sends: who works on what, and what is shown.
pub(super) fn state(wanted: &Wanted) -> Markup {
    let hidden = [
        ("as", &wanted.name),
        ("id", &wanted.id),
        ("s", &wanted.s),
        ("open_doc", &wanted.doc),
        ("open_page", &wanted.page),
    ];
    html! { @for (name, value) in hidden.iter().filter(|(_, value)| !value.is_empty()) { input type="hidden" name=(name) value=(value); } }
}

/// A form that says something about a page.
fn about(links: Links<'_>, wanted: &Wanted, page: &PageId, content: &Markup) -> Markup {
    html! {
        form method="post" action=(links.to("annotate")) {
            (state(wanted))
            input type="hidden" name="doc" value=(page.doc);
            input type="hidden" name="page" value=(page.page);
            (content)
        }
    }
}

pub(super) fn search_bar(links: Links<'_>, wanted: &Wanted) -> Markup {
    html! {
        form #searching method="post" action=(links.to("annotate")) role="search" {
            (state(wanted))
            input type="hidden" name="act" value="search";
            div.asking {
                input #q type="search" name="q" placeholder="Search the documents" aria-label="Search the documents" autocomplete="off" required;
                button.main { "Search" }
            }
        }
    }
}

/// Results, and the page that is open.
pub(super) fn places(links: Links<'_>, wanted: &Wanted, research: &Research) -> Markup {
    html! {
        div #places.places.with-page[research.open.is_some()] data-swap {
            (results(links, wanted, research))
            @if let Some(open) = &research.open { (reader(links, wanted, research, open)) }
        }
    }
}

fn results(links: Links<'_>, wanted: &Wanted, research: &Research) -> Markup {
    let query = research.shown.checked_sub(1).and_then(|place| research.work.searches.get(place));
    html! {
        section #results.finds aria-label="Results" tabindex="-1" {
            @match (query, &research.rows) {
                (None, _) => { div.hint { p { "Nothing searched yet." } p.dim { "Press " kbd { "/" } " to search, " kbd { "?" } " for all keys." } } }
                (Some(_), Err(why)) => { p.note.bad role="alert" { (capital(why)) "." } }
                (Some(search), Ok(rows)) => {
                    p.dim role="status" {
                        @if rows.is_empty() { "No page matches “" (search.query) "”." }
                        @else { @if rows.len() == HITS { "The best " } (output::count(rows.len() as u64, "page")) " for “" (search.query) "”" }
                    }
                    ol.found-pages { @for (row, page) in rows { (result(links, wanted, research, row, page)) } }
                }
            }
        }
    }
}

fn result(links: Links<'_>, wanted: &Wanted, research: &Research, row: &search::Row, page: &PageId) -> Markup {
    let (file, _) = name_of(page.doc.as_str());
    let is_open = research.open.as_ref().is_some_and(|open| open.id == *page);
    let is_cited = research.work.cited.contains(page);
    let content = html! {
        button.found-page name="act" value="open" aria-current=[is_open.then_some("true")] title=(page.doc) {
            span.thumb { img src=(links.image(page, 72)) alt="" loading="lazy" decoding="async" width="306" height="396"; }
            span.found-text {
                b { bdi { (file) } } span.num { "page " (page.page) (printed(row.label.as_deref(), row.page)) @if is_cited { " · " span.tag.good { "cited" } } }
                span.found-snippet { (snippet(&row.snippet, &row.matches)) }
            }
        }
    };
    html! { li { (about(links, wanted, page, &content)) } }
}

fn reader(links: Links<'_>, wanted: &Wanted, research: &Research, open: &Opened) -> Markup {
    let Opened { id, page, n_pages, found } = open;
    let (file, _) = name_of(id.doc.as_str());
    let is_cited = research.work.cited.contains(id);
    let turn = |to: Option<u32>, key: &str, label: &str, sign: &str| {
        let to = to.filter(|to| (1..=*n_pages).contains(to)).and_then(PageNumber::new);
        let button = html! { button.quiet name="act" value="open" data-key=(key) title={ (label) " (" (key) ")" } aria-label=(label) { (sign) } };
        html! { @if let Some(to) = to { (about(links, wanted, &PageId::new(id.doc.clone(), to), &button)) } }
    };
    let number = id.page.get();
    let cite = html! {
        @if is_cited { button name="act" value="uncite" data-key="c" aria-pressed="true" { "✓ Cited" } }
        @else { button.main name="act" value="cite" data-key="c" title="This page holds the answer (c)" { "Cite this page" } }
    };
    html! {
        section #reader.reader aria-label={ "Page " (number) " of " (file) } tabindex="-1" {
            div.reader-bar {
                (turn(number.checked_sub(1), "p", "Page before", "‹"))
                span.num { (number) " of " (n_pages) (printed(page.label.as_deref(), number)) }
                (turn(number.checked_add(1), "n", "Next page", "›"))
                b title=(id.doc) { (file) }
                (about(links, wanted, id, &cite))
                a.button.quiet href=(links.page(id)) target="_blank" rel="noopener" title="In the viewer, in a tab of its own" { "↗" span.unseen { "Open in the viewer" } }
                a.button.quiet href=(address(links, &wanted.name, &wanted.id, &wanted.s, None)) data-key="Escape" title="Back to the results (Esc)" aria-label="Close the page" { "✕" }
            }
            div.holder tabindex="0" role="group" aria-label="The page" { (sheet::sheet(links, id, page, Marks { cited: &[], found })) }
        }
    }
}

fn answer_form(links: Links<'_>, wanted: &Wanted, task: &Task, research: &Research) -> Markup {
    let given = task.row.as_ref();
    let draft = research.work.draft.as_ref().map(|(_, answer)| answer.clone());
    let text = draft.unwrap_or_else(|| given.map(lines_of).unwrap_or_default());
    html! {
        form #answering method="post" action=(links.to("annotate")) {
            (state(&Wanted { s: String::new(), doc: String::new(), page: String::new(), ..wanted.clone() }))
            input type="hidden" name="version" value=(task.version);
            label for="answer" { b { "Answer" } " " small { "one part a line" } }
            textarea #answer name="answer" rows="3" maxlength="20000" data-key="a" { (text) }
            @if let Some(row) = given { p.note { "Given: " @if row.outcome == Outcome::Declined { "not in the documents" } @else { (said(row)) } ". Giving it again puts the new one in its place." } }
            div.row {
                button.main name="act" value="answer" data-key="Ctrl+Enter" title="Ctrl+Enter" { "Give answer" }
                button name="act" value="decline" data-key="x" title="The documents do not hold the answer (x)" { "Not in the documents" }
            }
        }
    }
}

/// An answer as it is typed.
fn lines_of(row: &Row) -> String {
    row.answer.as_ref().map(AnswerText::entries).unwrap_or_default().join("\n")
}

/// The pages that are chosen.
pub(super) fn evidence(links: Links<'_>, wanted: &Wanted, research: &Research) -> Markup {
    html! {
        section #evidence data-swap aria-label="Chosen evidence" {
            h2 { "Evidence " span.dim { (research.work.cited.len()) } }
            @if research.work.cited.is_empty() { p.dim { "Open a page and press " kbd { "c" } " to cite it." } }
            ol.evidence { @for page in &research.work.cited { li { (chosen(links, wanted, page)) } } }
        }
    }
}

fn chosen(links: Links<'_>, wanted: &Wanted, page: &PageId) -> Markup {
    let (file, _) = name_of(page.doc.as_str());
    let content = html! {
        button.quiet.chosen name="act" value="open" title="Look at it" {
            span.thumb { img src=(links.image(page, THUMB_DPI)) alt="" loading="lazy" decoding="async"; }
            span { bdi { (file) } br; span.dim.num { "page " (page.page) } }
        }
        button.quiet name="act" value="uncite" title="Take it away" aria-label={ "Take away " (file) ", page " (page.page) } { "✕" }
    };
    about(links, wanted, page, &content)
}

/// The searches so far.
pub(super) fn history(links: Links<'_>, wanted: &Wanted, research: &Research) -> Markup {
    let work = &research.work;
    html! {
        section #history data-swap aria-label="Searches so far" {
            h2 { "Searches " span.dim { (work.searches.len()) } }
            ol.history { @for (number, search) in (1..).zip(&work.searches) { li {
                a href=(address(links, &wanted.name, &wanted.id, &number.to_string(), None)) aria-current=[(number == research.shown).then_some("true")] data-swaps {
                    (search.query) " " span.dim.num { @if search.pages.len() == HITS { (HITS) "+" } @else { (search.pages.len()) } }
                }
            } } }
            p.dim.num { (output::count(work.opened.len() as u64, "page")) " looked at, " (time(work.seconds)) }
        }
    }
}

/// What is shown when an answer was given in another tab meanwhile.
pub(super) fn conflict(guest: &Guest, name: &str, mine: &str, item: &Item, now: Option<&Row>) -> Response {
    let links = guest.links();
    let content = html! {
        div.narrow {
            h1 { "This question was answered elsewhere" }
            p.lead { (item.question) }
            p { "Since this page was loaded an answer was given in another tab or window. Nothing is lost: choose which one holds." }
            div.card { h2 { "There now" } p.answer-text {
                @match now { Some(row) if row.outcome == Outcome::Declined => { "Not in the documents" } Some(row) => { (said(row)) } None => { "No answer" } }
            } a.button href=(address(links, name, &item.id, "", None)) { "Keep this one" } }
            form.card method="post" action=(links.to("annotate")) {
                h2 { "Typed here" }
                input type="hidden" name="as" value=(name);
                input type="hidden" name="id" value=(item.id);
                input type="hidden" name="version" value=(version(now));
                label.unseen for="mine" { "Answer" }
                textarea #mine name="answer" rows="3" { (mine) }
                p { button.main name="act" value="answer" { "Put this one in its place" } }
            }
        }
    };
    guest.page("annotate", "Answered elsewhere", &[], &content)
}

fn keys() -> Markup {
    let keys = [
        ("/", "search"),
        ("j  k", "next result, result before"),
        ("Enter", "open the result"),
        ("n  p", "next page of the document, page before"),
        ("c", "cite the page that is open, or no longer"),
        ("Esc", "back to the results, out of a field"),
        ("a", "to the answer"),
        ("Ctrl+Enter", "give the answer"),
        ("x", "not in the documents"),
        ("]  [", "next question, question before"),
    ];
    keys_dialog(&keys, "")
}
