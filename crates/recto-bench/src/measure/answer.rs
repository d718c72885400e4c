//! What the measures of answers share: which rows have an answer at all. No measure of its own.

use crate::measure::Case;
use crate::python::literal::Literal;
use crate::row::{AnswerText, Outcome, Row};
use crate::score::Score;

/// What MMLongBench-Doc expects where the documents do not hold the answer.
pub const NOT_ANSWERABLE: &str = "Not answerable";

/// The answer of a row; `None` if the row is missing, failed or declined.
pub fn given(row: &Row) -> Option<&AnswerText> {
    row.answer.as_ref().filter(|_| row.outcome == Outcome::Done)
}

/// Whether an answer holds nothing: no entry, or only empty ones.
pub fn is_empty(answer: &AnswerText) -> bool {
    answer.entries().iter().all(|entry| entry.is_empty())
}

/// Why a row that only ranks has no score for its answer: a route is no answerer, and 0 would say that it answers wrong.
pub(crate) const ONLY_RANKS: &str = "the system ranks pages and gives no answers";

/// Whether a row gives neither an answer nor evidence: at most a ranking.
pub(crate) fn only_ranks(row: &Row) -> bool {
    row.outcome == Outcome::Done && row.answer.is_none() && row.pages.is_empty()
}

/// The best of `likeness` over the item's right answers; without an answer 1 if it was right to decline, else 0.
pub(crate) fn best_of(case: &Case, likeness: impl Fn(&[String], &AnswerText) -> f64) -> Score {
    if case.item.gold.answers.is_empty() {
        return Score::Unscored("no answer is known".into());
    }
    if only_ranks(case.row) {
        return Score::Unscored(ONLY_RANKS.into());
    }
    let Some(given) = given(case.row) else {
        let rightly = case.row.outcome == Outcome::Declined && case.item.gold.unanswerable;
        return Score::Value(f64::from(u8::from(rightly)));
    };
    Score::Value(case.item.gold.answers.iter().map(|gold| likeness(gold, given)).fold(0.0, f64::max))
}

/// An answer as one text; a list as Python prints one.
pub(crate) fn as_text(answer: &AnswerText) -> String {
    match answer {
        AnswerText::Text(text) => text.clone(),
        AnswerText::List(entries) => Literal::List(entries.iter().cloned().map(Literal::Str).collect()).repr(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::{Gold, Item};

    #[test]
    fn declining_is_right_where_nothing_is_to_be_found() {
        let check = |answer: &str, unanswerable, outcome, want| {
            let gold = Gold { answers: vec![vec![answer.into()]], unanswerable, ..Gold::default() };
            let item = Item { gold, ..Item::default() };
            let row = Row { outcome, answer: Some(AnswerText::Text(NOT_ANSWERABLE.into())), ..Row::default() };
            let case = Case { item: &item, row: &row, verdicts: &crate::judge::Verdicts::default() };
            assert_eq!(best_of(&case, |_, _| 0.5), Score::Value(want), "{answer} {outcome:?}");
        };
        check(NOT_ANSWERABLE, true, Outcome::Declined, 1.0);
        check(NOT_ANSWERABLE, true, Outcome::Done, 0.5);
        check(NOT_ANSWERABLE, true, Outcome::Failed, 0.0);
        check("5", false, Outcome::Declined, 0.0);
    }
}
