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

/// A letter of the page as it is compared: which word it belongs to, and which letter of how many it is in that.
struct Letter {
    folded: char,
    word: usize,
    at: usize,
    of: usize,
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

fn letters(layer: &TextLayer) -> Vec<Letter> {
    let of_word = |(word, text): (usize, &str)| {
        let of = text.chars().count();
        fold(text).map(move |(at, folded)| Letter { folded, word, at, of }).collect::<Vec<_>>()
    };
    layer.words.iter().map(|word| word.text.as_str()).enumerate().flat_map(of_word).collect()
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
    let end = line.words.end.max(last.word + 1);
    let before = text(line.words.start..first.word);
    let after: String = text(last.word + 1..end).chars().take(AROUND).collect();
    let skipped = before.chars().count().saturating_sub(AROUND);
    let around = [before.chars().skip(skipped).collect(), text(first.word..last.word + 1), after];
    Some(Found { regions, around, begins })
}

/// The part of a word that letters take up, as if all were equally wide.
fn part_of(layer: &TextLayer, part: &[Letter]) -> Option<Region> {
    let (first, last) = (part.first()?, part.last()?);
    let region = layer.words.get(first.word)?.region;
    let share = |at: usize| f64::from(region.left() + region.width() * at as f32 / first.of.max(1) as f32);
    if region.height() > region.width() && first.of > 2 {
        // Turned words are marked whole.
        return Some(region);
    }
    Some(Region::new(share(first.at), region.top().into(), share(last.at + 1), region.bottom().into()))
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
        assert_eq!(find(&page, "was")[0].around, ["The mill", "was", "built"].map(String::from));
        assert_eq!([find(&page, "mil")[0].begins, find(&page, "ill")[0].begins], [true, false]);
    }
}
