//! What only neighbouring pages tell: running headers and footers, and tables that go on from one page to the next. Pages
//! pass through in order; each waits for the next two.

use std::collections::VecDeque;

use recto_page::{Block, BlockKind, Page, Region, Table, TextLayer, TextSource};

/// A page is compared with so many pages before and after it.
const REACH: usize = 2;

/// Headers stand above, footers below this share of the page from its edge.
const EDGE: f32 = 0.14;

/// At most this many lines of a page are looked at on each edge.
const MOST_LINES: usize = 4;

/// Lines at one place on two pages differ in height by no more than this share of the page.
const SAME_PLACE: f32 = 0.012;

/// Columns of a table at one place on two pages differ by no more than this share of the page.
const SAME_COLUMN: f32 = 0.02;

/// What stands next to each other may overlap by this share of the page.
const TOUCH: f32 = 0.003;

/// A line near an edge of the page: which, what it says but for numbers, and how high it stands.
#[derive(Clone, PartialEq, Debug)]
struct Edge {
    line: usize,
    text: String,
    y: f32,
}

/// Pages on their way through.
#[derive(Default, Debug)]
pub struct Running {
    before: VecDeque<Vec<Edge>>,
    waiting: VecDeque<(Page, Vec<Edge>)>,
    /// The table that the page before ends with, if it does.
    last: Option<Table>,
}

impl Running {
    /// Takes the next page of a document; gives the one that is ready, if any.
    pub fn push(&mut self, page: Page) -> Option<Page> {
        let edges = edges(layer(&page));
        self.waiting.push_back((page, edges));
        if self.waiting.len() > REACH { self.next() } else { None }
    }

    /// The pages that still wait, at the end of the document.
    pub fn flush(&mut self) -> Vec<Page> {
        std::iter::from_fn(|| self.next()).collect()
    }

    fn next(&mut self) -> Option<Page> {
        let (mut page, edges) = self.waiting.pop_front()?;
        let after = self.waiting.iter().map(|(_, edges)| edges);
        let others: Vec<&Edge> = self.before.iter().chain(after).flatten().collect();
        let repeats = |edge: &&Edge| {
            is_page_number(&edge.text)
                || others.iter().any(|o| o.text == edge.text && (o.y - edge.y).abs() < SAME_PLACE)
        };
        let running: Vec<(usize, BlockKind)> =
            edges.iter().filter(repeats).map(|edge| (edge.line, edge.kind())).collect();
        if !running.is_empty() {
            set_kinds(layer_mut(&mut page), &running);
        }
        if let Some(last) = &self.last {
            join_tables(last, &mut page);
        }
        self.before.push_back(edges);
        if self.before.len() > REACH {
            self.before.pop_front();
        }
        self.last = last_table(&page);
        Some(page)
    }
}

impl Edge {
    fn kind(&self) -> BlockKind {
        if self.y < 0.5 { BlockKind::Header } else { BlockKind::Footer }
    }
}

/// The words that are read, without a copy; a page that was read in part is taken by its text layer.
fn layer(page: &Page) -> &TextLayer {
    match (&page.ocr, page.text_source) {
        (Some(ocr), TextSource::Ocr) => &ocr.layer,
        _ => &page.text_layer,
    }
}

fn layer_mut(page: &mut Page) -> &mut TextLayer {
    match (&mut page.ocr, page.text_source) {
        (Some(ocr), TextSource::Ocr) => &mut ocr.layer,
        _ => &mut page.text_layer,
    }
}

/// The lines nearest to the upper and lower edge, tables aside.
fn edges(layer: &TextLayer) -> Vec<Edge> {
    let is_text =
        |block: &&Block| !matches!(block.kind, BlockKind::Table | BlockKind::FormField | BlockKind::Annotation);
    let lines = layer.blocks.iter().filter(is_text).flat_map(|block| block.lines.clone());
    let mut all: Vec<Edge> = lines
        .filter_map(|i| Some((i, layer.lines.get(i)?)))
        .map(|(i, line)| (i, line, line.region.center().1))
        .filter(|(_, line, y)| line.turn.is_upright() && !(EDGE..=1.0 - EDGE).contains(y))
        .map(|(line, source, y)| Edge { line, text: without_numbers(&layer.line_text(source)), y })
        .collect();
    all.sort_by(|a, b| a.y.total_cmp(&b.y));
    let top = all.iter().take_while(|edge| edge.y < 0.5).take(MOST_LINES);
    let bottom = all.iter().rev().take_while(|edge| edge.y > 0.5).take(MOST_LINES);
    top.chain(bottom).cloned().collect()
}

/// In lower case, with `#` for each number.
fn without_numbers(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_numeric() {
            true if plain.ends_with('#') => {}
            true => plain.push('#'),
            false => plain.extend(c.to_lowercase()),
        }
    }
    plain
}

/// `12`, `- 12 -`, `page 3 of 15`.
fn is_page_number(text: &str) -> bool {
    let bare: String = text.chars().filter(|c| !c.is_whitespace() && !"-–—|.·[]()".contains(*c)).collect();
    matches!(bare.as_str(), "#" | "page#" | "page#of#" | "p#" | "#of#" | "#/#" | "第#页")
}

/// Gives lines a kind, each in a block of its own.
fn set_kinds(layer: &mut TextLayer, running: &[(usize, BlockKind)]) {
    let kind_of = |line: usize| running.iter().find(|(i, _)| *i == line).map(|(_, kind)| *kind);
    let mut blocks = Vec::with_capacity(layer.blocks.len() + running.len());
    for block in &layer.blocks {
        let lines: Vec<usize> = block.lines.clone().collect();
        for part in lines.chunk_by(|a, b| kind_of(*a) == kind_of(*b)) {
            let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
            let range = *first..last + 1;
            let regions = layer.lines.get(range.clone()).unwrap_or_default().iter().map(|line| &line.region);
            let region = Region::around(regions).unwrap_or(block.region);
            blocks.push(Block { kind: kind_of(*first).unwrap_or(block.kind), lines: range, region });
        }
    }
    layer.blocks = blocks;
}

fn is_text(block: &&Block) -> bool {
    !matches!(block.kind, BlockKind::Header | BlockKind::Footer | BlockKind::Footnote | BlockKind::Table)
}

/// The table below which the page has no text but notes and what runs along the foot.
fn last_table(page: &Page) -> Option<Table> {
    let lowest = page.tables.iter().max_by(|a, b| a.region.bottom().total_cmp(&b.region.bottom()))?;
    let is_below = |block: &Block| block.region.top() > lowest.region.bottom() - TOUCH;
    (!layer(page).blocks.iter().filter(is_text).any(is_below)).then(|| lowest.clone())
}

/// Notes that the first table of a page goes on with the one that the page before ends with.
fn join_tables(above: &Table, page: &mut Page) {
    let texts: Vec<Region> = layer(page).blocks.iter().filter(is_text).map(|block| block.region).collect();
    let Some(table) = page.tables.iter_mut().min_by(|a, b| a.region.top().total_cmp(&b.region.top())) else { return };
    let is_first = !texts.iter().any(|region| region.bottom() < table.region.top() + TOUCH);
    if is_first && table.caption.is_none() && have_same_columns(above, table) {
        table.continued = true;
        if header(above) != header(table) {
            table.header_rows = 0;
        }
    }
}

fn header(table: &Table) -> Vec<&str> {
    table.cells.iter().filter(|cell| cell.row == 0).map(|cell| cell.text.as_str()).collect()
}

fn have_same_columns(a: &Table, b: &Table) -> bool {
    let left = |table: &Table, column: usize| {
        let cells = table.cells.iter().filter(|cell| cell.column == column && cell.column_span == 1);
        cells.map(|cell| cell.region.left()).fold(f32::INFINITY, f32::min)
    };
    let right = |table: &Table, column: usize| {
        let cells = table.cells.iter().filter(|cell| cell.column == column && cell.column_span == 1);
        cells.map(|cell| cell.region.right()).fold(0.0, f32::max)
    };
    let is_near = |x: f32, y: f32| (x - y).abs() < SAME_COLUMN;
    let agrees = |c: &usize| is_near(left(a, *c), left(b, *c)) || is_near(right(a, *c), right(b, *c));
    a.columns == b.columns && (0..a.columns).filter(agrees).count() * 3 >= a.columns * 2
}
