//! What the file says is written on the page: words with their places, grouped to lines and blocks in reading order.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Block, Line, Word};

/// The words of a page. `lines` cover `words` in order without gaps, `blocks` cover `lines` likewise.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TextLayer {
    /// All words, in reading order.
    pub words: Vec<Word>,
    /// The lines they form.
    pub lines: Vec<Line>,
    /// The blocks that the lines form.
    pub blocks: Vec<Block>,
}

impl TextLayer {
    /// True if there is no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// This text, then `other`.
    #[must_use]
    pub fn followed_by(mut self, other: &Self) -> Self {
        let (n_words, n_lines) = (self.words.len(), self.lines.len());
        let moved = |range: &Range<usize>, by| range.start + by..range.end + by;
        self.words.extend_from_slice(&other.words);
        self.lines.extend(other.lines.iter().map(|l| Line { words: moved(&l.words, n_words), ..l.clone() }));
        self.blocks.extend(other.blocks.iter().map(|b| Block { lines: moved(&b.lines, n_lines), ..b.clone() }));
        self
    }

    /// The words of a line.
    pub fn words_of<'a>(&'a self, line: &Line) -> &'a [Word] {
        self.words.get(line.words.clone()).unwrap_or_default()
    }

    /// The lines of a block.
    pub fn lines_of<'a>(&'a self, block: &Block) -> &'a [Line] {
        self.lines.get(block.lines.clone()).unwrap_or_default()
    }

    /// A line as text: its words with single spaces between them.
    pub fn line_text(&self, line: &Line) -> String {
        let words: Vec<&str> = self.words_of(line).iter().map(|w| w.text.as_str()).collect();
        words.join(" ")
    }

    /// The page as text: lines end with `\n`, blocks are parted by an empty line. Hyphens at line ends are kept.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for block in &self.blocks {
            if !text.is_empty() {
                text.push('\n');
            }
            for line in self.lines_of(block) {
                text.push_str(&self.line_text(line));
                text.push('\n');
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BlockKind, Region, Turn};

    #[test]
    fn text_keeps_lines_and_blocks_apart() {
        let word = |text: &str| Word { text: text.into(), region: Region::FULL };
        let line = |words| Line { words, region: Region::FULL, turn: Turn::None };
        let block = |lines| Block { kind: BlockKind::Text, lines, region: Region::FULL };
        let layer = TextLayer {
            words: ["A", "title", "infor-", "mation"].map(word).into(),
            lines: vec![line(0..2), line(2..3), line(3..4)],
            blocks: vec![block(0..1), block(1..3)],
        };
        assert_eq!(layer.text(), "A title\n\ninfor-\nmation\n");
        assert_eq!(
            layer.clone().followed_by(&layer).text(),
            "A title\n\ninfor-\nmation\n\nA title\n\ninfor-\nmation\n"
        );
    }
}
