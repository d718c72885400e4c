//! `recto problems`: what went wrong, by document and page, with the next step.

use recto_page::{Catalog, DocId, IndexDir, Problem};
use serde::Serialize;

use crate::config::Config;
use crate::exit::Finish;
use crate::output;

#[derive(Serialize)]
struct Row<'a> {
    document: &'a DocId,
    #[serde(flatten)]
    problem: &'a Problem,
    next_step: &'static str,
}

pub(crate) fn run(doc: Option<&str>, config: &Config) -> anyhow::Result<Finish> {
    let catalog = Catalog::open(&IndexDir::new(config.index_of(".".as_ref())))?;
    let doc = doc.map(DocId::new);
    if let Some(doc) = &doc {
        catalog.document(doc)?;
    }
    let mut problems = catalog.problems(doc.as_ref())?;
    if config.json {
        let rows: Vec<Row<'_>> = problems
            .iter()
            .map(|(document, problem)| Row { document, problem, next_step: problem.code.next_step() })
            .collect();
        output::json(&rows)?;
        return Ok(Finish::Done);
    }
    problems.sort_by_key(|(doc, problem)| (doc.clone(), problem.code, problem.detail.clone(), problem.page));
    for group in problems.chunk_by(|a, b| a.0 == b.0 && a.1.code == b.1.code) {
        show(group)?;
    }
    if problems.is_empty() {
        output::line("no problems")?;
    }
    Ok(Finish::Done)
}

/// Problems of one kind in one document: a line for all pages of which the same is said, for a scan has as many of them
/// as pages. Of what is no failure there is a single line.
fn show(group: &[(DocId, Problem)]) -> anyhow::Result<()> {
    let Some((doc, first)) = group.first() else { return Ok(()) };
    let doc = output::name(doc.as_str());
    for same in group.chunk_by(|a, b| a.1.detail == b.1.detail || !first.code.is_failure()) {
        let mut pages: Vec<u32> = same.iter().filter_map(|(_, problem)| problem.page).map(|page| page.get()).collect();
        pages.sort_unstable();
        let place = match pages.as_slice() {
            [] => String::new(),
            [page] => format!(", page {page}"),
            several => format!(", pages {}", ranges(several)),
        };
        let differs = same.windows(2).any(|pair| pair[0].1.detail != pair[1].1.detail);
        let detail = same.first().map_or("", |(_, problem)| &problem.detail);
        let (detail, more) = (output::printable(detail), if differs { ", and others" } else { "" });
        output::line(format_args!("{doc}{place}: {}: {detail}{more}", first.code))?;
    }
    output::line(format_args!("    {} {}.", first.code.meaning(), capital(first.code.next_step())))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// `1-3, 7` for `[1, 2, 3, 7]`.
fn ranges(pages: &[u32]) -> String {
    let parts: Vec<String> = pages
        .chunk_by(|a, b| a + 1 == *b)
        .filter_map(|run| Some((run.first()?, run.last()?)))
        .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn pages_are_listed_as_ranges() {
        assert_eq!(super::ranges(&[1, 2, 3, 7, 9, 10]), "1-3, 7, 9-10");
    }
}
