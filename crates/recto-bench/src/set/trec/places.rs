//! Runs of millions of lines, for measures that look at judged pages alone: of a run's pages only these are kept, with
//! the places where they stand.
//!
//! For files as programs write them: each query's lines together, six columns, names without blanks. Whatever is otherwise
//! is left to the reader of whole runs, which also says what is wrong.

use std::collections::BTreeSet;
use std::fs::File;
use std::hash::BuildHasher;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use hashbrown::hash_table::Entry as Slot;
use hashbrown::{DefaultHashBuilder, HashTable};
use recto_page::PageId;

use crate::error::{BenchError, Result};
use crate::item::{BenchmarkSet, Item};
use crate::row::{Places, RankedPage, Row};

/// So much is read at once.
const CHUNK: usize = 1 << 20;

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
            Next::Block(query) => query,
            Next::End => return Ok(Some(rows)),
            Next::Unusual => return Ok(None),
        };
        let Some(query) = reader.text(query).filter(|query| seen.insert((*query).to_owned())) else { return Ok(None) };
        if let Some(item) = judged.get(query) {
            rows.push(block.row(item, reader.bytes()));
        }
    }
}

/// What a file holds next.
enum Next<T> {
    /// A query's lines, or a line.
    Block(T),
    /// Nothing.
    End,
    /// Something that is left to others.
    Unusual,
}

/// The lines of one query.
#[derive(Default)]
struct Block {
    lines: Vec<Ranked>,
    /// Positions in `lines`, by document.
    by_name: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Each score is below the one before, as a 32-bit float too.
    falling: bool,
}

/// A document, as a stretch of the reader's buffer, and its score.
struct Ranked {
    name: Range<usize>,
    score: f64,
}

impl Block {
    fn clear(&mut self) {
        self.lines.clear();
        self.by_name.clear();
        self.falling = true;
    }

    /// Adds a line; false if the document is there already.
    fn push(&mut self, line: Ranked, buffer: &[u8]) -> bool {
        let Self { lines, by_name, hasher, falling } = self;
        let bytes = |line: &Ranked| buffer.get(line.name.clone()).unwrap_or_default();
        let name = bytes(&line);
        let at = |position: &u32| lines.get(*position as usize).map(bytes).unwrap_or_default();
        match by_name.entry(hasher.hash_one(name), |other| at(other) == name, |other| hasher.hash_one(at(other))) {
            Slot::Occupied(_) => return false,
            Slot::Vacant(slot) => drop(slot.insert(lines.len() as u32)),
        }
        *falling &= lines.last().is_none_or(|last| (line.score as f32) < last.score as f32);
        lines.push(line);
        true
    }

    fn row(&self, item: &Item, buffer: &[u8]) -> Row {
        let mut row = Row { id: item.id.clone(), ..Row::default() };
        for page in item.gold.pages.iter().map(|graded| &graded.page).collect::<BTreeSet<&PageId>>() {
            if let Some(position) = self.find(page.doc.as_str().as_bytes(), buffer) {
                let score = self.lines.get(position).map_or(0.0, |line| line.score);
                row.ranking.push(RankedPage { page: page.clone(), score });
                row.places.push(self.places(position, buffer));
            }
        }
        row
    }

    fn find(&self, name: &[u8], buffer: &[u8]) -> Option<usize> {
        let at = |position: &u32| self.lines.get(*position as usize).and_then(|line| buffer.get(line.name.clone()));
        self.by_name
            .find(self.hasher.hash_one(name), |other| at(other) == Some(name))
            .map(|position| *position as usize)
    }

    /// Where a line stands under each order of ties.
    fn places(&self, position: usize, buffer: &[u8]) -> Places {
        if self.falling {
            return Places { page: position, trec: position, file: position };
        }
        let Some(own) = self.lines.get(position) else { return Places::default() };
        let name = |line: &Ranked| buffer.get(line.name.clone()).unwrap_or_default();
        let before = |above: &dyn Fn(&Ranked) -> bool| self.lines.iter().filter(|line| above(line)).count();
        let by_page =
            |line: &Ranked| line.score.total_cmp(&own.score).reverse().then_with(|| name(line).cmp(name(own)));
        let by_trec = |line: &Ranked| {
            let scores = (line.score as f32).total_cmp(&(own.score as f32));
            scores.then_with(|| name(line).cmp(name(own))).reverse()
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
    /// Where in the block the next line begins.
    next: usize,
    ended: bool,
}

/// The columns of a line that matter, as stretches of the buffer.
struct Columns {
    query: Range<usize>,
    name: Range<usize>,
    score: Range<usize>,
    end: usize,
}

impl<'f> Reader<'f> {
    fn open(path: &'f Path) -> Result<Self> {
        let file = File::open(path).map_err(BenchError::io(path))?;
        let mut reader = Self { path, file, buffer: Vec::new(), from: 0, next: 0, ended: false };
        reader.more()?;
        if reader.buffer.starts_with(b"\xef\xbb\xbf") {
            reader.next = 3;
        }
        Ok(reader)
    }

    /// Fills `block` with the lines of the next query; its name, as a stretch of the buffer.
    fn block(&mut self, block: &mut Block) -> Result<Next<Range<usize>>> {
        block.clear();
        self.from += self.next;
        self.next = 0;
        let mut query: Option<Range<usize>> = None;
        loop {
            let columns = match self.columns()? {
                Next::Block(columns) => columns,
                Next::End => return Ok(query.map_or(Next::End, Next::Block)),
                Next::Unusual => return Ok(Next::Unusual),
            };
            let same =
                |query: &Range<usize>| self.bytes().get(query.clone()) == self.bytes().get(columns.query.clone());
            if let Some(query) = query.clone().filter(|query| !same(query)) {
                return Ok(Next::Block(query));
            }
            let score = self.text(columns.score).and_then(number).filter(|score| !score.is_nan());
            let Some(score) = score else { return Ok(Next::Unusual) };
            if !block.push(Ranked { name: columns.name, score }, self.bytes()) {
                return Ok(Next::Unusual);
            }
            query.get_or_insert(columns.query);
            self.next = columns.end;
        }
    }

    /// The columns of the next line that is not empty; the line is not taken.
    fn columns(&mut self) -> Result<Next<Columns>> {
        loop {
            let (found, n, end) = split(self.bytes(), self.next);
            let last = end >= self.bytes().len();
            if last && !self.ended {
                self.more()?;
                continue;
            }
            let [query, _, name, _, score, _] = found;
            match n {
                0 if last => return Ok(Next::End),
                0 => self.next = end + 1,
                6 => return Ok(Next::Block(Columns { query, name, score, end: end + usize::from(!last) })),
                _ => return Ok(Next::Unusual),
            }
        }
    }

    fn bytes(&self) -> &[u8] {
        self.buffer.get(self.from..).unwrap_or_default()
    }

    /// Reads on; twice as much of a block that is long, so that none is moved more than a few times.
    fn more(&mut self) -> Result<()> {
        self.buffer.drain(..self.from);
        self.from = 0;
        let mut chunk = (&mut self.file).take(CHUNK.max(self.buffer.len()) as u64);
        let n = chunk.read_to_end(&mut self.buffer).map_err(BenchError::io(self.path))?;
        self.ended = n == 0;
        Ok(())
    }

    fn text(&self, range: Range<usize>) -> Option<&str> {
        std::str::from_utf8(self.bytes().get(range)?).ok()
    }
}

/// The number that a text is. Plain decimals of up to 15 digits are a whole number divided by a power of ten, both of which
/// are exact, so that the quotient is the nearest number (Clinger 1990).
fn number(text: &str) -> Option<f64> {
    let (mut digits, mut divisor, mut is_fraction) = (0_u64, 1_u64, false);
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' if text.len() <= 16 => {
                digits = digits * 10 + u64::from(byte - b'0');
                divisor *= if is_fraction { 10 } else { 1 };
            }
            b'.' if !is_fraction && text.len() > 1 => is_fraction = true,
            _ => return text.parse().ok(),
        }
    }
    if text.len() == 16 && !is_fraction { text.parse().ok() } else { Some(digits as f64 / divisor as f64) }
}

/// The first six columns of the line at `start`, how many it has, and where its end is: at `\n` or after the last byte.
fn split(buffer: &[u8], start: usize) -> ([Range<usize>; 6], usize, usize) {
    let mut columns = [const { 0..0 }; 6];
    let (mut n, mut at) = (0, start);
    while let Some(column) = word(buffer, &mut at) {
        if let Some(place) = columns.get_mut(n) {
            *place = column;
        }
        n += 1;
    }
    (columns, n, at)
}

/// The next word of a line; `at` is then behind it, or at the line's end.
fn word(buffer: &[u8], at: &mut usize) -> Option<Range<usize>> {
    let rest = buffer.get(*at..)?;
    let gap = rest.iter().position(|byte| *byte == b'\n' || !byte.is_ascii_whitespace()).unwrap_or(rest.len());
    let rest = rest.get(gap..).filter(|rest| !matches!(rest, [] | [b'\n', ..]));
    let start = *at + gap;
    *at = start;
    let length = rest?.iter().position(u8::is_ascii_whitespace).unwrap_or(rest?.len());
    *at = start + length;
    Some(start..*at)
}

#[cfg(test)]
mod tests {
    use super::number;

    proptest::proptest! {
        #[test]
        fn numbers_are_those_of_the_standard_library(text in "[-+]?[0-9]{0,18}\\.?[0-9]{0,18}(e-?[0-9]{1,3})?|inf|nan|[0-9.]{1,4}") {
            let theirs: Option<f64> = text.parse().ok();
            let ours = number(&text).map(f64::to_bits);
            // A text of nothing is no column, and never comes here.
            proptest::prop_assert!(text.is_empty() || ours == theirs.map(f64::to_bits), "{text}");
        }
    }
}
