//! A question and the pages in scope to an answer: facts about the document first, then the span that the words around
//! it support best, or a decline.

mod clause;
mod count;
mod derive;
mod evidence;
mod list;
pub(crate) mod number;
mod premise;
mod reading;
mod sheet;
mod span;
mod statement;
pub(crate) mod term;
mod title;

use recto_page::Pages;
use recto_search::{Scope, Search};

use crate::citation::cite_words;
use crate::{AgentError, Answer, Kind, Question, Result};
use evidence::Support;
use number::Number;
use reading::{Read, Reading};
use sheet::Sheet;
use span::Span;

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
        Self { max_pages: 200, top_k: 20, threshold: 0.75 }
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
    let question = Question::new(question);
    if !question.asked.chars().any(char::is_alphanumeric) {
        return Err(AgentError::EmptyQuestion);
    }
    let reading = Reading::new(&question, scope, search, pages, options)?;
    if let Some(count) = count::count(&question, &reading) {
        let cite = |(p, words): (usize, Vec<usize>)| reading.pages.get(p).map(|r| cite_words(&r.id, &r.page, &words));
        let evidence = count.evidence.into_iter().filter_map(cite).collect();
        return Ok(Answer::found(count.text, evidence, reading.coverage));
    }
    if question.pictorial || !premise::missing(&question, &reading).is_empty() {
        return Ok(Answer::decline(reading.coverage));
    }
    if let Some(derived) = derive::derive(&question, &reading) {
        let cite = |v: statement::Value| reading.pages.get(v.page).map(|r| cite_words(&r.id, &r.page, &v.words));
        let evidence = derived.values.into_iter().filter_map(cite).collect();
        return Ok(Answer::found(derived.text, evidence, reading.coverage));
    }
    let named = |read: &Read| is_named(&question, &reading, read);
    if let Some(found) = title::title(&question, &reading, &named) {
        let evidence = reading.pages.get(found.page).map(|r| cite_words(&r.id, &r.page, &found.words));
        return Ok(Answer::found(found.text, evidence.into_iter().collect(), reading.coverage));
    }
    let allowed = |read: &Read| question.pages.is_empty() || named(read);
    if let Some(found) =
        list::list(&question, &reading, &allowed).filter(|_| question.kind == Kind::List || question.asks_several())
    {
        let evidence = reading.pages.get(found.page).map(|r| cite_words(&r.id, &r.page, &found.words));
        let mut a = Answer::found(list::list_text(&found.items), evidence.into_iter().collect(), reading.coverage);
        a.answerer = format!("L{:.3}", found.score); // DEBUG
        return Ok(a);
    }
    let Some(best) = best(&question, &reading) else { return Ok(Answer::decline(reading.coverage)) };
    if best.confidence < options.threshold {
        return Ok(Answer::decline(reading.coverage));
    }
    let words: Vec<usize> = best.span.words.iter().chain(&best.support.words).copied().collect();
    let citation = cite_words(&best.read.id, &best.read.page, &words);
    let mut a = Answer::found(text(&question, &best.span), vec![citation], reading.coverage);
    a.answerer = format!("{:.3}", best.confidence); // DEBUG
    Ok(a)
}

/// The answer that the pages support best.
struct Best<'r> {
    read: &'r Read,
    span: Span,
    support: Support,
    confidence: f64,
}

/// How many pages are looked at closely.
const CLOSE: usize = 8;

fn best<'r>(question: &Question, reading: &'r Reading) -> Option<Best<'r>> {
    let mut candidates: Vec<Best<'r>> = Vec::new();
    for (read, page_score) in close_pages(question, reading) {
        let sheet = Sheet::new(read.page.clone());
        for span in all_spans(question, reading, &sheet, read) {
            let support =
                evidence::support(&sheet, &span.words, &read.matches, &reading.weights, reading.total_weight());
            let confidence = support.score + span.fit + 0.1 * page_score;
            candidates.push(Best { read, span, support, confidence });
        }
    }
    candidates.into_iter().reduce(|a, b| if b.confidence > a.confidence { b } else { a })
}

/// Spans with the form of an answer; for questions of no special form also parts of sentences.
fn all_spans(question: &Question, reading: &Reading, sheet: &Sheet, read: &Read) -> Vec<Span> {
    let mut spans = span::spans(question, sheet);
    if matches!(question.kind, Kind::Text | Kind::Person | Kind::Place | Kind::Definition) {
        let clauses = clause::clauses(question, sheet, &read.matches, &reading.weights, reading.total_weight());
        spans.extend(clauses.into_iter().map(|(words, share)| span::text_span(sheet, words, 0.25 * share)));
    }
    for span in &mut spans {
        span.fit -= 0.5 * reading.share(read, &span.words);
    }
    spans
}

/// The pages that cover the question best; those that it names, if it names some.
fn close_pages<'r>(question: &Question, reading: &'r Reading) -> Vec<(&'r Read, f64)> {
    let mut pages: Vec<(&Read, f64)> = reading.pages.iter().map(|r| (r, reading.page_score(r))).collect();
    if !question.pages.is_empty() {
        pages.retain(|(r, _)| is_named(question, reading, r));
    }
    pages.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.id.cmp(&b.0.id)));
    pages.truncate(CLOSE);
    pages
}

/// True if the question names this page: by its printed label, or by its number where no page of the document has that
/// label.
fn is_named(question: &Question, reading: &Reading, read: &Read) -> bool {
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

/// The span as an answer: numbers in the scale and with the places that were asked for.
fn text(question: &Question, span: &Span) -> String {
    match &span.number {
        Some(number) => number_text(question, number),
        None => span.text.clone(),
    }
}

fn number_text(question: &Question, number: &Number) -> String {
    if question.kind == Kind::Count {
        return number.digits.trim_start_matches('-').to_owned();
    }
    if let Some((scale, own)) = question.scale.zip(number.scale) {
        return short(number.value * own.factor() / scale.factor());
    }
    let text = if question.scale.is_some() { number.digits.clone() } else { number.text() };
    if question.kind == Kind::Percent && !number.percent { format!("{text}%") } else { text }
}

/// A number without needless digits.
fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
