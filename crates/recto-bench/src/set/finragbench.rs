//! FinRAGBench-V: questions about pages of Chinese and English financial reports, in a corpus of pictures.
//!
//! Form learnt from the files of zhaosuifeng/FinRAGBench-V, as far as its history has them (`data/dataset/queries_en.json`,
//! `data/qrels/qrels_en.tsv`, a run), and from its code: a JSON list of `query-id`, `query`, `answer`, `category`,
//! `answer_type` (`short` where the answer is compared to the letter) and `from_pages`, and a table `query-id`, `corpus-id`,
//! `score` parted by tabs. The Chinese queries write 短答案 for `short`, which the reference then never counts as short; here it
//! is. Pages are pictures, named by their files: each is a document of one page. Runs are in TREC's form.
//! The judgements are looked for beside the queries, or in a folder `qrels` beside theirs, under the same name with `qrels`
//! for `queries`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::SetDefinition;
use super::file::{lines, need};
use super::rows::{have, items, slices, text};
use crate::error::{BenchError, Result};
use crate::item::{BenchmarkSet, Gold, GradedPage, Item};

pub(super) const SET: SetDefinition = SetDefinition {
    name: "finragbench-v",
    about: "questions about 112,000 pages of financial reports, Chinese and English",
    files: "queries_en.json (or another language's), with qrels_en.tsv beside it or in qrels/; or their folder",
    published: "its owners publish it as the data set zhaosuifeng/FinRAGBench-V, named in the repository of that name",
    license: "not known; see its card",
    measures: &["nDCG@10(ties=trec)", "R@10(ties=trec)", "MRR@10(ties=trec)", "FRB-EM", "FRB-Recall", "FRB-ROUGE-L"],
    looks: |path| queries(path).is_ok_and(|file| have(&file, &["query-id", "query", "answer_type"])),
    read,
};

/// Where queries may lie in a folder.
const FOLDERS: [&str; 6] = ["", "queries", "dataset", "data", "data/queries", "data/dataset"];

#[derive(Deserialize)]
struct Query {
    #[serde(rename = "query-id", deserialize_with = "text")]
    id: String,
    query: String,
    answer: String,
    #[serde(default)]
    answer_type: Option<String>,
    #[serde(default)]
    category: Option<String>,
}

/// The one file of queries.
fn queries(path: &Path) -> Result<PathBuf> {
    if path.is_file() {
        return Ok(path.into());
    }
    let is_one = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("queries") && name.ends_with(".json")
    };
    let folders = FOLDERS.iter().filter_map(|folder| std::fs::read_dir(path.join(folder)).ok());
    let mut files: Vec<PathBuf> = folders.flatten().flatten().map(|entry| entry.path()).filter(is_one).collect();
    files.sort();
    match files.as_slice() {
        [one] => Ok(one.clone()),
        [] => need(path.join("queries_en.json"), SET.published),
        several => {
            let names: Vec<String> = several.iter().map(|file| file.display().to_string()).collect();
            Err(BenchError::row(path, 0, format!("several files of queries; name one: {}", names.join(", "))))
        }
    }
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let file = queries(path)?;
    let mut judged = judgements(&qrels(&file)?)?;
    let items = items(std::slice::from_ref(&file), |row: Query| {
        let pages = judged.remove(&row.id).unwrap_or_default();
        Ok(item(row, pages))
    })?;
    match judged.into_keys().next() {
        Some(id) => Err(BenchError::row(file, 0, format!("the judgements name {id:?}, which is no query"))),
        None => Ok(BenchmarkSet { items, ..BenchmarkSet::default() }),
    }
}

fn qrels(queries: &Path) -> Result<PathBuf> {
    let name = queries.file_stem().unwrap_or_default().to_string_lossy().replace("queries", "qrels") + ".tsv";
    let beside = queries.with_file_name(&name);
    let folder = queries.parent().and_then(Path::parent).map(|folder| folder.join("qrels").join(&name));
    need(folder.filter(|file| file.is_file()).unwrap_or(beside), SET.published)
}

/// Pages by query.
fn judgements(file: &Path) -> Result<BTreeMap<String, Vec<GradedPage>>> {
    let mut judged: BTreeMap<String, Vec<GradedPage>> = BTreeMap::new();
    for line in lines(file)? {
        let line = line?;
        let [query, page, grade] = line.columns()?;
        if query == "query-id" {
            continue;
        }
        let grade = grade.parse().map_err(|_| line.fault(format!("{grade:?} is no grade")))?;
        let page = PageId::new(DocId::new(page), PageNumber::FIRST);
        judged.entry(query.into()).or_default().push(GradedPage { page, grade });
    }
    Ok(judged)
}

fn item(row: Query, pages: Vec<GradedPage>) -> Item {
    let answer_type = row.answer_type.map(|kind| match kind.as_str() {
        "短答案" => "short".into(),
        "长答案" => "long".into(),
        _ => kind,
    });
    Item {
        id: row.id,
        question: row.query,
        slices: slices([
            ("answer_type", answer_type.iter().cloned().collect()),
            ("category", row.category.into_iter().collect()),
        ]),
        gold: Gold { answers: vec![vec![row.answer]], format: answer_type, pages, ..Gold::default() },
        ..Item::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{fault, gold, read, rows, slice, values};

    const QUERIES: &str = r#"[{"query-id": 1, "query": "How much?", "answer": "5 %", "answer_type": "short"},
{"query-id": "b", "query": "Why?", "answer": "Because."},
{"query-id": "c", "query": "谁？", "answer": "安", "category": "文本推理", "answer_type": "短答案"}]"#;
    const QRELS: &str = "query-id\tcorpus-id\tscore\n1\tannual report_7.png\t1\nb\tx.png\t1\nb\ty.png\t1\n";

    #[test]
    fn queries_and_judgements_are_joined() {
        for files in [
            [("queries_en.json", QUERIES), ("qrels_en.tsv", QRELS)],
            [("queries/queries_en.json", QUERIES), ("qrels/qrels_en.tsv", QRELS)],
        ] {
            let set = read("finragbench-v", &files);
            assert_eq!(gold(&set, 0), [("annual report_7.png", 1)]);
            assert_eq!((set.items[0].id.as_str(), slice(&set, 0, "answer_type")), ("1", vec!["short"]));
            assert_eq!(gold(&set, 1).len(), 2);
            assert_eq!((slice(&set, 2, "answer_type"), slice(&set, 2, "category")), (vec!["short"], vec!["文本推理"]));
            let run = "1\tQ0\tannual report_7.png\t1\t0.5\trun\nb\tQ0\ty.png\t1\t2\trun\n";
            assert_eq!(values(&set, &rows(&set, "run.trec", run).unwrap(), &["R@10"]), [Some(0.75)]);
        }
    }

    #[test]
    fn wrong_files_are_named() {
        let queries = ("queries_en.json", QUERIES);
        for (files, why) in [
            (&[queries] as &[_], "qrels_en.tsv is missing; its owners publish it"),
            (&[("x", "")], "queries_en.json is missing; its owners publish it"),
            (
                &[queries, ("queries_ch.json", QUERIES)],
                "several files of queries; name one: queries_ch.json, queries_en",
            ),
            (&[queries, ("qrels_en.tsv", "1\tx.png\tone\n")], "qrels_en.tsv:1: \"one\" is no grade"),
            (&[queries, ("qrels_en.tsv", "1\tx.png\n")], "qrels_en.tsv:1: 2 columns, not 3"),
            (&[queries, ("qrels_en.tsv", "7\tx.png\t1\n")], "the judgements name \"7\", which is no query"),
            (
                &[("queries_en.json", "[{\"query-id\": 1}]"), ("qrels_en.tsv", "")],
                "queries_en.json:1: missing field `query`",
            ),
        ] {
            let said = fault("finragbench-v", files);
            assert!(said.contains(why), "{said}, not {why}");
        }
    }
}
