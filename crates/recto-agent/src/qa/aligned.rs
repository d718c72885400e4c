//! Sentences with `respectively`: the first of the values belongs to the first of the things, and so on.

use std::ops::Range;

use super::number::parse;
use super::number_span::is_month;
use super::sheet::Sheet;
use super::term::{bare, is_year};

/// Two lists of one sentence whose items belong together in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Aligned {
    values: Vec<Range<usize>>,
    things: Vec<Range<usize>>,
}

impl Aligned {
    /// The thing that the value at `word` belongs to.
    pub(crate) fn own(&self, word: usize) -> Option<&Range<usize>> {
        let at = self.values.iter().position(|value| value.contains(&word))?;
        self.things.get(at)
    }

    /// How much `other` says of the value at `word`: all if it is in its thing, nothing if it is only in another one.
    pub(crate) fn relation(&self, word: usize, other: usize) -> Option<f64> {
        let own = self.own(word)?;
        let is_thing = self.things.iter().any(|thing| thing.contains(&other));
        (is_thing || self.own(other).is_some()).then(|| if own.contains(&other) { 0.98 } else { 0.0 })
    }
}

/// All such lists of a page.
pub(crate) fn aligned(sheet: &Sheet) -> Vec<Aligned> {
    let said = |s: &&Range<usize>| (*s).clone().any(|i| bare(sheet.word(i)).eq_ignore_ascii_case("respectively"));
    sheet.sentences.iter().filter(said).filter_map(|sentence| in_sentence(sheet, sentence.clone())).collect()
}

/// The list of values and another one as long.
fn in_sentence(sheet: &Sheet, sentence: Range<usize>) -> Option<Aligned> {
    let dates = dates(sheet, sentence.clone());
    let values = values(sheet, sentence.clone(), &dates)?;
    if dates.len() == values.len() {
        return Some(Aligned { values, things: dates });
    }
    let (first, last) = (values.first()?.start, values.last()?.end);
    let ands = sentence.clone().filter(|i| is_and(sheet, *i) && !(first..last).contains(i));
    let mut things = ands.filter_map(|and| things(sheet, sentence.clone(), and, values.len()));
    let things = things.find(|things| things.iter().all(|t| t.end <= first || t.start >= last))?;
    Some(Aligned { values, things })
}

/// Runs of months, days and years.
fn dates(sheet: &Sheet, sentence: Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for i in sentence {
        let word = bare(sheet.word(i));
        let is_year = is_year(word);
        let dated = found.last().is_some_and(|run| run.end == i && is_month(sheet.word(run.start)) && run.len() < 3);
        let is_day = dated && word.parse().is_ok_and(|day: u32| (1..=31).contains(&day));
        match found.last_mut() {
            Some(run) if dated && (is_day || is_year) => run.end = i + 1,
            _ if is_year || is_month(sheet.word(i)) => found.push(i..i + 1),
            _ => {}
        }
    }
    found
}

/// The longest run of numbers that commas, `and` and their units part.
fn values(sheet: &Sheet, sentence: Range<usize>, dates: &[Range<usize>]) -> Option<Vec<Range<usize>>> {
    let mut runs: Vec<Vec<Range<usize>>> = Vec::new();
    for i in sentence.filter(|i| !dates.iter().any(|date| date.contains(i))) {
        if parse(sheet.word(i)).is_none() {
            continue;
        }
        let between = |run: &Vec<Range<usize>>| run.last().map_or(0..0, |last| last.end - 1..i);
        let parted = |words: Range<usize>| words.clone().any(|w| sheet.word(w).ends_with(',') || is_and(sheet, w));
        match runs.last_mut() {
            Some(run) if between(run).len() <= 4 && parted(between(run)) => run.push(i..i + 1),
            _ => runs.push(std::iter::once(i..i + 1).collect()),
        }
    }
    runs.into_iter().filter(|run| run.len() > 1).max_by_key(Vec::len)
}

/// The `n` things of which `and` stands before the last.
fn things(sheet: &Sheet, sentence: Range<usize>, and: usize, n: usize) -> Option<Vec<Range<usize>>> {
    let mut items: Vec<Range<usize>> = std::iter::once(and + 1..after(sheet, and + 1, sentence.end)).collect();
    let mut end = and;
    for _ in 1..n {
        let start = before(sheet, sentence.start, end);
        items.push(start..end);
        end = start;
    }
    items.reverse();
    let length = |item: &Range<usize>| item.clone().filter(|i| !sheet.word(*i).ends_with('-')).count();
    // What the first and the last share with the others stands beside them: `the North, South and East towers`.
    if let (true, Some(most)) = (n > 2, items.get(1).map(length)) {
        let (first, last) = (items.first()?.clone(), items.last()?.clone());
        *items.first_mut()? = (first.start..first.end).find(|i| length(&(*i..first.end)) <= most)?..first.end;
        *items.last_mut()? = last.start..(last.start..=last.end).rev().find(|i| length(&(last.start..*i)) <= most)?;
    }
    items.iter().all(|item| !item.is_empty()).then_some(items)
}

/// Words of the longest thing.
const LONGEST: usize = 6;

/// Where the thing begins that ends before `end`.
fn before(sheet: &Sheet, from: usize, end: usize) -> usize {
    let is_edge = |i: &usize| *i + 1 < end && (sheet.word(*i).ends_with([',', ':']) || is_link(sheet.word(*i)));
    (from.max(end.saturating_sub(LONGEST))..end)
        .rev()
        .find(is_edge)
        .map_or(from.max(end.saturating_sub(LONGEST)), |i| i + 1)
}

/// Where the thing ends that begins at `start`.
fn after(sheet: &Sheet, start: usize, to: usize) -> usize {
    let words = start..to.min(start + LONGEST);
    let end = words.clone().find(|i| is_link(sheet.word(*i)));
    let comma = words.clone().find(|i| sheet.word(*i).ends_with([',', '.', ';'])).map(|i| i + 1);
    [end, comma].into_iter().flatten().min().unwrap_or(words.end)
}

fn is_and(sheet: &Sheet, i: usize) -> bool {
    matches!(sheet.word(i), "and" | "or" | "&")
}

fn is_link(word: &str) -> bool {
    super::term::lists("at on in for to of was were are is by with from the between a an", word)
}

#[cfg(test)]
mod tests {
    use recto_page::{Block, BlockKind, Line, Page, PageNumber, PageSize, Region, Turn, Word};

    use super::*;

    /// A page of one line.
    fn page(text: &str) -> Page {
        let mut page = Page::empty(PageNumber::FIRST, PageSize { width: 600.0, height: 800.0 });
        for (at, word) in text.split_whitespace().enumerate() {
            let region = Region::new(at as f64 / 50.0, 0.1, (at as f64 + 0.9) / 50.0, 0.12);
            page.text_layer.words.push(Word { text: word.into(), region });
        }
        let words = 0..page.text_layer.words.len();
        page.text_layer.lines.push(Line { words, region: Region::FULL, turn: Turn::None });
        page.text_layer.blocks.push(Block { kind: BlockKind::Text, lines: 0..1, region: Region::FULL });
        page
    }

    #[test]
    fn values_belong_to_things_in_order() {
        let table: &[(&str, &[(&str, &str)])] = &[
            (
                "At May 3, 2011, May 4, 2010, and June 1, 2009 the line ran 61, 58, and 44 trams, respectively.",
                &[("61,", "May 3, 2011,"), ("58,", "May 4, 2010,"), ("44", "June 1, 2009")],
            ),
            (
                "It scored 5.5, 4.5 and 3.5 on the Tarn short, middle and long courses, respectively.",
                &[("5.5,", "short,"), ("4.5", "middle"), ("3.5", "long")],
            ),
            ("Sales and profit were $40 million and $7 million, respectively.", &[("$40", "Sales"), ("$7", "profit")]),
            ("In 2012 and 2013, 31% and 35% came, respectively.", &[("31%", "2012"), ("35%", "2013,")]),
            ("The towers are 20 and 30 metres high.", &[]),
        ];
        for (text, pairs) in table {
            let page = page(text);
            let sheet = Sheet::new(&page);
            let lists = aligned(&sheet);
            assert_eq!(lists.is_empty(), pairs.is_empty(), "{text}");
            for (value, thing) in *pairs {
                let at = page.text_layer.words.iter().position(|w| w.text == *value).unwrap();
                let own = lists[0].own(at).map(|words| sheet.text(words.clone()));
                assert_eq!(own.as_deref(), Some(*thing), "{text}");
            }
        }
    }
}
