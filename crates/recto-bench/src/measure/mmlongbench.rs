//! MMLongBench-Doc's rules for answers, as in its repository (mayubo2333/MMLongBench-Doc, eval/eval_score.py).
//!
//! The reference takes a short answer that a model cut out of the system's reply; recto's answers are short as they are.
//! It runs `eval` on lists; here they are read, and what can't be read scores 0. Where it raises an error, `score` says
//! `None`, and the measure counts 0.

use super::answer::{NOT_ANSWERABLE, ONLY_RANKS, as_text, only_ranks};
use super::{Case, Cutoff, Definition, Formula, Measure};
use crate::python::literal::Literal;
use crate::python::{float_text, int_text, rounding, space};
use crate::row::{Outcome, Row};
use crate::score::Score;
use crate::text::similarity::similarity;

/// `MMLB`: 0 to 1 by the answer's format.
pub(super) const ANSWER: Definition = Definition {
    name: "MMLB",
    about: "MMLongBench-Doc: the answer by the rules of its format",
    cutoff: Cutoff::None,
    options: &[RULES],
    formula: Formula::Item(|measure, case| match of_case(case, Rules::of(measure)) {
        _ if only_ranks(case.row) => Score::Unscored(ONLY_RANKS.into()),
        score => score.map_or_else(unscored, Score::Value),
    }),
};

/// `MMLB-F1`: precision over the answers that were given, recall over the questions that have one.
pub(super) const F1: Definition = Definition {
    name: "MMLB-F1",
    about: "MMLongBench-Doc: F1 of answers given and questions that have one",
    cutoff: Cutoff::None,
    options: &[RULES],
    formula: Formula::Run(|measure, cases| {
        let outcome = |case: &Case| {
            let answerable = gold(case)?.0 != NOT_ANSWERABLE;
            let score = of_case(case, Rules::of(measure))?;
            Some(Scored { answerable, answered: prediction(case.row) != NOT_ANSWERABLE, score })
        };
        if !cases.is_empty() && cases.iter().all(|case| only_ranks(case.row)) {
            return Score::Unscored(ONLY_RANKS.into());
        }
        let scored: Vec<Scored> = cases.iter().filter_map(outcome).collect();
        if scored.is_empty() { unscored() } else { Score::Value(accuracy_and_f1(&scored).1) }
    }),
};

/// Whose rules.
const RULES: (&str, &[&str]) = ("rules", &["v1", "doclens"]);

/// Whose rules: the benchmark's own, or those of DocLens (dwzhu-pku/DocLens, utils/eval_toolkits.py), which ignores commas,
/// the pound sign and some units. DocLens asks a judge about answers that these rules refuse; that part is not here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// The benchmark's.
    V1,
    /// Those of DocLens.
    DocLens,
}

impl Rules {
    fn of(measure: &Measure) -> Self {
        if measure.option("rules") == "doclens" { Self::DocLens } else { Self::V1 }
    }
}

fn unscored() -> Score {
    Score::Unscored("no answer with a format is known".into())
}

/// The right answer and its format.
fn gold<'a>(case: &Case<'a>) -> Option<(&'a str, &'a str)> {
    let gold = &case.item.gold;
    Some((gold.answers.first()?.first()?, gold.format.as_deref()?))
}

fn of_case(case: &Case, rules: Rules) -> Option<f64> {
    let (answer, format) = gold(case)?;
    let said = matches!(case.row.outcome, Outcome::Done | Outcome::Declined);
    Some(if said { score(answer, &prediction(case.row), format, rules).unwrap_or_default() } else { 0.0 })
}

/// The score of an item by the benchmark's own rules; `None` if it has no answer with a format.
pub(super) fn of_rules(case: &Case) -> Option<f64> {
    of_case(case, Rules::V1)
}

/// What a row says, a decline in the benchmark's own words.
fn prediction(row: &Row) -> String {
    match (&row.answer, row.outcome) {
        (_, Outcome::Declined) => NOT_ANSWERABLE.into(),
        (Some(answer), _) => as_text(answer),
        (None, _) => String::new(),
    }
}

/// One answered question.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scored {
    /// Whether the question has an answer.
    pub answerable: bool,
    /// Whether the system gave one; only the exact words "Not answerable" are none.
    pub answered: bool,
    /// 0 to 1.
    pub score: f64,
}

/// The mean score; and F1 of precision (scores of answerable questions ÷ answers given) and recall (the same ÷ answerable
/// questions), 0 where either has no denominator.
pub fn accuracy_and_f1(scored: &[Scored]) -> (f64, f64) {
    let sum = |of: &dyn Fn(&Scored) -> bool| scored.iter().filter(|s| of(s)).map(|s| s.score).sum::<f64>();
    let count = |of: &dyn Fn(&Scored) -> bool| scored.iter().filter(|s| of(s)).count() as f64;
    let accuracy = if scored.is_empty() { 0.0 } else { sum(&|_| true) / scored.len() as f64 };
    let right = sum(&|s| s.answerable);
    let (recall, precision) = (right / count(&|s| s.answerable), right / count(&|s| s.answered));
    let f1 = 2.0 * recall * precision / (recall + precision);
    (accuracy, if f1.is_finite() { f1 } else { 0.0 })
}

/// The score of `said` where `gold` is right, by its format; `None` where the reference raises an error.
pub fn score(gold: &str, said: &str, format: &str, rules: Rules) -> Option<f64> {
    match format {
        "Int" => Some(as_score(same_int(gold, said))),
        "Float" => same_float(gold, said, rules).map(as_score),
        "Str" | "None" => Some(of_text(gold, said, rules)),
        _ => of_list(gold, said, rules),
    }
}

fn as_score(right: bool) -> f64 {
    f64::from(u8::from(right))
}

/// `int(gold) == int(float(said))`. If either can't be read, the reference compares the gold's text with an empty one.
fn same_int(gold: &str, said: &str) -> bool {
    let said = float_text::parse(said).and_then(int_text::of_float);
    match (int_text::parse(gold), said) {
        (Some(gold), Some(said)) => gold == said,
        _ => gold.is_empty(),
    }
}

fn same_float(gold: &str, said: &str, rules: Rules) -> Option<bool> {
    let Some(said) = float_text::parse(&clean(said, rules)) else { return Some(false) };
    let gold = float_text::parse(&clean(gold, rules))?;
    Some([gold / 100.0, gold, gold * 100.0].into_iter().any(|reference| is_near(reference, said)))
}

/// Within 1 % of the greater one, or equal when rounded to the decimals of the one that has fewer, at least two.
fn is_near(reference: f64, said: f64) -> bool {
    let near = (reference - said).abs() <= 0.01 * reference.abs().max(said.abs());
    let digits = decimals(said).min(decimals(reference)).max(2);
    near || rounding::round(said, digits) == rounding::round(reference, digits)
}

/// Characters after the point of Python's text for a number; 3 without a point.
fn decimals(value: f64) -> usize {
    float_text::repr(value).rsplit_once('.').map_or(3, |(_, decimals)| decimals.len())
}

fn of_text(gold: &str, said: &str, rules: Rules) -> f64 {
    let (gold, said) = (clean(gold, rules), clean(said, rules));
    if is_exact(&gold) { as_score(gold == said) } else { anls(&gold, &said) }
}

fn of_list(gold: &str, said: &str, rules: Rules) -> Option<f64> {
    let (gold, said) = (entries(gold, rules), entries(said, rules));
    let (mut gold, mut said) = match rules {
        Rules::V1 => (gold?, said?),
        Rules::DocLens => (gold?, said.unwrap_or_default()),
    };
    if gold.len() != said.len() {
        return Some(0.0);
    }
    if gold.is_empty() && rules == Rules::DocLens {
        return Some(1.0);
    }
    gold.sort_unstable();
    said.sort_unstable();
    let first = gold.first()?;
    if float_text::parse(first).is_some() || is_exact(first) {
        return Some(as_score(gold.join("-") == said.join("-")));
    }
    Some(gold.iter().zip(&said).map(|(gold, said)| anls(gold, said)).fold(1.0, f64::min))
}

/// The cleaned entries of a list, or of the one text that is none; `None` for a list that can't be read.
fn entries(text: &str, rules: Rules) -> Option<Vec<String>> {
    if !text.starts_with('[') {
        return Some(vec![clean(text, rules)]);
    }
    match Literal::parse(text)? {
        Literal::List(items) => Some(items.iter().map(|item| clean(&item.text(), rules)).collect()),
        other => Some(vec![clean(&other.text(), rules)]),
    }
}

/// 1 - edit distance ÷ longer length; up to one half counts as nothing. Lengths are those of the upper-case texts.
pub fn anls(a: &str, b: &str) -> f64 {
    let length = |text: &str| text.to_uppercase().chars().count();
    let longest = length(a).max(length(b));
    let value = similarity(a, b, longest);
    if value > 0.5 { value } else { 0.0 }
}

/// Lower case, without brackets and what they hold, one quotation mark at either end, `$` before and `%` behind; by DocLens
/// also without commas, `£` before and units behind.
pub fn clean(text: &str, rules: Rules) -> String {
    let lower = text.to_lowercase();
    let text = space::strip(&lower);
    let text = match rules {
        Rules::V1 => without_brackets(text),
        Rules::DocLens => without_brackets(&without_unit(&text.replace(',', ""))),
    };
    let text = space::strip(&text);
    let text = text.strip_prefix(['\'', '"']).unwrap_or(text);
    let text = space::strip(text.strip_suffix(['\'', '"']).unwrap_or(text));
    let text = space::strip(text.trim_start_matches('$'));
    let text = if rules == Rules::DocLens { space::strip(text.trim_start_matches('£')) } else { text };
    space::strip(text.trim_end_matches('%')).to_owned()
}

/// Without the units that DocLens knows. As there, every letter of a unit goes that stands at the end: of `5 team` is left
/// `5 tea`.
fn without_unit(text: &str) -> String {
    let mut text = text;
    for unit in ["kg", "mm", "m", "meters", "acres", "minutes", "mile", "miles", "million", "thousand", "billion"] {
        if text.ends_with(unit) {
            text = space::strip(text.trim_end_matches(|c| unit.contains(c)));
        }
    }
    text.to_owned()
}

/// Without `(..)` and the white space before it; brackets are not counted, the first `)` ends.
fn without_brackets(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('(') {
        let Some((_, after)) = after.split_once(')') else { break };
        out.push_str(before);
        out.truncate(out.trim_end_matches(space::is_space).len());
        rest = after;
    }
    out + rest
}

/// Whether a right answer must be met to the letter: web addresses, program files, pages, numbers, dates, mail addresses.
pub fn is_exact(text: &str) -> bool {
    let times = text.contains("a.m.") || text.contains("p.m.");
    text.contains("https://")
        || text.ends_with(".py")
        || text.ends_with("ipynb")
        || text.starts_with("page")
        || times
        || is_numbers(text)
        || is_date(text)
        || is_mail(text)
}

/// Digits, or twice digits with `-` or one white space between.
fn is_numbers(text: &str) -> bool {
    let mut parts = text.split(|c| c == '-' || space::is_space(c));
    let all = |part: &str| !part.is_empty() && part.chars().all(is_digit);
    parts.clone().count() <= 2 && parts.all(all)
}

/// `2021-04-05`, parted by `-` or white space.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(|c| c == '-' || space::is_space(c)).collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.chars().count()).collect();
    lengths == [4, 2, 2] && parts.iter().all(|part| part.chars().all(is_digit))
}

fn is_digit(c: char) -> bool {
    crate::python::digits::digit(c).is_some()
}

fn is_mail(text: &str) -> bool {
    let allowed = |part: &str, marks: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || marks.contains(c))
    };
    let Some((name, host)) = text.split_once('@') else { return false };
    let Some((host, top)) = host.rsplit_once('.') else { return false };
    let top = top.len() >= 2 && top.chars().all(|c| c.is_ascii_alphabetic());
    allowed(name, "._%+-") && allowed(host, ".-") && top
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn vectors(text: &str) -> Vec<Value> {
        let file: Value = serde_json::from_str(text).unwrap();
        file["vectors"].as_array().unwrap().clone()
    }

    #[track_caller]
    fn check(what: &Value, ours: f64, theirs: &Value) {
        assert!((ours - theirs.as_f64().unwrap()).abs() < 1e-9, "{what}: {ours}");
    }

    #[test]
    fn golden_score() {
        let vectors = vectors(include_str!("../../tests/golden/mmlongbench_eval_score.json"));
        for vector in &vectors {
            let text = |key: &str| vector[key].as_str().unwrap();
            match (score(text("gt"), text("pred"), text("answer_format"), Rules::V1), vector.get("error")) {
                (Some(ours), None) => check(vector, ours, &vector["score"]),
                (ours, error) => assert_eq!((ours, error.is_some()), (None, true), "{vector}"),
            }
        }
        assert_eq!(vectors.len(), 95);
    }

    #[test]
    fn golden_helpers() {
        let vectors = vectors(include_str!("../../tests/golden/mmlongbench_helpers.json"));
        for vector in &vectors {
            let text = |key: &str| vector[key].as_str().unwrap();
            match text("fn") {
                "anls_compute" => check(vector, anls(text("a"), text("b")), &vector["value"]),
                "is_exact_match" => assert_eq!(is_exact(text("s")), vector["value"].as_bool().unwrap(), "{vector}"),
                _ => assert_eq!(clean(text("s"), Rules::V1), text("value"), "{vector}"),
            }
        }
        assert_eq!(vectors.len(), 32);
    }

    #[test]
    fn doclens_ignores_commas_and_units() {
        for (gold, said, format, v1, doclens) in [
            ("1,200", "1200", "Float", None, Some(1.0)),
            ("5 kg", "5", "Str", Some(0.0), Some(1.0)),
            ("3", "3 million", "Float", Some(0.0), Some(1.0)),
            ("£12", "12", "Str", Some(0.666_666_666_666_666_7), Some(1.0)),
            ("[]", "[]", "List", None, Some(1.0)),
            ("['a', 'b']", "[a, b]", "List", None, Some(0.0)),
            ("5 tea", "5 team", "Str", Some(0.833_333_333_333_333_4), Some(1.0)),
        ] {
            let ours = |rules| score(gold, said, format, rules);
            assert_eq!((ours(Rules::V1), ours(Rules::DocLens)), (v1, doclens), "{gold} {said}");
        }
    }

    #[test]
    fn golden_accuracy_and_f1() {
        let vectors = vectors(include_str!("../../tests/golden/mmlongbench_acc_f1.json"));
        for vector in &vectors {
            let scored = |row: &Value| {
                let said = |key: &str| row[key] != NOT_ANSWERABLE;
                Some(Scored { answerable: said("answer"), answered: said("pred"), score: row.get("score")?.as_f64()? })
            };
            let samples: Vec<Scored> = vector["samples"].as_array().unwrap().iter().filter_map(scored).collect();
            let (accuracy, f1) = accuracy_and_f1(&samples);
            check(vector, accuracy, &vector["acc"]);
            check(vector, f1, &vector["f1"]);
        }
        assert_eq!(vectors.len(), 10);
    }
}
