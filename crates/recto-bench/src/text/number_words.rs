//! English words for small numbers.

const WORDS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];

/// The value of `zero` to `nineteen`.
pub(crate) fn below_twenty(word: &str) -> Option<usize> {
    WORDS.iter().position(|known| *known == word)
}
