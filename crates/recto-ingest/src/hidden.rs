//! Text that a reader of the page does not see: parted from the rest, and told of.

use std::collections::BTreeMap;

use recto_page::{HiddenKind, HiddenText, PageNumber, PageSize, Problem, ProblemCode, Stage, TextLayer};

use crate::glyph::Glyph;
use crate::{reading_order, words};

/// So many stretches of hidden text are kept of a page.
const MOST: usize = 1000;

/// The hidden text that is not written visibly at the same place as well, as shadows and outlines of letters are.
pub(crate) fn texts(glyphs: BTreeMap<HiddenKind, Vec<Glyph>>, seen: &TextLayer, size: PageSize) -> Vec<HiddenText> {
    let mut texts = Vec::new();
    for (kind, glyphs) in glyphs {
        let layer = reading_order::arrange(words::segments(glyphs), size);
        for block in &layer.blocks {
            let lines = layer.lines_of(block);
            let told = lines.iter().all(|line| layer.words_of(line).iter().all(|word| is_seen(word, seen)));
            let text = lines.iter().map(|line| layer.line_text(line)).collect::<Vec<_>>().join("\n");
            texts.extend((!told).then_some(HiddenText { kind, text, region: block.region }));
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

fn is_seen(word: &recto_page::Word, seen: &TextLayer) -> bool {
    seen.words.iter().any(|other| other.text == word.text && other.region.overlaps(&word.region))
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
