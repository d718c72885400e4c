//! Facts about the document itself: how many pages, figures or tables it has, how often a word stands in it.

use std::collections::{BTreeMap, BTreeSet};

use super::Found;
use super::reading::{Read, Reading};
use super::term::{bare, terms};
use crate::{Kind, Question};

/// Kinds of captioned things, with the words that their captions begin with.
const CAPTIONED: &[(&str, &[&str])] = &[
    ("figure", &["figure", "fig"]),
    ("table", &["table"]),
    ("appendix", &["appendix"]),
    ("appendice", &["appendix"]),
    ("exhibit", &["exhibit"]),
    ("chapter", &["chapter"]),
    ("equation", &["equation"]),
    ("algorithm", &["algorithm"]),
];

/// Answers a question about the document itself, if it is one.
pub(crate) fn count(question: &Question, reading: &Reading) -> Option<Found> {
    let lower = question.asked.to_lowercase();
    if question.kind != Kind::Count {
        return None;
    }
    n_pages(&lower, reading)
        .or_else(|| occurrences(&lower, question, reading))
        .or_else(|| captions(&lower, question, reading))
}

fn certain(text: String, evidence: Vec<(usize, Vec<usize>)>) -> Found {
    Found::new(text, evidence, 1.0)
}

/// `How many pages does the document have?`
fn n_pages(lower: &str, reading: &Reading) -> Option<Found> {
    let asks =
        ["how many pages", "how many slides", "number of pages", "number of slides"].iter().any(|p| lower.contains(p));
    let whole =
        ["have", "has", "are there", "document", "file", "deck", "long", "total"].iter().any(|p| lower.contains(p));
    let narrowed = ["contain", "mention", "show", "with ", "include", "that ", "which ", "where "]
        .iter()
        .any(|p| lower.contains(p));
    let [(_, n)] = reading.documents.as_slice() else { return None };
    (asks && whole && !narrowed).then(|| certain(n.to_string(), Vec::new()))
}

/// `How many times does "word" appear?`
fn occurrences(lower: &str, question: &Question, reading: &Reading) -> Option<Found> {
    if !["how many times", "how often"].iter().any(|p| lower.contains(p)) {
        return None;
    }
    let wanted = terms(question.quoted.first()?);
    let evidence: Vec<(usize, Vec<usize>)> =
        reading.pages.iter().enumerate().map(|(p, r)| (p, runs(r, &wanted))).collect();
    let n: usize = evidence.iter().map(|(_, starts)| starts.len()).sum();
    let evidence = evidence.into_iter().filter(|(_, starts)| !starts.is_empty()).collect();
    (n > 0).then(|| certain(n.to_string(), evidence))
}

/// Words at which the terms `wanted` stand one after another.
fn runs(read: &Read, wanted: &[String]) -> Vec<usize> {
    let words = read.page.text_layer.words.iter().enumerate();
    let all: Vec<(usize, String)> = words.flat_map(|(i, w)| terms(&w.text).into_iter().map(move |t| (i, t))).collect();
    let fits = |run: &[(usize, String)]| run.iter().map(|(_, t)| t).eq(wanted);
    all.windows(wanted.len().max(1)).filter(|run| fits(run)).filter_map(|run| run.first().map(|(i, _)| *i)).collect()
}

/// `How many tables are there in the document?`: distinct captions.
fn captions(lower: &str, question: &Question, reading: &Reading) -> Option<Found> {
    let rest = lower.split("how many ").nth(1).or_else(|| lower.split("number of ").nth(1))?;
    let noun = rest.split(|c: char| !c.is_alphabetic()).next()?.trim_end_matches('s');
    let known = ["figure", "total", "appear", "contain", "there", "includ", noun];
    if question.terms.iter().filter(|t| !known.iter().any(|k| t.starts_with(k) || k.starts_with(t.as_str()))).count()
        > 1
    {
        return None;
    }
    let (_, openings) = CAPTIONED.iter().find(|(kind, _)| *kind == noun)?;
    let anywhere = ["mention", "refer", "cite"].iter().any(|w| lower.contains(w));
    let mut found: BTreeMap<String, (usize, Vec<usize>)> = BTreeMap::new();
    for (p, read) in reading.pages.iter().enumerate() {
        for (i, number) in numbered(read, openings, anywhere) {
            found.entry(number).or_insert((p, vec![i, i + 1]));
        }
    }
    let docs: BTreeSet<_> =
        found.values().filter_map(|(p, _)| reading.pages.get(*p)).map(|read| &read.id.doc).collect();
    let plain: Vec<usize> = found.keys().filter_map(|number| number.parse().ok()).collect();
    // Where numbers are left out, captions were not found, and there may be more of them.
    let gaps = plain.len() == found.len() && plain.iter().max() != Some(&plain.len());
    (docs.len() == 1 && !gaps).then(|| certain(found.len().to_string(), found.into_values().collect()))
}

/// True if the question counts pages, figures or tables, as only [`count`] does.
pub(crate) fn is_about_document(question: &Question) -> bool {
    let lower = question.asked.to_lowercase();
    let mut nouns = CAPTIONED.iter().take(2).map(|(kind, _)| *kind).chain(["page", "slide", "document"]);
    question.kind == Kind::Count
        && nouns.any(|noun| {
            let end = lower
                .split("how many ")
                .nth(1)
                .and_then(|rest| rest.strip_prefix(noun))
                .map(|rest| rest.trim_start_matches('s'));
            end.is_some_and(|end| !end.starts_with(char::is_alphanumeric))
        })
}

/// Words of `kinds` that a number follows, at the beginning of lines or anywhere.
fn numbered(read: &Read, kinds: &[&str], anywhere: bool) -> Vec<(usize, String)> {
    let layer = &read.page.text_layer;
    let opens = |i: usize| {
        layer.words.get(i).is_some_and(|w| kinds.contains(&w.text.trim_end_matches('.').to_lowercase().as_str()))
    };
    let number = |i: usize| {
        let bare = bare(&layer.words.get(i + 1)?.text).to_uppercase();
        is_number(&bare).then_some((i, bare))
    };
    let starts: Vec<usize> =
        if anywhere { (0..layer.words.len()).collect() } else { layer.lines.iter().map(|l| l.words.start).collect() };
    starts.into_iter().filter(|&i| opens(i)).filter_map(number).collect()
}

/// `3`, `2.1`, `A-1`, `IV`, `B`.
fn is_number(text: &str) -> bool {
    let short = text.chars().all(|c| c.is_ascii_uppercase() && (text.len() == 1 || "IVX".contains(c)));
    !text.is_empty() && text.len() <= 6 && (short || text.chars().any(|c| c.is_ascii_digit()))
}
