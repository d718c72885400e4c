//! ANLS: how alike two texts are (Biten and others 2019).

use super::answer::{as_text, best_of};
use super::{Cutoff, Definition, Formula};
use crate::text::similarity::{longer, similarity};

/// `ANLS`: the best of 1 - edit distance ÷ longer length over the right answers, in lower case and without outer white
/// space; below one half it is 0.
pub(super) const DEFINITION: Definition = Definition {
    name: "ANLS",
    about: "likeness of the answer to the nearest right one",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| best_of(case, |gold, said| anls(&gold.join(", "), &as_text(said)))),
};

/// The likeness of two texts.
pub fn anls(a: &str, b: &str) -> f64 {
    let fold = |text: &str| text.trim().to_lowercase();
    let (a, b) = (fold(a), fold(b));
    let value = similarity(&a, &b, longer(&a, &b));
    if value < 0.5 { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness() {
        for (a, b, value) in
            [("35", "35", 1.0), (" Abcd", "abce ", 0.75), ("ab", "ax", 0.5), ("abc", "axy", 0.0), ("", "", 1.0)]
        {
            assert_eq!(anls(a, b), value, "{a} {b}");
        }
    }
}
