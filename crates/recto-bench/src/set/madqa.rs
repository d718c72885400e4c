//! MADQA: questions about 800 documents, answered with lists, each with its evidence pages.
//!
//! Form learnt from the code of OxRML/MADQA and from the card of the data set of that name: `id`, `question`,
//! `answer_variants` (lists that are equally right), `evidence` (`document`, `page` from 1), `document_category`,
//! `domain`; splits train (1,550), dev (200) and test (500) in Parquet, or the same rows as JSON. A folder stands for its
//! dev split, as in the reference. The rows themselves were not seen; whether test has its answers is not known (without
//! them its questions have none to be scored by). How many pages a document has is not in these files.

use std::collections::BTreeSet;
use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::SetDefinition;
use super::file::table;
use super::rows::{items, slices, table_has};
use crate::error::Result;
use crate::item::{BenchmarkSet, Gold, GradedPage, Item};

pub(super) const SET: SetDefinition = SetDefinition {
    name: "madqa",
    about: "questions about a collection of 800 documents, for agents that search",
    files: "a file of rows (Parquet, JSONL or JSON), or a folder with data/dev-*.parquet",
    published: "its owners publish it as the data set OxRML/MADQA, where its conditions must be accepted",
    license: "CC BY-NC 4.0",
    measures: &["MADQA", "MADQA-Accuracy", "PageF1", "DocF1", "Kuiper", "WastedEffort"],
    looks: |path| table_has(path, SPLITS, FIELDS),
    read,
};

/// Of a folder; the first that is there.
const SPLITS: &[&str] = &["data/dev", "dev", "data/test", "test"];
const FIELDS: &[&str] = &["id", "question", "answer_variants", "evidence"];

#[derive(Deserialize)]
struct Question {
    id: String,
    question: String,
    #[serde(default)]
    answer_variants: Vec<Vec<String>>,
    #[serde(default)]
    evidence: Vec<Evidence>,
    #[serde(default)]
    document_category: Option<String>,
    #[serde(default)]
    domain: Option<String>,
}

#[derive(Deserialize)]
struct Evidence {
    document: DocId,
    page: PageNumber,
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let items = items(&table(path, SPLITS, SET.published)?, |row| Ok(item(row)))?;
    Ok(BenchmarkSet { items, ..BenchmarkSet::default() })
}

fn item(row: Question) -> Item {
    let pages: Vec<GradedPage> = row.evidence.into_iter().map(|at| PageId::new(at.document, at.page).into()).collect();
    Item {
        id: row.id,
        question: row.question,
        slices: slices([
            ("hop_type", vec![hop_type(&pages).into()]),
            ("domain", row.domain.into_iter().collect()),
            ("document_category", row.document_category.into_iter().collect()),
        ]),
        gold: Gold { answers: row.answer_variants, pages, ..Gold::default() },
        ..Item::default()
    }
}

/// How the evidence is spread; none counts as one page.
fn hop_type(pages: &[GradedPage]) -> &'static str {
    let docs: BTreeSet<_> = pages.iter().map(|graded| &graded.page.doc).collect();
    let pages: BTreeSet<_> = pages.iter().map(|graded| &graded.page).collect();
    match (docs.len(), pages.len()) {
        (2.., _) => "cross_doc",
        (_, 2..) => "cross_page",
        _ => "single",
    }
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageId, PageNumber};
    use serde_json::Value;

    use crate::set::desk::{fault, gold, read, rows, slice, values, write};

    #[test]
    fn golden_hop_types() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/madqa_metrics.json")).unwrap();
        let vectors = file["vectors"]["hop_type"].as_array().unwrap();
        for vector in vectors {
            // What lacks its document or page is no page here, and does not change the kind there.
            let page = |at: &Value| {
                let number = at["page"].as_u64().and_then(|page| PageNumber::new(page as u32))?;
                Some(PageId::new(DocId::new(at["document"].as_str()?), number).into())
            };
            let pages: Vec<_> = vector["evidence"].as_array().unwrap().iter().filter_map(page).collect();
            assert_eq!(super::hop_type(&pages), vector["hop_type"], "{vector}");
        }
        assert_eq!(vectors.len(), 8);
    }

    const ROWS: &str = r#"{"id": "m1", "question": " Who? ", "answer_variants": [["Ann", "Bob"], ["A. and B."]], "evidence": [{"document": "x.pdf", "page": 2}], "document_category": "memo", "domain": "law"}
{"id": "m2", "question": "When?", "answer_variants": [["1911"]], "evidence": [{"document": "x.pdf", "page": 1}, {"document": "x.pdf", "page": 3}]}
{"id": "m3", "question": "Where?", "answer_variants": [["Oslo"]], "evidence": [{"document": "x.pdf", "page": 1}, {"document": "y.pdf", "page": 1}]}
{"id": "m4", "question": "Why?", "answer_variants": [], "evidence": []}"#;

    #[test]
    fn rows_are_read_from_lines_lists_and_folders() {
        let list: &str = &format!("[{}]", ROWS.replace('\n', ",\n"));
        let other = ("data/test.jsonl", "{}");
        for files in [&[("rows.jsonl", ROWS)] as &[_], &[("rows.json", list)], &[("data/dev.jsonl", ROWS), other]] {
            let set = read("madqa", files);
            let hops: Vec<_> = (0..4).map(|item| slice(&set, item, "hop_type")[0]).collect();
            assert_eq!(hops, ["single", "cross_page", "cross_doc", "single"]);
            assert_eq!((slice(&set, 0, "domain"), slice(&set, 1, "domain")), (vec!["law"], vec![]));
            assert_eq!(gold(&set, 1), [("x.pdf", 1), ("x.pdf", 3)]);
            assert_eq!(set.items[0].gold.answers.len(), 2);
        }
    }

    #[test]
    fn rows_are_read_from_parquet() {
        let desk = tempfile::tempdir().unwrap();
        // Packed with Snappy, with Zstandard, and with Zstandard in pages of the second form.
        let tables: [&[u8]; 3] = [
            include_bytes!("../../tests/data/sets/madqa.parquet"),
            include_bytes!("../../tests/data/sets/zstd.parquet"),
            include_bytes!("../../tests/data/sets/zstd_v2.parquet"),
        ];
        for table in tables {
            write(&desk, "data/dev-00000-of-00002.parquet", table);
            let set = crate::set::open(None, desk.path()).unwrap();
            assert_eq!(gold(&set, 0), [("x.pdf", 2), ("y.pdf", 1)]);
            let answers: Vec<_> = set.items.iter().map(|item| item.gold.answers.clone()).collect();
            assert_eq!(answers, [vec![vec!["Ann", "Bob"], vec!["A. and B."]], vec![vec![]]]);
            assert_eq!((slice(&set, 0, "hop_type"), slice(&set, 1, "document_category")), (vec!["cross_doc"], vec![]));
        }
        // The parts of a split are one table.
        write(&desk, "data/dev-00001-of-00002.parquet", tables[0]);
        let twice = crate::set::open(None, desk.path()).unwrap_err().to_string();
        assert!(twice.ends_with("data/dev-00001-of-00002.parquet: row 1: \"m1\" has a row already"), "{twice}");
    }

    #[test]
    fn wrong_rows_are_named() {
        for (file, text, why) in [
            (
                "dev.jsonl",
                "{\"id\": \"a\", \"question\": \"b\"}\n{\"id\": 7}",
                "dev.jsonl:2: invalid type: integer `7`",
            ),
            ("dev.json", "[{\"id\": \"a\"}]", "dev.json:1: missing field `question`"),
            ("dev.json", "[]", "the benchmark holds no item"),
            ("dev.jsonl", &(ROWS.to_owned() + "\n" + ROWS), "dev.jsonl:5: \"m1\" has a row already"),
            ("readme", "", "data/dev.parquet is missing; its owners publish it as the data set OxRML/MADQA"),
        ] {
            let said = fault("madqa", &[(file, text)]);
            assert!(said.contains(why), "{said}, not {why}");
        }
    }

    #[test]
    fn predictions_are_scored_as_the_reference_does() {
        let set = read("madqa", &[("rows.jsonl", ROWS)]);
        let said = r#"{"question": "Who?", "answer": ["bob", "ANN"], "citations": [{"file": "x.pdf", "page": 2.0}, {"document": "y.pdf", "page": "1"}, {"file": "", "page": 1}, {"document": "z.pdf"}], "search_history": [{"iteration": 1, "query": "a", "num_results": 3}, {"query": "b"}]}
{"question": "when  was it?", "id": "m2", "answer": 1911, "iterations": 4, "citations": null}
{"question": "Where?", "answer": null}"#;
        let rows_read = rows(&set, "p.jsonl", said).unwrap();
        assert_eq!(rows_read.iter().map(|row| row.usage.steps).collect::<Vec<_>>(), [Some(2), Some(4), None]);
        // The page that is a text is cited, and wrong; what lacks a page or a document is no citation.
        let found = values(&set, &rows_read[..1], &["PageF1", "MADQA"]);
        assert_eq!((found[0].unwrap() * 3.0, found[1].unwrap() * 3.0), (2.0 / 3.0, 1.0));
        assert_eq!(values(&set, &rows_read[1..2], &["MADQA"])[0].unwrap() * 3.0, 1.0);
        let unknown = "{\"question\": \"What?\", \"answer\": \"\"}";
        assert_eq!(rows(&set, "p.jsonl", unknown).unwrap_err(), "p.jsonl:1: no item of the benchmark asks \"What?\"");
        let nested = "{\"question\": \"Who?\", \"answer\": [[\"a\"]]}";
        assert_eq!(rows(&set, "p.jsonl", nested).unwrap_err(), "p.jsonl:1: an answer is a text or a list of texts");
        let twice = said.to_owned() + "\n" + said;
        assert_eq!(rows(&set, "p.jsonl", &twice).unwrap_err(), "p.jsonl:4: \"m1\" has a row already");
    }
}
