//! Numbers of runs, quickly: the same as the standard library reads.

use std::ops::Range;

use super::words::{AHEAD, head};

/// The number that a text is. Plain decimals of up to 15 digits are a whole number divided by a power of ten, both of which
/// are exact, so that the quotient is the nearest number (Clinger 1990).
pub(super) fn number(text: &[u8]) -> Option<f64> {
    let any = || std::str::from_utf8(text).ok()?.parse().ok();
    if text.len() > 16 {
        return any();
    }
    let (mut digits, mut divisor, mut is_fraction) = (0_u64, 1_u64, false);
    for byte in text {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                divisor *= if is_fraction { 10 } else { 1 };
            }
            b'.' if !is_fraction && text.len() > 1 => is_fraction = true,
            _ => return any(),
        }
    }
    match is_fraction {
        true => Some(digits as f64 / divisor as f64),
        false if text.len() == 16 => any(),
        false => Some(digits as f64),
    }
}

/// The number that a word of up to eight digits is, all of them looked at at once; `None` if it is something else.
#[inline(always)]
pub(super) fn short_whole(bytes: &[u8], word: &Range<usize>) -> Option<f64> {
    const EACH: u64 = u64::MAX / 255;
    let unused = AHEAD.checked_sub(word.len()).filter(|unused| *unused < AHEAD)?;
    // The last digit comes to stand highest, zeros come before the first.
    let digits = (head(bytes, word)? ^ (EACH * u64::from(b'0'))) << (8 * unused);
    let is_digits = (digits.wrapping_add(EACH * 0x76) | digits) & (EACH * 0x80) == 0;
    // Neighbours become one number each, of two digits, four, then eight.
    let twos = (digits.wrapping_mul(10).wrapping_add(digits >> 8)) & (u64::MAX / 0xffff * 0xff);
    let fours = (twos.wrapping_mul(1 + (100 << 16)) >> 16) & (u64::MAX / 0xffff_ffff * 0xffff);
    let eights = fours.wrapping_mul(1 + (10_000 << 32)) >> 32;
    is_digits.then(|| f64::from(eights as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn numbers_are_those_of_the_standard_library(text in "[-+]?[0-9]{0,18}\\.?[0-9]{0,18}(e-?[0-9]{1,3})?|inf|nan|[0-9.]{1,4}") {
            let theirs: Option<f64> = text.parse().ok();
            let ours = number(text.as_bytes()).map(f64::to_bits);
            // A text of nothing is no column, and never comes here.
            proptest::prop_assert!(text.is_empty() || ours == theirs.map(f64::to_bits), "{text}");
            let ahead = format!("{text}         ");
            if let Some(whole) = short_whole(ahead.as_bytes(), &(0..text.len())) {
                proptest::prop_assert_eq!(Some(whole), theirs, "{}", text);
            }
        }
    }

    #[test]
    fn short_numbers_are_read_at_once() {
        for (text, want) in
            [("0", Some(0.0)), ("1000", Some(1000.0)), ("90817263", Some(90_817_263.0)), ("123456789", None)]
        {
            assert_eq!(short_whole(format!("{text} and more").as_bytes(), &(0..text.len())), want, "{text}");
        }
        for text in ["", "1.5", "-1", "12:4", "12/4", "é1", "1\u{1}"] {
            assert_eq!(short_whole(format!("{text} and more").as_bytes(), &(0..text.len())), None, "{text}");
        }
    }
}
