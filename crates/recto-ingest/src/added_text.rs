//! Adds the texts of form fields and notes to a page's text, where its text layer does not show them already.

use recto_page::{Block, BlockKind, Line, Region, TextLayer, Turn, Word};

/// A text that belongs to a place on the page.
#[derive(Clone, PartialEq, Debug)]
pub struct AddedText {
    /// What it is.
    pub kind: BlockKind,
    /// The place.
    pub region: Region,
    /// The text.
    pub text: String,
    /// What of it the page may show in letters: if the text layer has that at the place, nothing is added.
    pub shown: Option<String>,
}

/// Appends a block for each text that the layer has not at its place. Its words have the place of the whole.
pub(crate) fn add(layer: &mut TextLayer, texts: Vec<AddedText>) {
    let drawn = layer.words.len();
    for added in texts {
        let words = layer.words.get(..drawn).unwrap_or_default();
        if !added.shown.as_ref().is_some_and(|shown| is_written(words, added.region, shown)) {
            append(layer, added.kind, added.region, &added.text);
        }
    }
}

/// True if the words that touch the region contain the text, spaces aside.
fn is_written(words: &[Word], region: Region, text: &str) -> bool {
    let inside = |word: &&Word| word.region.overlaps(&region);
    let written: String = words.iter().filter(inside).map(|word| word.text.as_str()).collect();
    written.contains(&text.split_whitespace().collect::<String>())
}

fn append(layer: &mut TextLayer, kind: BlockKind, region: Region, text: &str) {
    let first_line = layer.lines.len();
    for line in text.lines() {
        let first_word = layer.words.len();
        layer.words.extend(line.split_whitespace().map(|word| Word { text: word.to_owned(), region }));
        let words = first_word..layer.words.len();
        if !words.is_empty() {
            layer.lines.push(Line { words, region, turn: Turn::None });
        }
    }
    let lines = first_line..layer.lines.len();
    if !lines.is_empty() {
        layer.blocks.push(Block { kind, lines, region });
    }
}
