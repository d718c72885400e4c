//! A question and the pages in scope to an answer: facts about the document first, then the span that the words around
//! it support best, or a decline.

mod aligned;
mod caption;
mod change;
mod clause;
mod count;
mod derive;
mod doubt;
mod entail;
mod evidence;
mod field;
mod finance;
mod grid;
mod headed;
mod item;
mod list;
pub(crate) mod measure;
mod named;
pub(crate) mod number;
mod number_span;
mod part;
mod premise;
mod quote;
mod reading;
mod role;
mod shape;
mod sheet;
mod spaceless;
mod span;
mod spelling;
mod statement;
pub(crate) mod term;
mod text;
mod title;

use recto_page::Pages;
use recto_search::{Scope, Search};

use crate::citation::cite_words;
use crate::{AgentError, Answer, Coverage, Kind, Question, Result};
use doubt::{Doubt, doubt, is_any_of_row, said};
use evidence::Support;
pub(crate) use list::list_text;
use reading::{Read, Reading};
use shape::Shape;
use sheet::Sheet;
pub(crate) use spaceless::joined;
use span::Span;
pub(crate) use term::terms;

/// Limits of the offline answerer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Scopes with at most so many pages are read whole; of larger ones the search's best pages are read.
    pub max_pages: u32,
    /// How many pages to ask the search for.
    pub top_k: usize,
    /// Least confidence, 0 to 1, below which the answer is "not in the documents".
    pub threshold: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_pages: 200, top_k: 20, threshold: 0.2 }
    }
}

/// Answers `question` from the pages in `scope`.
///
/// # Errors
/// When the question holds no word, or the search or the store of pages fails.
pub fn answer(
    question: &str,
    scope: &Scope,
    search: &dyn Search,
    pages: &dyn Pages,
    options: &Options,
) -> Result<Answer> {
    let asked = bounded(question);
    if !Question::new(asked).asked.chars().any(char::is_alphanumeric) {
        return Err(AgentError::EmptyQuestion);
    }
    if let Some(n) = named::n_documents(asked, scope, pages)? {
        return Ok(Answer::found(n.to_string(), Vec::new(), 1.0, Coverage::default()));
    }
    let narrowed = named::narrowed(asked, scope, pages)?;
    let scope = narrowed.scope.as_ref().unwrap_or(scope);
    let mut question = Question::new(&narrowed.question);
    let reading = Reading::new(&mut question, scope, search, pages, options)?;
    let found = found(&question, &reading).filter(|found| found.confidence >= options.threshold);
    let Some(found) = found else { return Ok(Answer::decline(reading.coverage)) };
    let cite = |(p, words): (usize, Vec<usize>)| reading.pages.get(p).map(|r| cite_words(&r.id, &r.page, &words));
    let evidence = found.evidence.into_iter().filter_map(cite).collect();
    let answer = Answer::found(found.text, evidence, found.confidence, reading.coverage);
    Ok(Answer { shown: found.shown.filter(|shown| *shown != answer.text), ..answer })
}

/// What is read of a question, in bytes; nobody asks more in one.
const MAX_QUESTION_BYTES: usize = 2048;

/// What is read of a question.
pub(crate) fn bounded(question: &str) -> &str {
    let end = (0..=MAX_QUESTION_BYTES.min(question.len())).rev().find(|&end| question.is_char_boundary(end));
    question.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// An answer that was found: its text, and the words of the reading's pages that support it.
struct Found {
    text: String,
    /// The answer as the page writes it.
    shown: Option<String>,
    evidence: Vec<(usize, Vec<usize>)>,
    confidence: f64,
}

impl Found {
    fn new(text: String, evidence: Vec<(usize, Vec<usize>)>, confidence: f64) -> Self {
        Self { text, shown: None, evidence, confidence }
    }
}

/// Tries the special ways first, each of which knows when a question is not for it, then the best span.
fn found(question: &Question, reading: &Reading) -> Option<Found> {
    let named = |read: &Read| is_named(question, reading, read);
    if let Some(found) = count::count(question, reading) {
        return Some(found);
    }
    if count::is_about_document(question) || asks_which_page(question) {
        return None;
    }
    if question.pictorial || !premise::missing(question, reading).is_empty() {
        return None;
    }
    let special = derive::derive(question, reading)
        .or_else(|| title::title(question, reading, &named))
        .or_else(|| item::item(question, reading, &named))
        .or_else(|| list::list(question, reading, &|read| names_no_page(question, reading) || named(read)));
    let special =
        special.or_else(|| field::field(question, reading).filter(|_| !question.compares && !question.explains));
    let several = question.kind == Kind::List || question.asks_several();
    if special.is_some() || several || question.compares || question.explains {
        return special;
    }
    if question.kind == Kind::YesNo {
        return entail::entailed(question, reading);
    }
    best(question, reading)
}

/// True for `Which page ..?`, which the search answers.
fn asks_which_page(question: &Question) -> bool {
    let lower = question.asked.to_lowercase();
    ["which page ", "what page ", "on which page ", "on what page "].iter().any(|ask| lower.starts_with(ask))
}

/// How many pages are looked at closely.
const CLOSE: usize = 14;

/// A span with what speaks for it.
struct Candidate {
    page: usize,
    /// Its row, if it stands in a table.
    row: Option<usize>,
    span: Span,
    support: Support,
    score: f64,
    /// Share of the question, by weight, that nothing near says.
    unsaid: f64,
}

/// The span that the words around it support best.
fn best(question: &Question, reading: &Reading) -> Option<Found> {
    let all = candidates(question, reading);
    let kept = all.iter().filter(|one| !is_any_of_row(one, &all));
    let best = kept.reduce(|best, one| if one.score > best.score { one } else { best })?;
    let doubt = doubt(question, best, &all);
    if doubt == Doubt::Any {
        return None;
    }
    let only = all.iter().all(|one| one.span.text == best.span.text)
        && !names_no_page(question, reading)
        && matches!(question.kind, Kind::Date | Kind::Contact);
    let sheet = Sheet::in_full(&reading.pages.get(best.page)?.page);
    let words = quote::quoted(&sheet, &best.span, &best.support);
    let confidence = if only { ONLY_ONE } else { likelihood(best.score) };
    let confidence = if doubt == Doubt::None { confidence } else { confidence.min(GUESS) };
    let shown = Some(text::shown(question, &sheet, &best.span));
    Some(Found { text: text::text(question, &best.span), shown, evidence: vec![(best.page, words)], confidence })
}

/// The spans that could be what is asked for, page by page, the likeliest pages first.
fn candidates(question: &Question, reading: &Reading) -> Vec<Candidate> {
    let shape = Shape::new(question, reading);
    let mut found = Vec::new();
    for (page, page_score) in close_pages(question, reading) {
        let Some(read) = reading.pages.get(page) else { continue };
        let sheet = Sheet::in_full(&read.page);
        for span in all_spans(question, &sheet, read).into_iter().filter(|span| shape.fits(&sheet, span)) {
            let support = evidence::support(question, read, &sheet, &span);
            let other = !same_line(question, &support) || !is_qualified(question, &support);
            if other || premise::contradicted(question, reading, read, &sheet, &span) {
                continue;
            }
            let off = if on_focus(question, &support) { 0.0 } else { OFF_FOCUS };
            let score = support.score + span.fit + 0.1 * page_score - off;
            let row = span.words.first().filter(|first| !sheet.is_running(**first) && span.number.is_some());
            let row = row.and_then(|first| sheet.row_of.get(*first)).copied();
            let unsaid = 1.0 - read.weighed(&said(question, &support));
            found.push(Candidate { page, row, span, support, score, unsaid });
        }
    }
    found
}

/// Confidence in a span that there is a doubt about.
const GUESS: f64 = 0.45;

/// How often spans of such a score are right: measured on the development questions of MMLongBench-Doc, with straight lines
/// between the points. Many of those ask for what no span says, so that other questions fare better.
fn likelihood(score: f64) -> f64 {
    const MEASURED: [(f64, f64); 5] = [(0.5, 0.0), (0.75, 0.2), (0.85, 0.45), (0.95, 0.65), (f64::INFINITY, 0.65)];
    let line = |pair: &[(f64, f64)]| match pair {
        [(from, low), (to, high)] if score >= *from && score < *to => {
            Some(if to.is_finite() { low + (high - low) * (score - from) / (to - from) } else { *low })
        }
        _ => None,
    };
    MEASURED.windows(2).find_map(line).unwrap_or(0.0)
}

/// True if the words of the question that pick one value of several (`average`, `target`) are said of the span.
fn is_qualified(question: &Question, support: &Support) -> bool {
    let mut said = question.terms.iter().zip(&support.relations);
    said.all(|(term, relation)| *relation >= 0.5 || !term::lists(QUALIFYING, term))
}

/// Terms that pick one value of several.
const QUALIFYING: &str = "averag median minimum maximum target baselin lowest highest actual forecast plann";

/// Confidence in a date or number that is the only one on the page that the question names.
const ONLY_ONE: f64 = 0.85;

/// Taken from the confidence in a span that does not stand with what is asked for.
const OFF_FOCUS: f64 = 0.3;

/// True if some of what is asked for, the noun after `how many` or `what is the`, stands with the span.
fn on_focus(question: &Question, support: &Support) -> bool {
    let said = |t: &String| {
        let term = question.terms.iter().position(|q| q == t).and_then(|i| support.relations.get(i));
        term.is_none_or(|r| *r >= 0.45)
    };
    question.focus.is_empty()
        || question.focus.iter().filter(|t| !term::is_general(t)).any(said)
        || question.focus.iter().all(|t| term::is_general(t))
}

/// True if the identifiers of the question stand beside the span.
fn same_line(question: &Question, support: &Support) -> bool {
    let near = |id: &String| {
        let term = question.terms.iter().position(|t| t == id);
        term.and_then(|t| support.relations.get(t)).is_none_or(|r| *r >= 0.6)
    };
    question.identifiers.iter().all(near)
}

/// Spans with the form of an answer; for questions of no special form also parts of sentences.
fn all_spans(question: &Question, sheet: &Sheet, read: &Read) -> Vec<Span> {
    let mut spans = span::spans(question, sheet);
    if matches!(question.kind, Kind::Text | Kind::Person | Kind::Place | Kind::Definition) {
        let clauses = clause::clauses(question, sheet, read);
        let proper = |words: &Vec<usize>| words.first().is_some_and(|&i| sheet.word(i).starts_with(char::is_uppercase));
        let any = matches!(question.kind, Kind::Text | Kind::Definition);
        spans.extend(clauses.into_iter().filter(|w| any || proper(w)).map(|words| span::text_span(sheet, words, 0.0)));
    }
    let new = |&w: &usize| term::terms(sheet.word(w)).iter().any(|t| !question.terms.contains(t));
    spans.retain(|span| span.number.is_some() || span.words.iter().any(new));
    for span in &mut spans {
        span.fit -= 0.5 * read.share(&span.words);
    }
    spans
}

/// The pages that cover the question best, with their scores; those that it names, if it names some.
fn close_pages(question: &Question, reading: &Reading) -> Vec<(usize, f64)> {
    let scored = reading.pages.iter().enumerate();
    let kept = scored.filter(|(_, r)| names_no_page(question, reading) || is_named(question, reading, r));
    let mut pages: Vec<(usize, f64)> = kept.map(|(i, r)| (i, r.score())).collect();
    pages.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    pages.truncate(CLOSE);
    pages
}

fn names_no_page(question: &Question, reading: &Reading) -> bool {
    question.pages.is_empty() && reading.named.is_empty()
}

/// True if the question names this page: by what whoever searches knows of it, else by its printed label, else by its
/// number where no page of the document has that label.
fn is_named(question: &Question, reading: &Reading, read: &Read) -> bool {
    if !reading.named.is_empty() {
        return reading.named.contains(&read.id);
    }
    let labelled = |r: &Read, name: &str| {
        r.id.doc == read.id.doc && r.page.label.as_deref().is_some_and(|l| l.eq_ignore_ascii_case(name))
    };
    let last = reading.documents.iter().find(|(doc, _)| *doc == read.id.doc).map(|(_, n)| *n);
    question.pages.iter().any(|name| {
        if name == "last" {
            return last == Some(read.id.page.get());
        }
        if reading.pages.iter().any(|r| labelled(r, name)) {
            labelled(read, name)
        } else {
            name.parse() == Ok(read.id.page)
        }
    })
}
