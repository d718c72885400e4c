//! Carries out what a session wants.

use recto_page::{Page, PageId, PageNumber, Region};
use recto_search::Boolean;

use super::call::{By, Call, Shown, fitting, scope};
use super::desk::{Desk, Hit};
use super::observation::{Observation, Shot, Told};
use super::session::Session;
use super::table;
use super::verify::Check;
use crate::answer::Answer;
use crate::calculator;
use crate::crop::CropRegion;
use crate::toolbox::ToolError;

/// Documents of one list.
const LISTED: usize = 40;
/// Characters of the text of pages that one call gives.
const READ: usize = 12_000;
/// Characters of a snippet.
const SNIPPET: usize = 400;
/// Pages that are named of those that are counted.
const NAMED: usize = 30;
/// Resolution of parts of pages.
const CLOSE: u32 = 220;
/// Characters of what a program prints.
const PRINTED: usize = 20_000;

/// What came of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The planner is told this.
    Told(Observation),
    /// The answer, and what could be mended in it.
    Checked(Box<Answer>, Vec<String>),
}

/// Carries out a call. `planner` is who gives the answer.
pub fn act(desk: &dyn Desk, session: &Session, call: &Call, planner: &str) -> Outcome {
    let Session { rules, shelf, .. } = session;
    let told = match call {
        Call::Verify(said) => {
            let Session { found, seen, .. } = session;
            let (answer, faults) = Check { desk, kind: rules.kind, shelf, found, seen, planner }.answer(said);
            return Outcome::Checked(Box::new(answer), faults);
        }
        Call::Documents { pattern, from } => Ok(documents(pattern, *from, session)),
        Call::Search { .. } => search(desk, session, call),
        Call::Count { query, documents } => count(desk, session, query, documents),
        Call::Read { page, last, from } => read(desk, session, page, *last, *from),
        Call::Look { page, region, question } => look(desk, session, page, *region, question),
        Call::Table { page, table, rows, column, compute } => {
            Ok(table::read(&table::Wanted { page, table: *table, rows, column, compute }, desk, shelf))
        }
        Call::Calculate(expression) => calculator::calculate(expression).map(Observation::says).map_err(ToolError::new),
        Call::Run(program) => {
            desk.run(program).map(|printed| Observation::says("It printed:").quoting(cut(&printed, PRINTED)))
        }
    };
    Outcome::Told(told.unwrap_or_else(|error| Observation::refused(error.why)))
}

fn documents(pattern: &str, from: usize, session: &Session) -> Observation {
    let all: Vec<_> = fitting(pattern, &session.shelf).collect();
    let shown: Vec<String> = all
        .iter()
        .skip(from)
        .take(LISTED)
        .map(|(name, entry)| {
            let title = entry.title.as_deref().filter(|title| !title.trim().is_empty());
            let title = title.map_or_else(String::new, |title| format!(" — {}", one_line(title, 120)));
            format!("{name}: {}, {}{title}", one_line(entry.id.as_str(), 160), pages(entry.n_pages))
        })
        .collect();
    let last = from.saturating_add(shown.len());
    let more = if last < all.len() { format!("; go on with from: {}", last + 1) } else { String::new() };
    let observation = match shown.len() {
        0 => Observation::says(format!("{} fit; none from that number on.", count_of(all.len(), "document"))),
        _ => Observation::says(format!("{} fit; {} to {last}{more}.", count_of(all.len(), "document"), from + 1))
            .quoting(shown.join("\n")),
    };
    // A list of names is not a search that failed.
    if all.is_empty() {
        Observation::refused("no document's name or title fits; all are listed without a pattern")
    } else {
        observation
    }
}

fn pages(n: u32) -> String {
    count_of(n as usize, "page")
}

fn count_of(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

fn search(desk: &dyn Desk, session: &Session, call: &Call) -> Result<Observation, ToolError> {
    let Call::Search { by, query, documents, top_k, shown } = call else { return Err(ToolError::new("no search")) };
    let scope = scope(documents);
    let hits = match by {
        By::Words => {
            let meant = Boolean::parse(query).ok_or_else(|| ToolError::new("the query holds no word"))?;
            desk.find(&meant, &scope, *top_k)?
        }
        by => desk.search(*by, query, &scope, *top_k)?,
    };
    let found: Vec<PageId> = hits.iter().map(|hit| hit.page.clone()).collect();
    if hits.is_empty() {
        return Ok(Observation::says(nothing(*by)));
    }
    let observation = match shown {
        Shown::Lines => {
            let lines: Vec<String> = hits.iter().map(|hit| hit_line(hit, session)).collect();
            Observation::says(format!("{}, best first:", count_of(hits.len(), "page"))).quoting(lines.join("\n"))
        }
        Shown::Pictures => pictured(desk, session, &hits),
        Shown::Text => read(
            desk,
            session,
            &hits.first().ok_or_else(|| ToolError::new("nothing was found"))?.page,
            PageNumber::FIRST,
            0,
        )?,
    };
    Ok(Observation { found, ..observation })
}

const fn nothing(by: By) -> &'static str {
    match by {
        By::Words => {
            "No page: all of the words must stand on one page; leave words out, use OR, a wildcard, or other words."
        }
        By::All | By::Meaning | By::Pictures => "No page holds any of these words; use other words.",
    }
}

fn hit_line(hit: &Hit, session: &Session) -> String {
    let document = one_line(hit.page.doc.as_str(), 100);
    let snippet = one_line(&hit.snippet, SNIPPET);
    format!("{} ({document}, page {}): {snippet}", session.shelf.page_name(&hit.page), hit.page.page)
}

/// The pages as pictures, all named before; in words for planners that see none.
fn pictured(desk: &dyn Desk, session: &Session, hits: &[Hit]) -> Observation {
    let about = |hit: &Hit| {
        let file = one_line(hit.page.doc.as_str(), 160);
        format!("{}: file {file}, page {}", session.shelf.page_name(&hit.page), hit.page.page)
    };
    let names: Vec<String> = hits.iter().map(about).collect();
    let found = format!("{}, best first:", count_of(hits.len(), "page"));
    let mut observation = Observation::says(found).quoting(names.join("\n"));
    for hit in hits {
        let name = session.shelf.page_name(&hit.page);
        match shown(desk, session, &hit.page, None, &session.question) {
            Ok(one) => {
                let words = (!one.told.is_empty()).then(|| Told::Recto(format!("{name}, in words:")));
                observation.told.extend(words.into_iter().chain(one.told));
                observation.shown.extend(one.shown);
                observation.seen.extend(one.seen);
            }
            Err(error) => observation = observation.and(Told::Recto(format!("{name} can't be shown: {}", error.why))),
        }
    }
    observation
}

fn count(
    desk: &dyn Desk,
    session: &Session,
    query: &str,
    documents: &[recto_page::DocId],
) -> Result<Observation, ToolError> {
    let meant = Boolean::parse(query).ok_or_else(|| ToolError::new("the query holds no word"))?;
    let (pages, unread) = desk.count(&meant, &scope(documents))?;
    let of = match documents.len() {
        0 => session.shelf.n_pages(),
        _ => documents.iter().filter_map(|doc| session.shelf.entry(doc)).map(|entry| u64::from(entry.n_pages)).sum(),
    };
    let mut by_document: Vec<(String, Vec<String>)> = Vec::new();
    for page in &pages {
        let name = session.shelf.name(&page.doc);
        match by_document.last_mut().filter(|(last, _)| *last == name) {
            Some((_, numbers)) => numbers.push(page.page.to_string()),
            None => by_document.push((name, vec![page.page.to_string()])),
        }
    }
    let line = |(name, numbers): &(String, Vec<String>)| {
        let shown: Vec<&str> = numbers.iter().take(NAMED).map(String::as_str).collect();
        let more = if numbers.len() > NAMED { ", ..." } else { "" };
        format!("{name}: {} ({}{more})", self::pages(numbers.len() as u32), shown.join(", "))
    };
    let lines: Vec<String> = by_document.iter().take(LISTED).map(line).collect();
    let places = if pages.len() <= LISTED { places(desk, session, &meant, documents)? } else { String::new() };
    let more = if by_document.len() > LISTED {
        format!("\nand {} more documents", by_document.len() - LISTED)
    } else {
        String::new()
    };
    let mut text = format!(
        "{} in {} hold that, of {of} pages{}.",
        self::pages(u32::try_from(pages.len()).unwrap_or(u32::MAX)),
        self::count_of(by_document.len(), "document"),
        if unread > 0 {
            format!("; {unread} of them have no text, so nothing is known of those")
        } else {
            String::new()
        }
    );
    if !lines.is_empty() {
        text.push_str(&format!("\n{}{more}", lines.join("\n")));
    }
    let mut observation = Observation::says(text);
    if !places.is_empty() {
        observation = observation.quoting(places);
    }
    Ok(Observation { found: pages, ..observation })
}

/// What stands around on each page, in the order of the pages.
fn places(
    desk: &dyn Desk,
    session: &Session,
    meant: &Boolean,
    documents: &[recto_page::DocId],
) -> Result<String, ToolError> {
    let mut hits = desk.find(meant, &scope(documents), LISTED)?;
    hits.sort_by(|a, b| a.page.cmp(&b.page));
    let line = |hit: &Hit| format!("{}: {}", session.shelf.page_name(&hit.page), one_line(&hit.snippet, SNIPPET));
    Ok(hits.iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// The text of pages in a row, from a character on.
fn read(
    desk: &dyn Desk,
    session: &Session,
    first: &PageId,
    last: PageNumber,
    from: usize,
) -> Result<Observation, ToolError> {
    let last = last.max(first.page);
    let numbers = (first.page.get()..=last.get()).filter_map(PageNumber::new);
    let ids: Vec<PageId> = numbers.map(|number| PageId::new(first.doc.clone(), number)).collect();
    let share = READ / ids.len().max(1);
    let mut observation = Observation { ok: true, ..Observation::default() };
    for id in ids {
        let page = desk.page(&id)?;
        let from = if id == *first { from } else { 0 };
        observation = one_page(desk, session, observation, &page, &id, from..from.saturating_add(share));
    }
    Ok(observation)
}

fn one_page(
    desk: &dyn Desk,
    session: &Session,
    mut observation: Observation,
    page: &Page,
    id: &PageId,
    range: std::ops::Range<usize>,
) -> Observation {
    let mut text = without_leaders(&page.to_markdown());
    let mut read_off = "";
    if text.trim().is_empty()
        && let Ok(read) = desk.read_picture(id, Region::FULL)
    {
        (text, read_off) = (read, ", read off its picture");
    }
    let length = text.chars().count();
    let part: String = text.chars().skip(range.start).take(range.len()).collect();
    let more = if range.end < length {
        format!("; it goes on: from {} of {length} characters", range.end)
    } else {
        String::new()
    };
    let about = format!("{}{}{read_off}{more}.", session.shelf.page_name(id), about(page, session, id));
    observation = observation.and(Told::Recto(about));
    observation = match part.trim() {
        "" => observation.and(Told::Recto("There is no text; look_at_page shows its picture.".into())),
        part => observation.quoting(part),
    };
    observation.seen.push(id.clone());
    observation
}

/// Which page it is and what is on it.
fn about(page: &Page, session: &Session, id: &PageId) -> String {
    let n_pages = session.shelf.entry(&id.doc).map_or(0, |entry| entry.n_pages);
    let mut about = format!(", page {} of {n_pages}", id.page);
    if let Some(label) = page.label.as_deref().filter(|label| *label != id.page.to_string()) {
        let label: String =
            crate::fence::clean(label).chars().filter(|c| c.is_alphanumeric() || *c == '-').take(12).collect();
        about.push_str(&format!(", printed number {label}"));
    }
    let count = |n: usize, what: &str| match n {
        0 => String::new(),
        1 => format!(", 1 {what}"),
        n => format!(", {n} {what}s"),
    };
    about.push_str(&count(page.tables.len(), "table"));
    about.push_str(&count(page.pictures.len(), "picture"));
    if !page.hidden.is_empty() {
        about.push_str(", without text that a reader can't see");
    }
    about
}

fn look(
    desk: &dyn Desk,
    session: &Session,
    page: &PageId,
    region: Option<CropRegion>,
    question: &str,
) -> Result<Observation, ToolError> {
    let question = if question.is_empty() { &session.question } else { question };
    let name = session.shelf.page_name(page);
    let part = if region.is_some() { "a part of " } else { "" };
    let one = shown(desk, session, page, region, question)?;
    let about = Told::Recto(if one.shown.is_empty() {
        format!("{part}{name}, in words:")
    } else {
        format!("{part}{name} is shown.")
    });
    Ok(Observation { told: std::iter::once(about).chain(one.told).collect(), ..one })
}

/// A picture, or what is told of it in its place.
fn shown(
    desk: &dyn Desk,
    session: &Session,
    page: &PageId,
    region: Option<CropRegion>,
    question: &str,
) -> Result<Observation, ToolError> {
    let dpi = if region.is_some() { CLOSE } else { session.rules.dpi };
    let [left, top, right, bottom] = region.unwrap_or([0.0, 0.0, 1.0, 1.0]);
    let area = Region::new(left, top, right, bottom);
    let name = session.shelf.page_name(page);
    let seen = vec![page.clone()];
    if session.rules.sees {
        desk.picture(page, area, dpi)?;
        let shot = Shot { name, page: page.clone(), region, dpi };
        return Ok(Observation { ok: true, seen, shown: vec![shot], ..Observation::default() });
    }
    let mut observation = Observation { ok: true, seen, ..Observation::default() };
    match desk.picture(page, area, dpi).and_then(|picture| desk.describe(&picture, question)) {
        Ok(words) => observation = observation.quoting(cut(&words, READ)),
        Err(error) => observation = observation.and(Told::Recto(format!("No description: {}.", error.why))),
    }
    let lines = lines_within(&desk.page(page)?, area).unwrap_or_default();
    let lines = if lines.is_empty() { desk.read_picture(page, area).unwrap_or_default() } else { lines };
    observation = match lines.as_str() {
        "" => observation.and(Told::Recto("No text was read there.".into())),
        lines => observation
            .and(Told::Recto("Its lines, with left and top as fractions of the page:".into()))
            .quoting(cut(lines, READ)),
    };
    Ok(observation)
}

/// The lines of a page whose middle is in the region, each with its place.
fn lines_within(page: &Page, area: Region) -> Option<String> {
    let layer = page.reading();
    let line = |line: &recto_page::Line| {
        let (x, y) = line.region.center();
        let within = (area.left()..=area.right()).contains(&x) && (area.top()..=area.bottom()).contains(&y);
        within.then(|| format!("[{:.2}, {:.2}] {}", line.region.left(), line.region.top(), layer.line_text(line)))
    };
    let lines: Vec<String> = layer.lines.iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    format!("{} […]", text.chars().take(most).collect::<String>())
}

/// Without the dots that lead from an entry to its number; the marks of quotes make no difference to them.
fn without_leaders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut dots = 0;
    for c in text.chars() {
        if c == '.' {
            dots += 1;
            continue;
        }
        out.push_str(if dots > 3 { " … " } else { &"..."[..dots] });
        dots = 0;
        out.push(c);
    }
    out.push_str(if dots > 3 { " …" } else { &"..."[..dots] });
    out
}

/// On one line, without what could look like another row.
fn one_line(text: &str, most: usize) -> String {
    cut(&crate::fence::clean(&without_leaders(text)).split_whitespace().collect::<Vec<_>>().join(" "), most)
}
