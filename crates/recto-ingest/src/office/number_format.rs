//! Numbers of a spreadsheet as its cells show them: percentages, dates, thousands, decimals. Colours, conditions and
//! alignment of a format are passed over; a format that can't be followed shows the plain number.

use super::date_format::Moment;

/// Formats that files use without spelling them out.
const BUILT_IN: [(u32, &str); 27] = [
    (1, "0"),
    (2, "0.00"),
    (3, "#,##0"),
    (4, "#,##0.00"),
    (9, "0%"),
    (10, "0.00%"),
    (11, "0.00E+00"),
    (14, "yyyy-mm-dd"),
    (15, "d-mmm-yy"),
    (16, "d-mmm"),
    (17, "mmm-yy"),
    (18, "h:mm AM/PM"),
    (19, "h:mm:ss AM/PM"),
    (20, "h:mm"),
    (21, "h:mm:ss"),
    (22, "yyyy-mm-dd h:mm"),
    (37, "#,##0;(#,##0)"),
    (38, "#,##0;(#,##0)"),
    (39, "#,##0.00;(#,##0.00)"),
    (40, "#,##0.00;(#,##0.00)"),
    (41, "#,##0;-#,##0;-"),
    (43, "#,##0.00;-#,##0.00;-"),
    (44, "#,##0.00;-#,##0.00;-"),
    (45, "mm:ss"),
    (46, "[h]:mm:ss"),
    (47, "mm:ss.0"),
    (48, "0.0E+0"),
];

/// Lifts what is half between two numbers in decimals, but may be less in binary, to the larger one.
const HALF_UP: f64 = 1.0 + 2.0 * f64::EPSILON;

/// Decimals that are shown at most.
const MOST_DECIMALS: usize = 20;

/// The format that a file means by a number without spelling it out.
pub(super) fn built_in(id: u32) -> &'static str {
    BUILT_IN.iter().find(|(of, _)| *of == id).map_or("General", |(_, format)| format)
}

/// A number as a cell with this format shows it. `from_1904`: days are counted from 1904, not from 1900.
pub(super) fn shown(value: f64, format: &str, from_1904: bool) -> String {
    let sections = sections(format);
    let (section, value) = match (value < 0.0, value == 0.0, sections.as_slice()) {
        (true, _, [_, negative, ..]) => (negative, -value),
        (_, true, [_, _, zero, ..]) => (zero, value),
        (_, _, [first, ..]) => (first, value),
        _ => return plain(value),
    };
    if section.iter().any(Token::is_general) {
        return around(section, &plain(value));
    }
    if section.iter().any(|token| matches!(token, Token::Time(..))) {
        return Moment::new(value, from_1904).map_or_else(|| plain(value), |moment| moment.shown(section));
    }
    if section.iter().any(|token| matches!(token, Token::Digit(_))) { number(value, section) } else { literal(section) }
}

/// A number without a format, with no more digits than a cell shows.
pub(super) fn plain(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-9..1e15).contains(&size) {
        return format!("{value:E}");
    }
    let digits = format!("{size:.0}").len();
    let text = format!("{value:.*}", 15_usize.saturating_sub(digits));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A piece of a format.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// Text as it is.
    Text(String),
    /// `0`, `#` or `?`.
    Digit(char),
    /// The decimal point.
    Point,
    /// Between digits: thousands are parted; after them: the number is shown in thousands.
    Comma,
    Percent,
    /// `E+` or `E-`.
    Exponent(char),
    /// A letter of a date or time and how often it stands there; `h` in brackets counts beyond a day.
    Time(char, usize),
    General,
}

impl Token {
    fn is_general(&self) -> bool {
        *self == Self::General
    }
}

/// The sections of a format: for positive numbers, negative ones, zero, and text.
fn sections(format: &str) -> Vec<Vec<Token>> {
    let mut sections = vec![Vec::new()];
    let mut rest = format;
    while let Some(char) = rest.chars().next() {
        let (token, length) = token(char, rest);
        rest = rest.get(length..).unwrap_or_default();
        match (token, sections.last_mut()) {
            (None, _) if char == ';' => sections.push(Vec::new()),
            (Some(token), Some(section)) => section.push(token),
            _ => {}
        }
    }
    sections
}

/// The first token and its length in bytes; no token for what is not shown.
fn token(char: char, rest: &str) -> (Option<Token>, usize) {
    let lower = rest.to_ascii_lowercase();
    let width = char.len_utf8();
    let text = |text: &str, length: usize| (Some(Token::Text(text.into())), length);
    match char {
        '"' => {
            let quoted = rest.get(1..).unwrap_or_default().split('"').next().unwrap_or_default();
            text(quoted, quoted.len() + 2)
        }
        '\\' => {
            let escaped = rest.chars().nth(1).map(String::from).unwrap_or_default();
            text(&escaped, 1 + escaped.len())
        }
        // Space as wide as the next character, and filling: neither is read.
        '_' => text(" ", 1 + rest.chars().nth(1).map_or(0, char::len_utf8)),
        '*' => (None, 1 + rest.chars().nth(1).map_or(0, char::len_utf8)),
        '[' => bracket(&lower),
        ';' => (None, 1),
        '0' | '#' | '?' => (Some(Token::Digit(char)), 1),
        '.' => (Some(Token::Point), 1),
        ',' => (Some(Token::Comma), 1),
        '%' => (Some(Token::Percent), 1),
        'e' | 'E' if lower.starts_with("e+") || lower.starts_with("e-") => {
            (Some(Token::Exponent(if lower.starts_with("e+") { '+' } else { '-' })), 2)
        }
        _ if lower.starts_with("general") => (Some(Token::General), 7),
        '@' => (Some(Token::General), 1),
        _ if lower.starts_with("am/pm") => (Some(Token::Time('a', 1)), 5),
        _ if "ymdhs".contains(char.to_ascii_lowercase()) => {
            let letter = char.to_ascii_lowercase();
            let count = lower.chars().take_while(|c| *c == letter).count();
            (Some(Token::Time(letter, count)), count)
        }
        other => text(&other.to_string(), width),
    }
}

/// What stands in square brackets: hours beyond a day, a currency, or what is not shown.
fn bracket(rest: &str) -> (Option<Token>, usize) {
    let inner = rest.get(1..).unwrap_or_default().split(']').next().unwrap_or_default();
    let token = match inner.chars().next() {
        Some(unit @ ('h' | 'm' | 's')) if inner.chars().all(|c| c == unit) => {
            Some(Token::Time(unit.to_ascii_uppercase(), inner.len()))
        }
        Some('$') => {
            let sign = inner.get(1..).unwrap_or_default().split('-').next().unwrap_or_default();
            Some(Token::Text(sign.to_uppercase()))
        }
        _ => None,
    };
    (token, inner.len() + 2)
}

fn literal(section: &[Token]) -> String {
    around(section, "").trim().to_owned()
}

/// The texts of a format with the number in place of its digits.
fn around(section: &[Token], number: &str) -> String {
    let mut shown = String::new();
    let mut pending = Some(number);
    for token in section {
        match token {
            Token::Text(text) => shown.push_str(text),
            Token::Percent => shown.push('%'),
            Token::Digit(_) | Token::General => shown.push_str(pending.take().unwrap_or_default()),
            _ => {}
        }
    }
    shown.trim().to_owned()
}

fn number(value: f64, section: &[Token]) -> String {
    let count = |wanted: &Token| section.iter().filter(|token| *token == wanted).count();
    let last_digit = section.iter().rposition(|token| matches!(token, Token::Digit(_))).unwrap_or(0);
    let point = section.iter().position(|token| *token == Token::Point).unwrap_or(section.len());
    let exponent = section.iter().position(|token| matches!(token, Token::Exponent(_)));
    let digits = |from: usize, to: usize| {
        section.iter().take(to).skip(from).filter_map(|t| if let Token::Digit(d) = t { Some(*d) } else { None })
    };
    let scale = section.iter().skip(last_digit).filter(|token| **token == Token::Comma).count();
    let scaled = value * 100_f64.powi(count(&Token::Percent) as i32) / 1000_f64.powi(scale as i32);
    let end = exponent.unwrap_or(section.len());
    let most = digits(point, end).count().min(MOST_DECIMALS);
    let least = digits(point, end).filter(|digit| *digit == '0').count();
    if exponent.is_some() {
        return around(section, &scientific(scaled, most));
    }
    let whole = digits(0, point).filter(|digit| *digit == '0').count();
    let groups = section.iter().take(last_digit).any(|token| *token == Token::Comma);
    around(section, &decimal(scaled, whole, least, most, groups))
}

fn scientific(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$E}");
    let (mantissa, exponent) = text.split_once('E').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}E{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// With at least `whole` digits before the point, and `least` to `most` after it.
fn decimal(value: f64, whole: usize, least: usize, most: usize, groups: bool) -> String {
    let text = format!("{:.most$}", value.abs() * HALF_UP);
    let (integer, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let shown = fraction.trim_end_matches('0').len().max(least).min(fraction.len());
    let fraction = fraction.get(..shown).unwrap_or_default();
    let integer = if integer == "0" && whole == 0 && !fraction.is_empty() { "" } else { integer };
    let mut grouped = String::new();
    let padded = format!("{integer:0>whole$}");
    for (index, digit) in padded.chars().enumerate() {
        if groups && index > 0 && (padded.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let is_zero = !text.contains(|c| ('1'..='9').contains(&c));
    let sign = if value < 0.0 && !is_zero { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{grouped}") } else { format!("{sign}{grouped}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_in_their_cells() {
        let check =
            |value: f64, format: &str, want: &str| assert_eq!(shown(value, format, false), want, "{value} {format}");
        check(0.125, "0%", "13%");
        check(0.1234, "0.00%", "12.34%");
        check(1234567.891, "#,##0.00", "1,234,567.89");
        check(999.0, "#,##0", "999");
        check(-1234.5, "#,##0;(#,##0)", "(1,235)");
        check(-5.0, "0.0", "-5.0");
        check(0.0, "0;-0;\"none\"", "none");
        check(1500000.0, "0.0,,\" M\"", "1.5 M");
        check(12.5, "$#,##0.00", "$12.50");
        check(12.5, "[$€-407] #,##0.00", "€ 12.50");
        check(12.5, "#,##0.00\\ \"EUR\"", "12.50 EUR");
        check(7.0, "000", "007");
        check(0.5, "#.##", ".5");
        check(3.0, "0.##", "3");
        check(12345.0, "0.00E+00", "1.23E+04");
        check(0.1 + 0.2, "General", "0.3");
        check(1e20, "General", "1E20");
        check(42.0, "[Red]General", "42");
        check(45292.0, "yyyy-mm-dd", "2024-01-01");
        check(45351.5, "d mmmm yyyy h:mm", "29 February 2024 12:00");
        check(45351.75, "mm/dd/yy h:mm AM/PM", "02/29/24 6:00 PM");
        check(45292.0, "dddd", "Monday");
        check(1.0, "yyyy-mm-dd", "1900-01-01");
        check(61.0, "yyyy-mm-dd", "1900-03-01");
        check(1.5, "[h]:mm:ss", "36:00:00");
        check(0.0006944444, "mm:ss", "01:00");
        check(-1.0, "yyyy-mm-dd", "-1");
        check(f64::NAN, "0", "NaN");
        assert_eq!(shown(0.0, "yyyy-mm-dd", true), "1904-01-01");
    }
}
