//! ANLS*: how near a text, list or record comes to the right one.
//!
//! D. Peer and others, "ANLS* - A Universal Document Processing Metric for Generative Large Language Models" (2024); the
//! numbers are those of `anls_star` 1.0.1 (PyPI) with `munkres` 3.0.0. Known oddity, kept: a predicted key that the gold
//! lacks and whose value is empty costs nothing in the sum, but its length counts.

use serde_json::{Map, Value};

use crate::assignment::best_pairs;
use crate::measure::{Case, Cutoff, Definition, Formula, Measure, answer};
use crate::python::float_text;
use crate::python::space::fold;
use crate::score::Score;
use crate::text::similarity::{longer, similarity};

/// `ANLS*`: the best over an item's answers. An answer of one entry is a text to a predicted text, a list to a list.
pub const DEFINITION: Definition = Definition {
    name: "ANLS*",
    about: "likeness of the answer to the nearest right one, as text or as list",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(score),
};

/// How near a prediction comes to its gold.
#[derive(Clone, PartialEq, Debug)]
pub struct Nearest {
    /// 0 to 1.
    pub score: f64,
    /// What could have been predicted for a score of 1 with the least changes.
    pub gold: Value,
}

/// Why there is no score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnlsError {
    /// `{"__tuple__": [..]}` stands in a prediction.
    #[error("a prediction holds a set of options, which only gold can")]
    OptionsPredicted,
    /// `{"__tuple__": []}`.
    #[error("a set of options is empty")]
    NoOption,
    /// Values are nested deeper than 128 levels.
    #[error("values are nested too deep")]
    TooDeep,
}

/// Likeness below this is none.
const THRESHOLD: f64 = 0.5;
const MAX_DEPTH: usize = 128;
const TUPLE: &str = "__tuple__";

/// ANLS* of JSON values. In gold `{"__tuple__": [..]}` stands for options of which one is right; gold that is a list of
/// texts stands for options too if the prediction is a text, as in older question sets.
///
/// # Errors
/// See [`AnlsError`].
pub fn anls_star(gold: &Value, predicted: &Value) -> Result<Nearest, AnlsError> {
    check(gold, true, 0)?;
    check(predicted, false, 0)?;
    let matched = match (gold, predicted) {
        (Value::Array(options), Value::String(_)) if options.iter().all(Value::is_string) && !options.is_empty() => {
            Match::best(options, predicted)
        }
        (Value::Array(options), Value::String(_)) if options.is_empty() => return Err(AnlsError::NoOption),
        _ => Match::of(gold, predicted),
    };
    Ok(Nearest { score: matched.mean(), gold: matched.gold })
}

fn check(value: &Value, is_gold: bool, depth: usize) -> Result<(), AnlsError> {
    if depth > MAX_DEPTH {
        return Err(AnlsError::TooDeep);
    }
    match (options(value), value) {
        (Some(_), _) if !is_gold => Err(AnlsError::OptionsPredicted),
        (Some([]), _) => Err(AnlsError::NoOption),
        (_, Value::Array(items)) => items.iter().try_for_each(|item| check(item, is_gold, depth + 1)),
        (_, Value::Object(fields)) => fields.values().try_for_each(|item| check(item, is_gold, depth + 1)),
        _ => Ok(()),
    }
}

/// The options of gold, if it is a set of them.
fn options(value: &Value) -> Option<&[Value]> {
    let fields = value.as_object().filter(|fields| fields.len() == 1)?;
    fields.get(TUPLE)?.as_array().map(Vec::as_slice)
}

/// Gold beside a prediction.
struct Match {
    /// Likeness of the leaves that are compared.
    leaves: Vec<f64>,
    /// Leaves of both, each pair once.
    length: usize,
    /// The gold that is meant, options chosen and lists in the prediction's order.
    gold: Value,
}

impl Match {
    fn mean(&self) -> f64 {
        // Added from the left, as the reference does under Python 3.11: equal means decide who goes with whom.
        if self.length == 0 { 1.0 } else { self.leaves.iter().sum::<f64>() / self.length as f64 }
    }

    fn of(gold: &Value, predicted: &Value) -> Self {
        match (options(gold), gold, predicted) {
            (Some(options), _, _) => Self::best(options, predicted),
            (_, Value::Null, _) if is_none(predicted) => Self::leaf(1.0, predicted, gold, predicted),
            (_, Value::Array(gold), Value::Array(predicted)) => Self::lists(gold, predicted),
            (_, Value::Object(gold), Value::Object(predicted)) => Self::records(gold, predicted),
            (_, Value::Null | Value::Array(_) | Value::Object(_), _)
            | (_, _, Value::Null | Value::Array(_) | Value::Object(_)) => Self::leaf(0.0, gold, gold, predicted),
            _ => Self::leaf(leaf_likeness(gold, predicted), gold, gold, predicted),
        }
    }

    fn leaf(likeness: f64, nearest: &Value, gold: &Value, predicted: &Value) -> Self {
        Self { leaves: vec![likeness], length: length(gold).max(length(predicted)), gold: nearest.clone() }
    }

    /// The option of the highest mean; of those the first that equals the prediction, else the first.
    fn best(options: &[Value], predicted: &Value) -> Self {
        let mut best: Option<(Self, (f64, bool))> = None;
        for option in options {
            let matched = Self::of(option, predicted);
            let key = (matched.mean(), equal(&matched.gold, predicted));
            if best.as_ref().is_none_or(|(_, least)| key > *least) {
                best = Some((matched, key));
            }
        }
        best.map_or(Self { leaves: vec![0.0], length: 1, gold: Value::Null }, |(matched, _)| matched)
    }

    /// Each entry beside the one it is paired with; the others add their length.
    fn lists(gold: &[Value], predicted: &[Value]) -> Self {
        let mut matches: Vec<Vec<Option<Self>>> =
            gold.iter().map(|g| predicted.iter().map(|p| Some(Self::of(g, p))).collect()).collect();
        let profits = matches.iter().map(|row| row.iter().zip(predicted).map(|(m, p)| profit(m.as_ref(), p)).collect());
        let pairs = best_pairs(&profits.collect::<Vec<_>>());
        let alone = |r: &usize| !pairs.iter().any(|(row, _)| row == r);
        let alone: Vec<&Value> = (0..gold.len()).filter(alone).filter_map(|r| gold.get(r)).collect();
        let unpaired = predicted.iter().enumerate().filter(|(c, _)| !pairs.iter().any(|(_, column)| column == c));
        let mut length = alone.iter().map(|g| self::length(g)).sum::<usize>()
            + unpaired.map(|(_, p)| self::length(p)).sum::<usize>();
        let mut leaves = Vec::new();
        let mut nearest = Vec::new();
        for (r, c) in pairs {
            if let Some(mut matched) = matches.get_mut(r).and_then(|row| row.get_mut(c)?.take()) {
                leaves.append(&mut matched.leaves);
                length += matched.length;
                nearest.push((c, matched.gold));
            }
        }
        nearest.sort_by_key(|(c, _)| *c);
        let gold = nearest.into_iter().map(|(_, gold)| gold).chain(alone.into_iter().cloned()).collect();
        Self { leaves, length, gold: Value::Array(gold) }
    }

    /// Each key beside itself; an absent value is null.
    fn records(gold: &Map<String, Value>, predicted: &Map<String, Value>) -> Self {
        let mut all = Self { leaves: Vec::new(), length: 0, gold: Value::Null };
        let mut nearest = Map::new();
        let added = predicted.iter().filter(|(key, _)| !gold.contains_key(*key));
        for key in gold.keys().chain(added.map(|(key, _)| key)) {
            let given = predicted.get(key);
            let mut matched = Self::of(gold.get(key).unwrap_or(&Value::Null), given.unwrap_or(&Value::Null));
            all.length += matched.length;
            if !gold.contains_key(key) && given.is_some_and(is_none) {
                continue;
            }
            all.leaves.append(&mut matched.leaves);
            if given.is_some() || !is_none(&matched.gold) {
                nearest.insert(key.clone(), matched.gold);
            }
        }
        Self { gold: Value::Object(nearest), ..all }
    }
}

/// What a pair is worth: a pair of equals a hair more than others of its mean.
fn profit(matched: Option<&Match>, predicted: &Value) -> f64 {
    let Some(matched) = matched else { return 0.0 };
    if equal(&matched.gold, predicted) { matched.mean().next_up() } else { matched.mean() }
}

fn leaf_likeness(gold: &Value, predicted: &Value) -> f64 {
    let (gold, predicted) = (fold(&leaf_text(gold)).to_lowercase(), fold(&leaf_text(predicted)).to_lowercase());
    let likeness = similarity(&gold, &predicted, longer(&gold, &predicted));
    if likeness < THRESHOLD { 0.0 } else { likeness }
}

/// `str(value)` in Python.
fn leaf_text(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => float_text::repr(number.as_f64().unwrap_or(f64::NAN)),
        other => other.to_string(),
    }
}

/// Number of leaves.
fn length(value: &Value) -> usize {
    match (options(value), value) {
        (Some(options), _) => options.iter().map(length).max().unwrap_or(0),
        (_, Value::Array(items)) => items.iter().map(length).sum(),
        (_, Value::Object(fields)) => fields.values().map(length).sum(),
        _ => 1,
    }
}

fn is_none(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// `==` in Python, where `True == 1 == 1.0`.
fn equal(a: &Value, b: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        other => other.as_f64(),
    };
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => match (number(a), number(b)) {
            (Some(x), Some(y)) => x == y,
            _ => a == b,
        },
    }
}

fn score(_: &Measure, case: &Case) -> Score {
    answer::best_of(case, |gold, given| {
        let predicted = match given {
            crate::row::AnswerText::Text(text) if gold.len() == 1 => Value::from(text.as_str()),
            other => Value::from(other.entries()),
        };
        let gold = match (gold, &predicted) {
            ([one], Value::String(_)) => Value::from(one.as_str()),
            _ => Value::from(gold),
        };
        anls_star(&gold, &predicted).map_or(0.0, |nearest| nearest.score)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_vectors() {
        let golden: Value = serde_json::from_str(include_str!("../../tests/golden/anls_star.json")).unwrap();
        let vectors = golden["vectors"].as_array().unwrap();
        for vector in vectors {
            let result = anls_star(&vector["gt"], &vector["pred"]);
            match vector["score"].as_f64() {
                Some(score) => {
                    let nearest = result.unwrap();
                    assert!((nearest.score - score).abs() < 1e-9, "{vector} {nearest:?}");
                    assert_eq!(nearest.gold, vector["closest_gt"], "{vector}");
                }
                None => assert!(result.is_err(), "{vector}"),
            }
        }
        assert_eq!(vectors.len(), 54);
    }

    #[test]
    fn equality_is_that_of_python() {
        for (a, b, same) in [("1", "1.0", true), ("true", "1", true), ("\"1\"", "1", false), ("[1]", "[true]", true)] {
            let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            assert_eq!(equal(&value(a), &value(b)), same);
        }
    }
}
