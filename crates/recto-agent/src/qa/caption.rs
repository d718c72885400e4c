//! What stands over or under a table or chart: captions, titles with a unit, labels under bars. And the units and years
//! that hold for a value because of them.

use std::ops::Range;

use super::measure::{self, Measure};
use super::sheet::Sheet;

/// Words that open captions.
const OPENINGS: &[&str] = &["table", "figure", "fig", "exhibit", "chart", "表", "图"];

/// The lines that are captions, or titles with a unit in brackets, as ranges of words.
pub(crate) fn lines(sheet: &Sheet) -> Vec<Range<usize>> {
    let layer = &sheet.page.text_layer;
    let one_cell = |words: &Range<usize>| {
        let mut cells = words.clone().map(|i| sheet.cell_of.get(i));
        let first = cells.next();
        cells.all(|cell| Some(cell) == first)
    };
    // The heads of several columns have units of their own.
    let titled = |words: &Range<usize>| one_cell(words) && measure::in_heading(&sheet.text(words.clone())).is_some();
    let lines = layer.lines.iter().map(|l| l.words.clone()).filter(|words| words.len() <= 20);
    let caption = |words: Range<usize>| match opens(sheet, &words) {
        true => Some(words.start..end(sheet, &words)),
        false => titled(&words).then_some(words),
    };
    lines.filter_map(caption).collect()
}

/// Longer blocks are no captions.
const LONGEST: usize = 80;

/// Where the block ends that begins with this line of a caption.
fn end(sheet: &Sheet, line: &Range<usize>) -> usize {
    let layer = &sheet.page.text_layer;
    let ends = layer.blocks.iter().filter_map(|block| {
        let lines = layer.lines_of(block);
        Some((lines.first()?.words.start, lines.last()?.words.end))
    });
    let own = ends.into_iter().find(|(start, _)| *start == line.start);
    own.filter(|(start, end)| end - start <= LONGEST).map_or(line.end, |(_, end)| end)
}

fn opens(sheet: &Sheet, words: &Range<usize>) -> bool {
    let first = sheet.word(words.start).to_lowercase();
    let next = sheet.word(words.start + 1);
    let bare = first.trim_end_matches(|c: char| !c.is_alphabetic());
    let numbered = first.len() > bare.len() || next.starts_with(|c: char| c.is_ascii_digit() || c.is_uppercase());
    OPENINGS.contains(&bare) && numbered && words.len() > 2
}

/// The captions of the table or chart that holds `word`: the nearest above, and a figure's below.
pub(crate) fn of(sheet: &Sheet, captions: &[Range<usize>], word: usize) -> Vec<Range<usize>> {
    let at = sheet.region(word);
    let beside = |c: &&Range<usize>| {
        let first = sheet.region(c.start);
        let right = (*c).clone().map(|i| sheet.region(i).right()).fold(0.0, f32::max);
        let reaches = at.left() - right < 0.2 || is_spanned(sheet, first.bottom(), right, word);
        !c.contains(&word) && first.left() <= at.right() && reaches
    };
    let gap = |c: &Range<usize>| at.top() - sheet.region(c.start).bottom();
    let nearest = |above: bool| {
        let fits = |c: &&Range<usize>| {
            if above { gap(c) > -0.003 && gap(c) < 0.5 } else { gap(c) < 0.0 && gap(c) > -0.3 && opens(sheet, c) }
        };
        captions.iter().filter(beside).filter(fits).min_by(|a, b| gap(a).abs().total_cmp(&gap(b).abs())).cloned()
    };
    nearest(true).into_iter().chain(nearest(false)).collect()
}

/// True if a line between the height `top` and the word reaches from `left` to the word: both are in one column.
fn is_spanned(sheet: &Sheet, top: f32, left: f32, word: usize) -> bool {
    let at = sheet.region(word);
    let mut lines = sheet.page.text_layer.lines.iter().map(|l| l.region);
    lines.any(|l| l.top() > top - 0.003 && l.top() < at.bottom() && l.left() < left && l.right() > at.left())
}

/// The words of the first cell under `word`, if it is a short label in line with it, as under a bar.
pub(crate) fn label_below<'s>(sheet: &'s Sheet, word: usize) -> &'s [usize] {
    let at = sheet.region(word);
    let under = |cell: &&Vec<usize>| {
        let Some((&first, &last)) = cell.first().zip(cell.last()) else { return false };
        let (a, b) = (sheet.region(first), sheet.region(last));
        let center = (a.left() + b.right()) / 2.0;
        a.top() > at.bottom() - 0.003 && a.top() - at.bottom() < 0.3 && (center - at.center().0).abs() < 0.02
    };
    let below = sheet.cells.iter().filter(under);
    let top = |cell: &Vec<usize>| cell.first().map_or(1.0, |&i| sheet.region(i).top());
    let Some(cell) = below.min_by(|a, b| top(a).total_cmp(&top(b))) else { return &[] };
    let label = cell.len() <= 3 && sheet.word(cell[0]).starts_with(char::is_alphabetic);
    if label { cell } else { &[] }
}

/// The unit that the head of the column or a caption gives to `word`.
pub(crate) fn unit(sheet: &Sheet, captions: &[Range<usize>], word: usize) -> Option<(String, Measure)> {
    let at = sheet.region(word);
    let over = |cell: &&Vec<usize>| {
        cell.len() <= 8
            && cell.first().zip(cell.last()).is_some_and(|(&a, &b)| {
                let (a, b) = (sheet.region(a), sheet.region(b));
                a.left() < at.right()
                    && b.right() > at.left()
                    && b.bottom() < at.top() + 0.003
                    && at.top() - b.bottom() < 0.5
            })
    };
    let heads = sheet.cells.iter().rev().filter(over).map(|cell| sheet.text(cell.iter().copied()));
    let row = sheet.row_of.get(word).into_iter().flat_map(|row| sheet.row_words(*row)).take_while(|w| *w != word);
    let label = std::iter::once(sheet.text(row));
    let captions = of(sheet, captions, word).into_iter().map(|words| sheet.text(words));
    label.chain(heads).chain(captions).find_map(|text| measure::in_heading(&text))
}
