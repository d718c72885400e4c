//! The decimal digits of all scripts (general category `Nd`), as `\d` and `float()` know them. Not superscripts or
//! fractions, which are numbers but no digits.

/// The zeros of Unicode 14, the tables of Python 3.11; the nine characters after each are its 1 to 9.
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0,
    0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60,
    0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// The value of a decimal digit of any script; `None` for any other character.
pub fn digit(c: char) -> Option<u8> {
    let code = u32::from(c);
    let before = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?;
    u8::try_from(code - ZEROS.get(before)?).ok().filter(|value| *value < 10)
}

/// `text` with the digits of all scripts in ASCII and without the underscores that stand between two digits; `None`
/// if an underscore stands elsewhere.
pub(crate) fn ascii_digits(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().map(|c| digit(c).map_or(c, |value| char::from(b'0' + value))).collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_digit);
    let misplaced = |(at, c): (usize, &char)| *c == '_' && !(is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)));
    if chars.iter().enumerate().any(misplaced) {
        return None;
    }
    Some(chars.into_iter().filter(|c| *c != '_').collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_all_scripts_have_values() {
        for (c, value) in
            [('0', Some(0)), ('9', Some(9)), ('/', None), (':', None), ('٣', Some(3)), ('７', Some(7)), ('²', None)]
        {
            assert_eq!(digit(c), value, "{c}");
        }
        assert_eq!((0..=0x10_ffff).filter_map(char::from_u32).filter(|c| digit(*c).is_some()).count(), 660);
    }
}
