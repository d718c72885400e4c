//! Words looked for within one document: where they stand on its pages, and the lines around them.

use recto_page::{Page, Region, TextLayer};

/// A place where the words stand.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    /// Where, one region a word or part of one.
    pub(super) regions: Vec<Region>,
    /// The line's text before, within and after.
    pub(super) around: [String; 3],
    /// Whether a word begins here.
    pub(super) begins: bool,
}

/// The most places of a page that are told.
const MOST: usize = 200;
/// Letters before and after that are told.
const AROUND: usize = 40;

/// A letter of the page as it is compared.
struct Letter {
    folded: char,
    /// Which word it belongs to, and which of its characters it is.
    word: usize,
    at: usize,
    /// From where to where it is in its word, as shares of that.
    span: [f32; 2],
}

/// Where the words stand on a page, in reading order. White space, case and signs make no difference.
pub(super) fn find(page: &Page, wanted: &str) -> Vec<Found> {
    let layer = page.reading();
    let wanted: Vec<char> = fold(wanted).map(|(_, c)| c).collect();
    let letters = letters(&layer);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(run) = letters.get(at..at + wanted.len()).filter(|run| !run.is_empty()) {
        let is_here = run.iter().map(|letter| letter.folded).eq(wanted.iter().copied());
        if is_here && found.len() < MOST {
            let before = at.checked_sub(1).and_then(|at| letters.get(at));
            let begins = before.is_none_or(|before| run.first().is_some_and(|first| first.word != before.word));
            found.extend(told(&layer, run, begins));
        }
        at += if is_here { wanted.len() } else { 1 };
    }
    found
}

/// Where words of a search stand on a page.
pub(super) fn terms(page: &Page, query: &str) -> Vec<Region> {
    let words = query.split_whitespace().map(|term| term.trim_matches(['"', '-', '*', '(', ')']));
    let terms = words.filter(|term| term.chars().count() > 1 || !term.is_ascii());
    // A word of a search is not meant within others, if letters have spaces between words.
    let found = terms.flat_map(|term| find(page, term).into_iter().filter(|found| found.begins || !term.is_ascii()));
    found.flat_map(|found| found.regions).collect()
}

fn letters(layer: &TextLayer) -> Vec<Letter> {
    let of_word = |(word, text): (usize, &str)| {
        let edges = edges(text);
        let letter = move |(at, folded): (usize, char)| {
            let edge = |at: usize| edges.get(at).copied().unwrap_or(1.0);
            Letter { folded, word, at, span: [edge(at), edge(at + 1)] }
        };
        fold(text).map(letter).collect::<Vec<_>>()
    };
    layer.words.iter().map(|word| word.text.as_str()).enumerate().flat_map(of_word).collect()
}

/// Where each character of a word begins and the last one ends, as shares of its width: those of East Asia are twice as
/// wide as others.
fn edges(text: &str) -> Vec<f32> {
    let width = |c: char| if c >= '\u{1100}' { 2.0 } else { 1.0 };
    let all: f32 = text.chars().map(width).sum();
    let ends = text.chars().scan(0.0, |end, c| {
        *end += width(c);
        Some(*end / all)
    });
    std::iter::once(0.0).chain(ends).collect()
}

/// Letters and digits in lower case, each with its place in the text.
fn fold(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let kept = text.chars().enumerate().filter(|(_, c)| c.is_alphanumeric() || "%$€£".contains(*c));
    kept.flat_map(|(at, c)| c.to_lowercase().map(move |c| (at, c)))
}

fn told(layer: &TextLayer, run: &[Letter], begins: bool) -> Option<Found> {
    let (first, last) = (run.first()?, run.last()?);
    let regions = run.chunk_by(|a, b| a.word == b.word).filter_map(|part| part_of(layer, part)).collect();
    let line = layer.lines.iter().find(|line| line.words.contains(&first.word))?;
    let text = |words: std::ops::Range<usize>| {
        let words: Vec<&str> = layer.words.get(words).unwrap_or_default().iter().map(|w| w.text.as_str()).collect();
        words.join(" ")
    };
    let within = text(first.word..last.word + 1);
    let rest = layer.words.get(last.word).map_or(0, |word| word.text.chars().count()).saturating_sub(last.at + 1);
    let (head, within) = split(&within, first.at);
    let (within, tail) = split(within, within.chars().count().saturating_sub(rest));
    let before = format!("{} {head}", text(line.words.start..first.word));
    let after = format!("{tail} {}", text(last.word + 1..line.words.end.max(last.word + 1)));
    let around = [last_words(&before), within.to_owned(), first_words(&after)];
    Some(Found { regions, around, begins })
}

/// So much of the end as is told, from where a word begins.
fn last_words(text: &str) -> String {
    let told: String = text.chars().skip(text.chars().count().saturating_sub(AROUND)).collect();
    let is_whole = told.len() == text.len();
    told.split_once(' ').filter(|_| !is_whole).map_or(told.clone(), |(_, rest)| format!("… {rest}"))
}

/// So much of the beginning as is told, to where a word ends.
fn first_words(text: &str) -> String {
    let told: String = text.chars().take(AROUND).collect();
    let is_whole = told.len() == text.len();
    told.rsplit_once(' ').filter(|_| !is_whole).map_or(told.clone(), |(words, _)| format!("{words} …"))
}

/// The first characters, and the rest.
fn split(text: &str, count: usize) -> (&str, &str) {
    let at = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    text.split_at(at)
}

/// The part of a word that letters take up.
fn part_of(layer: &TextLayer, part: &[Letter]) -> Option<Region> {
    let (first, last) = (part.first()?, part.last()?);
    let word = layer.words.get(first.word)?;
    let region = word.region;
    if region.height() > 1.5 * region.width() && word.text.chars().count() > 2 {
        // Turned words are marked whole.
        return Some(region);
    }
    let at = |share: f32| f64::from(region.left() + region.width() * share);
    Some(Region::new(at(first.span[0]), region.top().into(), at(last.span[1]), region.bottom().into()))
}

#[cfg(test)]
mod tests {
    use recto_page::{Line, PageNumber, PageSize, TextSource, Turn, Word};

    use super::*;

    /// Lines of words; a word is 0.1 wide and high.
    fn page(lines: &[&str]) -> Page {
        let mut page = Page::empty(PageNumber::FIRST, PageSize { width: 600.0, height: 800.0 });
        page.text_source = TextSource::Layer;
        for (row, line) in lines.iter().enumerate() {
            let start = page.text_layer.words.len();
            for (column, word) in line.split_whitespace().enumerate() {
                let (x, y) = (column as f64 / 10.0, row as f64 / 10.0);
                page.text_layer.words.push(Word { text: word.into(), region: Region::new(x, y, x + 0.1, y + 0.1) });
            }
            let words = start..page.text_layer.words.len();
            page.text_layer.lines.push(Line { words, region: Region::FULL, turn: Turn::None });
        }
        page
    }

    #[test]
    fn wide_letters_are_wide() {
        assert_eq!(edges("表1水"), [0.0, 0.4, 0.6, 1.0]);
        assert_eq!(edges("ab"), [0.0, 0.5, 1.0]);
        assert_eq!(edges(""), [0.0]);
    }

    #[test]
    fn words_are_found_whole_in_part_and_over_lines() {
        let page = page(&["The mill was built", "in 1871, by infor-", "mation of 河流水位 town"]);
        let check = |wanted: &str, want: &[&[[f32; 4]]]| {
            let found: Vec<Vec<[f32; 4]>> =
                find(&page, wanted).iter().map(|f| f.regions.iter().map(Region::ltrb).collect()).collect();
            assert_eq!(found, want.iter().map(|regions| regions.to_vec()).collect::<Vec<_>>(), "{wanted}");
        };
        check("MILL was", &[&[[0.1, 0.0, 0.2, 0.1], [0.2, 0.0, 0.3, 0.1]]]);
        check("information", &[&[[0.3, 0.1, 0.38333, 0.2], [0.0, 0.2, 0.1, 0.3]]]);
        check("水", &[&[[0.25, 0.2, 0.275, 0.3]]]);
        check("1871", &[&[[0.1, 0.1, 0.18, 0.2]]]);
        check("nothing", &[]);
        check("", &[]);
        check("— !", &[]);
        assert_eq!(find(&page, "was")[0].around, ["The mill ", "was", " built"].map(String::from));
        assert_eq!(find(&page, "水")[0].around, ["mation of 河流", "水", "位 town"].map(String::from));
        assert_eq!(find(&page, "87")[0].around, ["in 1", "87", "1, by infor-"].map(String::from));
        assert_eq!([find(&page, "mil")[0].begins, find(&page, "ill")[0].begins], [true, false]);
    }
}
