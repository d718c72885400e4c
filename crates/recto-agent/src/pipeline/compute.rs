//! Numbers that are computed: the model names the values with their pages and how they go together, the sum is done here,
//! exactly. An answer that its own values do not bear out is put right, and a note says so.

use recto_page::Page;
use serde::{Deserialize, Serialize};

use super::ask::Said;
use super::exact::Exact;
use super::read::Shown;
use crate::calculator::calculate;
use crate::{Kind, Question};

/// Words of questions whose answer may have to be computed.
const COMPUTED: [&str; 24] = [
    "ratio",
    "difference",
    "average",
    "mean",
    "growth",
    "increase",
    "decrease",
    "change",
    "sum",
    "total",
    "combined",
    "times",
    "percent",
    "percentage",
    "share",
    "proportion",
    "more",
    "less",
    "fewer",
    "higher",
    "lower",
    "larger",
    "margin",
    "per",
];
/// What a printed number may stand for: itself, a share of a hundred, thousands, millions, billions.
const SCALES: [(i128, i128); 6] = [(1, 1), (100, 1), (1, 100), (1, 1_000), (1, 1_000_000), (1, 1_000_000_000)];
/// Places after the point of a number that never ends.
const PLACES: u32 = 2;

/// A value that is computed with.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Operand {
    /// Its name in the formula.
    pub(super) name: String,
    /// What it is.
    pub(super) label: String,
    /// As it is printed.
    pub(super) value: String,
    pub(super) page: u64,
    /// In which row and column of a table, or which part of a chart.
    pub(super) cell: String,
}

/// Whether the model is asked for the values behind its answer.
pub(super) fn computes(question: &Question) -> bool {
    let lower = question.asked.to_lowercase();
    let has = |word: &str| lower.split(|c: char| !c.is_alphanumeric()).any(|other| other == word);
    let is_number = question.kind.is_numeric() && question.kind != Kind::Year;
    question.compares || question.kind == Kind::Choice || is_number && COMPUTED.iter().any(|word| has(word))
}

/// The answer as its own values make it.
pub(super) fn computed(said: Said, question: &Question, shown: &[Shown], notes: &mut Vec<String>) -> Said {
    if !said.is_answered() || said.formula.trim().is_empty() || said.operands.is_empty() || said.items.len() > 1 {
        return said;
    }
    notes.extend(said.operands.iter().filter(|operand| is_unfounded(operand, shown)).map(|operand| {
        format!("{} is said to be on page {}, and does not stand in its text", operand.value, operand.page)
    }));
    match result(&said, question) {
        Ok(Some(answer)) => {
            notes.push(format!("the model computed {}; its own numbers give {answer}", said.answer));
            Said { answer, ..said }
        }
        Ok(None) => said,
        Err(why) => {
            notes.push(format!("what the model computed could not be checked: {why}"));
            said
        }
    }
}

/// The right answer where the model's is another.
fn result(said: &Said, question: &Question) -> Result<Option<String>, String> {
    let formula = said.formula.trim();
    if let Some(label) = chosen(formula, said)? {
        return Ok((!is_within(&label, &said.answer)).then_some(label));
    }
    let exact = evaluate(formula, &said.operands)?;
    let Some((before, printed, after)) = number_in(&said.answer) else { return Ok(None) };
    let Some(claimed) = Exact::parse(printed) else { return Ok(None) };
    let scaled = |(upper, lower): &(i128, i128)| exact.times(Exact::new(*upper, *lower)?);
    let places = printed.rsplit_once('.').map_or(0, |(_, part)| u32::try_from(part.len()).unwrap_or(PLACES));
    let is_same = |value: &Exact| value.rounded(places) == claimed.rounded(places) || is_near(value, &claimed);
    let mut all = SCALES.iter().filter_map(scaled);
    // A fall of 3 may be told as 3, and a difference either way round.
    if all.any(|value| is_same(&value) || Exact::whole(-1).times(value).is_some_and(|value| is_same(&value))) {
        return Ok(None);
    }
    let nearest =
        SCALES.iter().filter_map(scaled).find(|value| (0.2..5.0).contains(&(value.to_f64() / claimed.to_f64())));
    let right = nearest.unwrap_or(exact);
    let places = question.decimals.and_then(|places| u32::try_from(places).ok());
    let places = places.or_else(|| right.places().filter(|places| *places <= 4)).unwrap_or(PLACES);
    let right = right.rounded(places).ok_or("the number is too long")?;
    Ok(Some(format!("{before}{right}{after}")))
}

/// The value of a formula, exact as far as it has an end within twelve digits.
fn evaluate(formula: &str, operands: &[Operand]) -> Result<Exact, String> {
    let told = calculate(&filled(formula, operands)?)?;
    Exact::parse(&told).ok_or_else(|| format!("{told} is no number"))
}

/// The formula with the printed values in place of their names.
fn filled(formula: &str, operands: &[Operand]) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = formula;
    while let Some(start) = rest.find(|c: char| c.is_alphabetic()) {
        let (before, from) = rest.split_at(start);
        let (name, after) = from.split_at(from.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(from.len()));
        filled.push_str(before);
        match operands.iter().find(|operand| operand.name == name) {
            Some(operand) => {
                let exact = Exact::parse(&operand.value).ok_or_else(|| format!("{:?} is no number", operand.value))?;
                filled.push_str(&format!("({})", exact.told().ok_or("a number is too long")?));
            }
            None if matches!(name, "avg" | "average") => filled.push_str("mean"),
            None => filled.push_str(name),
        }
        rest = after;
    }
    Ok(filled + rest)
}

/// The label of the greatest or least value, where the formula asks for it: `argmax(a, b)`.
fn chosen(formula: &str, said: &Said) -> Result<Option<String>, String> {
    let most = formula.starts_with("argmax");
    if !most && !formula.starts_with("argmin") {
        return Ok(None);
    }
    let values = said.operands.iter().map(|operand| Some((Exact::parse(&operand.value)?, operand)));
    let values = values.collect::<Option<Vec<_>>>().ok_or("a value is no number")?;
    let best = values.iter().map(|(value, _)| *value).reduce(|a, b| if most { a.max(b) } else { a.min(b) });
    let mut of_best = values.iter().filter(|(value, _)| Some(*value) == best);
    match (of_best.next(), of_best.next()) {
        (Some((_, operand)), None) => Ok(Some(operand.label.clone())),
        _ => Err("two values are equal".into()),
    }
}

/// Whether two numbers differ by less than half a hundredth of themselves: the model may have rounded on the way.
fn is_near(left: &Exact, right: &Exact) -> bool {
    let (left, right) = (left.to_f64(), right.to_f64());
    (left - right).abs() <= 0.005 * left.abs().max(right.abs())
}

fn is_within(label: &str, answer: &str) -> bool {
    let fold = |text: &str| crate::qa::terms(text);
    let (label, answer) = (fold(label), fold(answer));
    !answer.is_empty()
        && (answer.iter().all(|term| label.contains(term)) || label.iter().all(|term| answer.contains(term)))
}

/// The first number of a text, with what stands before and after it.
fn number_in(text: &str) -> Option<(&str, &str, &str)> {
    let digit = text.find(|c: char| c.is_ascii_digit())?;
    let (before, rest) = text.split_at(digit);
    let sign = before.strip_suffix(['-', '−']).map_or(digit, str::len);
    let length = rest.find(|c: char| !(c.is_ascii_digit() || ",.".contains(c))).unwrap_or(rest.len());
    let end = digit + rest.get(..length)?.trim_end_matches([',', '.']).len();
    Some((text.get(..sign)?, text.get(sign..end)?, text.get(end..)?))
}

/// Whether the text of the page that is named has no such number, and only the text was shown.
fn is_unfounded(operand: &Operand, shown: &[Shown]) -> bool {
    let Some(page) = shown.iter().find(|shown| u64::from(shown.page.number.get()) == operand.page) else { return true };
    page.picture.is_none() && !page.text.is_empty() && !holds(&page.page, &operand.value)
}

fn holds(page: &Page, value: &str) -> bool {
    let digits = |text: &str| text.chars().filter(|c| c.is_alphanumeric() || *c == '.').collect::<String>();
    let wanted = number_in(value).map(|(_, number, _)| digits(number)).unwrap_or_default();
    digits(&page.text()).contains(wanted.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(answer: &str, formula: &str, operands: &[(&str, &str, &str)]) -> Said {
        let operand = |(name, label, value): &(&str, &str, &str)| Operand {
            name: (*name).into(),
            label: (*label).into(),
            value: (*value).into(),
            ..Operand::default()
        };
        let operands = operands.iter().map(operand).collect();
        Said { status: "answered".into(), answer: answer.into(), formula: formula.into(), operands, ..Said::default() }
    }

    #[test]
    fn answers_are_what_their_values_make() {
        let tolls = [("a", "Harrow", "1,200"), ("b", "Tower", "$900")];
        let table: [(&str, &str, &str, &str); 13] = [
            ("What is the difference?", "300", "a - b", "300"),
            ("What is the difference?", "200 crowns", "a - b", "300 crowns"),
            ("What is the difference?", "300", "b - a", "300"),
            ("By what percentage?", "33.3%", "(a - b) / b", "33.3%"),
            ("By what percentage?", "25%", "(a - b) / b * 100", "33.33%"),
            ("By what percentage? Round to one decimal.", "25%", "(a - b) / b * 100", "33.3%"),
            ("What is the sum in thousands?", "2.1 thousand", "a + b", "2.1 thousand"),
            ("What is the sum?", "$1,900", "a + b", "$2100"),
            ("Which is higher?", "Tower", "argmax(a, b)", "Harrow"),
            ("Which is higher?", "The Harrow lock", "argmax(a, b)", "The Harrow lock"),
            ("Which is lower?", "Harrow", "argmin(a, b)", "Tower"),
            ("What is the ratio?", "four", "a / b", "four"),
            ("What is the ratio?", "1.3", "a / c", "1.3"),
        ];
        for (question, answer, formula, want) in table {
            let right = computed(said(answer, formula, &tolls), &Question::new(question), &[], &mut Vec::new());
            assert_eq!(right.answer, want, "{question} {answer} {formula}");
        }
    }

    #[test]
    fn what_could_not_be_checked_is_told() {
        let check = |answer: &str, formula: &str, operands: &[(&str, &str, &str)], notes: usize| {
            let mut told = Vec::new();
            let right = computed(said(answer, formula, operands), &Question::new("What is the ratio?"), &[], &mut told);
            assert_eq!((right.answer.as_str(), told.len()), (answer, notes), "{told:?}");
        };
        check("7", "", &[("a", "", "7")], 0);
        check("7", "a / 0", &[("a", "", "7")], 2);
        check("7", "argmax(a, b)", &[("a", "x", "7"), ("b", "y", "7")], 3);
        check("7", "a + b", &[("a", "x", "7"), ("b", "y", "none")], 3);
    }

    #[test]
    fn questions_that_compute_are_told_by_their_words() {
        let table = [
            ("What is the difference between the tolls of 1911 and 1912?", true),
            ("Which is higher, the tower or the mill?", true),
            ("What percentage of ships paid?", true),
            ("What is the toll at lock 7?", false),
            ("Who built the mill?", false),
            ("In which year was the total highest?", false),
        ];
        for (question, want) in table {
            assert_eq!(computes(&Question::new(question)), want, "{question}");
        }
    }
}
