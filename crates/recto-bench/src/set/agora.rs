//! Agora: questions with one number for an answer, asked of eight archives of workplace files.
//!
//! Of the paper (arXiv 2606.24526) 362 questions in eight domains are known, and that answers are compared exactly after
//! their format is made the same; the rule is not published in what was seen, nor are the files: fields are looked for
//! under usual names (`question`, `answer`, `domain`, an id). Numbers are compared here as M3DocVQA's rule does, which
//! reads `1.0` and `1` as one, and so `1,234` and `1234`, but not both at once. Nothing tells these files from others, so
//! the set must be named.

use std::path::Path;

use super::file::table;
use super::rows::items;
use super::{SetDefinition, loose};
use crate::error::Result;
use crate::item::BenchmarkSet;

pub(super) const SET: SetDefinition = SetDefinition {
    name: "agora",
    about: "numbers to be worked out over an archive of mixed office files",
    files: "agora:FILE, rows as JSONL, JSON or Parquet with question, answer, domain and an id",
    published: "where its owners publish it is not known; the paper is arXiv 2606.24526",
    license: "not known",
    measures: &["M3-EM"],
    looks: |_| false,
    read,
};

fn read(path: &Path) -> Result<BenchmarkSet> {
    let files = table(path, &["questions", "agora", "data/test", "test"], SET.published)?;
    let items = items(&files, |row: loose::Fields| {
        let item = loose::item(&row, ["domain"])?;
        if item.gold.answers.is_empty() { Err("the row has no answer".into()) } else { Ok(item) }
    })?;
    Ok(BenchmarkSet { items, ..BenchmarkSet::default() })
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{fault, rows, slice, values, write};

    #[test]
    fn questions_under_usual_names() {
        let desk = tempfile::tempdir().unwrap();
        let text = "{\"id\": 1, \"question\": \"How much?\", \"answer\": 1234, \"domain\": \"law\"}\n\
                    {\"task_id\": \"b\", \"query\": \"How many?\", \"final_answer\": \"5\"}";
        let set = crate::set::open(Some("agora"), &write(&desk, "q.jsonl", text)).unwrap();
        assert_eq!((set.items[1].id.as_str(), slice(&set, 0, "domain")), ("b", vec!["law"]));
        let said = "{\"id\": \"1\", \"outcome\": \"done\", \"answer\": \"1,234\"}";
        assert_eq!(values(&set, &rows(&set, "p.jsonl", said).unwrap(), &["M3-EM"]), [Some(0.5)]);
    }

    #[test]
    fn what_is_lacking_is_named() {
        for (row, why) in [
            (
                "{\"question\": \"a\", \"answer\": 1}",
                "questions.jsonl:1: the row has no id, under none of the names query_id",
            ),
            (
                "{\"id\": 1, \"answer\": 1}",
                "questions.jsonl:1: the row has no question, under none of the names question",
            ),
            ("{\"id\": 1, \"question\": \"a\"}", "questions.jsonl:1: the row has no answer"),
            ("{\"id\": 1, \"question\": [1]}", "questions.jsonl:1: question, query is no text"),
            ("[1]", "questions.jsonl:1: invalid type: integer `1`, expected a map at column 2"),
            ("7", "questions.jsonl:1: invalid type: integer `7`, expected a map"),
        ] {
            let said = fault("agora", &[("questions.jsonl", row)]);
            assert!(said.contains(why), "{said}, not {why}");
        }
    }
}
