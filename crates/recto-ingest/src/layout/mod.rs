//! Finds what the lines of a page are: tables with their cells, headings, lists, captions and so on. Works on words with
//! places, whoever read them: the text layer or a recogniser.

mod arrange;
mod chunk;
mod figures;
mod frame;
mod grid;
mod kinds;
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
