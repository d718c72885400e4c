//! Words of a question that the pages write differently: one letter off.

use super::term::bare;
use recto_page::Page;

/// The first word of the pages that differs by one letter (or two neighbours swapped) from a long `word`.
pub(crate) fn correction<'p>(word: &str, pages: impl IntoIterator<Item = &'p Page>) -> Option<&'p str> {
    let wanted: Vec<char> = word.to_lowercase().chars().collect();
    if wanted.len() < 6 || wanted.iter().any(|c| c.is_numeric()) {
        return None;
    }
    let words = pages.into_iter().flat_map(|p| &p.text_layer.words);
    let bare = words.map(|w| bare(&w.text));
    bare.into_iter().find(|w| w.len().abs_diff(word.len()) <= 4 && is_near(&wanted, &w.to_lowercase()))
}

/// True if one insertion, deletion, change or swap of neighbours leads from one to the other.
fn is_near(a: &[char], b: &str) -> bool {
    let n = b.chars().count();
    if n.abs_diff(a.len()) > 1 {
        return false;
    }
    let b: Vec<char> = b.chars().collect();
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[head..], &b[head..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    match (&a[..a.len() - tail], &b[..b.len() - tail]) {
        ([p, q], [r, s]) => p == s && q == r,
        (a, b) => a.len() <= 1 && b.len() <= 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_off_is_near() {
        let table = [
            ("harbour", "harbor", true),
            ("recieve", "receive", true),
            ("turbine", "turbnie", true),
            ("turbine", "turbine", true),
            ("copper", "cooper", true),
            ("copper", "carpet", false),
            ("pump", "pumpset", false),
            ("", "", true),
        ];
        for (a, b, want) in table {
            assert_eq!(is_near(&a.chars().collect::<Vec<_>>(), b), want, "{a} {b}");
        }
    }
}
