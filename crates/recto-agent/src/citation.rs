//! Quotes are checked against the page's own words. No region is made that was not found there.

use recto_page::{Page, PageId, Region, TextLayer, TextSource, Word};

use crate::answer::Citation;
use crate::qa::joined;

/// Cites `quote` on a page: with regions if the page's words hold it as a run, else the page alone with a note.
/// White space, case, hyphens at line ends and the shape of quotation marks and dashes make no difference.
pub fn cite(id: &PageId, page: &Page, quote: &str) -> Citation {
    let layer = page.reading();
    let regions = find(&layer, quote).map_or_else(Vec::new, |run| regions_of(&layer, run));
    let note = regions.is_empty().then(|| "the quote was not found among the words of the page".to_owned());
    Citation { page: id.clone(), label: page.label.clone(), quote: quote.to_owned(), regions, note }
}

/// Cites words of a page by their positions in its text layer.
pub(crate) fn cite_words(id: &PageId, page: &Page, words: &[usize]) -> Citation {
    let mut words: Vec<usize> = words.to_vec();
    words.sort_unstable();
    words.dedup();
    let drawn = page.text_source != TextSource::Given;
    let regions = if drawn { regions_of(&page.text_layer, words.iter().copied()) } else { Vec::new() };
    let note = (!drawn).then(|| "the text came beside the file, without places".to_owned());
    Citation { page: id.clone(), label: page.label.clone(), quote: quote_of(&page.text_layer, &words), regions, note }
}

/// The run of words that holds `quote`.
fn find(layer: &TextLayer, quote: &str) -> Option<std::ops::Range<usize>> {
    let wanted = fold(quote);
    if wanted.is_empty() {
        return None;
    }
    let (text, owners) = folded_words(&layer.words);
    let start = find_run(&text, &owners, &wanted)?;
    let (first, last) = (*owners.get(start)?, *owners.get(start + wanted.len() - 1)?);
    Some(first..last + 1)
}

/// All words folded into one string of characters, with the word that each came from.
fn folded_words(words: &[Word]) -> (Vec<char>, Vec<usize>) {
    let folded = words.iter().enumerate().flat_map(|(i, w)| fold(&w.text).into_iter().map(move |c| (c, i)));
    folded.unzip()
}

/// Where `wanted` stands in `text`, beginning and ending with a whole word if it does so anywhere.
fn find_run(text: &[char], owners: &[usize], wanted: &[char]) -> Option<usize> {
    let starts = || (0..(text.len() + 1).saturating_sub(wanted.len())).filter(|&i| text[i..].starts_with(wanted));
    let edge = |i: usize| i == 0 || i >= owners.len() || owners[i] != owners[i - 1];
    starts().find(|&i| edge(i) && edge(i + wanted.len()))
}

/// Letters and digits in lower case, without what typesetting changes.
fn fold(text: &str) -> Vec<char> {
    text.chars().filter(|c| c.is_alphanumeric() || "%$€£".contains(*c)).flat_map(char::to_lowercase).collect()
}

/// The regions of words, merged where they follow each other on a line: nothing between them is covered.
fn regions_of(layer: &TextLayer, words: impl IntoIterator<Item = usize>) -> Vec<Region> {
    let line = |word: usize| layer.lines.partition_point(|l| l.words.end <= word);
    let mut merged: Vec<(usize, Region)> = Vec::new();
    for word in words {
        let Some(region) = layer.words.get(word).map(|w| w.region) else { continue };
        match merged.last_mut() {
            Some((last, around)) if *last + 1 == word && line(*last) == line(word) => {
                (*last, *around) = (word, around.union(&region));
            }
            _ => merged.push((word, region)),
        }
    }
    merged.into_iter().map(|(_, region)| region).collect()
}

/// Words as a quote: ` … ` stands for what is left out.
fn quote_of(layer: &TextLayer, words: &[usize]) -> String {
    let runs = words
        .chunk_by(|a, b| a + 1 == *b)
        .map(|run| joined(run.iter().filter_map(|&w| layer.words.get(w)).map(|w| w.text.as_str())));
    runs.collect::<Vec<_>>().join(" … ")
}
#[cfg(test)]
mod tests {
    use recto_page::{DocId, Line, PageNumber, PageSize, Turn};

    use super::*;

    /// A page of lines; words are a tenth of the page wide and high.
    fn page(lines: &[&str]) -> Page {
        let mut page = Page::empty(PageNumber::FIRST, PageSize { width: 600.0, height: 800.0 });
        page.text_source = TextSource::Layer;
        for (row, line) in lines.iter().enumerate() {
            let start = page.text_layer.words.len();
            for (column, word) in line.split_whitespace().enumerate() {
                let (x, y) = (column as f64 / 10.0, row as f64 / 10.0);
                let region = Region::new(x, y, x + 0.1, y + 0.1);
                page.text_layer.words.push(Word { text: word.into(), region });
            }
            page.text_layer.lines.push(Line {
                words: start..page.text_layer.words.len(),
                region: Region::FULL,
                turn: Turn::None,
            });
        }
        page
    }

    #[test]
    fn quotes_are_found_or_have_no_region() {
        let page = page(&["The mill was “built”", "in 1871, by infor-", "mation of the town.", "It cost $40."]);
        let table: &[(&str, &[[f32; 4]])] = &[
            ("mill was \"Built\"", &[[0.1, 0.0, 0.4, 0.1]]),
            ("built in 1871", &[[0.3, 0.0, 0.4, 0.1], [0.0, 0.1, 0.2, 0.2]]),
            ("information", &[[0.3, 0.1, 0.4, 0.2], [0.0, 0.2, 0.1, 0.3]]),
            ("$40", &[[0.2, 0.3, 0.3, 0.4]]),
            ("the town hall", &[]),
            ("ill was", &[]),
            ("187", &[]),
            ("", &[]),
            ("— ! —", &[]),
        ];
        for (quote, want) in table {
            let citation = cite(&PageId::new(DocId::new("a"), PageNumber::FIRST), &page, quote);
            let regions: Vec<[f32; 4]> = citation.regions.iter().map(Region::ltrb).collect();
            assert_eq!(&regions, want, "{quote}");
            assert_eq!(citation.note.is_none(), !want.is_empty(), "{quote}");
        }
    }
}
