//! Whether a span can be what a question asks for: a person for `who`, a place for `where`. Not how well the page supports
//! it.

use std::collections::BTreeSet;

use recto_page::BlockKind;

use super::measure::Measure;
use super::number::Number;
use super::number_span::is_month;
use super::reading::Reading;
use super::sheet::Sheet;
use super::span::Span;
use super::term::{bare, is_stop_word, lists, terms};
use crate::{Kind, Question};

/// What is known of words before spans are looked at.
pub(crate) struct Shape<'q> {
    question: &'q Question,
    /// The question in lower case.
    lower: String,
    /// Words that some page writes in lower case: they are no names.
    common: BTreeSet<String>,
}

impl<'q> Shape<'q> {
    pub(crate) fn new(question: &'q Question, reading: &Reading) -> Self {
        let named = matches!(question.kind, Kind::Person | Kind::Place);
        let pages = reading.pages.iter().filter(|_| named);
        let words = pages.flat_map(|read| &read.page.text_layer.words).map(|word| bare(&word.text));
        let common = words.filter(|word| word.chars().all(char::is_lowercase)).map(str::to_owned).collect();
        Self { question, lower: question.asked.to_lowercase(), common }
    }

    /// True if the span may be what is asked for.
    pub(crate) fn fits(&self, sheet: &Sheet, span: &Span) -> bool {
        if let Some(number) = &span.number {
            return self.fits_number(sheet, number);
        }
        match self.question.kind {
            Kind::Person => self.is_person(sheet, &span.words),
            Kind::Place => self.is_place(sheet, &span.words),
            Kind::Date => self.is_date(&span.text),
            Kind::Text | Kind::Definition | Kind::Choice => is_value(sheet, span),
            _ => true,
        }
    }

    fn fits_number(&self, sheet: &Sheet, number: &Number) -> bool {
        let unit = number.unit.as_ref();
        if let Some(asked) = &self.question.measure.exact {
            return unit.is_some_and(|(unit, _)| terms(unit).last() == Some(asked));
        }
        let running = sheet.is_running(number.words.start);
        match self.question.kind {
            Kind::Percent => {
                number.percent || !running && number.currency.is_none() && number.scale.is_none() && !number.grouped
            }
            Kind::Count => {
                !number.percent && number.currency.is_none() && (number.is_whole() || number.scale.is_some())
            }
            // The head of a table may say the unit, and may stand a page before.
            Kind::Number => {
                let told = unit.is_some() || number.percent || sheet.grid.place(number.words.start).is_some();
                told || !self.asks_physical()
            }
            _ => true,
        }
    }

    /// True if only a value with its unit answers, as for a length; amounts of money and ages are written without.
    fn asks_physical(&self) -> bool {
        let measures = &self.question.measure.measures;
        let loose = [Measure::Money, Measure::Time, Measure::Share, Measure::Volume];
        !self.question.measure.unit && !measures.is_empty() && !measures.iter().any(|m| loose.contains(m))
    }

    /// A name of a person, or of an organisation that says what it is.
    fn is_person(&self, sheet: &Sheet, words: &[usize]) -> bool {
        let names: Vec<&str> = words.iter().map(|i| bare(sheet.word(*i))).collect();
        let said = |name: &&str| terms(name).iter().any(|t| self.question.terms.contains(t));
        let organised = names.last().is_some_and(|last| lists(FIRMS, last)) && names.len() > 1;
        let inner = words.iter().rev().skip(1).any(|i| sheet.word(*i).ends_with([')', ',', '?', '!']));
        let long = names.len() > 2;
        let own = |name: &&str| {
            let lower = name.to_lowercase();
            name.chars().all(|c| c.is_alphabetic() || "-.'\u{2019}".contains(c))
                && !self.common.contains(&lower)
                && !is_stop_word(name)
                && !is_month(name)
                && !lists(ORGANISATIONS, name)
                && !said(name)
        };
        let particle = |name: &&str| lists(PARTICLES, name);
        let initial = |name: &&str| name.trim_end_matches('.').chars().count() == 1;
        let full = names.iter().filter(|name| own(name) && !initial(name)).count();
        // First names may be words: `Mark Hugo Weld`.
        let first = |at: usize, name: &&str| at == 0 && long && !is_stop_word(name) && !said(name);
        let mut parts = names.iter().enumerate();
        let person = (2..=5).contains(&names.len())
            && full >= 2
            && parts.all(|(at, n)| own(n) || particle(n) || initial(n) || first(at, n));
        let bracketed = words.iter().any(|i| sheet.word(*i).starts_with(['(', '[']));
        !inner
            && !bracketed
            && (person || organised && !names.iter().any(said) && !names.first().is_some_and(|n| is_stop_word(n)))
    }

    /// A name after `in`, `at` and the like, or alone in its cell, that is none of the question.
    fn is_place(&self, sheet: &Sheet, words: &[usize]) -> bool {
        let (Some(&first), Some(&last)) = (words.first(), words.last()) else { return false };
        let names: Vec<&str> = words.iter().map(|i| bare(sheet.word(*i))).collect();
        let said = names.iter().any(|n| terms(n).iter().any(|t| self.question.terms.contains(t)));
        let odd = sheet.word(last).ends_with(')') && !sheet.word(first).starts_with('(')
            || names.iter().any(|n| lists(ORGANISATIONS, n) || is_month(n));
        let known = names.iter().all(|n| self.common.contains(&n.to_lowercase()) || is_stop_word(n));
        let before = first.checked_sub(1).map_or("", |i| sheet.word(i));
        let led = lists("in at near to from of outside into around", &before.to_lowercase());
        let running = sheet.is_running(first);
        let proper = names.first().is_some_and(|n| n.starts_with(char::is_uppercase));
        if !proper || said || odd || known {
            false
        } else {
            led || !running && sheet.cell_of.get(first) == sheet.cell_of.get(last)
        }
    }

    /// A date, not only a time; a time if that is asked for.
    fn is_date(&self, text: &str) -> bool {
        let timed = text.contains(':') || text.to_lowercase().contains("a.m") || text.to_lowercase().contains("p.m");
        let month = is_month(text) && !self.lower.contains("month");
        let asks_time = self.lower.contains("what time") || self.lower.contains("at which time");
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
        let year = |w: &str| w.len() == 4 && w.starts_with(['1', '2']) && w.chars().all(|c| c.is_ascii_digit());
        let dated = parts.clone().any(|w| is_month(w) || year(w)) || text.split(['/', '-', '.']).count() == 3;
        let spaceless = text.chars().any(super::term::is_spaceless);
        // What happens again and again has a time: `When does the ferry sail?`
        let repeated = ["when does ", "when do ", "when is ", "when are "].iter().any(|ask| self.lower.contains(ask));
        if month {
            false
        } else if asks_time || repeated && timed {
            timed
        } else {
            dated || spaceless || !timed && text.contains(['/', '-'])
        }
    }
}

/// Last words of names of organisations, and words that make a name one.
const ORGANISATIONS: &str = "Inc Inc. LLP LLC Ltd Ltd. Limited Corp Corp. Corporation Company Co. PLC plc AG GmbH SA University \
    Institute Foundation Bank Commission Committee Council Agency Department Society Exchange Securities";

/// Last words of names of organisations that do what persons do.
const FIRMS: &str = "Inc LLP LLC Ltd Limited Corp Corporation PLC plc AG GmbH SA University Institute Foundation";

const PARTICLES: &str = "of de van von der den la le du da di del bin al and &";

/// A value that says something: no heading, no head of a column, no question, not only words that join others.
fn is_value(sheet: &Sheet, span: &Span) -> bool {
    let says = |i: &usize| {
        let word = bare(sheet.word(*i));
        word.chars().any(char::is_alphanumeric) && !is_stop_word(word) && !lists(JOINING, &word.to_lowercase())
    };
    let asks = span.words.iter().any(|i| sheet.word(*i).ends_with('?'));
    let head = span.words.first().and_then(|i| sheet.grid.place(*i)).is_some_and(|place| place.is_head);
    span.words.iter().any(says) && !asks && !head && !is_heading(sheet, span)
}

const JOINING: &str = "include includes including included following follows are were also";

/// True if the span is all of a heading.
fn is_heading(sheet: &Sheet, span: &Span) -> bool {
    let layer = &sheet.page.text_layer;
    let (Some(&first), Some(&last)) = (span.words.first(), span.words.last()) else { return false };
    let line = layer.lines.partition_point(|l| l.words.end <= first);
    let block = layer.blocks.iter().find(|b| b.lines.contains(&line));
    block.is_some_and(|block| {
        let words = layer.lines_of(block).iter().map(|l| l.words.clone());
        let (from, to) = words.fold((usize::MAX, 0), |(from, to), w| (from.min(w.start), to.max(w.end)));
        block.kind == BlockKind::Heading && first <= from && last + 1 >= to
    })
}
