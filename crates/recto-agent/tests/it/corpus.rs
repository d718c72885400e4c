//! Documents written as text: a line a row, a character a column. `# ` begins a large line, an empty line a new block.

use std::collections::BTreeMap;

use recto_agent::{Answer, Options};
use recto_page::{
    Block, BlockKind, DocId, Line, Page, PageId, PageNumber, PageSize, Pages, Region, TextSource, Turn, Word,
};
use recto_search::{Hit, Ranking, Scope, Search, SearchError};

pub(crate) struct Corpus(pub(crate) BTreeMap<DocId, Vec<Page>>);

/// One document of one page for each text.
pub(crate) fn document(name: &str, pages: &[&str]) -> Corpus {
    let pages = pages.iter().enumerate().map(|(i, text)| page(PageNumber::from_index(i), text)).collect();
    Corpus(BTreeMap::from([(DocId::new(name), pages)]))
}

pub(crate) fn page(number: PageNumber, text: &str) -> Page {
    let mut page = Page::empty(number, PageSize { width: 600.0, height: 800.0 });
    page.text_source = TextSource::Layer;
    let mut first_line = 0;
    for (row, line) in text.lines().enumerate() {
        let height = if line.starts_with("# ") { 0.03 } else { 0.015 };
        add_line(&mut page, line.trim_start_matches("# "), 0.06 + row as f64 / 50.0, height);
        if line.trim().is_empty() {
            close(&mut page, &mut first_line);
        }
    }
    close(&mut page, &mut first_line);
    page
}

fn add_line(page: &mut Page, line: &str, top: f64, height: f64) {
    let layer = &mut page.text_layer;
    let start = layer.words.len();
    let mut column = 0;
    for part in line.split(' ') {
        let (left, right) = (column as f64 / 100.0, (column + part.chars().count()) as f64 / 100.0);
        let region = Region::new(left, top, right, top + height);
        layer.words.extend(part.split_whitespace().map(|w| Word { text: w.to_owned(), region }));
        column += part.chars().count() + 1;
    }
    if let Some(region) = Region::around(layer.words[start..].iter().map(|w| &w.region)) {
        layer.lines.push(Line { words: start..layer.words.len(), region, turn: Turn::None });
    }
}

fn close(page: &mut Page, first: &mut usize) {
    let lines = *first..page.text_layer.lines.len();
    *first = lines.end;
    if let Some(region) = Region::around(page.text_layer.lines[lines.clone()].iter().map(|l| &l.region)) {
        page.text_layer.blocks.push(Block { kind: BlockKind::Text, lines, region });
    }
}

impl Corpus {
    pub(crate) fn ask(&self, question: &str) -> Answer {
        let scope = Scope::Documents(self.0.keys().cloned().collect());
        recto_agent::answer(question, &scope, self, self, &Options::default()).unwrap()
    }
}

impl Pages for Corpus {
    fn page(&self, id: &PageId) -> recto_page::Result<Option<Page>> {
        Ok(self.0.get(&id.doc).and_then(|pages| pages.get(id.page.index())).cloned())
    }

    fn n_pages(&self, doc: &DocId) -> recto_page::Result<Option<u32>> {
        Ok(self.0.get(doc).map(|pages| pages.len() as u32))
    }
}

/// Scores a page by how many words of the query it holds.
impl Search for Corpus {
    fn search(&self, text: &str, _: &Scope, k: usize) -> recto_search::Result<Ranking> {
        let words = |text: &str| -> Vec<String> {
            let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
            parts.map(str::to_lowercase).collect()
        };
        let query = words(text);
        if query.is_empty() {
            return Err(SearchError::EmptyQuery);
        }
        let mut hits = Vec::new();
        for (doc, pages) in &self.0 {
            for page in pages {
                let held = words(&page.text());
                let score = query.iter().filter(|w| held.contains(w)).count() as f64;
                hits.push(Hit {
                    page: PageId::new(doc.clone(), page.number),
                    score,
                    parts: Vec::new(),
                    shares: Vec::new(),
                });
            }
        }
        hits.retain(|hit| hit.score > 0.0);
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.page.cmp(&b.page)));
        hits.truncate(k);
        Ok(Ranking(hits))
    }
}
