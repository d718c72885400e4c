//! A span as an answer: numbers in the scale and with the places that were asked for, dates in the form asked for.

use super::number::Number;
use super::sheet::Sheet;
use super::span::{MONTHS, Span};
use crate::{Kind, Question};

/// What is shown as the answer.
pub(crate) fn text(question: &Question, span: &Span) -> String {
    match &span.number {
        Some(number) => number_text(question, number),
        None if question.iso_date => iso_date(&span.text).unwrap_or_else(|| span.text.clone()),
        None => span.text.clone(),
    }
}

/// The answer as a reader wants it: as the page writes it, with its currency and unit, and with the scale of its table.
pub(crate) fn shown(question: &Question, sheet: &Sheet, span: &Span) -> String {
    let Some(number) = span.number.as_ref().filter(|_| question.kind != Kind::Year && !question.plain) else {
        return text(question, span);
    };
    let text = qualified(sheet, number.words.start, number.printed_text());
    let text = if question.kind == Kind::Percent && !number.percent { format!("{text}%") } else { text };
    let scaled = number.scale.is_some() || number.percent || number.unit.is_some() || question.kind == Kind::Percent;
    match scale_of_table(sheet, number.words.start).filter(|_| !scaled) {
        Some(scale) => format!("{text} (in {scale})"),
        None => text,
    }
}

/// The number with what says how exact it is: `about 40`, `up to 5 years`, `more than 300`.
fn qualified(sheet: &Sheet, first: usize, text: String) -> String {
    let word = |back: usize| first.checked_sub(back).map(|i| sheet.word(i).to_lowercase()).unwrap_or_default();
    match (word(2).as_str(), word(1).as_str()) {
        ("up", "to") | ("at", "least" | "most") | ("more" | "less" | "fewer", "than") => {
            format!("{} {} {text}", word(2), word(1))
        }
        (_, "~" | "∼" | "about" | "approximately" | "nearly" | "almost" | "around" | "roughly") => {
            format!("{} {text}", word(1))
        }
        _ => text,
    }
}

/// `millions`, where a line over the table of this word says that its figures are in millions.
pub(crate) fn scale_of_table(sheet: &Sheet, word: usize) -> Option<&'static str> {
    if sheet.is_running(word) {
        return None;
    }
    let layer = &sheet.page.text_layer;
    let bottom = sheet.region(word).top();
    let above = layer.lines.iter().filter(|l| l.words.len() <= 20 && l.region.top() < bottom);
    let said = |text: &str| {
        ["millions", "thousands", "billions"].into_iter().find(|scale| text.contains(&format!("in {scale}")))
    };
    above.filter_map(|line| said(&layer.line_text(line).to_lowercase())).next_back()
}

fn number_text(question: &Question, number: &Number) -> String {
    if question.kind == Kind::Year {
        return number.digits.clone();
    }
    if question.kind == Kind::Count || question.measure.unit {
        let text = if question.plain { &number.digits } else { &number.printed };
        let text = text.trim_start_matches('-');
        let scale = number.scale.filter(|_| !question.measure.unit && question.scale.is_none());
        return scale.map_or_else(|| text.to_owned(), |scale| format!("{text} {}", scale.name()));
    }
    if !question.plain {
        let text = number.printed_text();
        return if question.kind == Kind::Percent && !number.percent { format!("{text}%") } else { text };
    }
    if let Some((scale, own)) = question.scale.zip(number.scale) {
        return short(number.value * own.factor() / scale.factor());
    }
    let text = if question.scale.is_some() { number.digits.clone() } else { number.text() };
    if question.kind == Kind::Percent && !number.percent { format!("{text}%") } else { text }
}

/// A number without needless digits.
pub(crate) fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `February 8, 2021` as `2021-02-08`.
fn iso_date(text: &str) -> Option<String> {
    let words: Vec<String> = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    let month = words.iter().find_map(|w| MONTHS.iter().position(|m| w.starts_with(m)))? + 1;
    let number = |w: &String| w.trim_end_matches(char::is_alphabetic).parse::<u32>().ok();
    let day = words.iter().filter_map(number).find(|n| (1..=31).contains(n))?;
    let year = words.iter().filter_map(number).find(|n| (1000..3000).contains(n))?;
    Some(format!("{year:04}-{month:02}-{day:02}"))
}
