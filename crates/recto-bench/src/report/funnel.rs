//! How far items came: found, ranked or cited, right. Each stage counts the items that passed all stages before it.

use std::collections::BTreeMap;

use recto_page::PageId;
use serde::Serialize;

use super::{Entry, Subject, text};
use crate::item::Item;
use crate::row::Row;

/// Kinds of slices by which items are grouped, the first that a set has.
const LEVELS: [&str; 4] = ["level", "hop_type", "hops", "difficulty"];

/// The items of one level.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Level {
    /// Its name; empty if the set has no levels.
    pub(super) name: String,
    /// Its items with gold pages.
    pub(super) n: usize,
    /// How many passed each stage, in the order of [`stages`].
    pub(super) passed: Vec<usize>,
}

type Stage = (&'static str, fn(&Item, &Row, bool) -> bool);

const RANKING: [Stage; 3] = [
    ("found", |item, row, _| gold_among(item, seen(row))),
    ("first ten", |item, row, _| gold_among(item, ranked(row).take(10))),
    ("first", |item, row, _| gold_among(item, ranked(row).take(1))),
];

const ANSWERING: [Stage; 3] = [
    ("found", |item, row, _| gold_among(item, seen(row))),
    ("cited", |item, row, _| gold_among(item, row.pages.iter())),
    ("right", |_, _, right| right),
];

/// The stages of a run: those of an answerer if it cites pages, of a ranking otherwise.
fn stages(entry: &Entry<'_>) -> &'static [Stage; 3] {
    if entry.run.rows.values().any(|row| !row.pages.is_empty()) { &ANSWERING } else { &RANKING }
}

/// The names of the stages of a run.
pub(super) fn stage_names(entry: &Entry<'_>) -> Vec<&'static str> {
    stages(entry).iter().map(|(name, _)| *name).collect()
}

/// The kind of slice that stands for levels, if the set has one.
pub(super) fn level_kind(subject: &Subject<'_>) -> Option<&'static str> {
    LEVELS.into_iter().find(|kind| subject.set.items.iter().any(|item| item.slices.contains_key(*kind)))
}

/// The funnel of a run by level; empty if no item has gold pages or no row has pages.
pub(super) fn funnel(subject: &Subject<'_>, entry: &Entry<'_>) -> Vec<Level> {
    if !entry.run.rows.values().any(|row| seen(row).next().is_some()) {
        return Vec::new();
    }
    let mut levels: BTreeMap<String, Level> = BTreeMap::new();
    let kind = level_kind(subject).unwrap_or_default();
    for (item, row, _) in entry.scored(subject.set).filter(|(item, ..)| !item.gold.relevant().is_empty()) {
        let names: Vec<String> = match item.slices.get(kind) {
            Some(names) => names.iter().cloned().collect(),
            None => vec![String::new()],
        };
        for name in names {
            let level = Level { name: name.clone(), n: 0, passed: vec![0; 3] };
            levels.entry(name).or_insert(level).add(stages(entry), item, row, entry.right(&item.id));
        }
    }
    let mut levels: Vec<Level> = levels.into_values().collect();
    levels.sort_by(|a, b| text::natural(&a.name, &b.name));
    levels
}

impl Level {
    fn add(&mut self, stages: &[Stage], item: &Item, row: Option<&Row>, right: bool) {
        self.n += 1;
        let Some(row) = row else { return };
        let passed = stages.iter().take_while(|(_, passes)| passes(item, row, right)).count();
        self.passed.iter_mut().take(passed).for_each(|count| *count += 1);
    }
}

fn ranked(row: &Row) -> impl Iterator<Item = &PageId> {
    row.ranking.iter().map(|ranked| &ranked.page)
}

fn seen(row: &Row) -> impl Iterator<Item = &PageId> {
    row.searches.iter().flat_map(|search| &search.pages).chain(ranked(row)).chain(&row.pages)
}

fn gold_among<'a>(item: &Item, mut pages: impl Iterator<Item = &'a PageId>) -> bool {
    let gold = item.gold.relevant();
    pages.any(|page| gold.contains(page))
}
