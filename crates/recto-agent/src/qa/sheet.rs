//! A page laid out for looking things up: its words with the row, cell and sentence that each stands in. Not a table
//! parser: a row is what shares a height, a cell what no wide gap parts.

use recto_page::{Block, BlockKind, Line, Page, Region, TextLayer, TextSource, Turn, Word};

use super::aligned::Aligned;
use super::grid::Grid;
use super::part::Parts;

/// A page with every word's place.
pub(crate) struct Sheet<'p> {
    pub(crate) page: &'p Page,
    /// Row of each word.
    pub(crate) row_of: Vec<usize>,
    /// Cell of each word; cells are numbered through the page, row by row.
    pub(crate) cell_of: Vec<usize>,
    /// Words of each cell, from left to right.
    pub(crate) cells: Vec<Vec<usize>>,
    /// Cells of each row: a range of cells.
    pub(crate) rows: Vec<std::ops::Range<usize>>,
    /// Sentence of each word.
    pub(crate) sentence_of: Vec<usize>,
    /// Words of each sentence, a range of the text layer.
    pub(crate) sentences: Vec<std::ops::Range<usize>>,
    /// Whether each sentence is a table: most of its rows have several cells.
    pub(crate) tabular: Vec<bool>,
    /// Width over height of the page: turns fractions of the width into fractions of the height.
    aspect: f32,
    /// How far the text rises or falls over the width of the page, in heights of the page: a scan may lie askew.
    slope: f32,
    /// Captions and titles with units.
    pub(crate) captions: Vec<std::ops::Range<usize>>,
    /// The places of words in tables.
    pub(crate) grid: Grid,
    /// Lists of values and what they belong to.
    pub(crate) aligned: Vec<Aligned>,
    /// Parts of sentences.
    pub(crate) parts: Parts,
}

impl<'p> Sheet<'p> {
    /// Lays out a page that [`with_layer`] has prepared.
    pub(crate) fn new(page: &'p Page) -> Self {
        let aspect = page.size.width / page.size.height;
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 0.7 };
        let mut sheet = Self {
            page,
            row_of: Vec::new(),
            cell_of: Vec::new(),
            cells: Vec::new(),
            rows: Vec::new(),
            sentence_of: Vec::new(),
            sentences: Vec::new(),
            tabular: Vec::new(),
            aspect,
            slope: slope(&page.text_layer),
            captions: Vec::new(),
            grid: Grid::default(),
            aligned: Vec::new(),
            parts: Parts::default(),
        };
        sheet.find_cells();
        sheet.find_sentences();
        sheet
    }

    /// The same with the captions and tables of the page, and what sentences say `respectively`.
    pub(crate) fn in_full(page: &'p Page) -> Self {
        let mut sheet = Self::new(page);
        sheet.captions = super::caption::lines(&sheet);
        sheet.grid = Grid::new(page);
        sheet.aligned = super::aligned::aligned(&sheet);
        sheet.parts = Parts::new(&sheet);
        sheet
    }

    /// True if the sentence of `word` begins with `It` or the like, and `other` stands in the sentence before it.
    pub(crate) fn refers_back(&self, word: usize, other: usize) -> bool {
        let Some((own, before)) = self.sentence_of.get(word).zip(self.sentence_of.get(other)) else { return false };
        let opening = self.sentences.get(*own).cloned().unwrap_or_default();
        let first = ["It", "They", "He", "She", "This", "These"].contains(&self.word(opening.start));
        let these = opening.take(8).any(|i| ["these", "this", "those", "such"].contains(&self.word(i)));
        before.checked_add(1) == Some(*own) && (first || these)
    }

    /// The words of the sentence of `word`.
    pub(crate) fn sentence(&self, word: usize) -> std::ops::Range<usize> {
        let sentence = self.sentence_of.get(word).and_then(|s| self.sentences.get(*s));
        sentence.cloned().unwrap_or(word..word + 1)
    }

    /// The thing that the value at `word` belongs to, where its sentence says `respectively`.
    pub(crate) fn thing_of(&self, word: usize) -> Option<&std::ops::Range<usize>> {
        self.aligned.iter().find_map(|list| list.own(word))
    }

    /// True if the word stands in running text, not in a table or chart.
    pub(crate) fn is_running(&self, word: usize) -> bool {
        let sentence = self.sentence_of.get(word).copied().unwrap_or(usize::MAX);
        let long = self.sentences.get(sentence).is_some_and(|s| s.len() >= 6);
        long && self.tabular.get(sentence) == Some(&false)
    }

    pub(crate) fn words(&self) -> &'p [Word] {
        &self.page.text_layer.words
    }

    pub(crate) fn word(&self, i: usize) -> &'p str {
        self.words().get(i).map_or("", |w| &w.text)
    }

    /// Where a word stands, or would stand if the page lay straight.
    pub(crate) fn region(&self, i: usize) -> Region {
        let Some(word) = self.words().get(i) else { return Region::FULL };
        if self.slope == 0.0 {
            return word.region;
        }
        let [left, top, right, bottom] = word.region.ltrb().map(f64::from);
        let down = f64::from(self.slope) * ((left + right) / 2.0 - 0.5);
        // The box of a word askew is higher than the word.
        let more = (f64::from(self.slope.abs()) * (right - left) / 2.0).min((bottom - top) / 4.0);
        Region::new(left, top - down + more, right, bottom - down - more)
    }

    /// Words joined by single spaces, or as their script joins them.
    pub(crate) fn text(&self, words: impl IntoIterator<Item = usize>) -> String {
        super::spaceless::joined(words.into_iter().map(|i| self.word(i)))
    }

    /// All words of a row, from left to right.
    pub(crate) fn row_words(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let cells = self.rows.get(row).cloned().unwrap_or_default();
        cells.flat_map(|c| self.cells.get(c).into_iter().flatten().copied())
    }

    /// Distance between two words, in heights of the page: 0 if they touch.
    pub(crate) fn distance(&self, a: usize, b: usize) -> f32 {
        let (a, b) = (self.region(a), self.region(b));
        let gap = |lo: f32, hi: f32| (lo - hi).max(0.0);
        let x = gap(a.left(), b.right()).max(gap(b.left(), a.right())) * self.aspect;
        let y = gap(a.top(), b.bottom()).max(gap(b.top(), a.bottom()));
        x.hypot(y)
    }

    /// Groups words into rows by height and parts rows into cells at wide gaps.
    fn find_cells(&mut self) {
        let n = self.words().len();
        let middle = |i: usize| self.region(i).center().1;
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
        let mut rows: Vec<Vec<usize>> = Vec::new();
        for i in order {
            match rows.last_mut() {
                Some(row) if row.first().is_some_and(|&f| self.same_height(f, i)) => row.push(i),
                _ => rows.push(vec![i]),
            }
        }
        (self.row_of, self.cell_of) = (vec![0; n], vec![0; n]);
        for mut row in rows {
            row.sort_by(|&a, &b| self.region(a).left().total_cmp(&self.region(b).left()).then(a.cmp(&b)));
            self.add_row(&row);
        }
    }

    fn same_height(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.region(a), self.region(b));
        (a.center().1 - b.center().1).abs() < 0.5 * a.height().min(b.height()).max(1e-4)
    }

    fn add_row(&mut self, row: &[usize]) {
        let first_cell = self.cells.len();
        for (k, &i) in row.iter().enumerate() {
            let parted = k.checked_sub(1).and_then(|p| row.get(p)).is_none_or(|&left| self.wide_gap(left, i));
            if parted {
                self.cells.push(Vec::new());
            }
            let cell = self.cells.len() - 1;
            self.cells[cell].push(i);
            (self.row_of[i], self.cell_of[i]) = (self.rows.len(), cell);
        }
        self.rows.push(first_cell..self.cells.len());
    }

    /// A gap wider than two thirds of the letters' height; a space is about a quarter.
    fn wide_gap(&self, left: usize, right: usize) -> bool {
        let (a, b) = (self.region(left), self.region(right));
        (b.left() - a.right()) * self.aspect > 0.66 * a.height().max(b.height())
    }

    /// Parts each block at sentence ends.
    fn find_sentences(&mut self) {
        let layer = &self.page.text_layer;
        let mut sentences: Vec<std::ops::Range<usize>> = Vec::new();
        let mut above: Option<&Block> = None;
        for block in &layer.blocks {
            let lines = layer.lines_of(block);
            let (Some(first), Some(last)) = (lines.first(), lines.last()) else { continue };
            let mut start = first.words.start;
            let runs_on = above.replace(block).is_some_and(|above| runs_on(layer, above, block));
            if let Some(open) = sentences.last().filter(|s| runs_on || goes_on(layer, (*s).clone(), start)) {
                start = open.start;
                sentences.pop();
            }
            for i in first.words.start..last.words.end.min(layer.words.len()) {
                let next = layer.words.get(i + 1).filter(|_| i + 1 < last.words.end);
                if next.is_none_or(|next| ends_sentence(&layer.words[i].text, &next.text)) {
                    sentences.push(start..i + 1);
                    start = i + 1;
                }
            }
        }
        self.sentence_of = vec![usize::MAX; layer.words.len()];
        for (s, range) in sentences.iter().enumerate() {
            self.sentence_of.get_mut(range.clone()).unwrap_or_default().fill(s);
        }
        self.tabular = sentences.iter().map(|s| self.is_tabular(s.clone())).collect();
        self.sentences = sentences;
    }

    fn is_tabular(&self, words: std::ops::Range<usize>) -> bool {
        let places = words.map(|i| (self.row_of.get(i), self.cell_of.get(i)));
        let cells: std::collections::BTreeSet<_> = places.collect();
        let rows: std::collections::BTreeSet<_> = cells.iter().map(|(row, _)| row).collect();
        2 * cells.len() >= 3 * rows.len() && cells.len() > rows.len()
    }
}

/// Makes the text layer of a page what is read from it, and that of a page without text one made from its given text. Its regions only say what stands beside what, so
/// `text_source` tells whether they may be shown.
pub(crate) fn with_layer(mut page: Page) -> Page {
    page.text_layer = page.reading().into_owned();
    if page.text_layer.is_empty() {
        page.text_layer = laid_out(page.given_text.as_deref().unwrap_or_default());
        page.text_source = TextSource::Given;
    }
    let aspect = page.size.width / page.size.height;
    page.text_layer = super::spaceless::cut(page.text_layer, if aspect.is_finite() { aspect } else { 0.7 });
    page
}

/// Lines of so many words tell how the page lies, if there are so many of them.
const TELLING: usize = 3;

/// Less is what the letters of straight lines do.
const STRAIGHT: f32 = 0.003;

/// The slope of the median line.
fn slope(layer: &TextLayer) -> f32 {
    let across = layer.lines.iter().filter(|line| line.turn == Turn::None && line.words.len() >= TELLING);
    let mut slopes: Vec<f32> = across
        .filter_map(|line| {
            let words = layer.words.get(line.words.clone())?;
            let (from, to) = (words.first()?.region.center(), words.last()?.region.center());
            (to.0 - from.0 > 0.1).then(|| (to.1 - from.1) / (to.0 - from.0))
        })
        .collect();
    slopes.sort_by(f32::total_cmp);
    let median = slopes.get(slopes.len() / 2).copied().filter(|_| slopes.len() >= TELLING);
    median.filter(|slope| slope.abs() > STRAIGHT).unwrap_or_default()
}

/// True if the sentence of a lone number, set large, goes on in lower case in the next block.
fn goes_on(layer: &TextLayer, sentence: std::ops::Range<usize>, next: usize) -> bool {
    let number =
        layer.words.get(sentence.clone()).is_some_and(|w| w.iter().all(|w| super::number::parse(&w.text).is_some()));
    let follows = layer.words.get(next).is_some_and(|w| w.text.starts_with(char::is_lowercase));
    number && sentence.end == next && sentence.len() <= 2 && follows
}

/// True if running text goes on at the top of the next column: its last sentence is open, and small letters follow.
fn runs_on(layer: &TextLayer, above: &Block, block: &Block) -> bool {
    let is_text = |block: &Block| block.kind == BlockKind::Text && layer.lines_of(block).len() > 1;
    let last = layer.lines_of(above).last().and_then(|line| layer.words_of(line).last());
    let next = layer.lines_of(block).first().and_then(|line| layer.words_of(line).first());
    let is_open =
        last.is_some_and(|word| word.text.ends_with(|c: char| c.is_alphanumeric() || ",-\u{2010}".contains(c)));
    let is_beside = block.region.left() >= above.region.right() && block.region.top() < above.region.bottom();
    is_text(above)
        && is_text(block)
        && is_beside
        && is_open
        && next.is_some_and(|w| w.text.starts_with(char::is_lowercase))
}

/// True between `word` and `next` if a sentence ends there. `Mr. Smith` and `U.S. sales` do not end one.
fn ends_sentence(word: &str, next: &str) -> bool {
    let bare = word.trim_end_matches(['"', ')', '\u{201d}', '\u{2019}']);
    if bare.ends_with(['。', '！', '？', '!', '?']) {
        return true;
    }
    let starts = next.starts_with(|c: char| !c.is_lowercase());
    if bare == "." {
        return starts;
    }
    let letters = bare.trim_end_matches('.').chars().filter(|c| c.is_alphanumeric()).count();
    let listed = next.starts_with(['•', '·', '▪', '●']);
    listed || bare.ends_with('.') && starts && (letters > 3 || bare.trim_end_matches('.').ends_with(char::is_numeric))
}

/// Gives text without geometry one: a row a line, a column a character. Nothing of it is ever shown.
fn laid_out(text: &str) -> TextLayer {
    const COLUMNS: f64 = 200.0;
    let mut layer = TextLayer::default();
    let n = text.lines().count().max(1) as f64;
    let mut block_start = 0;
    for (row, line) in text.lines().enumerate() {
        let start = layer.words.len();
        let (top, bottom) = (row as f64 / n, (row as f64 + 0.9) / n);
        let mut column = 0.0;
        for part in line.split(' ') {
            let end = column + part.chars().count() as f64;
            let region = Region::new(column / COLUMNS, top, end / COLUMNS, bottom);
            let words = part.split_whitespace().map(|w| Word { text: w.to_owned(), region });
            layer.words.extend(words);
            column = end + 1.0;
        }
        if layer.words.len() > start {
            let region = Region::around(layer.words[start..].iter().map(|w| &w.region)).unwrap_or(Region::FULL);
            layer.lines.push(Line { words: start..layer.words.len(), region, turn: Turn::None });
        } else {
            close_block(&mut layer, &mut block_start);
        }
    }
    close_block(&mut layer, &mut block_start);
    layer
}

fn close_block(layer: &mut TextLayer, start: &mut usize) {
    let lines = *start..layer.lines.len();
    if !lines.is_empty() {
        let kind = recto_page::BlockKind::Text;
        layer.blocks.push(recto_page::Block { kind, lines: lines.clone(), region: Region::FULL });
    }
    *start = lines.end;
}
