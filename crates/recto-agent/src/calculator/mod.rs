//! A calculator for agents: exact fractions, units, money, dates. Not a programming language: one expression, no names of
//! one's own, no loops.
//!
//! Sums, products and quotients of decimal numbers are exact, whatever their size, up to 38 digits; what can't be exact
//! (roots, logarithms) says so by `≈`. Units are converted, those of different kinds never added; months and years are no
//! number of days, dates are counted by the calendar.

pub(crate) mod date;
mod function;
mod number;
mod quantity;
mod read;
mod sign;
mod unit;

use date::Date;
use quantity::Quantity;

/// What the planner is told of the language.
pub const HELP: &str = "+ - * / ^ ( ) and % (10% is 0.1); units, also of money (3 acres in m2, $1.2 million / 4, 90 km/h in m/s); \
dates (2024-03-01 - 2023-12-25, 2024-01-31 + 1 month); sum, mean, median, min, max, count, abs, round(x, places), floor, ceil, \
sqrt, ln, log10, exp, percent_change(from, to), share(part, whole), growth(from, to, periods), days(from, to), months(from, \
to), years(from, to), weekday(date), f_to_c, c_to_f. Thousands may be parted by commas (1,250); after a comma that parts \
arguments put a space.";

/// The first number in a text such as a cell of a table, as plain digits: `(1,234)` and `−1,234` are negative, signs of money,
/// units and notes are left out. `None` if there is none.
pub fn number_in(text: &str) -> Option<String> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let (before, rest) = text.split_at(start);
    let rest: Vec<char> = rest.chars().collect();
    let digits = match sign::signs(&rest.iter().collect::<String>()).into_iter().next() {
        Some(sign::Sign::Number(digits)) => digits,
        _ => return None,
    };
    let point = before.ends_with('.') && !before.trim_end_matches('.').ends_with(char::is_alphanumeric);
    let digits = if point { format!("0.{digits}") } else { digits };
    let minus = before.trim_end_matches(|c: char| "$€£¥ .".contains(c)).ends_with(['-', '−', '–']);
    let negative = minus || before.contains('(') && text.contains(')');
    Some(if negative { format!("-{digits}") } else { digits })
}

/// A function over many numbers.
///
/// # Errors
/// When there is none, or the function is not known.
pub fn over(function: &str, numbers: &[String]) -> Result<String, String> {
    if numbers.is_empty() {
        return Err("there is no number in it".into());
    }
    match read::value(&format!("{function}({})", numbers.join(", ")))? {
        Value::Quantity(quantity) => Ok(quantity.told()),
        Value::Date(date) => Ok(date.to_string()),
        Value::Text(text) => Ok(text),
    }
}

/// What an expression can be.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Quantity(Quantity),
    Date(Date),
    Text(String),
}

/// The value of an expression, in words.
///
/// # Errors
/// What is wrong with it, as a sentence for whoever wrote it.
pub fn calculate(expression: &str) -> Result<String, String> {
    let text = expression.trim().trim_end_matches(['=', '?']).trim();
    if text.is_empty() {
        return Err("there is nothing to calculate".into());
    }
    if text.len() > 4_000 {
        return Err("the expression is too long: 4,000 characters at most".into());
    }
    Ok(match read::value(text)? {
        Value::Quantity(quantity) => quantity.told(),
        Value::Date(date) => date.to_string(),
        Value::Text(text) => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, want: &str) {
        assert_eq!(calculate(expression).as_deref(), Ok(want), "{expression}");
    }

    #[track_caller]
    fn fault(expression: &str, part: &str) {
        let told = calculate(expression).unwrap_err();
        assert!(told.contains(part), "{expression}: {told}");
    }

    #[test]
    fn money_is_exact() {
        check("0.1 + 0.2", "0.3");
        check("1,250.00 - 1,249.99", "0.01");
        check("$19.99 * 3", "59.97 USD");
        check("$1.2 million / 4", "300000 USD");
        check("€3.4bn - €400 million", "3.0 bn".replace("3.0 bn", "3000000000 EUR").as_str());
        check("£2.5M in GBP", "2500000 GBP");
        check("1/3 + 1/3 + 1/3", "1");
        check("2/3", "≈ 0.666666666667");
        check("10 / 4", "2.5");
        check("-3 - -5", "2");
        check("2^10 - 1", "1023");
        check("2 ** -2", "0.25");
        check("-2^2", "-4");
        check("(1,234.5 + 765.5) * 2", "4000");
        check("12345678901234567890 + 1", "12345678901234567891");
        fault("$5 + €5", "money of different currencies");
        fault("1 / 0", "zero");
        fault("9^999", "too large");
    }

    #[test]
    fn percentages() {
        check("10% of 250", "25");
        check("45 / 60 in %", "75 %");
        check("5% + 3%", "8 %");
        check("200 * 12.5%", "25");
        check("percent_change(80, 100)", "25 %");
        check("percent_change(1,250, 1,000)", "-20 %");
        check("share(30, 120)", "25 %");
        check("growth(100, 121, 2)", "≈ 10 %");
        check("round(2/3 in %, 1)", "66.7 %");
    }

    #[test]
    fn units_are_converted() {
        check("5 km in miles", "≈ 3.10685596119 mile");
        check("3 acres in m2", "12140.5692672 m2");
        check("1 ha in sq m", "10000 m2");
        check("3 km + 500 m", "3.5 km");
        check("500 m + 3 km", "3500 m");
        check("90 km/h in m/s", "25 m/s");
        check("100 km / 2 h", "50 km/h");
        check("2 m * 3 m", "6 m^2");
        check("12 ft * 10 ft in sq ft", "120 ft2");
        check("10 lb in kg", "4.5359237 kg");
        check("3 kWh in MJ", "10.8 MJ");
        check("2 weeks in days", "14 day");
        check("90 minutes in hours", "1.5 h");
        check("1 GiB in MB", "1073.741824 MB");
        check("250 kg/ha * 4 acres in kg", "≈ 404.68564224 kg".replace("≈ ", "").as_str());
        check("$450 / 3 acres", "150 USD/acre");
        check("f_to_c(212)", "100");
        check("c_to_f(-40)", "-40");
        check("1 tonne in short tons", "≈ 1.10231131092 short_ton");
        check("2 years in months", "24 month");
        fault("5 km + 3 kg", "different kinds");
        fault("5 km in kg", "different kinds");
        fault("2 months in days", "different kinds");
        fault("5 blips", "blips");
    }

    #[test]
    fn dates_are_counted_by_the_calendar() {
        check("2024-03-01 - 2024-02-01", "29 day");
        check("2023-12-25 + 90 days", "2024-03-24");
        check("2024-01-31 + 1 month", "2024-02-29");
        check("2024-02-29 + 1 year", "2025-02-28");
        check("2024-05-31 - 3 months", "2024-02-29");
        check("March 1, 2024 - December 25, 2023", "67 day");
        check("1 March 2024 + 2 weeks", "2024-03-15");
        check("weekday(2026-11-30)", "Monday");
        check("days(2020-02-28, 2020-03-01)", "2");
        check("months(2020-01-31, 2021-01-30)", "11");
        check("years(1987-06-15, 2024-06-14)", "36");
        check("year(2024-05-06) - 1987", "37");
        check("max(2024-01-05, 2023-12-31)", "2024-01-05");
        fault("2024-02-30", "no such day");
        fault("2024-01-01 + 2024-01-02", "two dates can't be added");
        fault("2024-01-01 * 2", "date");
    }

    #[test]
    fn functions() {
        check("sum(1, 2, 3.5)", "6.5");
        check("sum([1, 2, 3])", "6");
        check("sum(1,250, 3)", "1253");
        check("mean(1, 2, 4)", "≈ 2.33333333333");
        check("median(5, 1, 3)", "3");
        check("median($4, $1, $3, $2)", "2.5 USD");
        check("max(3 km, 2,500 m)", "3 km");
        check("count(4, 4, 4)", "3");
        check("round(2.345, 2)", "2.35");
        check("round(-2.5)", "-3");
        check("round(1234, -2)", "1200");
        check("floor(-1.5) + ceil(1.2)", "0");
        check("sqrt(16)", "4");
        check("sqrt(2)", "≈ 1.41421356237");
        check("abs(-$3)", "3 USD");
        check("ln(exp(2))", "≈ 2");
        fault("mean()", "at least one");
        fault("frob(1)", "frob");
        fault("sqrt(-1)", "negative");
    }

    #[test]
    fn numbers_in_cells() {
        for (text, want) in [
            ("1,234", Some("1234")),
            ("$ (1,234.50)", Some("-1234.50")),
            ("−12%", Some("-12")),
            ("12.5 % *", Some("12.5")),
            ("n/a", None),
            (".5", Some("0.5")),
            ("about 40 t", Some("40")),
            ("", None),
        ] {
            assert_eq!(number_in(text).as_deref(), want, "{text}");
        }
        assert_eq!(over("sum", &["1".into(), "-0.1".into(), "0.2".into()]).as_deref(), Ok("1.1"));
        assert!(over("sum", &[]).is_err());
    }

    #[test]
    fn hostile_expressions() {
        for text in [
            "", "=", "1 +", "(1", "1)", "1 2 3 4", ",", "[", "sum(", "%", "in", "5 in", "$", "^2", "1 in in", "🙂",
            "- - -",
        ] {
            assert!(calculate(text).is_err(), "{text}");
        }
        assert!(calculate(&"(".repeat(3_999)).is_err());
        assert!(calculate(&"-".repeat(3_999)).is_err());
        assert!(calculate(&"9".repeat(3_999)).is_err());
        assert!(calculate("9999-12-31 + 99999999999 days").is_err());
        assert!(calculate("2024-01-01 + 170141183460469231731687303715884105727 days").is_err());
        assert!(calculate("0.00000000000000000000000000000000000000001").is_err());
        assert!(calculate("2024-01-01 - 9223372036854775807 days - 19724 days").is_err());
        check("= 1 + 1 =".trim_start_matches("= "), "2");
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_a_value_or_a_fault(text in "(\\PC|[-+*/^()%$,. 0-9]|in |km|day|sum\\(|2024-01-31|million ){0,40}") {
            let _ = calculate(&text);
            let _ = number_in(&text);
        }
    }
}
