//! Makes texts fit into a context: the longest lose the part before their last words, where a page's tail is, until all
//! together have room.

use std::ops::Range;

/// The least that is left of a text.
const LEAST: usize = 48;
/// Stands where a text was cut.
pub(crate) const NOTE: &str = "\n[cut here: the whole is longer than the model can read]\n";

/// Cuts the longest texts until all of them are no longer than `room`, and puts `note` where something is missing. How much
/// was left out; `None` if there is no room for the least of each.
#[cfg(any(test, feature = "local-llm"))]
pub(crate) fn fit<T: Clone>(texts: &mut [Vec<T>], room: usize, note: &[T]) -> Option<usize> {
    let level = level(texts.iter().map(Vec::len).collect(), room);
    let mut missing = 0;
    for text in texts.iter_mut().filter(|text| text.len() > level) {
        let gap = gap(text.len(), level, note.len())?;
        missing += gap.len();
        text.splice(gap, note.iter().cloned());
    }
    Some(missing)
}

/// What is left out of a text that is longer than `most`, so that the rest has room beside a note.
pub(crate) fn gap(length: usize, most: usize, note: usize) -> Option<Range<usize>> {
    let kept = most.checked_sub(note).filter(|kept| *kept >= LEAST)?;
    // The end of a text closes what it opened, such as the marks around a page.
    let tail = (kept / 8).max(LEAST / 2);
    Some(kept - tail..length.saturating_sub(tail))
}

/// The greatest length to which all have to be cut so that their sum is no greater than `room`.
pub(crate) fn level(mut lengths: Vec<usize>, mut room: usize) -> usize {
    lengths.sort_unstable();
    let mut n = lengths.len();
    for length in lengths {
        if length.saturating_mul(n) > room {
            return room / n;
        }
        room -= length;
        n -= 1;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_texts_are_cut_before_their_end() {
        let text = |n: usize| (0..n).collect::<Vec<usize>>();
        let lengths = |texts: &[Vec<usize>]| texts.iter().map(Vec::len).collect::<Vec<_>>();
        let note = [usize::MAX; 4];
        let table = [
            (vec![10, 500, 20], 530, Some(vec![10, 500, 20])),
            (vec![10, 500, 20], 230, Some(vec![10, 200, 20])),
            (vec![300, 500, 20], 220, Some(vec![100, 100, 20])),
            (vec![300, 120, 20], 340, Some(vec![200, 120, 20])),
            (vec![300, 300], 104, Some(vec![52, 52])),
            (vec![300, 300], 103, None),
            (vec![300], 0, None),
            (vec![], 0, Some(vec![])),
        ];
        for (given, room, want) in table {
            let mut texts: Vec<_> = given.iter().map(|n| text(*n)).collect();
            let missing = fit(&mut texts, room, &note);
            assert_eq!(missing.map(|_| lengths(&texts)), want, "{given:?} in {room}");
        }
        let mut texts = [text(500)];
        assert_eq!(fit(&mut texts, 100, &note), Some(404));
        let [cut] = texts;
        assert_eq!(cut[..72], text(72), "the beginning stays");
        assert_eq!((cut[72], cut[75], cut[76], cut[99]), (usize::MAX, usize::MAX, 476, 499));
    }
}
