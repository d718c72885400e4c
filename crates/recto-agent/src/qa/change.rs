//! Values that changed: `from 65 to 49`, `81%, up from 67%`. Which of the two a question means.

use super::number::{Number, parse};
use super::sheet::Sheet;
use super::term::lists;

/// How far apart `from` and `to` may stand, in words.
const REACH: usize = 8;

/// Which end of a change a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Old,
    New,
}

/// Added to the fit of a value after `by` where that is asked for.
const STEP: f64 = 0.1;

/// Added to the fit of a value: the old one of a change is seldom meant, and the end that is not asked for never.
pub(crate) fn fit(lower: &str, sheet: &Sheet, n: &Number) -> f64 {
    if lower.starts_with("by how m") || lower.starts_with("by what ") {
        let led = n.words.start.checked_sub(1).is_some_and(|before| sheet.word(before) == "by");
        return if led { STEP } else { 0.0 };
    }
    match (end(sheet, n), asked(lower)) {
        (Some(end), Some(asked)) if end != asked => -0.4,
        (Some(End::Old), None) if is_aside(sheet, n) => -0.2,
        _ => 0.0,
    }
}

/// The end of a change that a question asks for.
fn asked(lower: &str) -> Option<End> {
    const TOWARDS: &str = "increase increased reduce reduced decrease decreased raise raised cut grow grew rise rose fall fell drop \
        dropped change changed go went improve improved";
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let opens = |word: &str| words.first() == Some(&word) && words.iter().any(|w| lists(TOWARDS, w));
    let ends = |word: &str| words.last() == Some(&word) && words.iter().any(|w| lists(TOWARDS, w));
    if opens("to") || ends("to") {
        Some(End::New)
    } else if opens("from") || ends("from") {
        Some(End::Old)
    } else {
        None
    }
}

/// The end of a change that a value is, if its sentence tells of one.
fn end(sheet: &Sheet, n: &Number) -> Option<End> {
    let first = n.words.start;
    let sentence = sheet.sentence(first);
    let before = first.checked_sub(1).filter(|b| sentence.contains(b)).map_or("", |b| sheet.word(b)).to_lowercase();
    let is_value = |i: usize| parse(sheet.word(i)).is_some();
    let back = || (sentence.start.max(first.saturating_sub(REACH))..first.saturating_sub(1)).rev();
    match before.as_str() {
        "from" => Some(End::Old),
        "to" => {
            let old = back().find(|i| sheet.word(*i) == "from")?;
            is_value(old + 1).then_some(End::New)
        }
        _ => None,
    }
}

/// True after `up from` and `down from`.
fn is_aside(sheet: &Sheet, n: &Number) -> bool {
    let before = n.words.start.checked_sub(2).map_or("", |b| sheet.word(b));
    lists("up down", before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_ask_for_an_end_of_a_change() {
        let table = [
            ("to how many days shall the wait be reduced?", Some(End::New)),
            ("how many days shall the wait be cut to?", Some(End::New)),
            ("from what share did it rise?", Some(End::Old)),
            ("how many days does a visit take?", None),
            ("to whom is the letter sent?", None),
            ("", None),
        ];
        for (question, right) in table {
            assert_eq!(asked(question), right, "{question}");
        }
    }
}
