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

/// Least share of a quote's letters that the page must have where it is not quoted to the letter.
const NEAR: f64 = 0.85;
/// Letters of the shortest and of the longest quote that may differ from the page.
const NEARLY: std::ops::RangeInclusive<usize> = 12..=600;
/// Letters of a page that are compared with such a quote.
const COMPARED: usize = 40_000;

/// Cites what a model quotes: as [`cite`] does, part by part where ` … ` stands between the parts; else the words that
/// come nearest, if hardly a letter and no digit differs. The citation then has the page's own words, and a note says so.
pub fn cite_nearly(id: &PageId, page: &Page, quote: &str) -> Citation {
    let layer = page.reading();
    let label = page.label.clone();
    let exact = parts(quote).map(|part| find(&layer, part)).collect::<Option<Vec<_>>>().filter(|runs| !runs.is_empty());
    if let Some(runs) = exact {
        let regions = regions_of(&layer, runs.into_iter().flatten());
        return Citation { page: id.clone(), label, quote: quote.to_owned(), regions, note: None };
    }
    if let Some(run) = find_nearly(&layer, quote) {
        let words: Vec<usize> = run.collect();
        let regions = regions_of(&layer, words.iter().copied());
        let note = Some("the model quoted these words with small differences".to_owned());
        return Citation { page: id.clone(), label, quote: quote_of(&layer, &words), regions, note };
    }
    let note = Some(why_not(page, &layer, quote).to_owned());
    Citation { page: id.clone(), label, quote: quote.to_owned(), regions: Vec::new(), note }
}

fn parts(quote: &str) -> impl Iterator<Item = &str> {
    let parts = quote.split('…').flat_map(|part| part.split("..."));
    parts.filter(|part| part.chars().any(char::is_alphanumeric))
}

fn why_not(page: &Page, layer: &TextLayer, quote: &str) -> &'static str {
    let wanted: String = fold(quote).into_iter().collect();
    let given = page.given_text.as_deref().filter(|_| layer.is_empty());
    if wanted.is_empty() {
        "no words of the page are quoted"
    } else if given.is_some_and(|text| fold(text).into_iter().collect::<String>().contains(&wanted)) {
        "the text came beside the file, without places"
    } else {
        "the quote was not found among the words of the page"
    }
}

/// The run of words that is nearest to the quote, if it is near enough and all digits are the same.
fn find_nearly(layer: &TextLayer, quote: &str) -> Option<std::ops::Range<usize>> {
    let wanted = fold(quote);
    if !NEARLY.contains(&wanted.len()) {
        return None;
    }
    let (text, owners) = folded_words(&layer.words);
    let (span, edits) = nearest(text.get(..COMPARED).unwrap_or(&text), &wanted)?;
    let run = *owners.get(span.start)?..*owners.get(span.end.checked_sub(1)?)? + 1;
    let held = layer.words.get(run.clone())?.iter().flat_map(|word| fold(&word.text));
    let digits = |c: &char| c.is_numeric();
    let is_same = held.filter(digits).eq(wanted.iter().copied().filter(digits));
    let is_near = edits as f64 <= (1.0 - NEAR) * wanted.len() as f64;
    (is_same && is_near).then_some(run)
}

/// The part of `text` with the fewest edits to `wanted`, and how many (Sellers 1980); the first of equals.
fn nearest(text: &[char], wanted: &[char]) -> Option<(std::ops::Range<usize>, usize)> {
    // For each beginning of `wanted`: the edits to the best part that ends here, and where that begins.
    let mut column: Vec<(usize, usize)> = (0..=wanted.len()).map(|edits| (edits, 0)).collect();
    let mut best: Option<(std::ops::Range<usize>, usize)> = None;
    for (at, c) in text.iter().enumerate() {
        let mut before = std::mem::replace(column.first_mut()?, (0, at + 1));
        before.1 = at;
        let mut above = (0, at + 1);
        for (place, want) in column.iter_mut().skip(1).zip(wanted) {
            let (beside, replaced) = (*place, (before.0 + usize::from(c != want), before.1));
            let more = [(beside.0 + 1, beside.1), (above.0 + 1, above.1)];
            above = more.into_iter().fold(replaced, |best, one| if one.0 < best.0 { one } else { best });
            (before, *place) = (beside, above);
        }
        if best.as_ref().is_none_or(|(_, edits)| above.0 < *edits) {
            best = Some((above.1..at + 1, above.0));
        }
    }
    best.filter(|(span, _)| !span.is_empty())
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

    fn id() -> PageId {
        PageId::new(DocId::new("a"), PageNumber::FIRST)
    }

    #[test]
    fn what_a_model_quotes_is_found_to_the_letter_or_nearly() {
        let page = page(&["The mill was “built”", "in 1871, by infor-", "mation of the town.", "It cost $40."]);
        let near = Some("the model quoted these words with small differences");
        let none = Some("the quote was not found among the words of the page");
        let table = [
            ("‘The mill was built’", "‘The mill was built’", 1, None),
            ("The mill … in 1871", "The mill … in 1871", 2, None),
            ("the mil was built in 1871", "The mill was “built” in 1871,", 2, near),
            ("the mill was built in 1872", "the mill was built in 1872", 0, none),
            ("the mill was burnt down in 1871", "the mill was burnt down in 1871", 0, none),
            ("It cost $41", "It cost $41", 0, none),
            ("The mill … in 1999", "The mill … in 1999", 0, none),
            ("", "", 0, Some("no words of the page are quoted")),
        ];
        for (quote, kept, regions, note) in table {
            let citation = cite_nearly(&id(), &page, quote);
            let got = (citation.quote.as_str(), citation.regions.len(), citation.note.as_deref());
            assert_eq!(got, (kept, regions, note), "{quote}");
        }
        let mut given = Page::empty(PageNumber::FIRST, page.size);
        given.given_text = Some("The toll is 35 crowns.".into());
        let note = cite_nearly(&id(), &given, "toll is 35").note;
        assert_eq!(note.as_deref(), Some("the text came beside the file, without places"));
    }

    #[test]
    fn the_nearest_part_of_a_text_is_found() {
        let check = |text: &str, wanted: &str, right: Option<(std::ops::Range<usize>, usize)>| {
            let [text, wanted] = [text, wanted].map(|text| text.chars().collect::<Vec<_>>());
            assert_eq!(nearest(&text, &wanted), right);
        };
        check("xxabcxx", "abc", Some((2..5, 0)));
        check("xxabxcxx", "abcx", Some((2..5, 1)));
        check("abc", "xabc", Some((0..3, 1)));
        check("", "abc", None);
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
            let citation = cite(&id(), &page, quote);
            let regions: Vec<[f32; 4]> = citation.regions.iter().map(Region::ltrb).collect();
            assert_eq!(&regions, want, "{quote}");
            assert_eq!(citation.note.is_none(), !want.is_empty(), "{quote}");
        }
    }
}
