//! The parts of a page that say most about a question, for a model that can't be shown all of it: paragraphs and rows of
//! tables by the question's words in them, in the page's own order.

use std::collections::{BTreeMap, BTreeSet};

use crate::Question;
use crate::qa::terms;

/// Longer paragraphs are taken line by line.
const LONG: usize = 600;
/// Stands where something is left out.
const GAP: &str = "[…]";

/// A text as far as so many bytes hold it: all of it, or its best parts.
pub(super) fn passages(text: &str, question: &Question, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.trim_end().to_owned();
    }
    let pieces = pieces(text);
    let worth = worth(&pieces, question);
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    // A stable sort: of equals the first one on the page.
    order.sort_by(|a, b| worth.get(*b).unwrap_or(&0.0).total_cmp(worth.get(*a).unwrap_or(&0.0)));
    let mut left = bytes;
    let mut kept = BTreeSet::new();
    for at in order {
        let heads = pieces.get(at).and_then(|piece| piece.head);
        let more: BTreeSet<usize> = heads.into_iter().chain([at]).filter(|at| !kept.contains(at)).collect();
        let cost: usize =
            more.iter().filter_map(|at| pieces.get(*at)).map(|piece| piece.text.len() + GAP.len() + 2).sum();
        if cost <= left {
            left -= cost;
            kept.extend(more);
        }
    }
    joined(&pieces, &kept, text, bytes)
}

fn joined(pieces: &[Piece<'_>], kept: &BTreeSet<usize>, text: &str, bytes: usize) -> String {
    if kept.is_empty() {
        // One line without an end.
        return text.get(..text.floor_char_boundary(bytes)).unwrap_or_default().trim_end().to_owned();
    }
    let mut out = String::new();
    let mut next = 0;
    for at in kept {
        if *at > next {
            out.push_str(&format!("{GAP}\n"));
        }
        out.push_str(pieces.get(*at).map_or("", |piece| piece.text));
        out.push('\n');
        next = at + 1;
    }
    if next < pieces.len() {
        out.push_str(GAP);
    }
    out.trim_end().to_owned()
}

/// A paragraph, a line of a long one, or a row of a table.
struct Piece<'t> {
    text: &'t str,
    /// The first row of its table, which says what its columns are.
    head: Option<usize>,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let is_table = paragraph.trim_start().starts_with('|');
        if !is_table && paragraph.len() <= LONG {
            pieces.push(Piece { text: paragraph.trim_end(), head: None });
            continue;
        }
        let first = pieces.len();
        let head = |n: usize| (is_table && n > 0).then_some(first);
        let lines = paragraph.lines().filter(|line| !line.trim().is_empty()).enumerate();
        pieces.extend(lines.map(|(n, text)| Piece { text, head: head(n) }));
    }
    pieces
}

/// Each of the question's words in a piece counts the more, the fewer other pieces have it; a neighbour's count a little.
fn worth(pieces: &[Piece<'_>], question: &Question) -> Vec<f64> {
    let held: Vec<BTreeSet<String>> = pieces
        .iter()
        .map(|piece| terms(piece.text).into_iter().filter(|term| question.terms.contains(term)).collect())
        .collect();
    let mut pieces_with: BTreeMap<&str, f64> = BTreeMap::new();
    for term in held.iter().flatten() {
        *pieces_with.entry(term).or_default() += 1.0;
    }
    let of = |terms: &BTreeSet<String>| -> f64 {
        terms.iter().map(|term| 1.0 / pieces_with.get(term.as_str()).copied().unwrap_or(1.0)).sum()
    };
    let own: Vec<f64> = held.iter().map(of).collect();
    let near = |at: Option<usize>| at.and_then(|at| own.get(at)).copied().unwrap_or(0.0);
    let beside = |at: usize| near(at.checked_sub(1)).max(near(at.checked_add(1)));
    own.iter().enumerate().map(|(at, own)| own + 0.3 * beside(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, question: &str, bytes: usize, want: &str) {
        let got = passages(text, &Question::new(question), bytes);
        assert_eq!(got, want);
        assert!(got.len() <= bytes + GAP.len() + 1, "{} of {bytes}", got.len());
    }

    #[test]
    fn what_the_question_is_about_is_kept() {
        let text = "Report\n\nThe board met in May.\n\nThe toll at lock 7 is 37 crowns.\n\nNobody else came.\n\nEnd.\n";
        check(text, "What is the toll at lock 7?", 500, text.trim_end());
        check(text, "What is the toll at lock 7?", 40, "[…]\nThe toll at lock 7 is 37 crowns.\n[…]");
        check(
            text,
            "What is the toll at lock 7?",
            70,
            "[…]\nThe board met in May.\nThe toll at lock 7 is 37 crowns.\n[…]",
        );
        // Where nothing fits the question, the beginning stays.
        check(text, "Who painted it?", 45, "Report\nThe board met in May.\n[…]");
    }

    #[test]
    fn rows_keep_the_head_of_their_table() {
        let text = "| Lock | Toll |\n| --- | --- |\n| Harrow | 31 |\n| Tower | 37 |\n| Mill | 40 |\n";
        check(text, "What is the toll of the Tower lock?", 50, "| Lock | Toll |\n[…]\n| Tower | 37 |\n[…]");
    }

    #[test]
    fn a_line_without_end_is_cut() {
        check(&"é".repeat(400), "é?", 101, &"é".repeat(50));
        check("", "x?", 0, "");
    }
}
