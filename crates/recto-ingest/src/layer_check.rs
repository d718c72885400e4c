//! Compares a text layer with what was read off a part of the page's picture: whether the layer is that picture's text.

use std::collections::BTreeMap;

use recto_page::{Region, TextLayer};

/// A scanner's layer agrees with its page if this share of their words is the same (word F1; `ocr.md` 8).
const LEAST_AGREEMENT: f32 = 0.85;

/// Fewer words than this on either side tell nothing.
const LEAST_WORDS: usize = 8;

/// True if the words of `layer` within `sample` are not those that `read` has there, so that the layer is not to be
/// trusted ([`recto_page::TextReason::WrongScannerLayer`]). `read` is what OCR made of that part of the page, with places
/// on the whole page. False if there are too few words to tell.
pub(crate) fn contradicts(layer: &TextLayer, read: &TextLayer, sample: Region) -> bool {
    let (said, seen) = (words(layer, sample), words(read, sample));
    let (n, m): (usize, usize) = (said.values().sum(), seen.values().sum());
    let shared: usize = said.iter().map(|(word, n)| seen.get(word).copied().unwrap_or(0).min(*n)).sum();
    n >= LEAST_WORDS && m >= LEAST_WORDS && 2.0 * shared as f32 / ((n + m) as f32) < LEAST_AGREEMENT
}

/// How often each word stands in the region: letters and digits only, since scanners and OCR see specks as points.
fn words(layer: &TextLayer, region: Region) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for word in layer.words.iter().filter(|word| holds(region, word.region)) {
        let plain: String = word.text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        if !plain.is_empty() {
            *words.entry(plain).or_insert(0) += 1;
        }
    }
    words
}

fn holds(region: Region, word: Region) -> bool {
    let (x, y) = word.center();
    (region.left()..=region.right()).contains(&x) && (region.top()..=region.bottom()).contains(&y)
}

#[cfg(test)]
mod tests {
    use recto_page::Word;

    use super::*;

    /// Words in a row from the left edge, a tenth of the page each.
    fn layer(text: &str) -> TextLayer {
        let place = |i: usize| Region::new(i as f64 / 100.0, 0.0, (i + 1) as f64 / 100.0, 0.02);
        let words = text.split_whitespace().enumerate();
        TextLayer {
            words: words.map(|(i, w)| Word { text: w.into(), region: place(i) }).collect(),
            ..Default::default()
        }
    }

    #[test]
    fn a_layer_with_other_words_is_wrong() {
        let said = "The annual report of the river authority for the year 1911 .";
        let table = [
            ("the same", said, false),
            ("specks and case", "the annual, report of the RIVER authority for the year 1911", false),
            ("one word in ten misread", "the annual report of thc river authority for the year 1911", false),
            ("three misread", "the annnal report of thc riuer authority for the year 1911", true),
            ("another page", "minutes of a meeting held at noon on monday last week", true),
            ("too little read", "minutes of a meeting", false),
            ("nothing read", "", false),
        ];
        for (what, read, want) in table {
            assert_eq!(contradicts(&layer(said), &layer(read), Region::FULL), want, "{what}");
        }
        let elsewhere = Region::new(0.5, 0.5, 1.0, 1.0);
        assert!(!contradicts(&layer(said), &layer("minutes of a meeting held at noon on monday"), elsewhere));
    }
}
