//! Whether the documents speak of what the question takes for granted: its years, names, figures and pages.

use super::caption;
use super::reading::{Read, Reading};
use super::sheet::Sheet;
use super::span::Span;
use super::term::terms;
use crate::Question;
use crate::question::names::years;

/// What the question takes for granted and the documents do not hold; empty if all is there.
pub(crate) fn missing(question: &Question, reading: &Reading) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    let named = question.names.iter().chain(&question.years).chain(&question.quoted);
    missing.extend(named.filter(|name| is_missing(name, question, reading)).cloned());
    missing.extend(question.items.iter().filter(|i| !has_item(reading, i)).map(|i| format!("{} {}", i.kind, i.number)));
    missing
}

/// True if the span belongs to another year than the one asked for, or to a document that lacks a name of the question.
pub(crate) fn contradicted(question: &Question, reading: &Reading, read: &Read, sheet: &Sheet, span: &Span) -> bool {
    lacks_name(question, reading, read) || other_year(question, read, sheet, span)
}

/// True if a name of the question stands nowhere in the document.
fn lacks_name(question: &Question, reading: &Reading, read: &Read) -> bool {
    let lacks = |t: &String| {
        let base = question.terms.iter().position(|q| q == t).and_then(|i| read.base.get(i));
        base.is_some_and(|base| *base == 0.0)
    };
    reading.documents.len() > 1 && question.names.iter().flat_map(|name| terms(name)).any(|t| lacks(&t))
}

/// True if the sentence of the span, or its row, column and caption, name years but not the one asked for; where they
/// name none, the margins of the page and the name of the document count.
fn other_year(question: &Question, read: &Read, sheet: &Sheet, span: &Span) -> bool {
    let ([asked], Some(&first)) = (question.years.as_slice(), span.words.first()) else { return false };
    let holds = |texts: &[String]| texts.iter().any(|text| years(text).contains(asked));
    let names = |texts: &[String]| texts.iter().any(|text| !years(text).is_empty());
    let told = told_years(sheet, span, first);
    if names(&told) {
        return !holds(&told);
    }
    let near = year_places(sheet, first);
    if names(&near) {
        return !holds(&near) && !holds(&[block_text(sheet, first)]);
    }
    if read.page.text_layer.words.iter().any(|w| w.text.contains(asked.as_str())) {
        return false;
    }
    let margins: Vec<String> = sheet
        .words()
        .iter()
        .filter(|w| w.region.bottom() < 0.08 || w.region.top() > 0.92)
        .map(|w| w.text.clone())
        .chain([read.id.doc.to_string()])
        .collect();
    names(&margins) && !holds(&margins)
}

/// The texts that say by their place which year is meant: the thing that a value belongs to, the row and head of a cell.
fn told_years(sheet: &Sheet, span: &Span, word: usize) -> Vec<String> {
    // `12 mills (2015)`: the year in brackets is that of the value.
    let end = span.words.last().map_or(0, |last| last + 1);
    let bracket = (end..end + 2).find(|i| sheet.word(*i).starts_with('(')).map(|i| sheet.text([i]));
    let thing = sheet.thing_of(word).map(|thing| sheet.text(thing.clone()));
    let cells = [sheet.grid.before(word), sheet.grid.heads(word)].map(|words| sheet.text(words));
    thing.into_iter().chain(bracket.filter(|_| sheet.is_running(word))).chain(cells).collect()
}

/// Texts whose years hold for a word.
fn year_places(sheet: &Sheet, word: usize) -> Vec<String> {
    if sheet.is_running(word) {
        return vec![sheet.text(sheet.sentence(word))];
    }
    let at = sheet.region(word);
    let over = |i: &usize| {
        let r = sheet.region(*i);
        r.left() < at.right() && r.right() > at.left() && r.bottom() < at.top() + 0.003 && at.top() - r.bottom() < 0.5
    };
    let heads = (0..sheet.words().len()).filter(over).map(|i| sheet.text([i])).filter(|w| !years(w).is_empty());
    let row = sheet.row_of.get(word).into_iter().flat_map(|row| sheet.row_words(*row)).take_while(|w| *w != word);
    let captions = caption::of(sheet, &sheet.captions, word).into_iter().map(|words| sheet.text(words));
    heads.chain([sheet.text(row)]).chain(captions).collect()
}

/// The block of text around a word.
fn block_text(sheet: &Sheet, word: usize) -> String {
    let layer = &sheet.page.text_layer;
    let line = layer.lines.partition_point(|l| l.words.end <= word);
    let block = layer.blocks.iter().find(|b| b.lines.contains(&line));
    let words = block.map(|b| layer.lines_of(b)).and_then(|l| Some(l.first()?.words.start..l.last()?.words.end));
    sheet.text(words.unwrap_or_default())
}

/// True if some term of `name` stands nowhere.
fn is_missing(name: &str, question: &Question, reading: &Reading) -> bool {
    if name.split(' ').any(super::derive::is_vocabulary) {
        return false;
    }
    terms(name).iter().any(|term| {
        let known = question.terms.iter().position(|t| t == term).and_then(|i| reading.frequency.get(i));
        known.is_some_and(|n| *n == 0) && !reading.in_file_name(term)
    })
}

/// True if the item's number follows its kind somewhere.
fn has_item(reading: &Reading, item: &crate::question::Item) -> bool {
    let wanted = format!("{}{}", item.kind, item.number);
    let short = format!("fig{}", item.number);
    let bare = |w: &str| w.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let number = bare(&item.number);
    reading.pages.iter().any(|r| {
        let words = &r.page.text_layer.words;
        words.iter().enumerate().any(|(i, w)| {
            let begins = w.text.to_lowercase().starts_with(item.kind.get(..3).unwrap_or(&item.kind));
            let heading = matches!(item.kind.as_str(), "section" | "chapter") && bare(&w.text) == number;
            let next = words.get(i + 1).map(|n| bare(&n.text)).unwrap_or_default();
            heading
                || begins
                    && [wanted.as_str(), &short]
                        .iter()
                        .any(|x| bare(x) == format!("{}{next}", bare(&w.text)) || bare(x) == bare(&w.text))
                || begins && next == number
        })
    })
}
