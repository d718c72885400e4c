//! A span as an answer: numbers in the scale and with the places that were asked for, dates in the form asked for.

use super::number::Number;
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

fn number_text(question: &Question, number: &Number) -> String {
    if question.kind == Kind::Year {
        return number.digits.clone();
    }
    if question.kind == Kind::Count || question.measure.unit {
        let text = if question.plain { &number.digits } else { &number.printed };
        return text.trim_start_matches('-').to_owned();
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
