//! What a figure, a table or a page is about: its caption, its heading.

use std::ops::Range;

use recto_page::BlockKind;

use super::Found;
use super::reading::{Read, Reading, SUBJECT};
use super::sheet::Sheet;
use super::term::{bare, lists};
use super::title::largest;
use crate::Question;

/// Confidence in a caption or heading.
const SURE: f64 = 0.9;

/// Words, as terms, of questions for a caption or heading, those for the thing itself aside.
const ASKING: &str = "caption titl about illustrat depict present contain display content head see top figur fig tabl chart \
    exhibit box pag slid";

/// Answers what the figure, table or page that the question names is about, if it asks nothing else.
pub(crate) fn item(question: &Question, reading: &Reading, named: &dyn Fn(&Read) -> bool) -> Option<Found> {
    if !asks_about(&question.asked.to_lowercase()) {
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
        ([], [page]) => {
            let pages = reading.pages.iter().enumerate().filter(|(_, read)| named(read));
            let pages = pages.filter_map(|(at, read)| Some((at, heading(read)?)));
            let (at, words) = the_one(question, reading, pages.collect(), page)?;
            let sheet = Sheet::new(&reading.pages.get(at)?.page);
            Some(Found::new(sheet.text(words.iter().copied()), vec![(at, words)], SURE))
        }
        _ => None,
    }
}

/// True for `What does Figure 2 of the report show?`, `What is on page 7?`, but not for `What price does Table 2 show?`.
fn asks_about(lower: &str) -> bool {
    const BEFORE: &str = "does do is are was the title caption heading shown depicted displayed illustrated presented on in of         content contents topic subject last first second third cover";
    const AFTER: &str = "show shows illustrate depict display present contain describe say about called titled";
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    let opens = words.next() == Some("what");
    let rest: Vec<&str> = words.skip_while(|w| lists(BEFORE, w)).collect();
    let thing = rest.first().is_some_and(|w| lists("figure fig table chart exhibit box page slide", w));
    // What stands between the number and the verb, as in `of the report`, says where.
    let verb = rest.iter().position(|w| lists(AFTER, w)).unwrap_or(rest.len());
    let place = rest.get(2..verb).unwrap_or_default();
    let placed = place.first().is_none_or(|w| lists("of in from on", w));
    opens
        && thing
        && placed
        && rest.get(verb + 1..).unwrap_or_default().first().is_none_or(|w| lists("of in from on", w))
}

/// The only one, or that whose document is the only one to hold what else the question says.
fn the_one<T>(question: &Question, reading: &Reading, found: Vec<(usize, T)>, number: &str) -> Option<(usize, T)> {
    let others = |(_, term): &(usize, &String)| !lists(ASKING, term) && *term != number;
    let others: Vec<usize> = question.terms.iter().enumerate().filter(others).map(|(at, _)| at).collect();
    // Every document has a page 7: only what names it says which is meant.
    let least = if question.pages.is_empty() { f64::MIN_POSITIVE } else { SUBJECT };
    let holds = |at: usize| {
        let base = |term: &usize| reading.pages.get(at).and_then(|r| r.base.get(*term)).is_some_and(|b| *b >= least);
        others.iter().all(base)
    };
    let mut kept: Vec<(usize, T)> = found.into_iter().filter(|(at, _)| holds(*at)).collect();
    let doc = |at: usize| reading.pages.get(at).map(|read| &read.id.doc);
    let first = doc(kept.first()?.0);
    (others.len() <= 3 && kept.iter().all(|(at, _)| doc(*at) == first)).then(|| kept.swap_remove(0))
}

/// The caption of the thing with this number: a line that begins so, and does not go on as a sentence about it.
fn caption(read: &Read, kind: &str, number: &str) -> Option<Range<usize>> {
    let layer = &read.page.text_layer;
    let bare = |i: usize| layer.words.get(i).map(|w| bare(&w.text).to_lowercase()).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_ask_what_a_thing_is_about() {
        let table = [
            ("what does figure 2 show?", true),
            ("what does figure 2 of the mill report show?", true),
            ("what is the caption of table 3?", true),
            ("what is on page 7 of the mill report?", true),
            ("what is page 7 about?", true),
            ("what price does table 2 show?", false),
            ("what does table 2 show about prices?", false),
            ("what is the date on page 2?", false),
            ("what", false),
        ];
        for (question, right) in table {
            assert_eq!(asks_about(question), right, "{question}");
        }
    }
}
