//! Dates and times of a spreadsheet, which are numbers of days, as its cells show them.

use super::number_format::Token;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// A day and a time of day, from the days since the file's beginning of time.
pub(super) struct Moment {
    value: f64,
    year: i64,
    month: usize,
    day: i64,
    weekday: usize,
    seconds: i64,
    hundredths: i64,
}

impl Moment {
    /// `None` outside of the years 1900 to 9999.
    pub(super) fn new(value: f64, from_1904: bool) -> Option<Self> {
        if !(0.0..2_958_466.0).contains(&value) {
            return None;
        }
        let hundredths = (value.fract() * 8_640_000.0).round() as i64;
        let (days, hundredths) = (value.floor() as i64 + hundredths / 8_640_000, hundredths % 8_640_000);
        // 1900 is taken for a leap year, which every program keeps up.
        let since_1970 = days - if from_1904 { 24_107 } else { 25_569 } + i64::from(!from_1904 && days < 60);
        let (year, month, day) = civil(since_1970);
        let weekday = usize::try_from((since_1970 + 4).rem_euclid(7)).unwrap_or(0);
        Some(Self { value, year, month, day, weekday, seconds: hundredths / 100, hundredths: hundredths % 100 })
    }

    /// The moment in the letters of a format.
    pub(super) fn shown(&self, section: &[Token]) -> String {
        let is_12 = section.contains(&Token::Time('a', 1));
        let mut shown = String::new();
        for (index, token) in section.iter().enumerate() {
            match token {
                Token::Text(text) => shown.push_str(text),
                Token::Time('m', count) if *count <= 2 && is_minute(section, index) => {
                    shown += &padded(self.seconds / 60 % 60, *count);
                }
                Token::Time(unit, count) => shown += &self.part(*unit, *count, is_12),
                Token::Point => shown.push('.'),
                Token::Comma => shown.push(','),
                Token::Digit(_) if matches!(section.get(index.wrapping_sub(1)), Some(Token::Point)) => {
                    shown += &(self.hundredths / 10).to_string();
                }
                _ => {}
            }
        }
        shown.trim().to_owned()
    }

    fn part(&self, unit: char, count: usize, is_12: bool) -> String {
        let hour = self.seconds / 3600;
        let month = MONTHS.get(self.month - 1).copied().unwrap_or_default();
        let weekday = DAYS.get(self.weekday).copied().unwrap_or_default();
        let start = |name: &str, length: usize| name.get(..length).unwrap_or(name).to_owned();
        match (unit, count) {
            ('y', 1 | 2) => padded(self.year % 100, 2),
            ('y', _) => self.year.to_string(),
            ('m', 1 | 2) => padded(self.month as i64, count),
            ('m', 3) => start(month, 3),
            ('m', 5) => start(month, 1),
            ('m', _) => month.to_owned(),
            ('d', 1 | 2) => padded(self.day, count),
            ('d', 3) => start(weekday, 3),
            ('d', _) => weekday.to_owned(),
            ('h', _) if is_12 => padded((hour + 11) % 12 + 1, count),
            ('h', _) => padded(hour, count),
            ('s', _) => padded(self.seconds % 60, count),
            ('a', _) => if hour < 12 { "AM" } else { "PM" }.to_owned(),
            ('H', _) => padded((self.value * 24.0 + 1e-9) as i64, count),
            ('M', _) => padded((self.value * 1440.0 + 1e-7) as i64, count),
            ('S', _) => padded((self.value * 86_400.0 + 1e-5) as i64, count),
            _ => String::new(),
        }
    }
}

/// True if `m` stands for minutes: after hours or before seconds.
fn is_minute(section: &[Token], index: usize) -> bool {
    let units = |token: &Token| if let Token::Time(unit, _) = token { Some(unit.to_ascii_lowercase()) } else { None };
    let before = section.iter().take(index).rev().find_map(units);
    let after = section.iter().skip(index + 1).find_map(units);
    before == Some('h') || after == Some('s')
}

fn padded(number: i64, digits: usize) -> String {
    let width = digits.min(2);
    format!("{number:0width$}")
}

/// Year, month and day of a day counted from 1 January 1970, in the Gregorian calendar.
fn civil(days: i64) -> (i64, usize, i64) {
    let mut year = 1970 + days.div_euclid(366);
    let start = |year: i64| {
        let before = year - 1;
        365 * (year - 1970) + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 477
    };
    while start(year + 1) <= days {
        year += 1;
    }
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut day = days - start(year);
    for (month, length) in (1..).zip(lengths) {
        if day < length {
            return (year, month, day + 1);
        }
        day -= length;
    }
    (year, 12, 31)
}
