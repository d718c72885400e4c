//! The forms of Arabic letters: alone, at the end, at the beginning, in the middle of joined letters. Readers take the
//! forms for the letters themselves (NFKC). Ligatures are not made.

/// How many forms each letter from U+0621 on has; the forms follow each other from U+FE80 on.
const FORMS: [u32; 26] = [1, 2, 2, 2, 2, 4, 2, 4, 2, 4, 4, 4, 4, 4, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4];

/// The same from U+0641 on.
const FURTHER_FORMS: [u32; 10] = [4, 4, 4, 4, 4, 4, 4, 2, 2, 4];

/// Letters of Persian and Urdu, their first form and how many there are.
const OTHERS: [(char, u32, u32); 6] = [
    ('\u{67e}', 0xFB56, 4),
    ('\u{686}', 0xFB7A, 4),
    ('\u{698}', 0xFB8A, 2),
    ('\u{6a9}', 0xFB8E, 4),
    ('\u{6af}', 0xFB92, 4),
    ('\u{6cc}', 0xFBFC, 4),
];

/// The text with each letter in the form that its neighbours ask for.
pub(super) fn shaped(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let is_letter = |char: &&char| !is_mark(**char);
    let shape = |(index, char): (usize, &char)| {
        let Some((first, count)) = forms(*char) else { return *char };
        let before = chars.iter().take(index).rev().find(is_letter);
        let after = chars.iter().skip(index + 1).find(is_letter);
        let joins_before = count > 1 && before.is_some_and(|char| joins_next(*char));
        let joins_after = count == 4 && after.is_some_and(|char| joins_before_itself(*char));
        char::from_u32(first + u32::from(joins_before) + 2 * u32::from(joins_after)).unwrap_or(*char)
    };
    chars.iter().enumerate().map(shape).collect()
}

/// The first form of a letter and how many it has.
fn forms(char: char) -> Option<(u32, u32)> {
    let of = |start: u32, first: u32, counts: &[u32]| {
        let index = (char as u32).checked_sub(start)? as usize;
        let count = *counts.get(index)?;
        Some((first + counts.iter().take(index).sum::<u32>(), count))
    };
    let other = || OTHERS.iter().find(|(letter, ..)| *letter == char).map(|(_, first, count)| (*first, *count));
    of(0x621, 0xFE80, &FORMS).or_else(|| of(0x641, 0xFED1, &FURTHER_FORMS)).or_else(other)
}

fn joins_next(char: char) -> bool {
    char == '\u{640}' || forms(char).is_some_and(|(_, count)| count == 4)
}

fn joins_before_itself(char: char) -> bool {
    char == '\u{640}' || forms(char).is_some_and(|(_, count)| count > 1)
}

/// True for vowel signs, which do not part letters.
fn is_mark(char: char) -> bool {
    matches!(char, '\u{64b}'..='\u{65f}' | '\u{670}')
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[test]
    fn letters_take_the_form_that_their_neighbours_ask_for() {
        let check = |text: &str, want: &str| {
            assert_eq!(shaped(text), want);
            assert_eq!(want.nfkc().collect::<String>(), text);
        };
        check("سلم", "\u{feb3}\u{fee0}\u{fee2}");
        check("بيت", "\u{fe91}\u{fef4}\u{fe96}");
        check("دار", "\u{fea9}\u{fe8d}\u{fead}");
        check("ء", "\u{fe80}");
        check("پی", "\u{fb58}\u{fbfd}");
        check("abc שלום", "abc שלום");
    }
}
