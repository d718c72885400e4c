//! Numbers: fractions as long as they stay exact, else an approximation that knows that it is one.

use std::cmp::Ordering;

/// Digits that are shown of a number that has no end.
const SHOWN: i32 = 12;

/// A number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Number {
    /// Numerator and denominator without a common divisor; the denominator is above 0.
    Exact(i128, i128),
    /// Finite.
    About(f64),
}

type Result<T> = std::result::Result<T, String>;

fn too_large() -> String {
    "a number on the way is too large or too small".into()
}

impl Number {
    pub(super) const ZERO: Self = Self::Exact(0, 1);
    pub(super) const ONE: Self = Self::Exact(1, 1);

    pub(super) fn ratio(numerator: i128, denominator: i128) -> Result<Self> {
        if denominator == 0 {
            return Err("division by zero".into());
        }
        let by = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let by = i128::try_from(by).map_err(|_| too_large())?.max(1);
        let sign = denominator.signum();
        let signed = |n: i128| (n / by).checked_mul(sign).ok_or_else(too_large);
        Ok(Self::Exact(signed(numerator)?, signed(denominator)?))
    }

    pub(super) const fn whole(n: i128) -> Self {
        Self::Exact(n, 1)
    }

    /// A decimal number of ASCII digits with at most one point.
    pub(super) fn decimal(text: &str) -> Result<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits: i128 = format!("{whole}{part}").parse().map_err(|_| too_large())?;
        let places = u32::try_from(part.len()).map_err(|_| too_large())?;
        Self::ratio(digits, 10_i128.checked_pow(places).ok_or_else(too_large)?)
    }

    pub(super) fn about(value: f64) -> Result<Self> {
        if value.is_finite() { Ok(Self::About(value)) } else { Err(too_large()) }
    }

    pub(super) fn value(self) -> f64 {
        match self {
            Self::Exact(numerator, denominator) => numerator as f64 / denominator as f64,
            Self::About(value) => value,
        }
    }

    pub(super) fn plus(self, other: Self) -> Result<Self> {
        let (Self::Exact(a, b), Self::Exact(c, d)) = (self, other) else {
            return Self::about(self.value() + other.value());
        };
        let sum = || Some((a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b.checked_mul(d)?));
        let (numerator, denominator) = sum().ok_or_else(too_large)?;
        Self::ratio(numerator, denominator)
    }

    pub(super) fn negated(self) -> Self {
        match self {
            // The least i128 has no counterpart; as an approximation it has.
            Self::Exact(a, b) => a.checked_neg().map_or(Self::About(-(a as f64)), |a| Self::Exact(a, b)),
            Self::About(value) => Self::About(-value),
        }
    }

    pub(super) fn times(self, other: Self) -> Result<Self> {
        let (Self::Exact(a, b), Self::Exact(c, d)) = (self, other) else {
            return Self::about(self.value() * other.value());
        };
        // Divisors that go across are taken out first, so that less is too large.
        let (Self::Exact(a, d), Self::Exact(c, b)) = (Self::ratio(a, d)?, Self::ratio(c, b)?) else {
            return Err(too_large());
        };
        let product = || Some((a.checked_mul(c)?, b.checked_mul(d)?));
        let (numerator, denominator) = product().ok_or_else(too_large)?;
        Self::ratio(numerator, denominator)
    }

    pub(super) fn over(self, other: Self) -> Result<Self> {
        match other {
            Self::Exact(c, d) => self.times(Self::ratio(d, c)?),
            Self::About(0.0) => Err("division by zero".into()),
            Self::About(value) => Self::about(self.value() / value),
        }
    }

    /// Exact for whole exponents.
    pub(super) fn to_the(self, exponent: Self) -> Result<Self> {
        match exponent {
            Self::Exact(n, 1) if n.unsigned_abs() <= 512 => {
                let mut product = Self::ONE;
                for _ in 0..n.unsigned_abs() {
                    product = product.times(self)?;
                }
                if n < 0 { Self::ONE.over(product) } else { Ok(product) }
            }
            Self::Exact(_, 1) => Err(too_large()),
            _ if self.value() < 0.0 => Err("a negative number has no such root".into()),
            _ => Self::about(self.value().powf(exponent.value())),
        }
    }

    /// The square root, exact where it is.
    pub(super) fn root(self) -> Result<Self> {
        if self.value() < 0.0 {
            return Err("a negative number has no square root".into());
        }
        let exact = |n: i128| {
            let root = (n as f64).sqrt().round() as i128;
            (root.checked_mul(root) == Some(n)).then_some(root)
        };
        match self {
            Self::Exact(a, b) => match (exact(a), exact(b)) {
                (Some(a), Some(b)) => Self::ratio(a, b),
                _ => Self::about(self.value().sqrt()),
            },
            Self::About(value) => Self::about(value.sqrt()),
        }
    }

    /// Rounded to so many decimal places (negative: to tens, hundreds); halves away from zero.
    pub(super) fn rounded(self, places: i32) -> Result<Self> {
        let scale = Self::whole(10).to_the(Self::whole(places.into()))?;
        self.times(scale)?.to_whole(Rounding::Nearest)?.over(scale)
    }

    pub(super) fn to_whole(self, how: Rounding) -> Result<Self> {
        match self {
            Self::Exact(a, b) => {
                let (floor, rest) = (a.div_euclid(b), a.rem_euclid(b));
                let up = match how {
                    Rounding::Down => false,
                    Rounding::Up => rest > 0,
                    Rounding::Nearest if a < 0 => rest > b - rest,
                    Rounding::Nearest => rest >= b - rest && rest > 0,
                };
                Ok(Self::whole(floor + i128::from(up)))
            }
            Self::About(value) => {
                let whole = match how {
                    Rounding::Down => value.floor(),
                    Rounding::Up => value.ceil(),
                    Rounding::Nearest => value.round(),
                };
                if whole.abs() < 1e30 { Ok(Self::whole(whole as i128)) } else { Err(too_large()) }
            }
        }
    }

    /// The whole number that it is, if it is one.
    pub(super) const fn as_whole(self) -> Option<i128> {
        match self {
            Self::Exact(n, 1) => Some(n),
            _ => None,
        }
    }

    pub(super) fn compared(self, other: Self) -> Ordering {
        match other.negated().plus(self) {
            Ok(Self::Exact(difference, _)) => difference.cmp(&0),
            _ => self.value().total_cmp(&other.value()),
        }
    }

    /// As people write it; with `≈` before it where digits are left out or the number is no exact one.
    pub(super) fn told(self) -> String {
        if let Self::Exact(a, b) = self
            && let Some(text) = terminating(a, b)
        {
            return text;
        }
        format!("≈ {}", rounded_text(self.value()))
    }
}

/// How a number becomes a whole one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    Down,
    Up,
    Nearest,
}

/// All digits of a fraction, if there is an end to them within reason.
fn terminating(numerator: i128, denominator: i128) -> Option<String> {
    let (mut scale, mut places) = (1_i128, 0_usize);
    while scale % denominator != 0 {
        scale = scale.checked_mul(10)?;
        places += 1;
        if places > 18 {
            return None;
        }
    }
    let digits = numerator.checked_mul(scale / denominator)?;
    let sign = if digits < 0 { "-" } else { "" };
    let text = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
    let (whole, part) = text.split_at(text.len() - places);
    Some(if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") })
}

/// Twelve digits that count, without zeros at the end.
fn rounded_text(value: f64) -> String {
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    if !(-12..=25).contains(&magnitude) {
        return format!("{value:.11e}");
    }
    let places = usize::try_from(SHOWN - 1 - magnitude).unwrap_or(0);
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
