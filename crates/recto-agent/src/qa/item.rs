//! What a figure, a table or a page is about: its caption, its heading.

use std::ops::Range;

use recto_page::BlockKind;

use super::Found;
use super::reading::{Read, Reading};
use super::sheet::Sheet;
use super::term::lists;
use super::title::largest;
use crate::Question;

/// Confidence in a caption or heading.
const SURE: f64 = 0.9;

/// Words, as terms, of questions for a caption or heading, those for the thing itself aside.
const ASKING: &str = "caption titl about illustrat depict present contain display content head see top figur fig tabl chart \
    exhibit box pag slid";

/// Answers what the figure, table or page that the question names is about, if it asks nothing else.
pub(crate) fn item(question: &Question, reading: &Reading, named: &dyn Fn(&Read) -> bool) -> Option<Found> {
    let lower = question.asked.to_lowercase();
    if !lower.starts_with("what ") {
        return None;
    }
    match (question.items.as_slice(), question.pages.as_slice()) {
        ([item], []) => {
            let number = item.number.to_lowercase();
            let captions = reading.pages.iter().enumerate();
            let captions = captions.flat_map(|(at, read)| Some((at, caption(read, &item.kind, &number)?)));
            let (at, words) = the_one(question, reading, captions.collect(), &number)?;
            let layer = &reading.pages.get(at)?.page.text_layer;
            let text =
                super::spaceless::joined(words.clone().skip(2).filter_map(|i| Some(layer.words.get(i)?.text.as_str())));
            Some(Found::new(text.trim_end_matches('.').to_owned(), vec![(at, words.collect())], SURE))
        }
        ([], [page]) if page != "last" || lower.contains("last page") => {
            let pages = reading.pages.iter().enumerate().filter(|(_, read)| named(read));
            let pages = pages.filter_map(|(at, read)| Some((at, heading(read)?)));
            let (at, words) = the_one(question, reading, pages.collect(), page)?;
            let sheet = Sheet::new(&reading.pages.get(at)?.page);
            Some(Found::new(sheet.text(words.iter().copied()), vec![(at, words)], SURE))
        }
        _ => None,
    }
}

/// The only one, or that whose document is the only one to hold what else the question says.
fn the_one<T>(question: &Question, reading: &Reading, found: Vec<(usize, T)>, number: &str) -> Option<(usize, T)> {
    let others = |(_, term): &(usize, &String)| !lists(ASKING, term) && *term != number;
    let others: Vec<usize> = question.terms.iter().enumerate().filter(others).map(|(at, _)| at).collect();
    let holds = |at: usize| {
        let base = |term: &usize| reading.pages.get(at).and_then(|r| r.base.get(*term)).is_some_and(|b| *b > 0.0);
        others.iter().filter(|term| base(term)).count() * 2 > others.len() || others.is_empty()
    };
    let mut kept: Vec<(usize, T)> = found.into_iter().filter(|(at, _)| holds(*at)).collect();
    let doc = |at: usize| reading.pages.get(at).map(|read| &read.id.doc);
    let first = doc(kept.first()?.0);
    (others.len() <= 3 && kept.iter().all(|(at, _)| doc(*at) == first)).then(|| kept.swap_remove(0))
}

/// The caption of the thing with this number: a line that begins so, and does not go on as a sentence about it.
fn caption(read: &Read, kind: &str, number: &str) -> Option<Range<usize>> {
    let layer = &read.page.text_layer;
    let bare = |i: usize| {
        layer
            .words
            .get(i)
            .map(|w| w.text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
            .unwrap_or_default()
    };
    let short = kind.get(..3).unwrap_or(kind);
    let opens = |start: usize| bare(start).starts_with(short) && bare(start + 1) == number;
    let told = |start: usize| layer.words.get(start + 2).is_some_and(|w| !w.text.starts_with(char::is_lowercase));
    let line =
        layer.lines.iter().position(|l| opens(l.words.start) && (told(l.words.start) || ends(layer, l.words.start)))?;
    let block = layer.blocks.iter().find(|b| b.lines.contains(&line))?;
    let start = layer.lines.get(line)?.words.start;
    let end = layer.lines_of(block).last()?.words.end;
    // A caption is a sentence or two; running text that begins with one goes on.
    let stop =
        (start + 3..end).find(|i| layer.words.get(*i).is_some_and(|w| w.text.ends_with('.') && w.text.len() > 3));
    Some(start..stop.map_or(end, |stop| stop + 1).min(start + MOST_WORDS))
}

/// Longer captions are cut.
const MOST_WORDS: usize = 50;

/// True if the number is followed by a mark, as in `Figure 2. a mill`.
fn ends(layer: &recto_page::TextLayer, start: usize) -> bool {
    layer.words.get(start + 1).is_some_and(|w| w.text.ends_with([':', '.']))
}

/// The words of the page's first heading, or those that are set largest.
fn heading(read: &Read) -> Option<Vec<usize>> {
    let layer = &read.page.text_layer;
    let first = layer.blocks.iter().find(|block| block.kind == BlockKind::Heading);
    let words = first.and_then(|block| {
        let lines = layer.lines_of(block);
        Some((lines.first()?.words.start..lines.last()?.words.end).collect())
    });
    let words = words.unwrap_or_else(|| largest(&Sheet::new(&read.page)));
    (!words.is_empty()).then_some(words)
}
