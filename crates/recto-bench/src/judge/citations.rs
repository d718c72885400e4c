//! FinRAGBench-V's judge of citations (zhaosuifeng/FinRAGBench-V, eval/eval_citation.py): do the cited pictures cover the
//! answer? At three levels: whole pages, pages with a box drawn around the place, the place cut out.
//!
//! Recall is 1 if all pictures together cover the answer. Precision is then the share of pictures that are needed or cover
//! it alone; without recall it is 0. The reference asks about a picture and about the others whatever came before; here
//! the others are asked about only where that decides. Its pages lack their number in the name of their file, so that of
//! several only the last is looked at, and files are found by a part of the query's id, so that query 1 also has those of
//! 11: both are faults and not kept.

use super::{Asked, Judge, OnFailure, Picture, Prompt, Reading, Shown, Verdict};
use crate::measure::Case;
use crate::measure::answer::{as_text, given, only_ranks};

/// Three tries for each question; one that fails means "no".
const fn judge(
    name: &'static str,
    about: &'static str,
    ask: fn(&Case) -> Asked,
    read: fn(&Case, &[String]) -> Result<Asked, String>,
) -> Judge {
    Judge { name, version: 1, about, tries: 3, on_failure: OnFailure::Reply("no"), ask, read: Reading::Often(read) }
}

pub(super) const PAGES: Judge = judge(
    "frb-page",
    "FinRAGBench-V: 1 if the cited pages cover the answer",
    |case| ask(case, Shown::Page),
    |case, replies| read(case, Shown::Page, replies),
);

pub(super) const BOXES: Judge = judge(
    "frb-box",
    "FinRAGBench-V: 1 if the boxes drawn on the cited pages cover the answer",
    |case| ask(case, Shown::Box),
    |case, replies| read(case, Shown::Box, replies),
);

pub(super) const CUTS: Judge = judge(
    "frb-crop",
    "FinRAGBench-V: 1 if the places cut out of the cited pages cover the answer",
    |case| ask(case, Shown::Cut),
    |case, replies| read(case, Shown::Cut, replies),
);

/// The pictures that a row cites.
fn cited(case: &Case, shown: Shown) -> Vec<Picture> {
    let mut pictures: Vec<Picture> = match shown {
        Shown::Page => case.row.pages.iter().map(|page| Picture { page: page.clone(), region: None, shown }).collect(),
        Shown::Box | Shown::Cut => {
            let picture = |place: &crate::row::CitedRegion| Picture {
                page: place.page.clone(),
                region: Some(place.region),
                shown,
            };
            case.row.regions.iter().map(picture).collect()
        }
    };
    let mut seen = Vec::new();
    pictures.retain(|picture| {
        let new = !seen.contains(picture);
        seen.push(picture.clone());
        new
    });
    pictures
}

fn ask(case: &Case, shown: Shown) -> Asked {
    if only_ranks(case.row) {
        return Asked::Unfit("the system ranks pages and gives no answers");
    }
    let pictures = cited(case, shown);
    if pictures.is_empty() || given(case.row).is_none() {
        return Asked::Decided(verdict(0.0, 0.0).because("nothing is cited"));
    }
    Asked::Prompt(prompt(case, shown, pictures))
}

fn prompt(case: &Case, shown: Shown, pictures: Vec<Picture>) -> Prompt {
    let what = match shown {
        Shown::Page => "these pages",
        Shown::Box => "what stands in the red boxes on these pages",
        Shown::Cut => "these parts of pages",
    };
    let said = given(case.row).map(as_text).unwrap_or_default();
    let system = include_str!("prompts/citations.md").replace("{what}", what);
    Prompt { system, user: super::fenced("Answer", &said), schema: None, pictures }
}

fn read(case: &Case, shown: Shown, replies: &[String]) -> Result<Asked, String> {
    if replies.last().is_some_and(|reply| reply.trim().is_empty()) {
        return Err("the reply is empty".into());
    }
    let mut covers = replies.iter().map(|reply| reply.to_lowercase().contains("yes"));
    let pictures = cited(case, shown);
    let n = pictures.len();
    match covers.next() {
        None => return Ok(ask(case, shown)),
        Some(false) => return Ok(Asked::Decided(verdict(0.0, 0.0))),
        Some(true) if n < 2 => return Ok(Asked::Decided(verdict(1.0, 1.0))),
        Some(true) => {}
    }
    let mut needed = 0;
    for at in 0..n {
        let only = |alone: bool| {
            let of = |(i, picture): (usize, &Picture)| ((i == at) == alone).then(|| picture.clone());
            Asked::Prompt(prompt(case, shown, pictures.iter().enumerate().filter_map(of).collect()))
        };
        let Some(alone) = covers.next() else { return Ok(only(true)) };
        if !alone {
            let Some(others) = covers.next() else { return Ok(only(false)) };
            needed += usize::from(!others);
        } else {
            needed += 1;
        }
    }
    Ok(Asked::Decided(verdict(1.0, needed as f64 / n as f64)))
}

fn verdict(recall: f64, precision: f64) -> Verdict {
    let label = if recall > 0.0 { "covered" } else { "not covered" };
    Verdict { precision: Some(precision), ..Verdict::new(recall, label) }
}
