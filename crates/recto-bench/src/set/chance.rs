//! How far an answer can be guessed without looking (MADQA's guessability, source 001 table 9): the slice `chance` of items
//! with answers. A run of a system that sees no page, by this slice, is that table.

use crate::item::Item;
use crate::python::word_runs::word_runs;

/// `yes or no` and `one of two` are right half the time by chance; what is right of the `open` ones was known.
pub(super) fn kind(item: &Item) -> Option<&'static str> {
    let answer = item.gold.answers.first()?;
    let [answer] = answer.as_slice() else { return Some("open") };
    let (answer, question) = (word_runs(answer), word_runs(&item.question));
    let or = question.iter().position(|word| word == "or");
    let named = !answer.is_empty() && question.windows(answer.len()).any(|run| run == answer);
    Some(match answer.as_slice() {
        [word] if word == "yes" || word == "no" => "yes or no",
        _ if or.is_some() && named => "one of two",
        _ => "open",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::Gold;

    #[test]
    fn chance_depends_on_question_and_answer() {
        for (question, answer, expected) in [
            ("Is the mill older?", "No.", "yes or no"),
            ("Which is older, the mill or the Old Lock?", "old lock", "one of two"),
            ("Which is older, the mill or the lock?", "the tower", "open"),
            ("How old is the mill?", "90", "open"),
            ("Who, or what?", "", "open"),
        ] {
            let gold = Gold { answers: vec![vec![answer.into()]], ..Gold::default() };
            let item = Item { question: question.into(), gold, ..Item::default() };
            assert_eq!(kind(&item), Some(expected), "{question} {answer}");
        }
        assert_eq!(kind(&Item::default()), None);
    }
}
