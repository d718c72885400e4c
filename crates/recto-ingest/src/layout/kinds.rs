//! What the blocks of a page are, as far as their text, size and place tell. What repeats from page to page is found in
//! [`super::running`].

use recto_page::{Block, BlockKind, Line, Numbered, PageSize, Region, Table, TextLayer};

use super::chunk::is_mark;
use super::figures::Figures;

/// Letters of a heading are at least so much higher than those of the text.
const HEADING_SIZE: f32 = 1.15;

/// A heading right above its text is known by a number or capitals, if its letters are so much higher.
const LARGER: f32 = 1.06;

/// A heading has at most this many letters.
const HEADING_LETTERS: usize = 150;

/// Letters of a footnote are at most so high, as a share of those of the text.
const FOOTNOTE_SIZE: f32 = 0.92;

/// Footnotes stand below this share of the page.
const FOOTNOTE_TOP: f32 = 0.55;

/// A caption stands at most this far from its table, in heights of its letters.
const CAPTION_GAP: f32 = 4.0;

/// A block with more lines is running text, whatever it begins with.
const MOST_LINES: usize = 12;

/// A label within a drawing has at most this many letters.
const LABEL_LETTERS: usize = 60;

/// Sets the kind of each block that has none yet, and gives tables their captions.
pub(super) fn set(layer: &mut TextLayer, tables: &mut [Table], figures: &Figures, page: PageSize) {
    part_headings(layer);
    let usual = usual_height(layer);
    let kinds: Vec<BlockKind> = (0..layer.blocks.len()).map(|i| kind(layer, i, figures, usual)).collect();
    for (block, kind) in layer.blocks.iter_mut().zip(kinds) {
        block.kind = kind;
    }
    for table in tables {
        table.caption = caption(layer, &table.region, page);
    }
}

/// Parts the first line from a block if it is a heading in larger letters that stands close to its text.
fn part_headings(layer: &mut TextLayer) {
    let mut blocks = Vec::with_capacity(layer.blocks.len());
    for block in &layer.blocks {
        let [first, second, ..] = layer.lines_of(block) else {
            blocks.push(block.clone());
            continue;
        };
        let is_larger = first.region.height() > LARGER * second.region.height();
        let is_heading = || is_heading(&layer.line_text(first), 1, letters(layer, first), 1.0);
        if block.kind == BlockKind::Text && is_larger && is_heading() {
            let (start, end) = (block.lines.start, block.lines.end);
            let rest = layer.lines.get(start + 1..end).unwrap_or_default().iter().map(|line| &line.region);
            let region = Region::around(rest).unwrap_or(block.region);
            blocks.push(Block { kind: BlockKind::Text, lines: start..start + 1, region: first.region });
            blocks.push(Block { kind: BlockKind::Text, lines: start + 1..end, region });
        } else {
            blocks.push(block.clone());
        }
    }
    layer.blocks = blocks;
}

/// The height of most letters on upright lines, as a fraction of the page's height.
fn usual_height(layer: &TextLayer) -> f32 {
    let mut heights: Vec<(f32, usize)> = Vec::new();
    for line in layer.lines.iter().filter(|line| line.turn.is_upright()) {
        heights.push((line.region.height(), layer.words_of(line).iter().map(|word| word.text.len()).sum()));
    }
    heights.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = heights.iter().map(|(_, letters)| letters).sum::<usize>() / 2;
    let mut seen = 0;
    let middle = heights.iter().find(|(_, letters)| {
        seen += letters;
        seen > half
    });
    middle.map_or(0.0, |(height, _)| *height)
}

fn kind(layer: &TextLayer, i: usize, figures: &Figures, usual: f32) -> BlockKind {
    let Some(block) = layer.blocks.get(i) else { return BlockKind::Text };
    let lines = layer.lines_of(block);
    let Some(first) = lines.first() else { return block.kind };
    if block.kind != BlockKind::Text {
        return block.kind;
    }
    let opening = layer.line_text(first);
    let opening = opening.as_str();
    let letters: usize = lines.iter().take(MOST_LINES).map(|line| letters(layer, line)).sum();
    let height = lines.iter().map(|line| line.region.height()).fold(1.0, f32::min);
    let mark = opening.split_whitespace().next().filter(|word| is_mark(word));
    let is_upright = first.turn.is_upright();
    if Numbered::of_caption(opening).is_some() && lines.len() <= MOST_LINES {
        BlockKind::Caption
    } else if figures.holds(block.region) && letters <= LABEL_LETTERS {
        BlockKind::Figure
    } else if mark.is_some_and(|mark| !mark.starts_with(|c: char| c.is_ascii_digit())) && opening.contains(' ') {
        BlockKind::List
    } else if is_upright && is_heading(opening, lines.len(), letters, height / usual.max(f32::MIN_POSITIVE)) {
        BlockKind::Heading
    } else if lines.len() <= 4 && is_formula(layer, lines, letters) {
        BlockKind::Formula
    } else if is_upright
        && height < FOOTNOTE_SIZE * usual
        && block.region.top() > FOOTNOTE_TOP
        && is_note(layer, i, usual)
    {
        BlockKind::Footnote
    } else if mark.is_some() && opening.contains(' ') {
        BlockKind::List
    } else {
        BlockKind::Text
    }
}

/// Larger letters, a number and a title, or capitals only.
fn is_heading(opening: &str, n_lines: usize, letters: usize, size: f32) -> bool {
    let has_words = opening.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    if !has_words || letters > HEADING_LETTERS || n_lines > 3 {
        return false;
    }
    let is_title = !opening.trim_end().ends_with(['.', ',', ';']) && n_lines <= 2 && letters <= 90;
    let is_capital =
        n_lines == 1 && !opening.chars().any(char::is_lowercase) && opening.chars().any(char::is_uppercase);
    size >= HEADING_SIZE || is_title && (Numbered::of_heading(opening).is_some() || is_capital && letters <= 60)
}

/// Letters and signs of a line, without spaces.
fn letters(layer: &TextLayer, line: &Line) -> usize {
    layer.words_of(line).iter().map(|word| word.text.chars().count()).sum()
}

/// Signs of mathematics, and hardly any words.
fn is_formula(layer: &TextLayer, lines: &[Line], letters: usize) -> bool {
    const SIGNS: &str = "=+−∑∏∫√≤≥∈∂∇×≈→|^";
    let words = || lines.iter().flat_map(|line| layer.words_of(line)).map(|word| word.text.as_str());
    if letters < 4 || !words().any(|word| word.contains(['=', '≤', '≥', '≈', '∈', '→'])) {
        return false;
    }
    let signs = words().flat_map(str::chars).filter(|c| SIGNS.contains(*c)).count();
    let spelt = words().filter(|word| word.chars().count() >= 4 && word.chars().all(char::is_alphabetic)).count();
    spelt <= 2 && signs * 12 >= letters
}

/// True if the block opens with the mark of a note, or goes on with notes, and nothing but small text is below.
fn is_note(layer: &TextLayer, i: usize, usual: f32) -> bool {
    let Some(block) = layer.blocks.get(i) else { return false };
    let word = layer.lines_of(block).first().and_then(|line| layer.words_of(line).first());
    let is_marked = word.is_some_and(|word| {
        word.text.starts_with(|c: char| c.is_numeric() || matches!(c, '*' | '†' | '‡' | '§' | '¶'))
    });
    let is_small = |other: &Block| {
        let height = layer.lines_of(other).iter().map(|line| line.region.height()).fold(0.0, f32::max);
        height < FOOTNOTE_SIZE * usual || layer.lines_of(other).len() == 1
    };
    let is_below = |other: &&Block| {
        let shares = other.region.left() < block.region.right() && block.region.left() < other.region.right();
        other.region.top() > block.region.bottom() && shares
    };
    is_marked && layer.blocks.iter().filter(is_below).all(is_small)
}

/// The text of the caption next to a table, above or below.
fn caption(layer: &TextLayer, table: &Region, page: PageSize) -> Option<String> {
    let gap = |block: &Block| (table.top() - block.region.bottom()).max(block.region.top() - table.bottom());
    let is_near = |block: &&Block| {
        let shares = block.region.left() < table.right() && table.left() < block.region.right();
        let height = layer.lines_of(block).first().map_or(0.0, |line| line.region.height());
        block.kind == BlockKind::Caption && shares && gap(block) < CAPTION_GAP * height && page.height > 0.0
    };
    let names_table = |block: &Block| {
        let opening = layer.lines_of(block).first().map(|line| layer.line_text(line)).unwrap_or_default();
        Numbered::of_caption(&opening).is_some_and(|numbered| numbered.kind != "figure")
    };
    let near = layer.blocks.iter().filter(is_near).filter(|block| names_table(block));
    let block = near.min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let lines: Vec<String> = layer.lines_of(block).iter().map(|line| layer.line_text(line)).collect();
    Some(lines.join(" "))
}
