//! One person's answers and the work on them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use recto_bench::row::{Search, Usage};
use recto_bench::run_dir::{self, RunConfig, RunDir};
use recto_bench::runner::Timed;
use recto_bench::{AnswerText, Item, Outcome, RankedPage, Row};
use recto_page::{ContentHash, PageId};

use super::effort::{Event, What, Work};
use super::log::Log;
use crate::exit::usage;

/// A person.
pub(crate) struct Person {
    dir: PathBuf,
    /// `None` where there is nothing to answer.
    run: Option<RunDir>,
    effort: Log,
    works: BTreeMap<String, Work>,
}

/// What is given as an answer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Said {
    /// One entry a line.
    Answer(String),
    /// The documents do not hold it.
    Decline,
}

impl Person {
    pub(super) fn open(dir: &Path, config: Option<&RunConfig>) -> anyhow::Result<Self> {
        fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
        let run = config.map(|config| open_run(dir, config)).transpose()?;
        let (effort, events) = Log::open::<Event>(&dir.join("effort.jsonl"))?;
        let mut works = BTreeMap::<String, Work>::new();
        for Event { item, what, .. } in &events {
            works.entry(item.clone()).or_default().take(what);
        }
        Ok(Self { dir: dir.into(), run, effort, works })
    }

    /// Where the work on an item stands.
    pub(crate) fn work(&self, item: &str) -> Work {
        self.works.get(item).cloned().unwrap_or_default()
    }

    /// The answer that was given, if one was.
    pub(crate) fn row(&self, item: &str) -> Option<&Row> {
        self.run.as_ref()?.row(item)
    }

    /// Notes what was done.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn did(&mut self, item: &str, what: What) -> anyhow::Result<()> {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let event = Event { item: item.into(), at: (at * 1000.0).round() / 1000.0, what };
        self.effort.add(&event)?;
        self.works.entry(event.item).or_default().take(&event.what);
        Ok(())
    }

    /// Keeps an answer, in place of one that was given before. `named` gives a page the benchmark's name.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn give(&mut self, item: &Item, said: &Said, named: impl Fn(&PageId) -> PageId) -> anyhow::Result<()> {
        let work = self.work(&item.id);
        let time = Duration::try_from_secs_f64(work.seconds).unwrap_or_default();
        let timed = Timed { row: row(item, &work, said, named), time };
        let dir = self.dir.display();
        self.run.as_mut().ok_or_else(|| usage(format!("{dir}: there are no questions to be answered")))?.put(timed)?;
        self.did(&item.id, What::Answered)
    }
}

/// The run in a folder. One that was begun with an earlier version or index goes on as what it is.
fn open_run(dir: &Path, config: &RunConfig) -> anyhow::Result<RunDir> {
    let before = if dir.join("config.json").exists() { run_dir::config(dir)? } else { config.clone() };
    if (&before.items_hash, &before.system) != (&config.items_hash, &config.system) {
        return Err(usage(format!("{} holds answers to other questions; name another --out", dir.display())));
    }
    Ok(RunDir::open(dir, &before, &BTreeSet::new())?)
}

/// An answer as any system gives it. Effort is the number of searches, as MADQA counts it, and of pages that were looked at.
fn row(item: &Item, work: &Work, said: &Said, named: impl Fn(&PageId) -> PageId) -> Row {
    let (outcome, answer) = match said {
        Said::Answer(text) => (Outcome::Done, Some(entries(text))),
        Said::Decline => (Outcome::Declined, None),
    };
    let searches = work
        .searches
        .iter()
        .map(|search| Search { query: search.query.clone(), pages: search.pages.iter().map(&named).collect() });
    let count = |n: usize| u32::try_from(n).ok();
    let usage = Usage { steps: count(work.searches.len()), pages: count(work.opened.len()), ..Usage::default() };
    let pages = if outcome == Outcome::Done { work.cited.iter().map(&named).collect() } else { Vec::new() };
    let (ranking, searches) = (ranking(work, &named), searches.collect());
    Row { id: item.id.clone(), outcome, answer, pages, ranking, searches, usage, ..Row::default() }
}

/// Nobody ranks pages by hand: what was cited comes first, then what was looked at, then what was found.
fn ranking(work: &Work, named: impl Fn(&PageId) -> PageId) -> Vec<RankedPage> {
    let found = work.searches.iter().flat_map(|search| &search.pages);
    let mut pages: Vec<&PageId> = Vec::new();
    for page in work.cited.iter().chain(&work.opened).chain(found) {
        if !pages.contains(&page) {
            pages.push(page);
        }
    }
    (1..).zip(pages).map(|(rank, page)| RankedPage { page: named(page), score: 1.0 / f64::from(rank) }).collect()
}

fn entries(text: &str) -> AnswerText {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match lines.as_slice() {
        [] => AnswerText::Text(String::new()),
        [one] => AnswerText::Text((*one).into()),
        many => AnswerText::List(many.iter().map(|line| (*line).into()).collect()),
    }
}

/// Names the state of an answer, so that what is based on an older one is noticed; empty if there is none.
pub(crate) fn version(row: Option<&Row>) -> String {
    let text = row.and_then(|row| serde_json::to_string(row).ok()).unwrap_or_default();
    let hash = (!text.is_empty()).then(|| ContentHash::of(text.as_bytes()));
    hash.and_then(|hash| hash.as_str().get(..12).map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use recto_bench::{BenchmarkSet, results};
    use recto_page::{DocId, PageNumber};

    use super::*;

    fn config(hash: &str, version: &str) -> RunConfig {
        RunConfig {
            version: version.into(),
            set: "s".into(),
            set_path: "s.jsonl".into(),
            items_hash: hash.into(),
            ids: None,
            system: "human:ann".into(),
            index: None,
            index_hash: None,
        }
    }

    #[test]
    fn answers_are_a_run_and_go_on_where_they_ended() {
        let folder = tempfile::tempdir().unwrap();
        let item = |id: &str| Item { id: id.into(), question: "?".into(), ..Item::default() };
        let page = PageId::new(DocId::new("index/a.pdf"), PageNumber::FIRST);
        let named = |page: &PageId| PageId::new(DocId::new("a"), page.page);
        let mut ann = Person::open(folder.path(), Some(&config("h", "1"))).unwrap();
        ann.did("one", What::Search { query: "mill".into(), pages: vec![page.clone()] }).unwrap();
        ann.did("one", What::Open(page.clone())).unwrap();
        ann.did("one", What::Cite(page.clone())).unwrap();
        ann.did("one", What::Time { seconds: 12.5 }).unwrap();
        ann.give(&item("one"), &Said::Answer(" 18 \n\n 19".into()), named).unwrap();
        ann.give(&item("two"), &Said::Decline, named).unwrap();
        // Nothing is ended: the server was killed. Another version goes on.
        drop(ann);
        let mut ann = Person::open(folder.path(), Some(&config("h", "2"))).unwrap();
        assert_eq!(ann.work("one").searches.len(), 1);
        let before = version(ann.row("one"));
        ann.give(&item("one"), &Said::Answer("18".into()), named).unwrap();
        assert!(before.len() == 12 && before != version(ann.row("one")) && version(ann.row("none")).is_empty());
        let set = BenchmarkSet { items: vec![item("one"), item("two")], ..BenchmarkSet::default() };
        let rows = results::read(&run_dir::results(folder.path()), &set).unwrap();
        let cited = PageId::new(DocId::new("a"), PageNumber::FIRST);
        assert_eq!(rows[0].answer, Some(AnswerText::Text("18".into())));
        assert_eq!(
            (rows[0].pages.as_slice(), rows[0].searches[0].pages.as_slice()),
            (&[cited.clone()][..], &[cited][..])
        );
        assert_eq!((rows[0].usage.steps, rows[0].usage.pages), (Some(1), Some(1)));
        assert_eq!(rows[0].ranking.iter().map(|ranked| ranked.score).collect::<Vec<_>>(), [1.0]);
        assert_eq!(rows[1].outcome, Outcome::Declined);
        assert_eq!(run_dir::timings(folder.path())["one"], 12.5);
        assert!(Person::open(folder.path(), Some(&config("other", "2"))).is_err());
    }
}
