//! Numbers spelt in other ways than by digits, as page labels and lists are.

/// `i`, `ii`, `iii`, ...; what is too large for Roman numerals stays decimal.
pub(crate) fn roman(number: u32) -> String {
    const DIGITS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    if number > 4999 {
        return number.to_string();
    }
    let mut rest = number;
    let mut text = String::new();
    for (value, digit) in DIGITS {
        while rest >= value {
            text.push_str(digit);
            rest -= value;
        }
    }
    text
}

/// `a` to `z`, then `aa` to `zz`, `aaa` and so on; what is above `most` stays decimal, for it would get too long.
pub(crate) fn letters(number: u32, most: u32) -> String {
    if number > most {
        return number.to_string();
    }
    let index = number.saturating_sub(1);
    let letter = char::from(b'a' + (index % 26) as u8);
    std::iter::repeat_n(letter, index as usize / 26 + 1).collect()
}
