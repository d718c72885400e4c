//! Text that a reader of the page does not see: parted from the rest, and told of.

use std::collections::BTreeMap;

use recto_page::{
    HiddenKind, HiddenText, Line, PageNumber, PageSize, Problem, ProblemCode, Region, Stage, TextLayer, Word,
};

use crate::glyph::Glyph;
use crate::{reading_order, words};

/// So many stretches of hidden text are kept of a page.
const MOST: usize = 1000;

/// The hidden text, but for lines that are written visibly at the same place as well: shadows and outlines of letters,
/// and labels that were painted over and written anew.
pub(crate) fn texts(glyphs: BTreeMap<HiddenKind, Vec<Glyph>>, seen: &TextLayer, size: PageSize) -> Vec<HiddenText> {
    let mut texts = Vec::new();
    for (kind, mut glyphs) in glyphs {
        let layer = reading_order::arrange(words::segments(&mut glyphs), size);
        let is_told = |line: &&Line| layer.words_of(line).iter().all(|word| is_seen(word, seen));
        for block in &layer.blocks {
            let lines: Vec<&Line> = layer.lines_of(block).iter().filter(|line| !is_told(line)).collect();
            let text = lines.iter().map(|line| layer.line_text(line)).collect::<Vec<_>>().join("\n");
            let region = Region::around(lines.iter().map(|line| &line.region));
            texts.extend(region.map(|region| HiddenText { kind, text, region }));
        }
    }
    texts.truncate(MOST);
    texts
}

/// Says how much text is hidden, and how.
pub(crate) fn problem(hidden: &[HiddenText], page: PageNumber) -> Option<Problem> {
    let mut counts = BTreeMap::<HiddenKind, usize>::new();
    for text in hidden {
        *counts.entry(text.kind).or_default() += text.text.split_whitespace().count();
    }
    let tell =
        |(kind, n): (&HiddenKind, &usize)| format!("{n} {} {}", if *n == 1 { "word" } else { "words" }, how(*kind));
    let detail = counts.iter().map(tell).collect::<Vec<_>>().join(", ");
    (!counts.is_empty()).then(|| Problem::of_page(ProblemCode::HiddenText, Stage::Text, page, detail))
}

/// True if the word can be read at the place or a line's height beside it.
fn is_seen(word: &Word, seen: &TextLayer) -> bool {
    let near = |other: &Word| {
        let (dx, dy) = (word.region.width(), 1.5 * word.region.height());
        let ((x, y), (u, v)) = (word.region.center(), other.region.center());
        (x - u).abs() <= dx && (y - v).abs() <= dy
    };
    seen.words.iter().any(|other| other.text == word.text && near(other))
}

const fn how(kind: HiddenKind) -> &'static str {
    match kind {
        HiddenKind::Invisible => "not drawn",
        HiddenKind::SameColour => "in the colour of what is behind",
        HiddenKind::Tiny => "too small to be read",
        HiddenKind::OffPage => "outside the page",
        HiddenKind::Covered => "covered by something else",
    }
}
