//! Reports for spreadsheets and data frames: one line a number.

use std::borrow::Cow;

use super::{Entry, Run, Subject};
use crate::evaluation::MeasureScores;
use crate::item::BenchmarkSet;
use crate::row::Outcome;

const HEAD: &str = "run,measure,part,kind,name,value,low,high,n\n";

/// The scores as CSV (RFC 4180, line feeds). `part` is `set` for the whole set, `slice` (with its kind and name), `item`
/// (with its id as name, n 1) or `outcome` (the number of items that ended so). `low` and `high` bound the 95 % interval.
pub fn csv(set: &BenchmarkSet, runs: &[Run]) -> String {
    let subject = Subject::new(set, runs);
    let lines = subject.runs.iter().flat_map(|entry| lines(&subject, entry));
    lines.fold(HEAD.to_owned(), |text, line| text + &line)
}

fn lines(subject: &Subject<'_>, entry: &Entry<'_>) -> Vec<String> {
    let outcomes =
        outcomes(subject, entry).map(|(name, n)| line([&entry.name, "", "outcome", "", name], &n, ["", "", ""]));
    let scores = entry.run.evaluation.measures.iter().flat_map(|scores| measure(subject, &entry.name, scores));
    outcomes.into_iter().chain(scores).collect()
}

/// How many items of the set ended how.
pub(super) fn outcomes(subject: &Subject<'_>, entry: &Entry<'_>) -> [(&'static str, String); 4] {
    let ended = |outcome| {
        let of = |id: &str| entry.row(id).map_or(Outcome::Missing, |row| row.outcome);
        subject.set.items.iter().filter(|item| of(&item.id) == outcome).count().to_string()
    };
    [
        ("done", ended(Outcome::Done)),
        ("declined", ended(Outcome::Declined)),
        ("failed", ended(Outcome::Failed)),
        ("missing", ended(Outcome::Missing)),
    ]
}

fn measure(subject: &Subject<'_>, run: &str, scores: &MeasureScores) -> Vec<String> {
    let id = scores.measure.to_string();
    let write = |part, kind, name, value: f64, (low, high): (String, String), n: usize| {
        line([run, &id, part, kind, name], &value.to_string(), [&low, &high, &n.to_string()])
    };
    let bounds = scores.interval.map(|(low, high)| (low.to_string(), high.to_string())).unwrap_or_default();
    let whole = scores.value.map(|value| write("set", "", "", value, bounds, scores.n));
    let slices =
        scores.slices.iter().flat_map(|(kind, names)| names.iter().map(move |(name, slice)| (kind, name, slice)));
    let slices = slices.map(|(kind, name, slice)| write("slice", kind, name, slice.value, Default::default(), slice.n));
    let items = subject.set.items.iter().filter_map(|item| Some((&item.id, scores.items.get(&item.id)?)));
    let items = items.map(|(id, value)| write("item", "", id, *value, Default::default(), 1));
    whole.into_iter().chain(slices).chain(items).collect()
}

fn line(names: [&str; 5], value: &str, numbers: [&str; 3]) -> String {
    let names = names.map(quoted).join(",");
    format!("{names},{value},{}\n", numbers.join(","))
}

fn quoted(cell: &str) -> Cow<'_, str> {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")).into(),
        false => cell.into(),
    }
}
