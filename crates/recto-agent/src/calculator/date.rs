//! Days of the Gregorian calendar, also before it was in use.

use std::fmt;

/// A day, counted from 1970-01-01.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Date(i64);

/// The names of the months in lower case.
pub(crate) const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];

/// The number of a month by its name or the first three letters or more of it.
pub(super) fn month(word: &str) -> Option<i64> {
    let word = word.trim_end_matches('.').to_lowercase();
    let fits = |name: &&str| word.len() >= 3 && (name.starts_with(&word) || word == "sept" && **name == *"september");
    MONTHS.iter().position(fits).and_then(|at| i64::try_from(at + 1).ok())
}

impl Date {
    /// The day, if there is one.
    pub(super) fn new(year: i64, month: i64, day: i64) -> Result<Self, String> {
        let exists =
            (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
        let none = || format!("{year:04}-{month:02}-{day:02}: there is no such day");
        if exists { Ok(Self(days_from_civil(year, month, day))) } else { Err(none()) }
    }

    /// `YYYY-MM-DD` or `YYYY/MM/DD`.
    pub(super) fn iso(text: &str) -> Option<Result<Self, String>> {
        let mut parts = text.split(['-', '/']);
        let mut part = |len: usize| {
            let part = parts.next().filter(|part| part.len() <= len && part.chars().all(|c| c.is_ascii_digit()))?;
            part.parse::<i64>().ok()
        };
        let (year, month, day) = (part(4)?, part(2)?, part(2)?);
        (parts.next().is_none() && text.len() >= 8).then(|| Self::new(year, month, day))
    }

    /// Year, month and day.
    pub(super) const fn civil(self) -> (i64, i64, i64) {
        civil_from_days(self.0)
    }

    pub(super) const fn days_since(self, other: Self) -> i64 {
        self.0 - other.0
    }

    pub(super) fn plus_days(self, days: i128) -> Result<Self, String> {
        let sum = i64::try_from(days).ok().and_then(|days| self.0.checked_add(days));
        let within = |day: &i64| (1..=9999).contains(&civil_from_days(*day).0);
        sum.filter(|day| (-4_000_000..4_000_000).contains(day))
            .filter(within)
            .map(Self)
            .ok_or_else(|| "the date is out of range".into())
    }

    /// The same day of a later or earlier month, or the last one there is.
    pub(super) fn plus_months(self, months: i128) -> Result<Self, String> {
        let (year, month, day) = self.civil();
        let months = i64::try_from(months).ok().filter(|months| months.abs() < 200_000);
        let at = year * 12 + month - 1 + months.ok_or("the date is out of range")?;
        let (year, month) = (at.div_euclid(12), at.rem_euclid(12) + 1);
        Self::new(year, month, day.min(days_in(year, month)))
    }

    /// Whole months from another day to this one; negative if that is later.
    pub(super) fn months_since(self, other: Self) -> i64 {
        if self < other {
            return -other.months_since(self);
        }
        let ((y1, m1, d1), (y0, m0, d0)) = (self.civil(), other.civil());
        (y1 * 12 + m1) - (y0 * 12 + m0) - i64::from(d1 < d0)
    }

    pub(super) fn weekday(self) -> &'static str {
        let at = usize::try_from(self.0.rem_euclid(7)).unwrap_or(0);
        WEEKDAYS.get(at).copied().unwrap_or_default()
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days before this day of a calendar whose years begin in March, moved to 1970: leap days come last in such a year.
const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    days + (153 * month + 2) / 5 + day - 1 - 719_468
}

const fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let year = year_of_era + era * 400;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_itself() {
        let first = Date::new(1, 1, 1).unwrap();
        let last = Date::new(9999, 12, 31).unwrap();
        assert_eq!(last.days_since(first), 3_652_058);
        for day in (first.0..=last.0).step_by(97) {
            let (year, month, of_month) = civil_from_days(day);
            assert_eq!(Date::new(year, month, of_month), Ok(Date(day)));
        }
        assert_eq!(Date::new(1970, 1, 1), Ok(Date(0)));
        assert!(Date::new(1900, 2, 29).is_err() && Date::new(2000, 2, 29).is_ok());
    }
}
