//! What the pages that are shown to a model are worth: a scripted reader answers right when, and only when, it is shown a
//! page of the gold. Prints a line of JSON for each question. Not a tool for users.
//!
//! usage: fake_reader INDEX QUESTIONS.jsonl PAGES [locator], where a question is {"query_id", "doc_id", "question", "gold":
//! [pages]}; with `locator` a scripted model that errs on a tenth of the pages chooses pages too

use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write;
use std::time::Instant;

use recto_agent::Status;
use recto_agent::pipeline::{Means, Pictures, Plan, answer};
use recto_model::ledger::Estimate;
use recto_model::{Chat, ChatImage, ChatReply, ChatRequest, Ledger, Usage};
use recto_page::{Catalog, ContentHash, DocId, IndexDir, PageId, PageImage, Region};
use recto_search::{LexicalReader, Query, Ranker, Ranking, Routes, Scope, Search};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (index, questions, pages, locator) = match arguments.as_slice() {
        [_, index, questions, pages] => (index, questions, pages, false),
        [_, index, questions, pages, more] if more == "locator" => (index, questions, pages, true),
        _ => return Err("usage: fake_reader INDEX QUESTIONS.jsonl PAGES [locator]".into()),
    };
    let dir = IndexDir::new(index);
    let catalog = Catalog::open(&dir)?;
    let searcher = LexicalReader::open(&dir.lexical())?.searcher(&catalog.live()?)?;
    let search = Own(Routes { bm25: &searcher, vectors: Vec::new() });
    let look_through = if locator { 1_000 } else { 0 };
    // Without a locator no model sees more pages than are shown for the answer.
    let survey = if locator { Plan::default().survey } else { 0 };
    let plan = Plan { pages: pages.parse()?, samples: 1, look_through, survey, ..Plan::default() };
    let white = PageImage { width: 1_224, height: 1_584, dpi: 144, rgb: vec![255; 3 * 1_224 * 1_584] };
    let white = White(ChatImage::of(&white)?);
    for line in std::fs::read_to_string(questions)?.lines() {
        let row: Value = serde_json::from_str(line)?;
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let scope = Scope::Documents(BTreeSet::from([DocId::new(text("doc_id"))]));
        let gold = row["gold"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        let reader = Reader { gold, seed: text("query_id").into() };
        let ledger = Ledger::default();
        let (search, pages, pictures, chat, ledger) = (&search, &catalog, &white, &reader, &ledger);
        let means = Means { search, pages, pictures, chat, ledger, secret: "s" };
        let start = Instant::now();
        let answer = answer(text("question"), &scope, &means, &plan)?;
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        let told = json!({"query_id": text("query_id"), "right": answer.status == Status::Answered && answer.answerer == "reader",
            "read": answer.coverage.read, "of": answer.coverage.of, "ms": milliseconds, "calls": ledger.spent().calls,
            "images": ledger.spent().images, "tokens": ledger.spent().input_tokens});
        writeln!(std::io::stdout(), "{told}")?;
    }
    Ok(())
}

/// The index without its vectors.
struct Own<'a>(Routes<'a>);

impl Search for Own<'_> {
    fn search(&self, text: &str, scope: &Scope, k: usize) -> recto_search::Result<Ranking> {
        self.0.rank(&Ranker::Hybrid, &Query::plain(text), scope, k)
    }
}

/// The reader does not look at pictures; they only count.
struct White(ChatImage);

impl Pictures for White {
    fn picture(&self, _: &PageId, _: Region, _: u32) -> Option<ChatImage> {
        Some(self.0.clone())
    }
}

/// Answers if it is shown a page of the gold.
struct Reader {
    gold: BTreeSet<u64>,
    seed: String,
}

impl Reader {
    /// Whether it would choose a page: right for nine of ten.
    fn chooses(&self, page: u64) -> bool {
        let hash = ContentHash::of(format!("{}\0{page}", self.seed).as_bytes());
        let errs = u64::from_str_radix(hash.as_str().get(..8).unwrap_or("0"), 16).unwrap_or(0) % 10 == 0;
        self.gold.contains(&page) != errs
    }
}

impl Chat for Reader {
    fn name(&self) -> &'static str {
        "reader"
    }

    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> recto_model::Result<ChatReply> {
        let input_tokens = request.tokens();
        if let Some(booked) = ledger.reserve(Estimate { tokens: input_tokens, nano_dollars: Some(0) })? {
            booked.settle(&Usage { calls: 1, images: request.images(), input_tokens, ..Usage::default() });
        }
        let shown = shown(request);
        let chosen = || shown.iter().filter(|page| self.chooses(**page));
        let json = match request.schema.as_ref().map(|schema| schema.name()) {
            Some("pages") => json!({"pages": chosen().collect::<Vec<_>>()}),
            Some("survey") => {
                let told: Vec<Value> = chosen().map(|page| json!({"page": page, "quote": ""})).collect();
                json!({"things": [], "told": told})
            }
            _ => {
                let is_right = shown.iter().any(|page| self.gold.contains(page));
                let status = if is_right { "answered" } else { "not_in_documents" };
                json!({"status": status, "answer": "right", "items": [], "evidence": []})
            }
        };
        Ok(ChatReply { text: json.to_string(), json: Some(json), complete: true, ..ChatReply::default() })
    }
}

/// The numbers of the pages in a request: a page begins above the mark of its text.
fn shown(request: &ChatRequest) -> Vec<u64> {
    let text: String = request.messages.iter().map(|message| message.text() + "\n").collect();
    let number = |line: &str| line.strip_prefix("Page ")?.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    let lines: Vec<&str> = text.lines().collect();
    let begins =
        |pair: &[&str]| pair.get(1).filter(|next| next.starts_with("[page text ")).and_then(|_| number(pair[0]));
    lines.windows(2).filter_map(begins).collect()
}
