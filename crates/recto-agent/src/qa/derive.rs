//! Figures that must be worked out: ratios, differences and sums of line items, by the definitions in
//! `finance`.

use super::Found;
use super::finance::{DEFINITIONS, LABELS};
use super::reading::{Read, Reading};
use super::sheet::Sheet;
use super::statement::{Statement, Value};
use super::term::{lists, terms};
use crate::{Kind, Question};

/// A result on the way: its amount and the values used.
struct Part {
    amount: f64,
    values: Vec<Value>,
}

/// Works out a figure for a year, if the question asks for one that the statements give.
pub(crate) fn derive(question: &Question, reading: &Reading) -> Option<Found> {
    if names_other(question, reading) {
        return None;
    }
    if let [first, second] = question.years.as_slice() {
        return change(question, reading, first, second);
    }
    let year = question.years.first()?;
    if question.years.len() != 1 || !matches!(question.kind, Kind::Number | Kind::Percent | Kind::Text) {
        return None;
    }
    let phrase = phrase(question, reading);
    let operands: Vec<&str> = phrase.split(" to ").collect();
    if phrase.is_empty() || phrase.split_whitespace().count() > 9 {
        return None;
    }
    if operands.len() == 1 && !is_known(&phrase) {
        return None;
    }
    let statement = Statement::new(reading);
    if let Some(rate) = printed_rate(&phrase, year, &statement) {
        return found(format!("{}%", rate.number.digits), vec![rate]);
    }
    let whole = (operands.len() == 1 || is_known(&phrase)).then(|| resolve(&phrase, year, &statement, 0)).flatten();
    let whole = whole.map(|part| (part, is_ratio(&phrase)));
    let (part, ratio) = whole.or_else(|| match operands.as_slice() {
        [a, b] => Some((combine('/', resolve(a, year, &statement, 0)?, resolve(b, year, &statement, 0)?)?, true)),
        _ => None,
    })?;
    let shown = shown(reading, &part, ratio).filter(|_| !question.plain);
    found(text(question, &part, ratio), part.values).map(|found| Found { shown, ..found })
}

/// The figure as its table writes it, or in the scale of that table.
fn shown(reading: &Reading, part: &Part, ratio: bool) -> Option<String> {
    let first = part.values.first().filter(|_| !ratio)?;
    let sheet = Sheet::new(&reading.pages.get(first.page)?.page);
    let text = match part.values.as_slice() {
        [value] => value.number.printed_text(),
        _ => super::text::short(part.amount),
    };
    let scale = super::text::scale_of_table(&sheet, first.number.words.start).filter(|_| !first.number.percent);
    Some(scale.map_or_else(|| text.clone(), |scale| format!("{text} (in {scale})")))
}

/// Confidence in what was worked out from printed line items: 16 of 22 were right among the development questions of
/// MMLongBench-Doc.
const WORKED_OUT: f64 = 0.75;

fn found(text: String, values: Vec<Value>) -> Option<Found> {
    let evidence = values.into_iter().map(|v| (v.page, v.words)).collect();
    Some(Found::new(text, evidence, WORKED_OUT))
}

/// The change of a line item between two years that the question names.
fn change(question: &Question, reading: &Reading, first: &str, second: &str) -> Option<Found> {
    let lower = question.asked.to_lowercase();
    if !question.compares && !CHANGES.iter().any(|c| lower.contains(c)) || !question.kind.is_numeric() {
        return None;
    }
    let phrase = phrase(question, reading);
    let kept: Vec<&str> =
        phrase.split(' ').filter(|w| !CHANGES.iter().any(|c| w.starts_with(c)) && !lists(COMPARING, w)).collect();
    let (a, b) = Statement::new(reading).values(&kept.join(" "), first, second)?;
    let (old, new) = if first <= second { (a.amount, b.amount) } else { (b.amount, a.amount) };
    let text = if question.kind == Kind::Percent && !a.number.percent {
        format!("{:.*}%", question.decimals.unwrap_or(1), (new - old).abs() / old.abs().max(f64::MIN_POSITIVE) * 100.0)
    } else if lower.contains("multiple of") || lower.contains("how many times") {
        format!("{:.*}", question.decimals.unwrap_or(2), new / old)
    } else {
        let unit = if a.number.percent { "%" } else { "" };
        format!("{}{unit}", super::text::short((new - old).abs()))
    };
    found(text, vec![a, b])
}

/// Words that ask for a change.
const CHANGES: &[&str] =
    &["increase", "decrease", "change", "growth", "grow", "grew", "rise", "rose", "drop", "decline", "fall", "fell"];

/// Words of a comparison that no line item is called by.
const COMPARING: &str =
    "compared to from between and higher lower more less difference than with by are there were many paid";

/// Words that are no part of a figure's name; `of` and `on` are left out on both sides.
const UNSAID: &str = "what is was were are the s fy ratio in of on for fiscal year company how much did have value amount its \
    percentage";

/// What the question asks for, in lower case without company, year and question words.
fn phrase(question: &Question, reading: &Reading) -> String {
    let mut text = format!(" {} ", question.asked.to_lowercase().replace(['?', '\'', '\u{2019}', '%', ',', '\n'], " "));
    for name in question.names.iter().flat_map(|n| n.split(' ')).filter(|n| !is_vocabulary(n)) {
        text = text.replace(&format!(" {} ", name.to_lowercase()), " ");
    }
    let company = |w: &str| !is_vocabulary(w) && reading.in_file_name(w);
    let kept = text.split_whitespace().filter(|w| !w.contains(|c: char| c.is_ascii_digit()) && !lists(UNSAID, w));
    let phrase = kept.filter(|w| !company(w)).collect::<Vec<_>>().join(" ");
    let ratio = format!("{phrase} ratio");
    if question.asked.to_lowercase().contains("ratio") && is_known(&ratio) { ratio } else { phrase }
}

/// True if the question names something that its documents are not about: the figures of the whole are not its own.
fn names_other(question: &Question, reading: &Reading) -> bool {
    // Short capitals are names of shares, which few pages write.
    let short = |word: &str| word.len() <= 5 && word.chars().all(char::is_uppercase);
    let words = question.names.iter().flat_map(|name| name.split(' '));
    let words = words.filter(|word| !is_vocabulary(word) && !short(word));
    let terms = words.filter(|word| !reading.in_file_name(&word.to_lowercase())).flat_map(terms);
    let mut at = terms.filter_map(|term| question.terms.iter().position(|known| *known == term));
    let says = |read: &Read, term: usize| read.matches.iter().any(|(_, t)| *t == term);
    let is_about = |pages: &[Read], term| OTHER * pages.iter().filter(|read| says(read, term)).count() >= pages.len();
    at.any(|term| !reading.pages.chunk_by(|a, b| a.id.doc == b.id.doc).any(|pages| is_about(pages, term)))
}

/// What stands on fewer than one page of so many is not what a document is about.
const OTHER: usize = 4;

/// True for words that names of figures are made of, so that `Total Debt` is no company.
pub(crate) fn is_vocabulary(word: &str) -> bool {
    let word = word.to_lowercase();
    let names = LABELS.iter().map(|(name, _)| *name).chain(DEFINITIONS.iter().map(|(name, _)| *name));
    names.flat_map(str::split_whitespace).any(|w| w == word || w.split('-').any(|part| part == word))
}

fn is_known(phrase: &str) -> bool {
    let mut names = LABELS.iter().map(|(name, _)| *name).chain(DEFINITIONS.iter().map(|(name, _)| *name));
    names.any(|name| is_called(name, phrase))
}

/// True if both are the same but for `of` and `on`, which [`phrase`] drops.
fn is_called(name: &str, phrase: &str) -> bool {
    let bare = |text: &'_ str| -> Vec<String> {
        text.split_whitespace().filter(|w| !matches!(*w, "of" | "on")).map(str::to_owned).collect()
    };
    bare(name) == bare(phrase)
}

fn is_ratio(phrase: &str) -> bool {
    DEFINITIONS.iter().any(|(name, formula)| is_called(name, phrase) && formula.contains(" / "))
}

/// A ratio that the statement prints in percent: companies have definitions of their own.
fn printed_rate(name: &str, year: &str, statement: &Statement) -> Option<Value> {
    let labels = [format!("{name} percentage"), format!("{name} rate"), name.to_owned()];
    let value = labels.iter().filter(|_| is_ratio(name)).find_map(|label| statement.value(label, Some(year)));
    value.filter(|value| value.number.percent)
}

/// Definitions refer to each other at most this deep.
const DEEPEST: usize = 5;

/// A figure by its name: as printed, under another name, or by definition.
fn resolve(name: &str, year: &str, statement: &Statement, depth: usize) -> Option<Part> {
    if depth > DEEPEST {
        return None;
    }
    let labels = LABELS.iter().filter(|(n, _)| is_called(n, name)).flat_map(|(_, labels)| *labels);
    let printed = labels.copied().find_map(|label| statement.value(label, Some(year)));
    let printed = printed.map(|value| Part { amount: value.amount, values: vec![value] });
    let defined = || {
        let formulas = DEFINITIONS.iter().filter(|(n, _)| is_called(n, name));
        formulas.map(|(_, f)| f).find_map(|f| evaluate(f, year, statement, depth + 1))
    };
    let known = is_known(name);
    printed.or_else(defined).or_else(|| {
        let value = statement.value(name, Some(year)).filter(|_| !known && name.contains(' '))?;
        Some(Part { amount: value.amount, values: vec![value] })
    })
}

/// Works a formula from left to right.
fn evaluate(formula: &str, year: &str, statement: &Statement, depth: usize) -> Option<Part> {
    let mut result: Option<Part> = None;
    let mut operator = ' ';
    let mut rest = formula;
    loop {
        let end = [" + ", " - ", " / "].iter().filter_map(|o| rest.find(o)).min();
        let part = resolve(&rest[..end.unwrap_or(rest.len())], year, statement, depth)?;
        result = Some(match result {
            None => part,
            Some(left) => combine(operator, left, part)?,
        });
        let Some(end) = end else { return result };
        operator = rest[end..].trim_start().chars().next()?;
        rest = &rest[end + 3..];
    }
}

/// Joins two figures. Brackets around costs mean "to be taken away", which the formulas say already: signs are dropped.
fn combine(operator: char, a: Part, b: Part) -> Option<Part> {
    let amount = match operator {
        '+' => a.amount + b.amount.abs(),
        '-' => a.amount - b.amount.abs(),
        _ => a.amount / b.amount,
    };
    let values = a.values.into_iter().chain(b.values).collect();
    amount.is_finite().then_some(Part { amount, values })
}

fn text(question: &Question, part: &Part, ratio: bool) -> String {
    let lower = question.asked.to_lowercase();
    let percent = question.kind == Kind::Percent || ratio && (lower.contains('%') || lower.contains("margin"));
    match (percent, ratio) {
        (true, true) => format!("{:.*}%", question.decimals.unwrap_or(1), part.amount * 100.0),
        (_, true) => format!("{:.*}", question.decimals.unwrap_or(usual_places(part.amount)), part.amount),
        _ => super::text::short(part.amount),
    }
}

/// Two decimal places, three for a small ratio.
fn usual_places(ratio: f64) -> usize {
    if ratio.abs() < 0.1 { 3 } else { 2 }
}
