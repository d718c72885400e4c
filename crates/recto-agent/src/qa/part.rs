//! Parts of sentences that commas and conjunctions make, each with a value of its own: what is said in the part of another
//! value is said of that one. Not grammar.

use super::number::parse;
use super::number_span::is_month;
use super::sheet::Sheet;
use super::term::{bare, is_year};

/// What kind of value a part may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Number,
    Date,
}

/// The parts of the sentences of a page.
#[derive(Default)]
pub(crate) struct Parts {
    /// Part of each word.
    of: Vec<usize>,
    /// What each part holds.
    parts: Vec<Part>,
}

#[derive(Default)]
struct Part {
    number: bool,
    date: bool,
    /// True if it ends with a colon: it is said of all that follows.
    opens: bool,
}

impl Part {
    const fn holds(&self, value: Value) -> bool {
        match value {
            Value::Number => self.number,
            Value::Date => self.date,
        }
    }
}

impl Parts {
    pub(crate) fn new(sheet: &Sheet) -> Self {
        let mut found = Self { of: vec![usize::MAX; sheet.words().len()], parts: Vec::new() };
        for sentence in &sheet.sentences {
            for i in sentence.clone() {
                if i == sentence.start || begins(sheet, i) {
                    found.parts.push(Part::default());
                }
                found.add(sheet, i);
            }
        }
        found
    }

    fn add(&mut self, sheet: &Sheet, word: usize) {
        let last = self.parts.len().saturating_sub(1);
        let (Some(part), Some(of)) = (self.parts.get_mut(last), self.of.get_mut(word)) else { return };
        *of = last;
        let year = is_year(bare(sheet.word(word)));
        part.date |= year || is_month(sheet.word(word));
        part.number |= !year && is_figure(sheet.word(word));
        part.opens |= sheet.word(word).ends_with(':');
    }

    /// True if `word` stands in another part than the value at `span`, and that part has such a value too.
    pub(crate) fn is_of_other(&self, span: usize, word: usize, value: Value) -> bool {
        let (Some(own), Some(other)) = (self.of.get(span), self.of.get(word)) else { return false };
        let part = self.parts.get(*other).filter(|part| own != other && !(part.opens && other < own));
        part.is_some_and(|part| part.holds(value))
    }

    /// True if `word` stands in a part before that of the value at `span`, without such a value: it is said of all of them.
    pub(crate) fn is_of_all(&self, span: usize, word: usize, value: Value) -> bool {
        let (Some(own), Some(other)) = (self.of.get(span), self.of.get(word)) else { return false };
        let holds = |at: &usize| self.parts.get(*at).is_some_and(|part| part.holds(value));
        other < own && !holds(other) && holds(own)
    }
}

/// True if a part begins at this word.
fn begins(sheet: &Sheet, word: usize) -> bool {
    const JOINING: &str = "and while but whereas although though compared versus up down";
    let before = word.checked_sub(1).map_or("", |before| sheet.word(before));
    let dated = before.ends_with(',') && is_year(bare(sheet.word(word)));
    super::term::lists(JOINING, sheet.word(word)) || before.ends_with([',', ';', ':', '\u{2013}', '\u{2014}']) && !dated
}

/// True for a number; `one` is seldom meant as one.
fn is_figure(word: &str) -> bool {
    parse(word).is_some_and(|number| number.printed != "one")
}
