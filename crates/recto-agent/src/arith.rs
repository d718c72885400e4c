//! Arithmetic on numbers as they are printed: exact fractions, so that no digit of a sum or a share is lost. Not floating
//! point; what does not fit is an error, never a near value.

use std::cmp::Ordering;

/// Formulas nest no deeper.
const DEEPEST: usize = 32;
/// A longer formula is not computed.
const LONGEST: usize = 1_000;

/// An exact number: a fraction in lowest terms, the lower part above 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exact {
    upper: i128,
    lower: i128,
}

/// Why a formula has no value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArithError {
    /// It is not one, at this byte.
    #[error("the formula can't be read at byte {at}")]
    Unreadable {
        /// Where.
        at: usize,
    },
    /// It names a value that is not given.
    #[error("the formula names {name}, which has no value")]
    Unknown {
        /// What it names.
        name: String,
    },
    /// Something is divided by 0.
    #[error("the formula divides by zero")]
    ByZero,
    /// A number has too many digits.
    #[error("the numbers are too long to compute with")]
    TooLong,
}

/// A number or why there is none.
pub type Result<T> = std::result::Result<T, ArithError>;

impl Exact {
    /// A fraction; `None` if it divides by 0 or does not fit.
    pub fn new(upper: i128, lower: i128) -> Option<Self> {
        let divisor = gcd(upper.unsigned_abs(), lower.unsigned_abs());
        let divisor = i128::try_from(divisor).ok().filter(|divisor| *divisor > 0 && lower != 0)?;
        let (upper, lower) = (upper / divisor, lower / divisor);
        if lower < 0 {
            return Some(Self { upper: upper.checked_neg()?, lower: lower.checked_neg()? });
        }
        Some(Self { upper, lower })
    }

    /// A whole number.
    pub const fn whole(number: i128) -> Self {
        Self { upper: number, lower: 1 }
    }

    /// Reads a number as it is printed: `1,234.5`, `(12)` and `-12` for minus, `$4.5 million`, `12 %` (which is 12), with
    /// whatever unit after it. `None` for anything else.
    pub fn parse(printed: &str) -> Option<Self> {
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
    pub fn rounded(&self, places: u32) -> Option<String> {
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

    /// Whether it has no part after the point.
    pub const fn is_whole(&self) -> bool {
        self.lower == 1
    }

    /// How many places after the point it needs; `None` if they never end, or go on beyond twelve.
    pub fn places(&self) -> Option<u32> {
        (0..=12_u32).find(|places| 10_i128.pow(*places) % self.lower == 0)
    }

    /// The nearest floating point number.
    pub fn to_f64(self) -> f64 {
        self.upper as f64 / self.lower as f64
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.upper.checked_mul(other.lower)?;
        let right = other.upper.checked_mul(self.lower)?;
        Self::new(left.checked_add(right)?, self.lower.checked_mul(other.lower)?)
    }

    /// The product.
    pub fn times(self, other: Self) -> Option<Self> {
        let across = Self::new(self.upper, other.lower)?;
        let back = Self::new(other.upper, self.lower)?;
        Self::new(across.upper.checked_mul(back.upper)?, across.lower.checked_mul(back.lower)?)
    }

    /// The quotient.
    pub fn over(self, other: Self) -> Option<Self> {
        self.times(Self::new(other.lower, other.upper)?)
    }

    fn negated(self) -> Option<Self> {
        Some(Self { upper: self.upper.checked_neg()?, lower: self.lower })
    }

    fn power(self, exponent: Self) -> Option<Self> {
        let times = u32::try_from(exponent.upper.unsigned_abs()).ok().filter(|_| exponent.is_whole())?;
        let raised = Self::new(self.upper.checked_pow(times)?, self.lower.checked_pow(times)?)?;
        if exponent.upper < 0 { Self::whole(1).over(raised) } else { Some(raised) }
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

/// The value of a formula: numbers, names of values, `+ - * / ^`, brackets, and `sum`, `avg`, `min`, `max`, `abs` of values.
///
/// # Errors
/// When it is no such formula, divides by 0 or has numbers that are too long.
pub fn evaluate(formula: &str, values: &dyn Fn(&str) -> Option<Exact>) -> Result<Exact> {
    let formula = formula.get(..LONGEST.min(formula.len())).filter(|cut| cut.len() == formula.len());
    let formula = formula.ok_or(ArithError::TooLong)?;
    let mut reader = Reader { text: formula, at: 0, depth: 0, values };
    let value = reader.sum()?;
    if reader.peek().is_some() { Err(reader.unreadable()) } else { Ok(value) }
}

/// Reads a formula from left to right.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    values: &'a dyn Fn(&str) -> Option<Exact>,
}

impl Reader<'_> {
    fn sum(&mut self) -> Result<Exact> {
        let mut value = self.product()?;
        while let Some(sign @ ('+' | '-')) = self.peek() {
            self.skip(sign);
            let next = self.product()?;
            let next = if sign == '-' { next.negated() } else { Some(next) };
            value = next.and_then(|next| value.plus(next)).ok_or(ArithError::TooLong)?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<Exact> {
        let mut value = self.signed()?;
        while let Some(sign @ ('*' | '/')) = self.peek() {
            self.skip(sign);
            let next = self.signed()?;
            value = match sign {
                '/' if next.upper == 0 => return Err(ArithError::ByZero),
                '/' => value.over(next),
                _ => value.times(next),
            }
            .ok_or(ArithError::TooLong)?;
        }
        Ok(value)
    }

    fn signed(&mut self) -> Result<Exact> {
        if self.peek() == Some('-') {
            self.skip('-');
            self.deeper()?;
            let value = self.signed()?;
            self.depth -= 1;
            return value.negated().ok_or(ArithError::TooLong);
        }
        let value = self.single()?;
        if self.peek() != Some('^') {
            return Ok(value);
        }
        self.skip('^');
        self.deeper()?;
        let exponent = self.signed()?;
        self.depth -= 1;
        if value.upper == 0 && exponent.upper < 0 {
            return Err(ArithError::ByZero);
        }
        value.power(exponent).ok_or(ArithError::TooLong)
    }

    fn single(&mut self) -> Result<Exact> {
        match self.peek() {
            Some('(') => {
                self.skip('(');
                self.deeper()?;
                let value = self.sum()?;
                self.depth -= 1;
                self.close()?;
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() => {
                let digits = self.take(|c| c.is_ascii_digit() || c == '.');
                plain(digits.trim_end_matches('.')).ok_or(ArithError::TooLong)
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.take(|c| c.is_alphanumeric() || c == '_').to_owned();
                if self.peek() == Some('(') { self.function(&name) } else { self.value(name) }
            }
            _ => Err(self.unreadable()),
        }
    }

    fn value(&self, name: String) -> Result<Exact> {
        (self.values)(&name).ok_or(ArithError::Unknown { name })
    }

    fn function(&mut self, name: &str) -> Result<Exact> {
        self.skip('(');
        self.deeper()?;
        let mut values = vec![self.sum()?];
        while self.peek() == Some(',') {
            self.skip(',');
            values.push(self.sum()?);
        }
        self.depth -= 1;
        self.close()?;
        let sum = || values.iter().try_fold(Exact::whole(0), |sum, value| sum.plus(*value));
        let value = match name.to_lowercase().as_str() {
            "sum" => sum(),
            "avg" | "mean" | "average" => sum().and_then(|sum| sum.over(Exact::whole(values.len() as i128))),
            "min" => values.iter().min().copied(),
            "max" => values.iter().max().copied(),
            "abs" => values.first().and_then(|value| if value.upper < 0 { value.negated() } else { Some(*value) }),
            _ => return Err(ArithError::Unknown { name: name.to_owned() }),
        };
        value.ok_or(ArithError::TooLong)
    }

    fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(ArithError::TooLong) } else { Ok(()) }
    }

    fn close(&mut self) -> Result<()> {
        if self.peek() != Some(')') {
            return Err(self.unreadable());
        }
        self.skip(')');
        Ok(())
    }

    /// The next sign: `×` and `÷` are `*` and `/`, all dashes are minus.
    fn peek(&mut self) -> Option<char> {
        self.take(char::is_whitespace);
        let c = self.rest().chars().next()?;
        Some(match c {
            '×' | '·' => '*',
            '÷' => '/',
            '−' | '–' => '-',
            c => c,
        })
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, _: char) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    fn take(&mut self, is_part: impl Fn(char) -> bool) -> &str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    const fn unreadable(&self) -> ArithError {
        ArithError::Unreadable { at: self.at }
    }
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
    fn formulas_have_exact_values() {
        let value = |name: &str| match name {
            "a" => Exact::parse("0.1"),
            "b" => Exact::parse("0.2"),
            "big" => Exact::parse("100000000000000000000000000000"),
            _ => None,
        };
        let table = [
            ("a + b", Ok("0.30")),
            ("(b - a) / a * 100", Ok("100.00")),
            ("1 / 3", Ok("0.33")),
            ("-2 ^ 2", Ok("-4.00")),
            ("2 ^ -1", Ok("0.50")),
            ("avg(1, 2, 4) × 3", Ok("7.00")),
            ("max(a, b) – min(a, b)", Ok("0.10")),
            ("sum(a, b, 1) ÷ abs(-2)", Ok("0.65")),
            ("0.125 * 1", Ok("0.13")),
            ("-0.125", Ok("-0.13")),
            ("0.004 - 0.005", Ok("0.00")),
            ("a / (b - 2 * a)", Err(ArithError::ByZero)),
            ("0 ^ -1", Err(ArithError::ByZero)),
            ("a + c", Err(ArithError::Unknown { name: "c".into() })),
            ("sqrt(2)", Err(ArithError::Unknown { name: "sqrt".into() })),
            ("a +", Err(ArithError::Unreadable { at: 3 })),
            ("a b", Err(ArithError::Unreadable { at: 2 })),
            ("(a", Err(ArithError::Unreadable { at: 2 })),
            ("", Err(ArithError::Unreadable { at: 0 })),
            ("big * big", Err(ArithError::TooLong)),
            ("9 ^ 999999999", Err(ArithError::TooLong)),
        ];
        for (formula, want) in table {
            let got = evaluate(formula, &value).and_then(|value| value.rounded(2).ok_or(ArithError::TooLong));
            assert_eq!(got, want.map(str::to_owned), "{formula}");
        }
        assert_eq!(evaluate(&"(".repeat(900), &value), Err(ArithError::TooLong));
        assert_eq!(evaluate(&"-".repeat(900), &value), Err(ArithError::TooLong));
        assert_eq!(evaluate(&"1+".repeat(900), &value), Err(ArithError::TooLong));
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
