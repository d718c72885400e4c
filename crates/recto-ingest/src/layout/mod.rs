//! Finds what the lines of a page are: tables with their cells, headings, lists, captions and so on. Works on words with
//! places, whoever read them: the text layer or a recogniser.

mod arrange;
mod chunk;
mod figures;
mod frame;
mod grid;
mod kinds;
mod lattice;
mod marks;
mod plausible;
mod ruled;
mod running;
mod sketch;
mod unruled;

use recto_page::{PageSize, Table, TextLayer, Turn};

pub use self::marks::Marks;
pub use self::running::Running;

use self::figures::Figures;
use self::frame::Frame;
use self::sketch::Sketch;

/// Pages with more words are not looked at: they are no pages to read, and it could take forever.
const MOST_WORDS: usize = 20_000;

/// Finds what the blocks of a page are, and its tables. The words of each table are put together: row by row, cell by
/// cell, in a block of its own. The tables come in the order of their blocks.
pub fn lay_out(layer: TextLayer, marks: &Marks, page: PageSize) -> (TextLayer, Vec<Table>) {
    let is_sane = page.width > 0.0 && page.height > 0.0 && layer.words.len() <= MOST_WORDS;
    if !is_sane {
        return (layer, Vec::new());
    }
    let sketches: Vec<(Frame, Sketch)> = [Turn::None, Turn::Left, Turn::Right, Turn::Half]
        .into_iter()
        .filter(|turn| layer.lines.iter().any(|line| line.turn == *turn))
        .flat_map(|turn| {
            let frame = Frame::of(turn, page);
            sketches(&layer, marks, frame, turn).into_iter().map(move |sketch| (frame, sketch))
        })
        .collect();
    let (mut layer, mut tables) = arrange::with_tables(layer, sketches);
    kinds::set(&mut layer, &mut tables, &Figures::of(marks, page), page);
    (layer, tables)
}

fn sketches(layer: &TextLayer, marks: &Marks, frame: Frame, turn: Turn) -> Vec<Sketch> {
    let mut areas = vec![None; layer.words.len()];
    for line in layer.lines.iter().filter(|line| line.turn == turn) {
        for (word, area) in layer.words_of(line).iter().zip(areas.iter_mut().skip(line.words.start)) {
            *area = Some(frame.enter_region(&word.region));
        }
    }
    let marks = marks.map(|area| frame.enter(area));
    let rows = chunk::rows(layer, &frame, turn, |_| true);
    let mut found = ruled::find(layer, &areas, &rows, &marks.rulings);
    for word in found.iter().flat_map(Sketch::words) {
        areas.iter_mut().skip(word).take(1).for_each(|area| *area = None);
    }
    let rows = if found.is_empty() {
        rows
    } else {
        chunk::rows(layer, &frame, turn, |word| matches!(areas.get(word), Some(Some(_))))
    };
    found.extend(unruled::find(&rows, &marks));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_page::{Block, BlockKind, Line, Region, Word};

    /// Numbers that look random and are the same each time.
    struct Dice(u32);

    impl Dice {
        fn roll(&mut self, sides: u32) -> f64 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from((self.0 >> 8) % sides) / f64::from(sides)
        }
    }

    fn jumble(dice: &mut Dice) -> (TextLayer, Marks) {
        const TEXTS: [&str; 9] =
            ["mill", "12", "$", "(3.5)", "•", "Table 1:", "......", "a long word of many letters", ""];
        let mut layer = TextLayer::default();
        for i in 0..60 {
            let (x, y) = (dice.roll(8), dice.roll(12));
            let text = TEXTS[(dice.roll(9) * 9.0) as usize].to_owned();
            let region = Region::new(x, y, x + dice.roll(5) / 4.0, y + 0.02 * dice.roll(3));
            layer.words.push(Word { text, region });
            let turn = [Turn::None, Turn::None, Turn::Left, Turn::Half][(dice.roll(4) * 4.0) as usize];
            layer.lines.push(Line { words: i..i + 1, region, turn });
            layer.blocks.push(Block { kind: BlockKind::Text, lines: i..i + 1, region });
        }
        let mut marks = Marks::default();
        for _ in 0..40 {
            let (x, y) = (600.0 * dice.roll(7) as f32, 800.0 * dice.roll(9) as f32);
            let is_across = dice.roll(2) > 0.0;
            marks.add_box(if is_across { [x, y, x + 300.0, y + 0.5] } else { [x, y, x + 0.5, y + 300.0] });
            marks.add_box([x, y, f32::NAN, f32::INFINITY]);
        }
        (layer, marks)
    }

    #[test]
    fn no_word_is_lost_whatever_stands_where() {
        let mut dice = Dice(1);
        let mut n_tables = 0;
        for round in 0..300 {
            let (layer, marks) = jumble(&mut dice);
            let sorted = |layer: &TextLayer| {
                let mut words: Vec<String> = layer.words.iter().map(|word| format!("{word:?}")).collect();
                words.sort();
                words
            };
            let (laid, tables) = lay_out(layer.clone(), &marks, PageSize { width: 600.0, height: 800.0 });
            assert_eq!(sorted(&laid), sorted(&layer), "{round}");
            let covered = laid.lines.iter().flat_map(|line| line.words.clone());
            assert!(covered.eq(0..laid.words.len()), "{round}");
            assert!(laid.blocks.iter().flat_map(|block| block.lines.clone()).eq(0..laid.lines.len()), "{round}");
            n_tables += tables.len();
            for table in tables {
                let places = table.cells.iter().flat_map(|cell| {
                    let columns = cell.column..cell.column + cell.column_span;
                    (cell.row..cell.row + cell.row_span)
                        .flat_map(move |row| columns.clone().map(move |column| (row, column)))
                });
                let mut places: Vec<(usize, usize)> = places.collect();
                let n = places.len();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len(), n, "{round}: cells overlap");
                assert!(places.iter().all(|(row, column)| *row < table.rows && *column < table.columns), "{round}");
            }
        }
        assert!(n_tables > 30, "{n_tables}");
    }
}
