//! ViDoRe: which page of a corpus of page pictures a query is about.
//!
//! Two layouts, as the code of illuin-tech/vidore-benchmark takes them. The first version is one table, `data/test-*`:
//! `query`, `image_filename` and the picture a row. Rows without a query are pages only; a query that stands in several
//! rows is one, and the last row's page is right, as in the reference. Later versions are three tables, `corpus/test-*`,
//! `queries/test-*` and `qrels/test-*`, joined by `query-id` and `corpus-id` with a graded `score`; the second version adds
//! `language` (from the code of embeddings-benchmark/mteb), the third writes `_` for `-` and adds `doc_id`,
//! `page_number_in_doc`, reference answers and kinds (from the card of vidore_v3_pharmaceuticals). Where a corpus does not
//! say of which document a page is, each is a document of one page under its id. Not known: what else the tables of the
//! first two versions hold, and from where the third counts its pages (if one is 0, all are taken to count from 0).

use std::collections::BTreeMap;
use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::SetDefinition;
use super::file::table;
use super::rows::{all, items, slices, table_has, text};
use crate::error::{BenchError, Result};
use crate::item::{BenchmarkSet, Gold, GradedPage, Item};

const MEASURES: &[&str] =
    &["nDCG@5(ties=trec)", "nDCG@10(ties=trec)", "R@1(ties=trec)", "R@5(ties=trec)", "MRR@10(ties=trec)"];
const PUBLISHED: &str =
    "its owners publish it as data sets of vidore, listed in the repository illuin-tech/vidore-benchmark";
const LICENSE: &str = "differs by set; see their cards";

const TABLES: [&str; 3] = ["corpus/test", "queries/test", "qrels/test"];

pub(super) const QA: SetDefinition = SetDefinition {
    name: "vidore-v1",
    about: "which page picture a query is about; one table",
    files: "the folder of a set, with data/test-*.parquet, or such a file",
    published: PUBLISHED,
    license: LICENSE,
    measures: MEASURES,
    looks: |path| table_has(path, &["data/test", "test"], &["query", "image_filename"]),
    read: read_qa,
};

pub(super) const BEIR: SetDefinition = SetDefinition {
    name: "vidore",
    about: "which pages of a corpus a query is about, by grade; versions 2 and 3",
    files: "the folder of a set, with corpus/, queries/ and qrels/, each with test-*.parquet",
    published: PUBLISHED,
    license: LICENSE,
    measures: MEASURES,
    looks: |path| path.is_dir() && TABLES.iter().all(|name| table(path, &[name], "").is_ok()),
    read: read_beir,
};

#[derive(Deserialize)]
struct Pair {
    #[serde(default)]
    query: Option<String>,
    image_filename: String,
}

fn read_qa(path: &Path) -> Result<BenchmarkSet> {
    let mut set = BenchmarkSet::default();
    let mut queries: BTreeMap<String, usize> = BTreeMap::new();
    let mut rows = 0_usize..;
    all(&table(path, &["data/test", "test"], PUBLISHED)?, |row: Pair| {
        let id = rows.next().unwrap_or_default().to_string();
        let page = PageId::new(DocId::new(&row.image_filename), PageNumber::FIRST);
        set.corpus.insert(page.doc.clone(), 1);
        set.page_names.insert(id.clone(), page.clone());
        set.page_names.insert(row.image_filename, page.clone());
        let Some(query) = row.query else { return Ok(()) };
        let at = *queries.entry(query.clone()).or_insert(set.items.len());
        match set.items.get_mut(at) {
            Some(item) => item.gold.pages = vec![page.into()],
            None => set.items.push(item(id, query, vec![page.into()])),
        }
        Ok(())
    })?;
    Ok(set)
}

fn item(id: String, question: String, pages: Vec<GradedPage>) -> Item {
    Item { id, question, gold: Gold { pages, ..Gold::default() }, ..Item::default() }
}

#[derive(Deserialize)]
struct Page {
    #[serde(alias = "corpus-id", deserialize_with = "text")]
    corpus_id: String,
    #[serde(default, alias = "doc-id")]
    doc_id: Option<DocId>,
    #[serde(default)]
    page_number_in_doc: Option<u32>,
}

#[derive(Deserialize)]
struct Query {
    #[serde(alias = "query-id", deserialize_with = "text")]
    query_id: String,
    query: String,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    query_types: Vec<String>,
    #[serde(default)]
    query_format: Option<String>,
    #[serde(default)]
    content_type: Vec<String>,
    #[serde(default)]
    answer: Option<String>,
}

#[derive(Deserialize)]
struct Judgement {
    #[serde(alias = "query-id", deserialize_with = "text")]
    query_id: String,
    #[serde(alias = "corpus-id", deserialize_with = "text")]
    corpus_id: String,
    score: i32,
}

fn read_beir(path: &Path) -> Result<BenchmarkSet> {
    let [corpus, queries, qrels] = TABLES.map(|name| table(path, &[name], PUBLISHED));
    let mut set = BenchmarkSet { page_names: pages(path, all(&corpus?, Ok)?)?, ..BenchmarkSet::default() };
    for page in set.page_names.values() {
        let count = set.corpus.entry(page.doc.clone()).or_insert(0);
        *count = page.page.get().max(*count);
    }
    let mut judged: BTreeMap<String, Vec<GradedPage>> = BTreeMap::new();
    all(&qrels?, |row: Judgement| {
        let page = set.page(&row.corpus_id).ok_or_else(|| format!("the corpus has no page {:?}", row.corpus_id))?;
        judged.entry(row.query_id).or_default().push(GradedPage { page, grade: row.score });
        Ok(())
    })?;
    set.items = items(&queries?, |row: Query| {
        let pages = judged.remove(&row.query_id).unwrap_or_default();
        let mut item = item(row.query_id, row.query, pages);
        item.gold.answers = row.answer.into_iter().map(|answer| vec![answer]).collect();
        item.slices = slices([
            ("language", row.language.into_iter().collect()),
            ("query_type", row.query_types),
            ("query_format", row.query_format.into_iter().collect()),
            ("content_type", row.content_type),
        ]);
        Ok(item)
    })?;
    match judged.into_keys().next() {
        Some(id) => Err(BenchError::row(path, 0, format!("the judgements name {id:?}, which is no query"))),
        None => Ok(set),
    }
}

/// The pages of a corpus by id.
fn pages(path: &Path, rows: Vec<Page>) -> Result<BTreeMap<String, PageId>> {
    let from_zero = rows.iter().any(|row| row.page_number_in_doc == Some(0));
    let (mut pages, mut seen) = (BTreeMap::new(), std::collections::BTreeSet::new());
    for row in rows {
        let number = row.page_number_in_doc.and_then(|n| PageNumber::new(n.saturating_add(from_zero.into())));
        let page = match (row.doc_id, number) {
            (Some(doc), Some(number)) => PageId::new(doc, number),
            _ => PageId::new(DocId::new(&row.corpus_id), PageNumber::FIRST),
        };
        if !seen.insert(page.clone()) {
            return Err(BenchError::row(path, 0, format!("two pages of the corpus are {page}")));
        }
        pages.insert(row.corpus_id, page);
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{fault, gold, read, rows, slice, values, write};

    // Written by pyarrow as the hub writes tables: pictures as bytes and path, several row groups, each codec.
    const V1: &[u8] = include_bytes!("../../tests/data/sets/vidore_qa.parquet");
    const ZSTANDARD: &[u8] = include_bytes!("../../tests/data/sets/zstd.parquet");
    const V2: [(&str, &[u8]); 3] = [
        ("corpus/test-00000-of-00001.parquet", include_bytes!("../../tests/data/sets/beir_corpus.parquet")),
        ("queries/test-00000-of-00001.parquet", include_bytes!("../../tests/data/sets/beir_queries.parquet")),
        ("qrels/test-00000-of-00001.parquet", include_bytes!("../../tests/data/sets/beir_qrels.parquet")),
    ];
    const V3: [(&str, &[u8]); 3] = [
        ("corpus/test-00000-of-00001.parquet", include_bytes!("../../tests/data/sets/v3_corpus.parquet")),
        ("queries/test-00000-of-00001.parquet", include_bytes!("../../tests/data/sets/v3_queries.parquet")),
        ("qrels/test-00000-of-00001.parquet", include_bytes!("../../tests/data/sets/v3_qrels.parquet")),
    ];

    fn set(files: &[(&str, &[u8])]) -> crate::item::BenchmarkSet {
        let desk = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, bytes)| drop(write(&desk, name, bytes)));
        crate::set::open(None, desk.path()).unwrap()
    }

    #[test]
    fn a_query_in_several_rows_is_one() {
        let set = set(&[("data/test-00000-of-00001.parquet", V1)]);
        let items: Vec<_> = set.items.iter().map(|item| (item.id.as_str(), item.question.as_str())).collect();
        assert_eq!((set.name.as_str(), items), ("vidore-v1", vec![("0", "Which chart?"), ("1", "Which table?")]));
        assert_eq!((gold(&set, 0), gold(&set, 1)), (vec![("c.png", 1)], vec![("b.png", 1)]));
        assert_eq!(set.corpus.len(), 4);
    }

    #[test]
    fn three_tables_are_joined() {
        let set = set(&V2);
        assert_eq!(set.name, "vidore");
        let grades: Vec<_> = set.items[0].gold.pages.iter().map(|graded| graded.grade).collect();
        assert_eq!((gold(&set, 0), grades), (vec![("1", 1), ("2", 1)], vec![2, 1]));
        assert_eq!((slice(&set, 1, "language"), set.corpus.len()), (vec!["french"], 3));
    }

    #[test]
    fn pages_are_of_documents_where_the_corpus_says_so() {
        let set = set(&V3);
        assert_eq!(gold(&set, 0), [("r", 2)]);
        assert_eq!(set.items[0].gold.answers, [["Three."]]);
        assert_eq!(slice(&set, 0, "query_type"), ["numerical", "open-ended"]);
        assert_eq!(set.corpus.values().copied().collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn the_same_tables_as_lines() {
        let (corpus, queries) = ("{\"corpus-id\": 3}", "{\"query-id\": 1, \"query\": \"Who?\"}");
        let qrels = "{\"query-id\": 1, \"corpus-id\": 3, \"score\": 1}";
        fn files<'a>(corpus: &'a str, queries: &'a str, qrels: &'a str) -> [(&'static str, &'a str); 3] {
            [("corpus/test.jsonl", corpus), ("queries/test.jsonl", queries), ("qrels/test.jsonl", qrels)]
        }
        let set = read("vidore", &files(corpus, queries, qrels));
        assert_eq!(gold(&set, 0), [("3", 1)]);
        for (qrels, why) in [
            (qrels.replace('3', "4"), "qrels/test.jsonl:1: the corpus has no page \"4\""),
            (qrels.replace(": 1,", ": 2,"), "the judgements name \"2\", which is no query"),
            (qrels.replace("\"score\": 1", "\"score\": 0.5"), "qrels/test.jsonl:1: invalid type: floating point `0.5`"),
        ] {
            let said = fault("vidore", &files(corpus, queries, &qrels));
            assert!(said.contains(why), "{said}, not {why}");
        }
        let said = fault("vidore", &[("corpus/test.jsonl", corpus)]);
        assert!(said.starts_with("qrels/test.parquet is missing; its owners publish it"), "{said}");
    }

    #[test]
    fn predictions_of_mteb() {
        let set = set(&V2);
        let ids = r#"{"mteb_model_meta": {"model_name": "m"}, "english": {"test": {"query-test-0": {"corpus-test-1": 2.5, "corpus-test-0": 3}}}, "french": {"test": {"query-test-1": {"corpus-test-0": 0.5}, "query-test-9": {}}}}"#;
        let plain = r#"{"0": {"1": 2.5, "0": 3}, "1": {"0": 0.5}}"#;
        for said in [ids, plain] {
            assert_eq!(values(&set, &rows(&set, "p.json", said).unwrap(), &["MRR@10"]), [Some(0.75)]);
        }
        for (said, why) in [
            (ids.replace("2.5", "\"2.5\""), "p.json: \"0\": the score of \"corpus-test-1\" is no number"),
            (ids.replace("test-1\":", "test-0\":"), "p.json: \"0\" has a row already"),
            (ids.replace("0.5", "NaN"), "p.json:1: expected value"),
            (ids.replace("{\"test\": {", "{\"test\": 5, \"more\": {"), "p.json: english/test: there are no rankings"),
        ] {
            let error = rows(&set, "p.json", &said).unwrap_err();
            assert!(error.contains(why), "{error}, not {why}");
        }
    }

    #[test]
    fn damaged_tables_are_no_end_of_the_program() {
        let desk = tempfile::tempdir().unwrap();
        let error = |bytes: &[u8]| {
            let file = write(&desk, "t.parquet", bytes);
            crate::set::open(Some("madqa"), &file).map(|_| ()).unwrap_err().to_string()
        };
        assert!(error(&V1[..900]).contains("t.parquet: "));
        // Any byte may be wrong: what is read may differ, but nothing may panic.
        for (set, table) in [("vidore-v1", V1), ("madqa", ZSTANDARD)] {
            for at in (4..table.len()).step_by(23) {
                let mut bytes = table.to_vec();
                bytes[at] ^= 0x5a;
                let file = write(&desk, "t.parquet", &bytes);
                drop(crate::set::open(Some(set), &file));
            }
        }
    }
}
