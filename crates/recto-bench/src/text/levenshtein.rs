//! The distance of Levenshtein: the least number of characters put in, left out or exchanged.

const WORD: usize = u64::BITS as usize;

/// The distance in characters (code points).
///
/// Computed 64 rows of the table at a time, by H. Hyyrö's form of G. Myers' bit-vectors ("A bit-vector algorithm for
/// computing Levenshtein and Damerau edit distances", 2003).
pub fn levenshtein(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let (short, long) = without_common_ends(short, long);
    if short.is_empty() { long.len() } else { by_bits(short, long) }
}

fn without_common_ends<'a>(mut a: &'a [char], mut b: &'a [char]) -> (&'a [char], &'a [char]) {
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    (a, b) = (a.get(prefix..).unwrap_or_default(), b.get(prefix..).unwrap_or_default());
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    (a.get(..a.len() - suffix).unwrap_or_default(), b.get(..b.len() - suffix).unwrap_or_default())
}

/// Neighbouring cells of the table in 64 rows: where the value grows by one, and where it falls by one.
#[derive(Clone, Copy)]
struct Steps {
    grows: u64,
    falls: u64,
}

fn by_bits(pattern: &[char], text: &[char]) -> usize {
    let places = Places::of(pattern);
    let last = 1 << ((pattern.len() - 1) % WORD);
    let mut column = vec![Steps { grows: u64::MAX, falls: 0 }; places.words];
    let mut distance = pattern.len();
    for c in text {
        // Row 0 of the table grows by one from column to column.
        let mut carry = Steps { grows: 1, falls: 0 };
        let mut across = carry;
        for (down, place) in column.iter_mut().zip(places.get(*c)) {
            across = down.next_column(*place, &mut carry);
        }
        distance += usize::from(across.grows & last != 0);
        distance -= usize::from(across.falls & last != 0);
    }
    distance
}

impl Steps {
    /// Moves 64 rows one column on: `place` has the rows whose character is the column's; `carry` is the step across in
    /// the row above, then in the last of these rows. Returns the steps across.
    fn next_column(&mut self, place: u64, carry: &mut Self) -> Self {
        let same = place | carry.falls;
        let diagonal = ((same & self.grows).wrapping_add(self.grows) ^ self.grows) | same | self.falls;
        let across = Self { grows: self.falls | !(diagonal | self.grows), falls: diagonal & self.grows };
        let grows = across.grows << 1 | carry.grows;
        let falls = across.falls << 1 | carry.falls;
        *carry = Self { grows: across.grows >> (WORD - 1), falls: across.falls >> (WORD - 1) };
        *self = Self { grows: falls | !(diagonal | grows), falls: grows & diagonal };
        across
    }
}

/// For each character of a pattern the places where it stands, one bit a place.
struct Places {
    chars: Vec<char>,
    words: usize,
    /// `words` for each of `chars`, then `words` zeros for every other character.
    bits: Vec<u64>,
}

impl Places {
    fn of(pattern: &[char]) -> Self {
        let mut chars = pattern.to_vec();
        chars.sort_unstable();
        chars.dedup();
        let words = pattern.len().div_ceil(WORD);
        let mut places = Self { bits: vec![0; (chars.len() + 1) * words], chars, words };
        for (at, c) in pattern.iter().enumerate() {
            let start = places.start(*c);
            if let Some(word) = places.bits.get_mut(start + at / WORD) {
                *word |= 1 << (at % WORD);
            }
        }
        places
    }

    fn start(&self, c: char) -> usize {
        self.chars.binary_search(&c).unwrap_or(self.chars.len()) * self.words
    }

    fn get(&self, c: char) -> &[u64] {
        let start = self.start(c);
        self.bits.get(start..start + self.words).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table, row by row.
    fn by_table(a: &str, b: &str) -> usize {
        let b: Vec<char> = b.chars().collect();
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.chars().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let least = (diagonal + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = std::mem::replace(&mut row[j + 1], least);
            }
        }
        row[b.len()]
    }

    #[test]
    fn known_distances() {
        for (a, b, distance) in [("kitten", "sitting", 3), ("", "", 0), ("a", "", 1), ("résumé", "resume", 2)] {
            assert_eq!(levenshtein(a, b), distance, "{a} {b}");
        }
    }

    proptest::proptest! {
        #[test]
        fn bits_agree_with_the_table(a in "[ab]{0,200}", b in "[abc]{0,200}", c in ".{0,20}", d in ".{0,20}") {
            proptest::prop_assert_eq!(levenshtein(&a, &b), by_table(&a, &b));
            proptest::prop_assert_eq!(levenshtein(&c, &d), by_table(&c, &d));
        }
    }
}
