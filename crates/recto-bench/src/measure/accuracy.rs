//! Right or wrong, for questions of one's own. No benchmark's rule: those compare letters, and `50 minutes` is then much
//! like `45 minutes`.

use super::answer::best_of;
use super::{Cutoff, Definition, Formula};
use crate::text::number_words::below_twenty;
use crate::text::similarity::{longer, similarity};

/// `Accuracy`: 1 if the answer has the numbers of a right one, and its words (or words nearly so); of a list every entry,
/// in any order.
pub(super) const DEFINITION: Definition = Definition {
    name: "Accuracy",
    about: "1 if the answer is right: the same numbers and the same words; of a list every entry",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| best_of(case, |gold, said| f64::from(u8::from(is_right(gold, said.entries()))))),
};

/// From this likeness on two texts are the same but for a slip.
const ALIKE: f64 = 0.8;

/// Whether the entries that were said are those of a right answer, each once.
pub fn is_right(gold: &[String], said: &[String]) -> bool {
    let mut left: Vec<Content> = said.iter().map(|entry| Content::of(entry)).collect();
    gold.len() == said.len()
        && gold.iter().map(|entry| Content::of(entry)).all(|entry| {
            let found = left.iter().position(|said| entry.is_said_by(said));
            found.is_some_and(|at| {
                left.swap_remove(at);
                true
            })
        })
}

/// What an answer says.
struct Content {
    /// In order of size.
    numbers: Vec<f64>,
    words: Vec<String>,
}

impl Content {
    fn of(text: &str) -> Self {
        let (mut numbers, mut words): (Vec<f64>, Vec<String>) = (Vec::new(), Vec::new());
        for token in tokens(&text.to_lowercase()) {
            match (number(&token), scale(&token), numbers.last_mut()) {
                (Some(number), ..) => numbers.push(number),
                (None, Some(scale), Some(last)) => *last *= scale,
                _ if ["a", "an", "the"].contains(&token.as_str()) => {}
                _ => words.push(token),
            }
        }
        numbers.sort_by(f64::total_cmp);
        Self { numbers, words }
    }

    /// Beside numbers, words are units and may be left out. Without them a slip of spelling is forgiven, and a sentence
    /// around the answer.
    fn is_said_by(&self, said: &Self) -> bool {
        let same_numbers = self.numbers.len() == said.numbers.len()
            && self.numbers.iter().zip(&said.numbers).all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()));
        let holds = |whole: &Self, part: &Self| part.words.iter().all(|word| whole.words.contains(word));
        let (a, b) = (self.words.join(" "), said.words.join(" "));
        let alike = similarity(&a, &b, longer(&a, &b)) >= ALIKE;
        let left_out = !self.numbers.is_empty() && holds(self, said);
        same_numbers && (holds(said, self) || left_out || alike)
    }
}

/// Runs of letters and digits, a unit apart from its number; that keeps its sign and point, and loses the commas between its
/// thousands.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let is_digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let mut tokens = vec![String::new()];
    for (at, c) in chars.iter().enumerate() {
        let starts = at == 0 || chars.get(at - 1).is_some_and(|before| before.is_whitespace() || *before == '$');
        let belongs = match c {
            '.' => at > 0 && is_digit(at - 1) && is_digit(at + 1),
            '-' | '−' => starts && is_digit(at + 1),
            c => c.is_alphanumeric(),
        };
        let of_thousands =
            *c == ',' && at > 0 && is_digit(at - 1) && (1..=3).all(|n| is_digit(at + n)) && !is_digit(at + 4);
        if c.is_alphabetic() && tokens.last().is_some_and(|token| token.starts_with(|c: char| c.is_ascii_digit())) {
            tokens.push(String::new());
        }
        match tokens.last_mut() {
            Some(token) if belongs => token.push(if *c == '−' { '-' } else { *c }),
            _ if of_thousands => {}
            _ => tokens.push(String::new()),
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

fn number(token: &str) -> Option<f64> {
    let begins = token.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    let spelled = || below_twenty(token).map(|n| n as f64);
    if begins { token.parse().ok() } else { spelled() }
}

fn scale(token: &str) -> Option<f64> {
    const SCALES: [(&str, f64); 4] = [("thousand", 1e3), ("million", 1e6), ("billion", 1e9), ("trillion", 1e12)];
    SCALES.iter().find(|(name, _)| *name == token).map(|(_, scale)| *scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_must_be_the_same_and_words_nearly() {
        let check = |gold: &str, said: &str, want| {
            let list = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(is_right(&list(gold), &list(said)), want, "{gold:?} {said:?}");
        };
        for said in ["45 minutes", "45", "45 Minutes.", "about 45 minutes"] {
            check("45 minutes", said, true);
        }
        for said in ["50 minutes", "minutes", "-45 minutes", "45 of 60 minutes", "45.5 minutes"] {
            check("45 minutes", said, false);
        }
        check("3,412 thousand crowns", "3412000 crowns", true);
        check("3,412 thousand crowns", "3,412", false);
        check("$2.50", "2.5", true);
        check("three", "3", true);
        check("3, 4", "4 and 3", true);
        check("Dry running", "A11 means dry running", true);
        check("Dry running", "Low oil pressure", false);
        check("Tomas Reedy", "tomas reedi", true);
        check("Tomas Reedy", "Tomas", false);
        check("Tomas Reedy", "", false);
        check("12 May 1898", "May 12, 1898", true);
        check("4.83元/立方米", "4.83 元/立方米", true);
        check("oak|ash|elm", "elm|oak|ash", true);
        check("oak|ash|elm", "elm|oak|oak", false);
        check("oak|ash", "oak|ash|elm", false);
        check("Not answerable", "Not answerable", true);
    }
}
