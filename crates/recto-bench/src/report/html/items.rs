//! The table of items: question, gold, and each run's answer, pages and scores; sortable and filterable.

use recto_page::PageId;

use super::{esc, note};
use crate::item::Item;
use crate::report::text::number;
use crate::report::{Entry, Pictures, Subject};
use crate::row::{Outcome, Row};

/// Pages that are shown of a ranking or of citations.
const PAGES: usize = 5;

/// The table; empty without items.
pub(super) fn items(subject: &Subject<'_>, pictures: &Pictures) -> String {
    if subject.set.items.is_empty() {
        return String::new();
    }
    let rows: String = subject.set.items.iter().map(|item| row(subject, item, pictures)).collect();
    let runs = subject.runs.iter().map(|entry| sorter(&entry.name));
    let head: String = [sorter("Item"), sorter("Gold")].into_iter().chain(runs).collect();
    format!(
        "{}{}<div class=\"wide\" tabindex=\"0\"><table class=\"items\"><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody>\
         </table></div>\n",
        note("Pages in bold are gold. A click on a row shows long texts whole."),
        controls(subject)
    )
}

fn sorter(name: &str) -> String {
    format!("<th scope=\"col\"><button type=\"button\">{}</button></th>", esc(name))
}

/// Hidden until the script is there.
fn controls(subject: &Subject<'_>) -> String {
    let option = |(at, entry): (usize, &Entry<'_>)| {
        let name = esc(&entry.name);
        format!(
            "<option value=\"w{at}\">wrong: {name}</option><option value=\"f{at}\">failed or missing: {name}</option>"
        )
    };
    let options: String = subject.runs.iter().enumerate().map(option).collect();
    let differ = if subject.runs.len() > 1 { "<option value=\"d\">the runs differ</option>" } else { "" };
    format!(
        "<div class=\"controls\" hidden><label>Search <input type=\"search\"></label> <label>Show <select><option \
         value=\"\">all items</option>{differ}{options}</select></label> <output></output></div>\n"
    )
}

fn row(subject: &Subject<'_>, item: &Item, pictures: &Pictures) -> String {
    let runs: String = subject.runs.iter().map(|entry| said(subject, entry, item, pictures)).collect();
    format!(
        "<tr data-k=\"{}\"><th scope=\"row\" data-v=\"{id}\"><div class=\"clip\" dir=\"auto\">{}</div><small>{id}</small></th>\
         <td><div class=\"clip\" dir=\"auto\">{}</div>{}</td>{runs}</tr>\n",
        kinds(subject, item),
        esc(&item.question),
        gold(item),
        pages(item.gold.relevant().into_iter(), item, pictures),
        id = esc(&item.id),
    )
}

/// What the filter asks for: `w0` wrong in the first run, `f0` failed or missing there, `d` the runs differ.
fn kinds(subject: &Subject<'_>, item: &Item) -> String {
    let scored = |entry: &Entry<'_>| entry.scores.contains_key(item.id.as_str());
    let failed = |entry: &Entry<'_>| {
        entry.row(&item.id).is_none_or(|row| matches!(row.outcome, Outcome::Failed | Outcome::Missing))
    };
    let mut kinds = Vec::new();
    for (at, entry) in subject.runs.iter().enumerate() {
        kinds.extend((scored(entry) && !entry.right(&item.id)).then(|| format!("w{at}")));
        kinds.extend(failed(entry).then(|| format!("f{at}")));
    }
    let right = subject.runs.iter().filter(|entry| entry.right(&item.id)).count();
    kinds.extend((right > 0 && right < subject.runs.len()).then(|| "d".into()));
    kinds.join(" ")
}

fn gold(item: &Item) -> String {
    let answers = item.gold.answers.iter().map(|answer| esc(&answer.join("; "))).collect::<Vec<_>>();
    match answers.is_empty() {
        true if item.gold.unanswerable => "<i>no answer in the documents</i>".into(),
        _ => answers.join(" <i>or</i> "),
    }
}

/// What a run said about an item.
fn said(subject: &Subject<'_>, entry: &Entry<'_>, item: &Item, pictures: &Pictures) -> String {
    let score = entry.scores.get(item.id.as_str());
    let value = score.map(|score| format!(" data-v=\"{score}\"")).unwrap_or_default();
    let scores = entry.run.evaluation.measures.iter().filter_map(|scores| {
        Some(format!("{}&nbsp;{}", esc(&scores.measure.to_string()), number(*scores.items.get(&item.id)?)))
    });
    let scores = scores.collect::<Vec<_>>().join(", ");
    let class = if entry.right(&item.id) { "right" } else { "wrong" };
    let absent = Row::missing(&item.id);
    let row = entry.row(&item.id).unwrap_or(&absent);
    format!(
        "<td{value} class=\"{}\" data-name=\"{}\"><div class=\"clip\" dir=\"auto\">{}</div>{}<small>{scores}</small></td>",
        if subject.main.is_some() && score.is_some() { class } else { "" },
        esc(&entry.name),
        answer(row),
        shown(row, item, pictures)
    )
}

fn answer(row: &Row) -> String {
    let why = row.fault.as_ref().map(|fault| format!(": {}", esc(&fault.why))).unwrap_or_default();
    match (row.outcome, &row.answer) {
        (Outcome::Missing, _) => "<i>missing</i>".into(),
        (Outcome::Failed, _) => format!("<i>failed{why}</i>"),
        (_, Some(answer)) => esc(&answer.entries().join("; ")),
        (Outcome::Declined, None) => "<i>declined</i>".into(),
        (Outcome::Done, None) => String::new(),
    }
}

/// The pages cited, or else ranked.
fn shown(row: &Row, item: &Item, pictures: &Pictures) -> String {
    let (what, pages) = match row.pages.is_empty() {
        true => ("found", pages(row.ranking.iter().map(|ranked| &ranked.page), item, pictures)),
        false => ("cited", pages(row.pages.iter(), item, pictures)),
    };
    if pages.is_empty() { pages } else { format!("<small>{what}:</small>{pages}") }
}

fn pages<'a>(all: impl Iterator<Item = &'a PageId>, item: &Item, pictures: &Pictures) -> String {
    let gold = item.gold.relevant();
    let all: Vec<_> = all.collect();
    let page = |page: &&PageId| {
        // Of the one document that a question is asked of, the number is enough.
        let name =
            if item.docs.as_slice() == [page.doc.clone()] { format!("p. {}", page.page) } else { page.to_string() };
        let name = esc(&name);
        let name = if gold.contains(*page) { format!("<b>{name}</b>") } else { name };
        match pictures.get(*page).filter(|link| is_relative(link)) {
            Some(link) => format!("<li><a href=\"{}\">{name}</a></li>", esc(link)),
            None => format!("<li>{name}</li>"),
        }
    };
    let more = all.len().saturating_sub(PAGES);
    let more = if more > 0 { format!("<li>and {more} more</li>") } else { String::new() };
    let list: String = all.iter().take(PAGES).map(page).collect();
    if list.is_empty() { list } else { format!("<ul class=\"pages\">{list}{more}</ul>") }
}

/// Whether a link stays where the report is: no scheme, no host.
fn is_relative(link: &str) -> bool {
    let before_path = link.split(['/', '?', '#']).next().unwrap_or_default();
    !before_path.contains(':') && !link.starts_with("//") && !link.contains(['\\', '\t', '\n', '\r'])
}
