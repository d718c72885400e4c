//! Numbers with a unit, percentages, dates and quarters in one spelling each, however they are written: `1.2 million` is
//! `1200000`, `12 per cent` is `12%`, `5 March 2021` and `3/5/2021` are `2021-03-05`, `third quarter of 2023` is `2023-q3`.
//! Not what they mean: a plain number stays what it is (see `word`), and a day without a year is no date.

use std::ops::RangeInclusive;

use super::Unit;
use super::word::{canonical_number, is_number};

/// Words for powers of ten.
const SCALES: [(&str, usize); 19] = [
    ("thousand", 3),
    ("k", 3),
    ("million", 6),
    ("millions", 6),
    ("millionen", 6),
    ("millones", 6),
    ("milioni", 6),
    ("milhões", 6),
    ("mio", 6),
    ("mn", 6),
    ("m", 6),
    ("billion", 9),
    ("billions", 9),
    ("milliarden", 9),
    ("milliards", 9),
    ("miliardi", 9),
    ("bn", 9),
    ("b", 9),
    ("trillion", 12),
];

const PERCENT: [&str; 5] = ["percent", "pct", "prozent", "percento", "procent"];
const PER_CENT: [(&str, &str); 4] = [("per", "cent"), ("pour", "cent"), ("por", "ciento"), ("por", "cento")];

/// The names of each month in English, German, French, Spanish, Italian and Portuguese.
const MONTHS: [&str; 12] = [
    "january jan januar janvier enero gennaio janeiro",
    "february feb februar février fevrier febrero febbraio fevereiro",
    "march mar märz mars marzo março",
    "april apr avril abril aprile",
    "may mai mayo maggio maio",
    "june jun juni juin junio giugno junho",
    "july jul juli juillet julio luglio julho",
    "august aug août aout agosto",
    "september sep sept septembre septiembre settembre setembro",
    "october oct oktober octobre octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember décembre decembre diciembre dicembre dezembro",
];

const ORDINALS: [&str; 4] = [
    "first 1st erstes ersten premier primer primo primeiro",
    "second 2nd zweites zweiten deuxième segundo secondo",
    "third 3rd drittes dritten troisième tercer terzo terceiro",
    "fourth 4th viertes vierten quatrième cuarto quarto",
];
const QUARTERS: [&str; 4] = ["quarter", "quartal", "quartals", "trimestre"];
/// What may stand between the parts of a date.
const FILLERS: [&str; 7] = ["of", "de", "del", "fy", "fiscal", "year", "the"];

/// Gives the values that are written from one unit to another. All of them have digits, so words cost next to nothing.
pub(super) fn forms(text: &str, units: &[Unit<'_>], mut add: impl FnMut(RangeInclusive<usize>, String)) {
    let reader = Reader { text, units };
    for (i, unit) in units.iter().enumerate() {
        let mut bytes = unit.text.bytes();
        match (bytes.next(), bytes.next()) {
            (Some(b'0'..=b'9'), _) => {
                reader.amounts(i, &mut add);
                reader.dates(i, &mut add);
                reader.quarters(i, &mut add);
            }
            (Some(b'q'), Some(b'1'..=b'4')) => reader.quarters(i, &mut add),
            _ => {}
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    units: &'a [Unit<'a>],
}

impl<'a> Reader<'a> {
    fn word(&self, i: usize) -> &'a str {
        self.units.get(i).map_or("", |unit| unit.text)
    }

    /// What stands between a unit and the next.
    fn gap(&self, i: usize) -> &'a str {
        let (Some(left), Some(right)) = (self.units.get(i), self.units.get(i + 1)) else { return "\n\n" };
        self.text.get(left.range.end..right.range.start).unwrap_or_default()
    }

    /// Whether a unit and the next may be parts of one date.
    fn is_near(&self, i: usize) -> bool {
        let gap = self.gap(i);
        gap.len() <= 3 && gap.chars().all(|c| matches!(c, ' ' | '\n' | '\r' | ',' | '.' | '\''))
    }

    /// The unit before this one, fillers left out.
    fn before(&self, i: usize) -> Option<usize> {
        let at = i.checked_sub(1).filter(|at| self.is_near(*at))?;
        if FILLERS.contains(&self.word(at)) { self.before(at) } else { Some(at) }
    }

    /// The unit after this one, fillers left out.
    fn after(&self, i: usize) -> Option<usize> {
        let at = Some(i + 1).filter(|at| *at < self.units.len() && self.is_near(i))?;
        if FILLERS.contains(&self.word(at)) { self.after(at) } else { Some(at) }
    }

    /// Percentages, and numbers with a power of ten.
    fn amounts(&self, i: usize, add: &mut impl FnMut(RangeInclusive<usize>, String)) {
        let word = self.word(i);
        let split = word.find(|c: char| c.is_alphabetic()).unwrap_or(word.len());
        let (number, suffix) = word.split_at(split);
        let Some(number) = number_of(number) else { return };
        if !suffix.is_empty() {
            // Written without a space: 1.2bn, 500k.
            if let Some(value) = scale(suffix).and_then(|power| scaled(&number, power)) {
                add(i..=i, value);
            }
            return;
        }
        let rest = self.units.get(i).and_then(|unit| self.text.get(unit.range.end..)).unwrap_or_default();
        let next = if matches!(self.gap(i), " " | "\n" | "-") { self.word(i + 1) } else { "" };
        if rest.strip_prefix(' ').unwrap_or(rest).starts_with('%') {
            add(i..=i, number + "%");
        } else if PERCENT.contains(&next) {
            add(i..=i + 1, number + "%");
        } else if PER_CENT.contains(&(next, self.word(i + 2))) {
            add(i..=i + 2, number + "%");
        } else if let Some(value) = scale(next).filter(|_| next.len() > 1).and_then(|power| scaled(&number, power)) {
            add(i..=i + 1, value);
        }
    }

    /// Dates whose year, or whose only unit, is here.
    fn dates(&self, i: usize, add: &mut impl FnMut(RangeInclusive<usize>, String)) {
        let word = self.word(i);
        if let [day, month, year] = word.split('.').collect::<Vec<_>>().as_slice() {
            numeric(year, month, day).into_iter().for_each(|date| full(i..=i, &date, add));
            return;
        }
        let Some(year) = year(word) else { return };
        let joined = |first: usize| {
            let (left, right) = (self.gap(first), self.gap(first + 1));
            (left == right && matches!(left, "-" | "/")).then(|| (self.word(first), self.word(first + 1)))
        };
        if let Some((_, month)) = joined(i) {
            numeric(word, month, self.word(i + 2)).into_iter().for_each(|date| full(i..=i + 2, &date, add));
        } else if let Some((day, month)) = i.checked_sub(2).and_then(joined) {
            let mut dates = numeric(word, month, day);
            dates.extend(numeric(word, day, month));
            dates.dedup();
            dates.into_iter().for_each(|date| full(i - 2..=i, &date, add));
        }
        let Some(before) = self.before(i) else { return };
        let second = self.before(before);
        if let Some(month) = month(self.word(before)) {
            match second.and_then(|at| Some((at, day(self.word(at))?))) {
                Some((at, day)) => full(at..=i, &(year, month, day), add),
                None => add(before..=i, format!("{year}-{month:02}")),
            }
        } else if let Some((at, month)) = second.and_then(|at| Some((at, month(self.word(at))?)))
            && let Some(day) = day(self.word(before))
        {
            full(at..=i, &(year, month, day), add);
        }
    }

    /// Quarters whose year or number is here.
    fn quarters(&self, i: usize, add: &mut impl FnMut(RangeInclusive<usize>, String)) {
        let word = self.word(i);
        if let Some((quarter, rest)) = quarter(word) {
            let after = self.after(i).and_then(|at| Some((at, year(fiscal(self.word(at)))?)));
            let before = i.checked_sub(1).filter(|at| self.is_near(*at));
            let before = before.and_then(|at| Some((at, year(fiscal(self.word(at)))?)));
            let found = match (rest, after, before) {
                ("", Some((at, year)), _) => Some((i..=at, year)),
                ("", None, Some((at, year))) => Some((at..=i, year)),
                _ => short_year(fiscal(rest)).map(|year| (i..=i, year)),
            };
            if let Some((units, year)) = found {
                add(units, format!("{year}-q{quarter}"));
            }
        } else if let Some(year) = year(word)
            && let Some(name) = self.before(i).filter(|at| QUARTERS.contains(&self.word(*at)))
            && let Some(at) = self.before(name)
            && let Some(quarter) = place_in(&ORDINALS, self.word(at))
        {
            add(at..=i, format!("{year}-q{quarter}"));
        }
    }
}

/// A date, and its month.
fn full(
    units: RangeInclusive<usize>,
    (year, month, day): &(u32, usize, u32),
    add: &mut impl FnMut(RangeInclusive<usize>, String),
) {
    add(units.clone(), format!("{year}-{month:02}-{day:02}"));
    add(units, format!("{year}-{month:02}"));
}

fn numeric(year_: &str, month: &str, day_: &str) -> Vec<(u32, usize, u32)> {
    let month = month.parse().ok().filter(|month| (1..=12).contains(month) && !year_.is_empty());
    let date = || Some((year(year_)?, month?, day(day_)?));
    date().into_iter().collect()
}

fn number_of(word: &str) -> Option<String> {
    if !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
        return Some(word.to_owned());
    }
    is_number(word).then(|| canonical_number(word))
}

fn scale(word: &str) -> Option<usize> {
    SCALES.iter().find(|(name, _)| *name == word).map(|(_, power)| *power)
}

/// The number times a power of ten, if that is a whole one.
fn scaled(number: &str, power: usize) -> Option<String> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let zeros = power.checked_sub(fraction.len())?;
    let digits = format!("{whole}{fraction}{}", "0".repeat(zeros));
    let digits = digits.trim_start_matches('0');
    (!digits.is_empty() && digits.len() <= 18).then(|| digits.to_owned())
}

fn year(word: &str) -> Option<u32> {
    let is_year =
        word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()) && matches!(word.as_bytes(), [b'1' | b'2', ..]);
    is_year.then(|| word.parse().ok()).flatten()
}

/// A year that may lack its century: 23 is 2023.
fn short_year(word: &str) -> Option<u32> {
    let is_short = word.len() == 2 && word.bytes().all(|b| b.is_ascii_digit());
    year(word).or_else(|| word.parse::<u32>().ok().filter(|_| is_short).map(|year| 2000 + year))
}

fn fiscal(word: &str) -> &str {
    word.strip_prefix("fy").unwrap_or(word)
}

fn month(word: &str) -> Option<usize> {
    place_in(&MONTHS, word)
}

/// Which of the lists has the word, from 1.
fn place_in(lists: &[&str], word: &str) -> Option<usize> {
    let at = lists.iter().position(|list| list.split(' ').any(|name| name == word))?;
    Some(at + 1)
}

/// A day of a month: `5`, `05`, `5th`.
fn day(word: &str) -> Option<u32> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    digits.parse().ok().filter(|day| (1..=31).contains(day) && digits.len() <= 2)
}

/// The quarter that a word begins with, and what follows: `q3`, `3q`, `q3fy2015`, `3q23`.
fn quarter(word: &str) -> Option<(u32, &str)> {
    let (first, rest) = word.split_at_checked(2)?;
    let digit = match first.as_bytes() {
        [b'q', digit @ b'1'..=b'4'] | [digit @ b'1'..=b'4', b'q'] => u32::from(digit - b'0'),
        _ => return None,
    };
    Some((digit, rest))
}

#[cfg(test)]
mod tests {
    use super::super::{Form, tokens};

    #[track_caller]
    fn check(text: &str, want: &[&str]) {
        let values = tokens(text).into_iter().filter(|token| token.form == Form::Value);
        assert_eq!(values.map(|token| token.term).collect::<Vec<_>>(), want, "{text:?}");
    }

    #[test]
    fn amounts_have_one_spelling() {
        check("rose to $1.2 million", &["1200000"]);
        check("1.2 Millionen, 1.2m and 1,2 million", &["1200000", "1200000", "1200000"]);
        check("500k of 3 billion or 2bn", &["500000", "3000000000", "2000000000"]);
        check("0.5 million of 1.2345678 million", &["500000"]);
        check("12% or 12 percent, 12 per cent, 3.5 %", &["12%", "12%", "12%", "3.5%"]);
        check("5 people, 7 m, 5mm", &[]);
        check("0 million", &[]);
    }

    #[test]
    fn dates_have_one_spelling() {
        for text in
            ["5 March 2021", "March 5, 2021", "Mar. 5th 2021", "5. März 2021", "5 de marzo de 2021", "05.03.2021"]
        {
            check(text, &["2021-03", "2021-03-05"]);
        }
        check("2021/03/05", &["2021-03", "2021-03-05"]);
        check("3/15/2021", &["2021-03", "2021-03-15"]);
        check("in March 2021", &["2021-03"]);
        check("March 2021 or 2022", &["2021-03"]);
        check("March, in 2021", &[]);
        check("may 5 people", &[]);
        check("1.2.3", &[]);
    }

    #[test]
    fn quarters_have_one_spelling() {
        for text in
            ["Q3 2023", "Q3 FY2023", "third quarter of 2023", "3Q23", "2023 Q3", "3rd quarter, 2023", "Q3FY2023"]
        {
            check(text, &["2023-q3"]);
        }
        check("Q3 of it", &[]);
        check("q5 2023", &[]);
    }
}
