//! Puts the words of tables together in the text layer, each table in a block of its own, where its first word was.

use std::ops::Range;

use recto_page::{Block, BlockKind, Line, Region, Table, TextLayer, Word};

use super::frame::Frame;
use super::sketch::Sketch;

/// The layer with a block for each table, and the tables in the order of these blocks.
pub(super) fn with_tables(layer: TextLayer, sketches: Vec<(Frame, Sketch)>) -> (TextLayer, Vec<Table>) {
    if sketches.is_empty() {
        return (layer, Vec::new());
    }
    let mut owners = vec![None; layer.words.len()];
    for (i, (_, sketch)) in sketches.iter().enumerate() {
        for word in sketch.words() {
            owners.iter_mut().skip(word).take(1).for_each(|owner| *owner = Some(i));
        }
    }
    let mut arranged =
        Arranged { old: &layer, sketches: &sketches, owners: &owners, new: TextLayer::default(), order: Vec::new() };
    for block in &layer.blocks {
        arranged.add_block(block);
    }
    let Arranged { new, order, .. } = arranged;
    let tables = order.iter().filter_map(|i| sketches.get(*i)).map(|(_, sketch)| sketch.to_table(&layer)).collect();
    (new, tables)
}

struct Arranged<'l> {
    old: &'l TextLayer,
    sketches: &'l [(Frame, Sketch)],
    owners: &'l [Option<usize>],
    new: TextLayer,
    order: Vec<usize>,
}

impl Arranged<'_> {
    fn add_block(&mut self, block: &Block) {
        let mut first = self.new.lines.len();
        for line in self.old.lines_of(block) {
            let words: Vec<usize> = line.words.clone().collect();
            let owners = self.owners;
            let owner = |word: &usize| owners.get(*word).copied().flatten();
            for part in words.chunk_by(|a, b| owner(a) == owner(b)) {
                match part.first().and_then(owner) {
                    None => self.add_line(part, line),
                    Some(table) if self.order.contains(&table) => {}
                    Some(table) => {
                        self.close_block(first, block.kind);
                        self.add_table(table, line);
                        first = self.new.lines.len();
                    }
                }
            }
        }
        self.close_block(first, block.kind);
    }

    fn add_table(&mut self, table: usize, line: &Line) {
        self.order.push(table);
        let Some((frame, sketch)) = self.sketches.get(table) else { return };
        let first = self.new.lines.len();
        let words: Vec<usize> = sketch.words().collect();
        let rows: Vec<usize> = sketch.cells.iter().flat_map(|(span, words)| words.iter().map(|_| span.row)).collect();
        let area = |i: usize| words.get(i).and_then(|w| self.old.words.get(*w)).map(|w| frame.enter_region(&w.region));
        let numbered: Vec<usize> = (0..words.len()).collect();
        let lines: Vec<Vec<usize>> = numbered
            .chunk_by(|a, b| {
                rows.get(*a) == rows.get(*b) && area(*a).zip(area(*b)).is_some_and(|(a, b)| is_beside(a, b))
            })
            .map(|line| line.iter().filter_map(|i| words.get(*i).copied()).collect())
            .collect();
        for words in lines {
            self.add_line(&words, line);
        }
        self.close_block(first, BlockKind::Table);
    }

    fn add_line(&mut self, words: &[usize], line: &Line) {
        let start = self.new.words.len();
        let taken: Vec<Word> = words.iter().filter_map(|word| self.old.words.get(*word)).cloned().collect();
        let Some(region) = Region::around(taken.iter().map(|word| &word.region)) else { return };
        self.new.words.extend(taken);
        self.new.lines.push(Line { words: start..self.new.words.len(), region, turn: line.turn });
    }

    fn close_block(&mut self, first: usize, kind: BlockKind) {
        let lines: Range<usize> = first..self.new.lines.len();
        let regions = self.new.lines.get(lines.clone()).unwrap_or_default().iter().map(|line| &line.region);
        if let Some(region) = Region::around(regions) {
            self.new.blocks.push(Block { kind, lines, region });
        }
    }
}

/// True if the second word goes on with the line of the first.
fn is_beside(a: [f32; 4], b: [f32; 4]) -> bool {
    let shared = a[3].min(b[3]) - a[1].max(b[1]);
    shared > 0.4 * (a[3] - a[1]).min(b[3] - b[1])
}
