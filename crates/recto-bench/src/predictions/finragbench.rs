//! FinRAGBench-V's folder of answers (zhaosuifeng/FinRAGBench-V, generation/generate.py): a file `ID_answer.json` for each
//! query with `answer` and `coordinates`, which name the places that support it by the number of a page and pixels.
//!
//! The number is the page's place among the first ten that were found, so it needs the run: a `.trec` file, the one in the
//! folder. Pixels are those of the picture as it was shown, so they need its size: that of `ID_bounding_box_NUMBER_1.png`
//! beside the answer. Without the run no page is cited, without the picture a page is cited whole. An answer that can't
//! be read is none, as in the reference; unlike there, a query without a file counts 0.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use recto_page::{PageId, Region};
use serde::Deserialize;
use serde_json::Value;

use crate::error::{BenchError, Result};
use crate::item::BenchmarkSet;
use crate::results::Open;
use crate::row::{AnswerText, CitedRegion, Fault, FaultClass, Outcome, RankedPage, Row};
use crate::set::rows::{Entries, plain};
use crate::set::{json, trec};

/// What the names of answers end with.
const ANSWER: &str = "_answer.json";
/// So many pages were shown.
const SHOWN: usize = 10;

#[derive(Deserialize)]
struct Answer {
    answer: Value,
    #[serde(default)]
    coordinates: Option<Entries<Vec<[f64; 4]>>>,
}

/// The answers in a folder, by query; none if it has no such files.
pub(super) fn answers(folder: &Path) -> BTreeMap<String, PathBuf> {
    let names = |file: PathBuf| {
        let id = file.file_name()?.to_str()?.strip_suffix(ANSWER)?.to_owned();
        Some((id, file))
    };
    files(folder).filter_map(names).collect()
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// The rows of a folder.
pub(super) fn read(folder: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let mut found = found(folder, set)?;
    let mut open = Open::new(set);
    let row = |(id, file): (String, PathBuf)| {
        let ranking = found.remove(&id).unwrap_or_default();
        open.take(row(id, &file, ranking)).map_err(|why| BenchError::row(&file, 0, why))
    };
    answers(folder).into_iter().map(row).collect()
}

/// What the run in the folder found, by query; nothing if there is none.
fn found(folder: &Path, set: &BenchmarkSet) -> Result<BTreeMap<String, Vec<RankedPage>>> {
    let mut runs: Vec<PathBuf> =
        files(folder).filter(|file| file.extension().is_some_and(|ending| ending == "trec")).collect();
    runs.sort();
    match runs.as_slice() {
        [] => Ok(BTreeMap::new()),
        [one] => Ok(trec::run(one, set)?.into_iter().map(|row| (row.id, row.ranking)).collect()),
        _ => Err(BenchError::row(
            folder,
            0,
            "several runs (.trec) lie beside the answers; leave the one that they rest on",
        )),
    }
}

fn row(id: String, file: &Path, ranking: Vec<RankedPage>) -> Row {
    let row = Row { id, ranking, ..Row::default() };
    let read = json::<Answer>(file).map_err(|error| error.to_string());
    let read = read.and_then(|read| Ok((plain(&read.answer)?, read.coordinates)));
    let (answer, coordinates) = match read {
        Ok((answer, coordinates)) if !answer.contains("error output") => (answer, coordinates),
        Ok((answer, _)) => return failed(row, answer),
        Err(why) => return failed(row, why),
    };
    let mut row = Row { answer: Some(AnswerText::Text(answer)), ..row };
    for (number, boxes) in coordinates.map(|Entries(entries)| entries).unwrap_or_default() {
        let place = number.trim().parse::<usize>().ok().filter(|n| (1..=SHOWN).contains(n));
        let Some(ranked) = place.and_then(|n| row.ranking.get(n - 1)) else { continue };
        let page = ranked.page.clone();
        let picture = file.with_file_name(format!("{}_bounding_box_{number}_1.png", row.id));
        row.regions.extend(regions(&page, &boxes, size(&picture)));
        row.pages.push(page);
    }
    row
}

fn failed(row: Row, why: String) -> Row {
    Row { outcome: Outcome::Failed, fault: Some(Fault::new(FaultClass::Permanent, why)), ..row }
}

fn regions(page: &PageId, boxes: &[[f64; 4]], size: Option<(f64, f64)>) -> Vec<CitedRegion> {
    let Some((width, height)) = size else { return Vec::new() };
    let region =
        |[left, top, right, bottom]: &[f64; 4]| Region::new(left / width, top / height, right / width, bottom / height);
    boxes.iter().map(|place| CitedRegion { page: page.clone(), region: region(place) }).collect()
}

/// Width and height of a PNG picture in pixels, from its head; `None` if it is none.
fn size(picture: &Path) -> Option<(f64, f64)> {
    let mut head = [0; 24];
    File::open(picture).ok()?.read_exact(&mut head).ok()?;
    let side = |at: usize| Some(u32::from_be_bytes(*head.get(at..)?.first_chunk()?)).filter(|side| *side > 0);
    let (width, height) = (side(16)?, side(20)?);
    (head.get(12..16)? == b"IHDR").then(|| (width.into(), height.into()))
}

#[cfg(test)]
mod tests {
    use crate::predictions;
    use crate::row::Outcome;
    use crate::set::desk::{read, values, write};

    const QUERIES: &str = r#"[{"query-id": "a", "query": "How much?", "answer": "5 %", "answer_type": "short"},
{"query-id": "b", "query": "Why?", "answer": "Because.", "answer_type": "long"},
{"query-id": "c", "query": "Who?", "answer": "Ann", "answer_type": "short"}]"#;
    const QRELS: &str = "query-id\tcorpus-id\tscore\na\tx 1.png\t1\nb\ty.png\t1\nc\tx 1.png\t1\n";
    const RUN: &str = "a\tQ0\tz.png\t1\t9\tm\na\tQ0\tx 1.png\t2\t8\tm\n";

    #[test]
    fn folders_of_answers() {
        let set = read("finragbench-v", &[("queries_en.json", QUERIES), ("qrels_en.tsv", QRELS)]);
        let desk = tempfile::tempdir().unwrap();
        let head =
            [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &1000_u32.to_be_bytes(), &500_u32.to_be_bytes()].concat();
        write(&desk, "a_bounding_box_2_1.png", head);
        write(
            &desk,
            "a_answer.json",
            r#"{"query": "How much?", "answer": "5 %", "coordinates": {"2": [[100, 50, 300, 100]], "1": [[0, 0, 1, 1]], "12": [], "x": []}}"#,
        );
        write(&desk, "b_answer.json", "{\"answer\": \"error output\", \"coordinates\": {}}");
        write(&desk, "c_answer.json", "{");
        let rows = predictions::read(desk.path(), &set).unwrap();
        assert_eq!(
            rows.iter().map(|row| row.outcome).collect::<Vec<_>>(),
            [Outcome::Done, Outcome::Failed, Outcome::Failed]
        );
        assert_eq!((rows[0].pages.len(), rows[0].ranking.len()), (0, 0), "without the run nobody knows the pages");
        write(&desk, "run.trec", RUN);
        let rows = predictions::read(desk.path(), &set).unwrap();
        let pages: Vec<_> = rows[0].pages.iter().map(|page| page.doc.as_str()).collect();
        assert_eq!(pages, ["x 1.png", "z.png"]);
        let places: Vec<_> =
            rows[0].regions.iter().map(|place| (place.page.doc.as_str(), place.region.ltrb())).collect();
        assert_eq!(places, [("x 1.png", [0.1, 0.1, 0.3, 0.2])]);
        let found = values(&set, &rows, &["FRB-EM", "FRB-ROUGE-L", "MRR@10", "PageRecall"]);
        assert_eq!(found, [Some(0.5), Some(1.0 / 3.0), Some(1.0 / 6.0), Some(1.0 / 3.0)]);
        write(&desk, "other.trec", RUN);
        let error = predictions::read(desk.path(), &set).unwrap_err().to_string();
        assert!(error.contains("several runs (.trec)"), "{error}");
    }

    #[test]
    fn answers_to_no_query_are_refused() {
        let set = read("finragbench-v", &[("queries_en.json", QUERIES), ("qrels_en.tsv", QRELS)]);
        let desk = tempfile::tempdir().unwrap();
        write(&desk, "d_answer.json", "{\"answer\": \"5\"}");
        let error = predictions::read(desk.path(), &set).unwrap_err().to_string();
        assert!(error.ends_with("d_answer.json: \"d\" is no item of the benchmark"), "{error}");
    }
}
