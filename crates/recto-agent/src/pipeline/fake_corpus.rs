//! A corpus for tests: documents by name, each page a text; searched by how many words a page shares with a query.

use std::collections::BTreeMap;

use recto_model::Ledger;
use recto_model::chat::FakeChat;
use recto_page::{
    Block, BlockKind, DocId, Line, Page, PageError, PageId, PageImage, PageImages, PageNumber, PageSize, Pages, Region,
    TextSource, Turn, Word,
};
use recto_search::{Hit, Ranking, Scope, Search};
use serde_json::json;

use super::{Means, Plan, answer};
use crate::Answer;

/// Documents by name, each page a text.
pub(super) struct Corpus(pub(super) BTreeMap<DocId, Vec<Page>>);

/// A page of lines, its words apart.
pub(super) fn page(number: usize, text: &str) -> Page {
    let mut page = Page::empty(PageNumber::from_index(number), PageSize { width: 600.0, height: 800.0 });
    page.text_source = TextSource::Layer;
    for (row, line) in text.lines().enumerate() {
        let start = page.text_layer.words.len();
        for (column, word) in line.split_whitespace().enumerate() {
            let (x, y) = (column as f64 / 20.0, row as f64 / 20.0);
            let region = Region::new(x, y, x + 0.04, y + 0.04);
            page.text_layer.words.push(Word { text: word.into(), region });
        }
        let words = start..page.text_layer.words.len();
        page.text_layer.lines.push(Line { words, region: Region::FULL, turn: Turn::None });
    }
    let lines = 0..page.text_layer.lines.len();
    page.text_layer.blocks.push(Block { kind: BlockKind::Text, lines, region: Region::FULL });
    page
}

/// Ten pages on canals; the fifth tells a toll. The first four have roman numbers.
pub(super) fn canals() -> Corpus {
    let mut pages: Vec<Page> = (0..10).map(|n| page(n, &format!("Chapter {n} of the canal report"))).collect();
    pages[4] = page(4, "Of tolls\nThe toll at the Harrow lock is 35 crowns.");
    for (number, page) in pages.iter_mut().enumerate() {
        page.label =
            Some(["i", "ii", "iii", "iv"].get(number).map_or_else(|| (number - 3).to_string(), |&l| l.to_owned()));
    }
    Corpus(BTreeMap::from([(DocId::new("canals.pdf"), pages)]))
}

impl Pages for Corpus {
    fn page(&self, id: &PageId) -> recto_page::Result<Option<Page>> {
        Ok(self.0.get(&id.doc).and_then(|pages| pages.get(id.page.index())).cloned())
    }

    fn n_pages(&self, doc: &DocId) -> recto_page::Result<Option<u32>> {
        Ok(self.0.get(doc).map(|pages| pages.len() as u32))
    }
}

impl PageImages for Corpus {
    fn image(&self, page: &PageId, _: Region, dpi: u32) -> recto_page::Result<PageImage> {
        if page.page.get() == 1 {
            return Err(PageError::NoPage(page.clone()));
        }
        Ok(PageImage { width: 2, height: 2, dpi, rgb: vec![9; 12] })
    }
}

/// By how many words of the query a page holds.
impl Search for Corpus {
    fn search(&self, text: &str, scope: &Scope, k: usize) -> recto_search::Result<Ranking> {
        let words: Vec<String> = text.split(' ').map(|w| w.trim_matches('?').to_lowercase()).collect();
        let mut hits = Vec::new();
        for (doc, pages) in &self.0 {
            for page in pages.iter().filter(|_| scope.holds(doc)) {
                let held = page.text().to_lowercase();
                let score = words.iter().filter(|word| held.split_whitespace().any(|h| h == *word)).count() as f64;
                let id = PageId::new(doc.clone(), page.number);
                hits.push(Hit { page: id, score, parts: Vec::new(), shares: Vec::new() });
            }
        }
        hits.retain(|hit| hit.score > 0.0);
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.page.cmp(&b.page)));
        hits.truncate(k);
        Ok(Ranking(hits))
    }
}

/// The answer of a model to a question about all documents.
pub(super) fn asked_of(corpus: &Corpus, question: &str, chat: &FakeChat, ledger: &Ledger, plan: &Plan) -> Answer {
    let scope = Scope::Documents(corpus.0.keys().cloned().collect());
    let means = Means { search: corpus, pages: corpus, pictures: corpus, chat, ledger, secret: "s" };
    answer(question, &scope, &means, plan).unwrap()
}

/// What a model says that answers from a page.
pub(super) fn said(answer: &str, page: u32, quote: &str) -> String {
    let evidence = json!([{"page": page, "quote": quote}]);
    json!({"status": "answered", "answer": answer, "items": [], "evidence": evidence}).to_string()
}

/// What a model says that finds nothing.
pub(super) fn none() -> String {
    json!({"status": "not_in_documents", "answer": "", "items": [], "evidence": []}).to_string()
}
