//! Runs of millions of lines, for measures that look at judged pages alone: of a run's pages only these are kept, with
//! the places where they stand.
//!
//! For files as programs write them: each query's lines together, six columns, names without blanks. Whatever is otherwise
//! is left to the reader of whole runs, which also says what is wrong.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry as Slot;
use recto_page::PageId;

use super::number::{number, short_whole};
use super::words::{AHEAD, WINDOW, Words, hash, same};
use crate::error::{BenchError, Result};
use crate::item::{BenchmarkSet, Item};
use crate::measure::ranking::by_score;
use crate::row::{Places, RankedPage, Row};

/// So much is read at once: little enough to stay near the processor.
const CHUNK: usize = 1 << 18;

/// The judged pages of a run with their places; `None` if it is not as programs write it.
///
/// # Errors
/// When the file can't be read.
pub(crate) fn run(file: &Path, set: &BenchmarkSet) -> Result<Option<Vec<Row>>> {
    if !set.page_names.is_empty() {
        return Ok(None);
    }
    let judged = set.by_id();
    let mut reader = Reader::open(file)?;
    let (mut rows, mut seen) = (Vec::new(), BTreeSet::new());
    let mut block = Block::default();
    loop {
        let query = match reader.block(&mut block)? {
            Next::Found(query) => query,
            Next::End => return Ok(Some(rows)),
            Next::Unusual => return Ok(None),
        };
        let Some(text) = reader.text() else { return Ok(None) };
        let Some(query) = text.get(query).filter(|query| seen.insert((*query).to_owned())) else { return Ok(None) };
        if let Some(item) = judged.get(query) {
            rows.push(block.row(item, text.as_bytes()));
        }
    }
}

/// What a file holds next.
enum Next<T> {
    /// A query's lines, or a line.
    Found(T),
    /// Nothing.
    End,
    /// Something that is left to others.
    Unusual,
}

/// The lines of one query.
#[derive(Default)]
struct Block {
    lines: Vec<Ranked>,
    /// Positions in `lines`, by the hashes of the documents' names.
    positions: HashTable<u32>,
    /// Each score is below the one before, as a 32-bit float too.
    falling: bool,
}

/// A document, as a stretch of the block's bytes, and its score.
struct Ranked {
    name: (u32, u32),
    hash: u64,
    score: f64,
}

impl Ranked {
    fn name<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        bytes.get(self.name.0 as usize..self.name.1 as usize).unwrap_or_default()
    }
}

impl Block {
    fn clear(&mut self) {
        self.lines.clear();
        self.positions.clear();
        self.falling = true;
    }

    /// Adds a line. `None` if the document is there already, or another one of the same hash, or it is too far away.
    fn push(&mut self, name: Range<usize>, score: f64, bytes: &[u8]) -> Option<()> {
        let Self { lines, positions, falling } = self;
        let hash = hash(bytes, &name)?;
        let hash_at = |position: &u32| lines.get(*position as usize).map(|line| line.hash).unwrap_or_default();
        match positions.entry(hash, |other| hash_at(other) == hash, hash_at) {
            Slot::Occupied(_) => return None,
            Slot::Vacant(slot) => drop(slot.insert(lines.len() as u32)),
        }
        *falling &= lines.last().is_none_or(|last| (score as f32) < last.score as f32);
        lines.push(Ranked { name: (name.start as u32, u32::try_from(name.end).ok()?), hash, score });
        Some(())
    }

    fn row(&self, item: &Item, bytes: &[u8]) -> Row {
        let mut row = Row { id: item.id.clone(), ..Row::default() };
        for page in item.gold.pages.iter().map(|graded| &graded.page).collect::<BTreeSet<&PageId>>() {
            if let Some((position, line)) = self.find(page.doc.as_str().as_bytes(), bytes) {
                row.ranking.push(RankedPage { page: page.clone(), score: line.score });
                row.places.push(self.places(position, line, bytes));
            }
        }
        row
    }

    fn find(&self, name: &[u8], bytes: &[u8]) -> Option<(usize, &Ranked)> {
        let at = |position: u32| self.lines.get(position as usize).filter(|line| line.name(bytes) == name);
        let mut ahead = name.to_vec();
        ahead.extend([0; AHEAD]);
        let position = self.positions.find(hash(&ahead, &(0..name.len()))?, |position| at(*position).is_some())?;
        Some((*position as usize, at(*position)?))
    }

    /// Where a line stands under each order of ties.
    fn places(&self, position: usize, own: &Ranked, bytes: &[u8]) -> Places {
        if self.falling {
            return Places { page: position, trec: position, file: position };
        }
        let before = |above: &dyn Fn(&Ranked) -> bool| self.lines.iter().filter(|line| above(line)).count();
        let by_name = |line: &Ranked| line.name(bytes).cmp(own.name(bytes));
        let by_page = |line: &Ranked| by_score(line.score, own.score).then_with(|| by_name(line));
        let by_trec = |line: &Ranked| {
            let scores = by_score(f64::from(line.score as f32), f64::from(own.score as f32));
            scores.then_with(|| by_name(line).reverse())
        };
        Places {
            page: before(&|line| by_page(line).is_lt()),
            trec: before(&|line| by_trec(line).is_lt()),
            file: position,
        }
    }
}

/// Reads a file block by block, with no copy of any line.
struct Reader<'f> {
    path: &'f Path,
    file: File,
    buffer: Vec<u8>,
    /// Where in the buffer the block begins; stretches count from here.
    from: usize,
    /// What of the block is not read yet.
    rest: Words,
    ended: bool,
}

impl<'f> Reader<'f> {
    fn open(path: &'f Path) -> Result<Self> {
        let file = File::open(path).map_err(BenchError::io(path))?;
        let mut reader = Self { path, file, buffer: Vec::new(), from: 0, rest: Words::default(), ended: false };
        reader.more()?;
        if reader.buffer.starts_with(b"\xef\xbb\xbf") {
            reader.rest = Words::at(3);
        }
        Ok(reader)
    }

    /// Fills `block` with the lines of the next query; its name, as a stretch of the block's bytes.
    fn block(&mut self, block: &mut Block) -> Result<Next<Range<usize>>> {
        block.clear();
        self.from += self.rest.at;
        self.rest = Words::default();
        let mut first: Option<Range<usize>> = None;
        loop {
            let bytes = self.buffer.get(self.from..).unwrap_or_default();
            let mut rest = self.rest;
            let Columns { query, name, score } = match Columns::of(bytes, &mut rest) {
                Some(Next::Found(columns)) => columns,
                Some(Next::End) => {
                    self.rest = rest;
                    continue;
                }
                Some(Next::Unusual) => return Ok(Next::Unusual),
                None if self.ended => return Ok(first.map_or(Next::End, Next::Found)),
                None => {
                    self.more()?;
                    continue;
                }
            };
            match &first {
                Some(first) if !same(bytes, first, &query) => return Ok(Next::Found(first.clone())),
                Some(_) => {}
                None => first = Some(query),
            }
            let score = short_whole(bytes, &score).or_else(|| bytes.get(score).and_then(number));
            let score = score.filter(|score| !score.is_nan());
            if score.and_then(|score| block.push(name, score, bytes)).is_none() {
                return Ok(Next::Unusual);
            }
            self.rest = rest;
        }
    }

    /// The text of the block that was read last; `None` if it is no UTF-8, or parts words by more than ASCII's white space.
    fn text(&self) -> Option<&str> {
        let text = std::str::from_utf8(self.buffer.get(self.from..self.from + self.rest.at)?).ok()?;
        let parts = |c: char| !c.is_ascii() && c.is_whitespace();
        Some(text).filter(|text| text.is_ascii() || !text.contains(parts))
    }

    /// Reads on; twice as much of a block that is long, so that none is moved more than a few times. What follows the end of
    /// the file are empty lines.
    fn more(&mut self) -> Result<()> {
        self.buffer.drain(..self.from);
        self.from = 0;
        let mut chunk = (&mut self.file).take(CHUNK.max(self.buffer.len()) as u64);
        let n = chunk.read_to_end(&mut self.buffer).map_err(BenchError::io(self.path))?;
        if n == 0 {
            self.ended = true;
            self.buffer.extend([b'\n'; 2 * WINDOW]);
        }
        Ok(())
    }
}

/// The columns of a line that matter, as stretches of bytes.
struct Columns {
    query: Range<usize>,
    name: Range<usize>,
    score: Range<usize>,
}

impl Columns {
    /// Those of the next line, nothing if it is empty; `None` if the bytes end too soon to tell.
    fn of(bytes: &[u8], words: &mut Words) -> Option<Next<Self>> {
        let query = words.next(bytes)?;
        if query.is_empty() {
            return Some(if words.is_over() { Next::End } else { Next::Unusual });
        }
        let iteration = words.more(bytes)?;
        let name = words.more(bytes)?;
        let rank = words.more(bytes)?;
        let score = words.more(bytes)?;
        let tag = words.more(bytes)?;
        let ended = words.more(bytes)?.is_empty() && words.is_over();
        let columns = [&query, &iteration, &name, &rank, &score, &tag];
        let lacks = columns.iter().any(|column| column.is_empty())
            || columns.windows(2).any(|pair| holds_column(bytes.get(pair[0].end..pair[1].start)));
        Some(if ended && !lacks { Next::Found(Self { query, name, score }) } else { Next::Unusual })
    }
}

/// Whether there is an empty column between two words: tabs around nothing.
fn holds_column(gap: Option<&[u8]>) -> bool {
    gap.is_some_and(|gap| gap.len() > 1 && gap.iter().filter(|byte| **byte == b'\t').count() > 1)
}
