//! How fast pages are indexed by their words and searched: `benches/peers/lexical.py` runs it.
//!
//! `lexical_bench index PAGES FOLDER` indexes a file with a page a line; `lexical_bench search FOLDER QUERIES K` asks a file
//! with a query a line: by BM25 of words alone, with pairs of words, and as the hybrid looks at words. The best pages are those of words alone. Prints JSON with seconds of one thread's CPU. Linux only,
//! since it asks `/proc` for CPU time.
#![expect(clippy::print_stdout, reason = "what it is for")]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::{env, fs};

use recto_page::{DocId, PageNumber};
use recto_search::{Kinds, LexicalReader, LexicalWriter, Query, Scope, Searcher};
use serde_json::json;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Pages of a document.
const DOCUMENT: usize = 100;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["index", pages, folder] => index(Path::new(pages), Path::new(folder)),
        ["search", folder, queries, k] => search(Path::new(folder), Path::new(queries), k.parse()?),
        _ => Err("see the head of the source".into()),
    }
}

fn index(pages: &Path, folder: &Path) -> Outcome<()> {
    let start = cpu_seconds()?;
    let mut writer = LexicalWriter::open(folder)?;
    let mut n = 0;
    for line in BufReader::new(fs::File::open(pages)?).lines() {
        writer.add_page((n / DOCUMENT) as u64, PageNumber::from_index(n % DOCUMENT), &line?, "", Kinds::default())?;
        n += 1;
    }
    writer.commit(1)?;
    writer.close()?;
    let bytes: u64 = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.metadata().ok()?.len())).sum();
    println!("{}", json!({"pages": n, "seconds": cpu_seconds()? - start, "bytes": bytes, "peak_mb": peak_mb()?}));
    Ok(())
}

fn search(folder: &Path, queries: &Path, k: usize) -> Outcome<()> {
    let start = cpu_seconds()?;
    let reader = LexicalReader::open(folder)?;
    let live: BTreeMap<u64, DocId> = (0..1_000_000).map(|n| (n, DocId::new(format!("{n:06}")))).take(10_000).collect();
    let searcher = reader.searcher(&live)?;
    let opened = cpu_seconds()? - start;
    let queries: Vec<String> = fs::read_to_string(queries)?.lines().map(str::to_owned).collect();
    let words = times(&queries, |query| searcher.run(&of_words(query), &Scope::All, k).map(|ranking| ranking.0.len()))?;
    let bm25 = times(&queries, |query| searcher.run(query, &Scope::All, k).map(|ranking| ranking.0.len()))?;
    let weighed = times(&queries, |query| searcher.run_weighed(query, &Scope::All, k).map(|ranking| ranking.0.len()))?;
    let top: Vec<Vec<String>> = queries.iter().map(|query| best(&searcher, query)).collect::<Outcome<_>>()?;
    println!(
        "{}",
        json!({"open": opened, "words": words, "bm25": bm25, "weighed": weighed, "peak_mb": peak_mb()?, "top": top})
    );
    Ok(())
}

/// Milliseconds of the median query and of the slowest in a hundred; and of CPU, on average, which others that run do not
/// disturb.
fn times(queries: &[String], run: impl Fn(&Query) -> recto_search::Result<usize>) -> Outcome<serde_json::Value> {
    let mut times = Vec::new();
    let before = cpu_seconds()?;
    for query in queries.iter().map(|query| Query::plain(query)) {
        let start = std::time::Instant::now();
        run(&query)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let mean = (cpu_seconds()? - before) * 1e3 / times.len() as f64;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((share * times.len() as f64) as usize).copied();
    Ok(json!({"p50": at(0.5), "p99": at(0.99), "cpu_mean": mean}))
}

/// The query without pairs of words, which other engines do not look for.
fn of_words(query: &Query) -> Query {
    let mut words = query.clone();
    words.terms.retain(|term, _| !term.contains(' '));
    words
}

fn best(searcher: &Searcher, query: &str) -> Outcome<Vec<String>> {
    let ranking = searcher.run(&of_words(&Query::plain(query)), &Scope::All, 10)?;
    Ok(ranking.0.iter().map(|hit| format!("{} {}", hit.page.doc, hit.page.page)).collect())
}

/// CPU seconds of this process so far, all threads.
fn cpu_seconds() -> Outcome<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    Ok((ticks(11) + ticks(12)) / 100.0)
}

fn peak_mb() -> Outcome<f64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    Ok(line.split_whitespace().next().unwrap_or_default().parse::<f64>()? / 1024.0)
}
