//! What `benches/dev/retrieval.py` measures: ranks the pages of each question's document and prints a line of JSON for
//! each question, with the time that the search took. Not a tool for users.
//!
//! usage: retrieval INDEX QUESTIONS.jsonl, where a question is {"query_id", "doc_id", "question"}

use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write;
use std::time::Instant;

use recto_page::{Catalog, DocId, IndexDir};
use recto_search::{LexicalReader, Scope, Search};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, index, questions] = arguments.as_slice() else {
        return Err("usage: retrieval INDEX QUESTIONS.jsonl".into());
    };
    let dir = IndexDir::new(index);
    let searcher = LexicalReader::open(&dir.lexical())?.searcher(&Catalog::open(&dir)?.live()?)?;
    for line in std::fs::read_to_string(questions)?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let scope = Scope::Documents(BTreeSet::from([DocId::new(text("doc_id"))]));
        let start = Instant::now();
        let ranking = searcher.search(text("question"), &scope, 10)?;
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        let pages: Vec<u32> = ranking.0.iter().map(|hit| hit.page.page.get()).collect();
        let told = serde_json::json!({ "query_id": text("query_id"), "pages": pages, "ms": milliseconds });
        writeln!(std::io::stdout(), "{told}")?;
    }
    Ok(())
}
