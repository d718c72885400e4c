//! Reports for issues and notes: the tables, without curves and items.

use std::fmt::Write as _;

use super::csv::outcomes;
use super::endings::{ENDINGS, endings};
use super::text::number;
use super::{Run, Subject};
use crate::evaluation::{MeasureScores, SliceScore};
use crate::item::BenchmarkSet;
use crate::measure::Measure;

/// The report as Markdown (tables as GitHub has them).
pub fn markdown(set: &BenchmarkSet, runs: &[Run]) -> String {
    let subject = Subject::new(set, runs);
    let mut text =
        format!("# {}\n\n{} items. Missing and failed items count 0.\n", escaped(&set.name), set.items.len());
    section(&mut text, "Scores", &subject, scores(&subject));
    section(&mut text, "How items ended", &subject, ended(&subject));
    for (kind, names) in subject.slices() {
        for measure in subject.measures() {
            let rows = names.iter().map(|name| slice(&subject, measure, kind, name)).collect();
            section(&mut text, &format!("{}: {measure}", escaped(kind)), &subject, rows);
        }
    }
    section(&mut text, &format!("Errors, right by {}", subject.main_name()), &subject, errors(&subject));
    text
}

/// A table with a column for each run; nothing if no cell has anything.
fn section(text: &mut String, title: &str, subject: &Subject<'_>, rows: Vec<Vec<String>>) {
    if rows.iter().all(|row| row.iter().skip(1).all(String::is_empty)) {
        return;
    }
    let names: Vec<String> = subject.runs.iter().map(|entry| escaped(&entry.name)).collect();
    let _ = write!(text, "\n## {title}\n\n| | {} |\n|---|{}\n", names.join(" | "), "---:|".repeat(names.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
}

fn row<'a>(subject: &'a Subject<'a>, name: &str, cell: impl Fn(&'a super::Entry<'a>) -> Option<String>) -> Vec<String> {
    let cells = subject.runs.iter().map(|entry| cell(entry).unwrap_or_default());
    std::iter::once(escaped(name)).chain(cells).collect()
}

fn scores(subject: &Subject<'_>) -> Vec<Vec<String>> {
    let measures = subject.measures().into_iter();
    measures.map(|measure| row(subject, &measure.to_string(), |entry| Some(score(entry.scores(measure)?)))).collect()
}

fn score(scores: &MeasureScores) -> String {
    let Some(value) = scores.value else { return "not scored".into() };
    let interval = scores.interval.map(|(low, high)| format!(" ({} to {})", number(low), number(high)));
    format!("{}{}", number(value), interval.unwrap_or_default())
}

fn ended(subject: &Subject<'_>) -> Vec<Vec<String>> {
    let names = ["done", "declined", "failed", "missing"].into_iter().enumerate();
    names.map(|(at, name)| row(subject, name, |entry| Some(outcomes(subject, entry)[at].1.clone()))).collect()
}

fn slice(subject: &Subject<'_>, measure: &Measure, kind: &str, name: &str) -> Vec<String> {
    row(subject, name, |entry| {
        let SliceScore { value, n } = entry.scores(measure)?.slices.get(kind)?.get(name)?;
        Some(format!("{} (n {n})", number(*value)))
    })
}

fn errors(subject: &Subject<'_>) -> Vec<Vec<String>> {
    let counts: Vec<_> = subject.runs.iter().map(|entry| endings(subject, entry)).collect();
    let rows = ENDINGS.iter().map(|(ending, name, _)| {
        let cell = |counts: &Option<_>| -> String {
            let counts: Option<&std::collections::BTreeMap<_, usize>> = counts.as_ref();
            counts.map(|counts| counts.get(ending).copied().unwrap_or_default().to_string()).unwrap_or_default()
        };
        std::iter::once((*name).to_owned()).chain(counts.iter().map(cell)).collect()
    });
    rows.collect()
}

/// What Markdown or HTML would read as its own is written as a character of text.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
