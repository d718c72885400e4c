//! DocArena: questions made by a machine from 8,336 documents, each with the pages that its answer needs.
//!
//! Of the paper (arXiv 2606.26122) it is known that a sample is (question, answer, evidence pages) in one of 16 domains
//! and 49 languages; the files were not seen, nor where they are. Fields are looked for under usual names, see `loose`;
//! pages count from 1. Nothing tells these files from others, so the set must be named.

use std::path::Path;

use super::file::table;
use super::rows::items;
use super::{SetDefinition, loose};
use crate::error::Result;
use crate::item::BenchmarkSet;

pub(super) const SET: SetDefinition = SetDefinition {
    name: "docarena",
    about: "questions whose answer needs all of their evidence pages, made by a machine",
    files: "docarena:FILE, rows as JSONL, JSON or Parquet with question, answer, doc_id, evidence_pages and an id",
    published: "where its owners publish it is not known; the paper is arXiv 2606.26122",
    license: "not known",
    measures: &["PNLS", "R@5", "PageF1"],
    looks: |_| false,
    read,
};

fn read(path: &Path) -> Result<BenchmarkSet> {
    let files = table(path, &["docarena", "data/test", "test", "data/train", "train"], SET.published)?;
    let items = items(&files, |row: loose::Fields| loose::item(&row, ["domain", "language"]))?;
    Ok(BenchmarkSet { items, ..BenchmarkSet::default() })
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{fault, gold, slice, write};

    #[test]
    fn evidence_in_several_forms() {
        let row = |evidence: &str| {
            format!("{{\"id\": \"a\", \"question\": \"q\", \"answer\": \"x\", \"language\": \"fr\", {evidence}}}")
        };
        for (evidence, pages) in [
            ("\"doc_id\": \"d\", \"evidence_pages\": [3, 1]", vec![("d", 3), ("d", 1)]),
            ("\"document\": \"d\", \"page\": 2", vec![("d", 2)]),
            ("\"evidence\": [{\"document\": \"e\", \"page\": 4}]", vec![("e", 4)]),
            ("\"evidence\": null", vec![]),
        ] {
            let desk = tempfile::tempdir().unwrap();
            let set = crate::set::open(Some("docarena"), &write(&desk, "rows.jsonl", row(evidence))).unwrap();
            assert_eq!((gold(&set, 0), slice(&set, 0, "language")), (pages, vec!["fr"]), "{evidence}");
        }
        for (evidence, why) in [
            ("\"pages\": [1]", "train.jsonl:1: the row has no document of its page"),
            ("\"doc\": \"d\", \"pages\": [0]", "train.jsonl:1: 0 is no page"),
            ("\"doc\": \"d\", \"evidence\": [{\"text\": \"x\"}]", "train.jsonl:1: null is no page"),
        ] {
            let said = fault("docarena", &[("train.jsonl", &row(evidence))]);
            assert!(said.contains(why), "{said}, not {why}");
        }
    }
}
