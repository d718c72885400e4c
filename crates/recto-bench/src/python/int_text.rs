//! `int(text)` and `int(float)`, as decimal text: Python's whole numbers have no limit.

use super::digits::ascii_digits;
use super::space::strip;

/// `int(text)` as Python prints it: no leading zeros, no plus; `None` where Python raises `ValueError`.
pub fn parse(text: &str) -> Option<String> {
    let digits = ascii_digits(strip(text))?;
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits.strip_prefix('+').unwrap_or(&digits)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(signed(sign, digits.trim_start_matches('0')))
}

/// `int(value)`, which cuts towards zero; `None` where Python raises (`nan`, `inf`).
pub fn of_float(value: f64) -> Option<String> {
    let whole = format!("{:.0}", value.trunc().abs());
    value.is_finite().then(|| signed(if value < 0.0 { "-" } else { "" }, whole.trim_start_matches('0')))
}

fn signed(sign: &str, digits: &str) -> String {
    if digits.is_empty() { "0".into() } else { format!("{sign}{digits}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_parse_as_in_python() {
        for (text, value) in [
            (" 007 ", Some("7")),
            ("-0", Some("0")),
            ("+1_000", Some("1000")),
            ("99999999999999999999", Some("99999999999999999999")),
            ("٣", Some("3")),
            ("3.0", None),
            ("", None),
            ("-", None),
            ("--1", None),
            ("21%", None),
        ] {
            assert_eq!(parse(text).as_deref(), value, "{text:?}");
        }
    }

    #[test]
    fn floats_are_cut_towards_zero() {
        for (value, text) in [
            (10.9, Some("10")),
            (-3.7, Some("-3")),
            (-0.4, Some("0")),
            (1e22, Some("10000000000000000000000")),
            (f64::NAN, None),
        ] {
            assert_eq!(of_float(value).as_deref(), text);
        }
    }
}
