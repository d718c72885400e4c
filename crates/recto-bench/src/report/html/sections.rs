//! The sections that are tables. A section without data is empty text.

use std::collections::{BTreeMap, BTreeSet};

use super::table::{bar, cell, heat, score, table};
use super::{esc, note};
use crate::measure::Measure;
use crate::report::agreement::agreement;
use crate::report::csv::outcomes;
use crate::report::endings::{ENDINGS, Ending, endings};
use crate::report::funnel::{funnel, level_kind, stage_names};
use crate::report::layout::{Sort, sort_kind, sorts};
use crate::report::text::{count, number, quantity};
use crate::report::{Entry, Layout, Subject};

/// A head with a column for each run.
fn head(subject: &Subject<'_>, first: &str) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(subject.runs.iter().map(|entry| entry.name.clone())).collect()
}

/// Each measure for each run.
pub(super) fn scores(subject: &Subject<'_>) -> String {
    let cells = |measure: &Measure| -> Vec<String> {
        let score = |entry: &Entry<'_>| score(entry.scores(measure), entry.run.evaluation.n_items);
        subject.runs.iter().map(score).collect()
    };
    let rows: Vec<_> = subject.measures().into_iter().map(|measure| (measure.to_string(), cells(measure))).collect();
    if rows.is_empty() {
        return String::new();
    }
    let abouts = subject.measures().into_iter().map(|measure| (measure.to_string(), measure.definition().about));
    let abouts: String =
        abouts.map(|(name, about)| format!("<dt>{}</dt><dd>{}</dd>", esc(&name), esc(about))).collect();
    let ranges = subject.runs.iter().flat_map(|entry| &entry.run.evaluation.measures).any(|m| m.interval.is_some());
    let intervals = if ranges { " Behind a score, its 95 % interval." } else { "" };
    let n = "n: the number of items the score rests on, where that is not all of them.";
    format!(
        "{}{}{}<details><summary>What the measures are</summary><dl>{abouts}</dl></details>\n",
        note(&format!("Missing and failed items count 0.{intervals} {n}")),
        table(&head(subject, "Measure"), &rows),
        unscored(subject)
    )
}

/// Why items have no score, and how many: once for all runs and measures of which that is so.
fn unscored(subject: &Subject<'_>) -> String {
    let mut told: BTreeMap<(&str, usize), BTreeMap<String, Vec<&str>>> = BTreeMap::new();
    for entry in &subject.runs {
        for scores in &entry.run.evaluation.measures {
            for (why, n) in &scores.unscored {
                let runs = told.entry((why, *n)).or_default().entry(scores.measure.to_string()).or_default();
                runs.push(&entry.name);
            }
        }
    }
    let mut lines = String::new();
    for ((why, n), by_measure) in told {
        let mut by_runs: BTreeMap<Vec<&str>, Vec<String>> = BTreeMap::new();
        for (measure, runs) in by_measure {
            by_runs.entry(runs).or_default().push(measure);
        }
        for (runs, measures) in by_runs {
            let runs = if runs.len() == subject.runs.len() { String::new() } else { format!(", {}", runs.join(", ")) };
            let what = esc(&format!("{}{runs}", measures.join(", ")));
            lines += &format!("<li>{what}: {} not scored, {}</li>\n", count(n, "item"), esc(why));
        }
    }
    if lines.is_empty() { lines } else { format!("<ul class=\"plain\">{lines}</ul>\n") }
}

/// How many items are done, declined, failed, missing; and why items failed.
pub(super) fn ended(subject: &Subject<'_>) -> String {
    let counts: Vec<_> = subject.runs.iter().map(|entry| outcomes(subject, entry)).collect();
    let names = ["done", "declined", "failed", "missing"].into_iter().enumerate();
    let rows: Vec<_> = names
        .map(|(at, name)| (name.into(), counts.iter().filter_map(|counts| Some(cell(&counts.get(at)?.1))).collect()))
        .collect();
    let mut faults = BTreeMap::<_, usize>::new();
    for entry in &subject.runs {
        for fault in entry.run.evaluation.failed.values() {
            *faults.entry((&entry.name, format!("{:?}", fault.class).to_lowercase(), &fault.why)).or_default() += 1;
        }
    }
    let line = |((run, class, why), n): ((&String, String, &String), usize)| {
        format!("<li>{}: {n} failed ({class}): {}</li>\n", esc(run), esc(why))
    };
    let faults: String = faults.into_iter().map(line).collect();
    let faults = if faults.is_empty() { faults } else { format!("<ul class=\"plain\">{faults}</ul>\n") };
    table(&head(subject, "Items"), &rows) + &faults
}

/// Each kind of slice: the first measure as a table, the others folded.
pub(super) fn slices(subject: &Subject<'_>) -> String {
    let kind = |(kind, names): (&str, Vec<&str>)| {
        let tables = subject.measures().into_iter().map(|measure| slice(subject, measure, kind, &names));
        let mut tables = tables.filter(|table| !table.is_empty());
        let (first, others) = (tables.next().unwrap_or_default(), tables.collect::<String>());
        let others = match others.is_empty() {
            true => others,
            false => format!("<details><summary>Other measures</summary>{others}</details>"),
        };
        format!("<h3>{}</h3>\n{first}{others}\n", esc(kind))
    };
    // A kind that all items are of tells nothing more than the scores do.
    subject.slices().into_iter().filter(|(_, names)| names.len() > 1).map(kind).collect()
}

fn slice(subject: &Subject<'_>, measure: &Measure, kind: &str, names: &[&str]) -> String {
    let found = |entry: &Entry<'_>, name: &str| entry.scores(measure)?.slices.get(kind)?.get(name).copied();
    if !names.iter().any(|name| subject.runs.iter().any(|entry| found(entry, name).is_some())) {
        return String::new();
    }
    let shown = |slice: Option<crate::evaluation::SliceScore>| match slice {
        Some(slice) => bar(slice.value, &number(slice.value), &format!("n {}", slice.n)),
        None => cell(""),
    };
    let row = |name: &&str| ((*name).to_owned(), subject.runs.iter().map(|entry| shown(found(entry, name))).collect());
    let rows: Vec<_> = names.iter().map(row).collect();
    table(&head(subject, &measure.to_string()), &rows)
}

/// Stacked bars of how items ended.
pub(super) fn errors(subject: &Subject<'_>) -> String {
    let counts = subject.runs.iter().filter_map(|entry| Some((entry, endings(subject, entry)?)));
    let counts: Vec<_> = counts.filter(|(_, counts)| !counts.is_empty()).collect();
    if counts.is_empty() {
        return String::new();
    }
    let present = |ending: &Ending| counts.iter().any(|(_, counts)| counts.contains_key(ending));
    let kinds = || ENDINGS.iter().enumerate().filter(|(_, (ending, ..))| present(ending));
    let bars: String = counts.iter().map(|(entry, counts)| stack(&entry.name, counts)).collect();
    let key = |(at, (_, name, about)): (usize, &(Ending, &str, &str))| {
        format!("<li><i class=\"key e{at}\"></i>{name}: {about}</li>")
    };
    let head: Vec<_> =
        std::iter::once("Run".to_owned()).chain(kinds().map(|(_, (_, name, _))| (*name).into())).collect();
    let row = |(entry, counts): &(&Entry<'_>, BTreeMap<Ending, usize>)| {
        let n: usize = counts.values().sum();
        let cells = kinds().map(|(_, (ending, ..))| counts.get(ending).copied().unwrap_or_default());
        let shown = cells.map(|count| cell(&format!("{count} ({:.1} %)", 100.0 * count as f64 / n as f64)));
        (entry.name.clone(), shown.collect())
    };
    let rows: Vec<_> = counts.iter().map(row).collect();
    let about = format!(
        "From the pages that an answer cites and the gold pages; right by {}. Wrong answers to items without gold pages \
         are not counted.",
        esc(&subject.main_name())
    );
    format!(
        "{}{bars}<ul class=\"legend\">{}</ul>{}",
        note(&about),
        kinds().map(key).collect::<String>(),
        table(&head, &rows)
    )
}

fn stack(name: &str, counts: &BTreeMap<Ending, usize>) -> String {
    let n: usize = counts.values().sum();
    let part = |(at, (ending, label, _)): (usize, &(Ending, &str, &str))| {
        let count = counts.get(ending).copied().filter(|count| *count > 0)?;
        let share = 100.0 * count as f64 / n as f64;
        let shown = if share < 4.0 { String::new() } else { count.to_string() };
        Some(format!("<span class=\"e{at}\" style=\"width:{share:.3}%\" title=\"{label}: {count}\">{shown}</span>"))
    };
    let parts: String = ENDINGS.iter().enumerate().filter_map(part).collect();
    format!(
        "<div class=\"stacked\"><b>{}</b><div class=\"stack\" aria-hidden=\"true\">{parts}</div></div>\n",
        esc(name)
    )
}

/// By level, how many items pass each stage.
pub(super) fn funnels(subject: &Subject<'_>) -> String {
    let one = |entry: &Entry<'_>| {
        let rows = funnel(subject, entry).into_iter().map(|level| {
            let share = |passed: &usize| {
                let share = *passed as f64 / level.n as f64;
                bar(share, &format!("{:.1} %", 100.0 * share), &format!("{passed} of {}", level.n))
            };
            (
                if level.name.is_empty() { "all".into() } else { level.name.clone() },
                level.passed.iter().map(share).collect(),
            )
        });
        let kind = level_kind(subject).unwrap_or("items").to_owned();
        let head: Vec<_> = std::iter::once(kind).chain(stage_names(entry).into_iter().map(String::from)).collect();
        let table = table(&head, &rows.collect::<Vec<_>>());
        if table.is_empty() { table } else { format!("<h3>{}</h3>\n{table}", esc(&entry.name)) }
    };
    let tables: String = subject.runs.iter().map(one).collect();
    let about = format!(
        "Items with gold pages; each stage counts those that passed the stages before it. Found: a gold page came back \
         from a search or is in the ranking. Right by {}.",
        esc(&subject.main_name())
    );
    if tables.is_empty() { tables } else { note(&about) + &tables }
}

/// Elements a page by sort of document, coloured by how far that is from the mean of the sorts.
pub(super) fn density(subject: &Subject<'_>, layout: &Layout) -> String {
    let sorts = sorts(subject.set, layout);
    let kinds: BTreeSet<&String> = sorts.iter().flat_map(|sort| sort.density.keys()).collect();
    let shown = |sort: &Sort, kind: &str| {
        let density = sort.density.get(kind).copied().unwrap_or_default();
        heat(sort.deviation.get(kind).map(|deviation| deviation / 2.0), &quantity(density), "")
    };
    let row = |sort: &Sort| {
        let name = if sort.name.is_empty() { "all documents" } else { &sort.name };
        let extent = [sort.documents.to_string(), sort.pages.to_string()].map(|n| cell(&n));
        (name.to_owned(), extent.into_iter().chain(kinds.iter().map(|kind| shown(sort, kind))).collect())
    };
    let rows: Vec<_> = sorts.iter().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let first = sort_kind(subject.set).unwrap_or_default().to_owned();
    let head = [first, "documents".into(), "pages".into()].into_iter().chain(kinds.iter().map(|kind| (*kind).clone()));
    let about = "Elements a page, as recto reads them; coloured by how many standard deviations that is above or below the \
                 mean of the sorts of documents.";
    note(about) + &table(&head.collect::<Vec<_>>(), &rows)
}

/// Kappa between all runs.
pub(super) fn agreements(subject: &Subject<'_>) -> String {
    if subject.runs.len() < 2 || subject.main.is_none() {
        return String::new();
    }
    let pair = |a: &Entry<'_>, b: &Entry<'_>| {
        let found = agreement(subject, a, b);
        let text = found.kappa.map_or_else(|| "undefined".into(), number);
        heat(
            found.kappa,
            &text,
            &format!("{} / {} / {} / {}", found.counts[0], found.counts[1], found.counts[2], found.counts[3]),
        )
    };
    let row = |a: &Entry<'_>| (a.name.clone(), subject.runs.iter().map(|b| pair(a, b)).collect());
    let rows: Vec<_> = subject.runs.iter().map(row).collect();
    let about = format!(
        "Cohen's kappa on which items are right, by {}. Behind it the items that both get right / only the run of the row \
         / only the run of the column / neither.",
        esc(&subject.main_name())
    );
    note(&about) + &table(&head(subject, "Kappa"), &rows)
}

/// The configurations.
pub(super) fn made(subject: &Subject<'_>) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".into());
    let rows = [
        ("Program", |entry: &Entry<'_>| entry.run.config.version.clone()),
        ("Items", |entry| entry.run.evaluation.n_items.to_string()),
        ("Hash of items", |entry| entry.run.config.items_hash.clone()),
        ("Benchmark's files", |entry| entry.run.config.set_path.display().to_string()),
        ("Index", |entry| entry.run.config.index.as_ref().map_or("none".into(), |index| index.display().to_string())),
    ] as [(&str, fn(&Entry<'_>) -> String); 5];
    let row = |(name, of): &(&str, fn(&Entry<'_>) -> String)| {
        (String::from(*name), subject.runs.iter().map(|entry| cell(&of(entry))).collect())
    };
    let mut rows: Vec<(String, Vec<String>)> = rows.iter().map(row).collect();
    let hashes = subject.runs.iter().map(|entry| cell(&text(&entry.run.config.index_hash)));
    rows.push(("Hash of index".into(), hashes.collect()));
    if subject.runs.is_empty() {
        String::new()
    } else {
        format!("<div class=\"made\">{}</div>", table(&head(subject, "Run"), &rows))
    }
}
