//! Numbers and names as reports write them. Not escaping: each format has its own.

use std::cmp::Ordering;

/// A number for people: four decimals, two from 10 on, none where it counts something.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "not a number".into() } else { "infinite".into() };
    }
    match value.abs() {
        size if size >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// A quantity for people: three significant digits, no trailing zeros.
pub(super) fn quantity(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return if value == 0.0 { "0".into() } else { number(value) };
    }
    let before = value.abs().log10().floor() as i32 + 1;
    let decimals = usize::try_from(3 - before).unwrap_or(0).min(12);
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

/// What begins with a number by its value, other names by code point: `9` before `10`, `5 to 19` before `20 and more`.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
    match (leading(a), leading(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

/// The number at the beginning of a name.
fn leading(name: &str) -> Option<f64> {
    name.split(' ').next()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// `1 item`, `2 items`.
pub(super) fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_right() {
        for (value, want) in [(0.5, "0.5000"), (12.345, "12.35"), (f64::NAN, "not a number"), (-0.25, "-0.2500")] {
            assert_eq!(number(value), want);
        }
        for (value, want) in
            [(0.0, "0"), (3.0, "3"), (1234.0, "1234"), (0.001_234_5, "0.00123"), (12.5, "12.5"), (-20.0, "-20")]
        {
            assert_eq!(quantity(value), want);
        }
    }

    #[test]
    fn names_sort_as_people_sort() {
        let mut names = ["b", "10", "a", "9 to 8", "20 and more", "nan", "9"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["9", "9 to 8", "10", "20 and more", "a", "b", "nan"]);
    }
}
