//! Numbers as they are printed, exactly: fractions, so that no digit is lost when they are compared and rounded. Sums are the
//! calculator's.

use std::cmp::Ordering;

/// An exact number: a fraction in lowest terms, the lower part above 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exact {
    upper: i128,
    lower: i128,
}

impl Exact {
    /// A fraction; `None` if it divides by 0 or does not fit.
    pub(super) fn new(upper: i128, lower: i128) -> Option<Self> {
        let divisor = gcd(upper.unsigned_abs(), lower.unsigned_abs());
        let divisor = i128::try_from(divisor).ok().filter(|divisor| *divisor > 0 && lower != 0)?;
        let (upper, lower) = (upper / divisor, lower / divisor);
        if lower < 0 {
            return Some(Self { upper: upper.checked_neg()?, lower: lower.checked_neg()? });
        }
        Some(Self { upper, lower })
    }

    /// A whole number.
    pub(super) const fn whole(number: i128) -> Self {
        Self { upper: number, lower: 1 }
    }

    /// Reads a number as it is printed: `1,234.5`, `(12)` and `-12` for minus, `$4.5 million`, `12 %` (which is 12), with
    /// whatever unit after it. `None` for anything else.
    pub(super) fn parse(printed: &str) -> Option<Self> {
        let text = printed.trim();
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let (before, rest) = text.split_at(start);
        let length = rest.find(|c: char| !(c.is_ascii_digit() || ",.'".contains(c))).unwrap_or(rest.len());
        let (digits, after) = rest.split_at_checked(length)?;
        let number = plain(digits.trim_end_matches([',', '.', '\'']))?;
        let minus = before.trim_end_matches(['$', '€', '£', '¥', ' ']).ends_with(['-', '−', '–'])
            || before.contains('(') && after.contains(')') && !after.contains('(');
        let scaled = number.times(scale(after))?;
        if minus { scaled.negated() } else { Some(scaled) }
    }

    /// So many places after the point, halves away from zero: `-12.50`.
    pub(super) fn rounded(&self, places: u32) -> Option<String> {
        let power = 10_i128.checked_pow(places)?;
        let scaled = self.upper.unsigned_abs().checked_mul(power.unsigned_abs())?;
        let lower = self.lower.unsigned_abs();
        let rounded = scaled / lower + u128::from(scaled % lower >= lower.div_ceil(2) && scaled % lower > 0);
        let minus = if self.upper < 0 && rounded > 0 { "-" } else { "" };
        if places == 0 {
            return Some(format!("{minus}{rounded}"));
        }
        let (whole, part) = (rounded / power.unsigned_abs(), rounded % power.unsigned_abs());
        Some(format!("{minus}{whole}.{part:0width$}", width = places as usize))
    }

    /// All its digits; `None` if they never end.
    pub(super) fn told(&self) -> Option<String> {
        self.rounded(self.places()?)
    }

    /// How many places after the point it needs; `None` if they never end, or go on beyond twelve.
    pub(super) fn places(&self) -> Option<u32> {
        (0..=12_u32).find(|places| 10_i128.pow(*places) % self.lower == 0)
    }

    /// The nearest floating point number.
    pub(super) fn to_f64(self) -> f64 {
        self.upper as f64 / self.lower as f64
    }

    /// The product.
    pub(super) fn times(self, other: Self) -> Option<Self> {
        let across = Self::new(self.upper, other.lower)?;
        let back = Self::new(other.upper, self.lower)?;
        Self::new(across.upper.checked_mul(back.upper)?, across.lower.checked_mul(back.lower)?)
    }

    /// With the other sign.
    pub(super) fn negated(self) -> Option<Self> {
        Some(Self { upper: self.upper.checked_neg()?, lower: self.lower })
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.upper.checked_mul(other.lower), other.upper.checked_mul(self.lower)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => self.to_f64().total_cmp(&other.to_f64()),
        }
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

const fn gcd(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// `1,234.50` without its commas. A lone comma before one or two last digits is a point.
fn plain(digits: &str) -> Option<Exact> {
    let is_decimal_comma = !digits.contains('.')
        && digits.split_once(',').is_some_and(|(_, after)| !after.contains(',') && matches!(after.len(), 1 | 2));
    let digits = if is_decimal_comma { digits.replace(',', ".") } else { digits.replace([',', '\''], "") };
    let (whole, part) = digits.split_once('.').unwrap_or((&digits, ""));
    if part.contains('.') || part.len() > 18 {
        return None;
    }
    let upper = format!("{whole}{part}").parse().ok()?;
    Exact::new(upper, 10_i128.checked_pow(u32::try_from(part.len()).ok()?)?)
}

/// What the word after a number multiplies it by.
fn scale(after: &str) -> Exact {
    let word: String = after.trim_start().chars().take_while(|c| c.is_alphabetic()).collect::<String>().to_lowercase();
    Exact::whole(match word.as_str() {
        "thousand" | "thousands" | "k" | "千" => 1_000,
        "万" | "萬" => 10_000,
        "million" | "millions" | "mn" | "mio" | "百万" => 1_000_000,
        "亿" | "億" => 100_000_000,
        "billion" | "billions" | "bn" => 1_000_000_000,
        "trillion" | "trillions" => 1_000_000_000_000,
        _ => 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_are_read_exactly() {
        let table = [
            ("1,234.50", Some("1234.5000")),
            ("$4.5 million", Some("4500000.0000")),
            ("(12.5)", Some("-12.5000")),
            ("-$3", Some("-3.0000")),
            ("−7 %", Some("-7.0000")),
            ("12 %", Some("12.0000")),
            ("about 40 pages", Some("40.0000")),
            ("3,5", Some("3.5000")),
            ("12,345", Some("12345.0000")),
            ("2.5亿", Some("250000000.0000")),
            ("1.2.3", None),
            ("none", None),
            ("", None),
            ("99999999999999999999999999999999999999999", None),
        ];
        for (printed, want) in table {
            let got = Exact::parse(printed).and_then(|number| number.rounded(4));
            assert_eq!(got.as_deref(), want, "{printed}");
        }
    }

    #[test]
    fn places_are_those_that_a_number_needs() {
        for (number, want) in [("12", Some(0)), ("1.25", Some(2)), ("0.001", Some(3))] {
            assert_eq!(Exact::parse(number).and_then(|number| number.places()), want, "{number}");
        }
        assert_eq!(Exact::new(1, 3).and_then(|third| third.places()), None);
        assert_eq!(Exact::new(1, 0), None);
    }
}
