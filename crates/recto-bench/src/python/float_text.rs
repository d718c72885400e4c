//! `float(text)` and `repr(float)`.

use super::digits::ascii_digits;
use super::space::strip;

/// `float(text)`: white space around it, digits of any script, `_` between digits, `nan` and `inf` with a sign;
/// `None` where Python raises `ValueError`.
pub fn parse(text: &str) -> Option<f64> {
    // Rust's grammar is the rest of Python's: both know `.5`, `5.`, `1e5`, `Infinity`, and no hexadecimal.
    ascii_digits(strip(text))?.parse().ok()
}

/// `repr(value)`: the shortest text that reads back as `value`; an exponent from 1e16 on and below 1e-4.
pub fn repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.into();
    }
    let exponential = format!("{value:e}");
    let (digits, exponent) = exponential.split_once('e').unwrap_or((&exponential, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_parse_as_in_python() {
        for (text, value) in [
            (" 1_000.5\n", Some(1000.5)),
            ("1__0", None),
            ("_1", None),
            ("1_", None),
            ("1_.5", None),
            ("1e1_0", Some(1e10)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            (".", None),
            ("", None),
            ("+-1", None),
            ("0x10", None),
            ("1,000", None),
            ("1 000", None),
            ("٣.٥", Some(3.5)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("1e999", Some(f64::INFINITY)),
            ("½", None),
        ] {
            assert_eq!(parse(text), value, "{text:?}");
        }
        assert!(parse("+NaN").is_some_and(f64::is_nan));
    }

    #[test]
    fn floats_print_as_in_python() {
        for (value, text) in [
            (5.0, "5.0"),
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(repr(value), text);
        }
    }
}
