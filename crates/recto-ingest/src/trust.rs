//! Whether the text layer of a page tells what a reader of the page sees: a judgement from counts, without looking at
//! the page's picture.

use recto_page::{TextLayer, TextReason};

use crate::language;

/// A page with fewer letters has little text (`ocr.md` 8: of 1,145 pages, 156 with fewer and one large picture).
const FEW_LETTERS: usize = 50;

/// Pictures over this share of the page are the page, if it has little text (`ocr.md` 8).
const SCAN_SHARE: f32 = 0.5;

/// Pictures over this share are worth reading on a page without any text.
const SOME_SHARE: f32 = 0.02;

/// Outlines with so many points may be letters.
const OUTLINE_POINTS: usize = 400;

/// So many letters in a hundred may be unknown (`ocr.md` 8: 8 pages of 1,145 have more).
const UNKNOWN_PERCENT: usize = 5;

/// Fewer unknown letters than this are signs and bullets.
const LEAST_UNKNOWN: usize = 8;

/// So many characters in a hundred of guessed text are such as a text is made of.
const ORDINARY_PERCENT: usize = 85;

/// What was counted on a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Glyphs whose character is known by their code only.
    pub guessed: usize,
    /// Glyphs that can't be seen and lie over a picture, as scanners add them.
    pub scanner: usize,
    /// Points of filled outlines.
    pub points: usize,
    /// True if the page has text, be it hidden, or anything else is drawn on it (a shape, a picture).
    pub draws: bool,
    /// What the characters are.
    pub(crate) letters: Letters,
}

/// What the characters of a text are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Letters {
    /// Characters that are no white space.
    all: usize,
    /// Letters and digits.
    known: usize,
    /// Unknown, private or control characters, beside another of them.
    unknown: usize,
    /// Characters that any text is made of.
    ordinary: usize,
    /// Letters of scripts that OCR does not read.
    foreign: usize,
}

impl Letters {
    /// Counts.
    pub(crate) fn of(chars: impl Iterator<Item = char>) -> Self {
        let mut letters = Self::default();
        let mut was_unknown = false;
        let mut plain = 0;
        for char in chars {
            if char.is_ascii_alphanumeric() {
                plain += 1;
                was_unknown = false;
                continue;
            }
            if char.is_whitespace() {
                continue;
            }
            let unknown = is_unknown(char);
            letters.all += 1;
            letters.unknown += usize::from(unknown && was_unknown);
            letters.known += usize::from(char.is_alphanumeric());
            letters.ordinary += usize::from(is_ordinary(char));
            letters.foreign += usize::from(is_foreign(char));
            was_unknown = unknown;
        }
        letters.all += plain;
        letters.known += plain;
        letters.ordinary += plain;
        letters
    }
}

/// Why the text of a page is to be taken from where it is. `pictures` is the share of the page that pictures cover.
pub(crate) fn reason(counts: &Counts, pictures: f32, layer: &TextLayer) -> TextReason {
    let letters = counts.letters;
    let few = letters.known < FEW_LETTERS;
    let unreadable_by_ocr = letters.foreign * 2 > letters.known;
    if few
        && letters.unknown < LEAST_UNKNOWN
        && let Some(reason) = little_text(counts, pictures, layer.is_empty())
    {
        return reason;
    }
    if !unreadable_by_ocr && has_unknown(counts) {
        TextReason::UnmappedGlyphs
    } else if !unreadable_by_ocr && language::is_nonsense(layer.words.iter().map(|word| word.text.as_str())) {
        TextReason::Nonsense
    } else if counts.scanner * 2 > letters.all {
        TextReason::ScannerLayer
    } else {
        TextReason::GoodLayer
    }
}

fn little_text(counts: &Counts, pictures: f32, is_empty: bool) -> Option<TextReason> {
    if pictures >= if counts.letters.known == 0 { SOME_SHARE } else { SCAN_SHARE } {
        Some(TextReason::Scan)
    } else if counts.points >= OUTLINE_POINTS {
        Some(TextReason::Outlines)
    } else {
        is_empty.then_some(TextReason::Blank)
    }
}

fn has_unknown(counts: &Counts) -> bool {
    let Letters { all, unknown, ordinary, .. } = counts.letters;
    let unknown = unknown >= LEAST_UNKNOWN && unknown * 100 >= all * UNKNOWN_PERCENT;
    let misguessed = counts.guessed * 2 > all && ordinary * 100 < all * ORDINARY_PERCENT;
    unknown || misguessed
}

fn is_unknown(char: char) -> bool {
    matches!(char, '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..) || char.is_control()
}

fn is_ordinary(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '.' | ',' | '-' | ':' | ';' | '(' | ')' | '/' | '\'' | '"')
}

/// Scripts outside the alphabet of the OCR models: Cyrillic, Hebrew, Arabic, the scripts of India and its neighbours to
/// Tibetan, Georgian, Hangul, Ethiopic, Khmer.
fn is_foreign(char: char) -> bool {
    matches!(char, '\u{400}'..='\u{52f}' | '\u{530}'..='\u{8ff}' | '\u{900}'..='\u{13ff}' | '\u{1780}'..='\u{17ff}'
        | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The river rises in the hills north of the town and takes up two brooks before it is dammed.";
    const UNKNOWN: &str = "\u{e001}\u{e002}\u{e003}\u{fffd}\u{fffd}\u{1}\u{2}\u{e004}\u{e005}\u{e006}";

    fn counts(text: &str) -> Counts {
        Counts { letters: Letters::of(text.chars()), draws: true, ..Default::default() }
    }

    /// A layer with these words, without places.
    fn layer(text: &str) -> TextLayer {
        let word = |word: &str| recto_page::Word { text: word.into(), region: recto_page::Region::FULL };
        TextLayer { words: text.split_whitespace().map(word).collect(), ..Default::default() }
    }

    #[test]
    fn reasons_follow_from_what_was_counted() {
        use TextReason::*;
        let scanner = |scanner| Counts { scanner, ..counts(TEXT) };
        let outlines = |text, points| Counts { points, ..counts(text) };
        let guessed = |text: &str| Counts { guessed: text.len(), ..counts(text) };
        let broken = format!("{TEXT} {UNKNOWN}");
        let bullets =
            "\u{f0b7} one \u{f0b7} two \u{f0b7} three \u{f0b7} four \u{f0b7} five \u{f0b7} six \u{f0b7} seven eight";
        let arabic = format!("{} {UNKNOWN}", "النهر ينبع من التلال شمال المدينة ويأخذ جدولين قبل السد القديم");
        let table = [
            ("text", counts(TEXT), 0.0, TextReason::GoodLayer),
            ("text and a large picture", counts(TEXT), 0.9, GoodLayer),
            ("nothing but a picture", counts(""), 0.9, Scan),
            ("nothing but a small picture", counts(""), 0.05, Scan),
            ("a page number and a picture", counts("Page 7"), 0.6, Scan),
            ("a page number and a smaller picture", counts("Page 7"), 0.3, GoodLayer),
            ("nothing but outlines", outlines("", 5000), 0.0, Outlines),
            ("nothing but a few lines", outlines("", 20), 0.0, Blank),
            ("a drawing with text", outlines(TEXT, 5000), 0.0, GoodLayer),
            ("little text alone", counts("Part two"), 0.0, GoodLayer),
            ("dashes", counts("- - -"), 0.0, GoodLayer),
            ("unknown letters", counts(&broken), 0.0, UnmappedGlyphs),
            ("nothing but unknown letters", counts(UNKNOWN), 0.0, UnmappedGlyphs),
            ("bullets without a character", counts(bullets), 0.0, GoodLayer),
            ("a script that OCR does not read", counts(&arabic), 0.0, GoodLayer),
            ("letters that were guessed well", guessed(TEXT), 0.0, GoodLayer),
            (
                "letters that were guessed badly",
                guessed("ž›š ߞ… ߚ› žš߅ž š›ß ž…Œ œßš ߚž›š ž…š Œ›š ߞ…š ›ßž …šŒ ›œž ßš… ž›š"),
                0.0,
                UnmappedGlyphs,
            ),
            ("a scanner's layer", scanner(70), 1.0, ScannerLayer),
            ("some of it", scanner(20), 1.0, GoodLayer),
        ];
        for (what, counts, pictures, want) in table {
            let words = if counts.letters.all == 0 { "" } else { "words" };
            assert_eq!(reason(&counts, pictures, &layer(words)), want, "{what}");
        }
    }

    #[test]
    fn nonsense_is_told_unless_ocr_would_not_read_better() {
        let nonsense = "Wkh ulyhu ulvhv lq wkh kloov qruwk ri wkh wrzq dqg wdnhv xs wzr eurrnv ehiruh lw lv gdpphg \
                        qhdu wkh rog ploo zklfk zdv exlow pdqb bhduv ehiruh wkh olwwoh eulgjh zdv pdgh";
        assert_eq!(reason(&counts(nonsense), 0.0, &layer(nonsense)), TextReason::Nonsense);
        let mostly_russian = format!("{nonsense} {}", "Река берёт начало на холмах к северу от города ".repeat(6));
        assert_eq!(reason(&counts(&mostly_russian), 0.0, &layer(nonsense)), TextReason::GoodLayer);
    }
}
