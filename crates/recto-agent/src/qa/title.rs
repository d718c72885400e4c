//! Titles: the largest words of a page. And the people who stand under the title of a first page.

use recto_page::Turn;

use super::Found;
use super::reading::{Read, Reading};
use super::sheet::Sheet;
use crate::{Kind, Question};

/// Confidence in a title or an author.
const SURE: f64 = 0.9;

const WHOLE: &[&str] =
    &["document", "slide", "slides", "paper", "presentation", "report", "book", "page", "article", "deck"];
const AUTHORS: &[&str] = &["author", "authors", "presenter", "presenters", "speaker", "wrote", "written", "presented"];

/// Answers questions about the title or the author of a document or page.
pub(crate) fn title(question: &Question, reading: &Reading, named: &dyn Fn(&Read) -> bool) -> Option<Found> {
    let lower = question.asked.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let has = |list: &[&str]| words.iter().any(|w| list.contains(w));
    let known =
        |t: &String| WHOLE.iter().chain(AUTHORS).chain(&["title", "titl"]).any(|w| super::term::terms(w).contains(t));
    if reading.documents.len() != 1 || !has(WHOLE) || !question.terms.iter().all(known) {
        return None;
    }
    let wants_title = has(&["title", "titled"]);
    let wants_author = question.kind == Kind::Person && has(AUTHORS);
    let page = if question.pages.is_empty() { 0 } else { reading.pages.iter().position(named)? };
    let sheet = Sheet::new(&reading.pages.get(page)?.page);
    let words = largest(&sheet);
    match (wants_title, wants_author) {
        (true, _) if !words.is_empty() => {
            Some(Found::new(sheet.text(words.iter().copied()), vec![(page, words)], SURE))
        }
        (_, true) => author(&sheet, words.last().copied()?, page),
        _ => None,
    }
}

/// The words of nearly the greatest height, in reading order, if they are few.
pub(crate) fn largest(sheet: &Sheet) -> Vec<usize> {
    let lettered = |i: &usize| sheet.word(*i).chars().any(char::is_alphabetic);
    let height = |i: usize| sheet.region(i).height();
    let lines = sheet.page.text_layer.lines.iter().filter(|line| line.turn == Turn::None);
    let tall = lines.clone().flat_map(|line| line.words.clone()).filter(lettered).map(height).fold(0.0, f32::max);
    // Small capitals are set smaller within their line.
    let lines = lines.filter(|line| line.words.clone().any(|i| height(i) > 0.85 * tall));
    let words: Vec<usize> = lines.flat_map(|line| line.words.clone()).filter(|&i| height(i) > 0.6 * tall).collect();
    if words.len() <= 25 { words } else { Vec::new() }
}

/// The first capitalised words after the title, `by` aside.
fn author(sheet: &Sheet, title_end: usize, page: usize) -> Option<Found> {
    let capital = |i: usize| sheet.word(i).starts_with(char::is_uppercase) && !sheet.word(i).ends_with(':');
    let start = (title_end + 1..sheet.words().len().min(title_end + 40)).find(|&i| capital(i) && capital(i + 1))?;
    let same_row = |i: &usize| sheet.row_of.get(*i) == sheet.row_of.get(start);
    let words: Vec<usize> = (start..sheet.words().len()).take_while(|i| same_row(i) && capital(*i)).collect();
    let text = sheet.text(words.iter().copied());
    let text = text.replace(|c: char| "∗*†‡§¶".contains(c), "").trim_end_matches([',', ';']).to_owned();
    // More names in a row are several authors, and there may be others below.
    let confidence = if words.len() <= MOST_NAMES { SURE } else { SEVERAL };
    Some(Found::new(text, vec![(page, words)], confidence))
}

/// Names that one person has.
const MOST_NAMES: usize = 3;

/// Confidence in the first row of authors.
const SEVERAL: f64 = 0.45;
