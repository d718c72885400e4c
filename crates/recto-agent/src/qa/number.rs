//! Numbers as they are printed: value, unit, scale.

use super::measure::{self, Measure};
use super::sheet::Sheet;
use super::term::{bare, is_spaceless};

/// A number on a page.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Number {
    /// The words it is made of, neighbours in the text layer.
    pub(crate) words: std::ops::Range<usize>,
    pub(crate) value: f64,
    /// The digits as text, without thousands commas; negative with a minus.
    pub(crate) digits: String,
    pub(crate) percent: bool,
    pub(crate) currency: Option<char>,
    /// True if written with thousands commas.
    pub(crate) grouped: bool,
    /// True if a space parts the currency from the digits.
    pub(crate) parted: bool,
    /// As it stands on the page: with thousands commas, or in words.
    pub(crate) printed: String,
    /// The unit beside it, and what that measures.
    pub(crate) unit: Option<(String, Measure)>,
    /// `million` in `4.5 million`.
    pub(crate) scale: Option<Scale>,
    /// What follows the least of several values: `– 4` of `2 – 4 years`.
    pub(crate) range: String,
}

/// A word that multiplies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Scale {
    Thousand,
    Million,
    Billion,
    Trillion,
}

impl Scale {
    pub(crate) fn parse(word: &str) -> Option<Self> {
        let word = bare(word).to_ascii_lowercase();
        match word.strip_suffix('s').unwrap_or(&word) {
            "thousand" => Some(Self::Thousand),
            "million" | "mn" => Some(Self::Million),
            "billion" | "bn" => Some(Self::Billion),
            "trillion" => Some(Self::Trillion),
            _ => None,
        }
    }

    pub(crate) const fn factor(self) -> f64 {
        match self {
            Self::Thousand => 1e3,
            Self::Million => 1e6,
            Self::Billion => 1e9,
            Self::Trillion => 1e12,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Thousand => "thousand",
            Self::Million => "million",
            Self::Billion => "billion",
            Self::Trillion => "trillion",
        }
    }
}

impl Number {
    /// A whole number from 1900 to 2099 without unit.
    pub(crate) fn is_year(&self) -> bool {
        let bare = !self.percent && !self.grouped && self.currency.is_none() && self.scale.is_none();
        bare && self.digits.len() == 4 && (1900.0..2100.0).contains(&self.value)
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.value.fract() == 0.0
    }

    /// The same without what brackets mean in tables: in running text they are only brackets.
    fn positive(mut self) -> Self {
        self.value = self.value.abs();
        for text in [&mut self.digits, &mut self.printed] {
            *text = text.trim_start_matches('-').to_owned();
        }
        self
    }

    /// The range from this value to `most`.
    fn up_to(mut self, sheet: &Sheet, most: Self) -> Self {
        self.range = format!(" {} {}", sheet.word(self.words.end), most.printed);
        let words = self.words.start..most.words.end;
        Self { words, unit: most.unit, percent: most.percent, scale: most.scale, ..self }
    }

    /// The number as printed, with its currency, scale and unit.
    pub(crate) fn printed_text(&self) -> String {
        let currency = self.currency.map(String::from).unwrap_or_default();
        let gap = if self.parted { " " } else { "" };
        let percent = if self.percent { "%" } else { "" };
        let number = format!("{currency}{gap}{}{}{percent}", self.printed, self.range);
        let unit = self.unit.as_ref().map(|(unit, _)| unit.clone());
        match unit.or_else(|| self.scale.map(|s| s.name().to_owned())) {
            None => number,
            Some(unit) if unit.starts_with(is_spaceless) => number + &unit,
            Some(unit) => format!("{number} {unit}"),
        }
    }

    /// The number with its unit, without thousands commas.
    pub(crate) fn text(&self) -> String {
        let currency = self.currency.map(String::from).unwrap_or_default();
        let percent = if self.percent { "%" } else { "" };
        let scale = self.scale.map(|s| format!(" {}", s.name())).unwrap_or_default();
        format!("{currency}{}{}{percent}{scale}", self.digits, self.range)
    }
}

/// The number words of English below twenty.
const NUMBER_WORDS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// `seven`, `forty`, `twenty-four`; and `六`, `十五`, `一百五十`.
pub(crate) fn spelt(word: &str) -> Option<u32> {
    let (tens, ones) = word.split_once('-').unwrap_or((word, ""));
    let small = |w: &str| NUMBER_WORDS.iter().position(|n| *n == w).and_then(|n| u32::try_from(n).ok());
    let ten = TENS.iter().zip(2u32..).find(|(w, _)| **w == tens).map(|(_, n)| 10 * n);
    match (ten, ones) {
        (None, _) => small(word).or_else(|| han(word)),
        (ten, "") => ten,
        (Some(ten), ones) => small(ones).filter(|n| (1..10).contains(n)).map(|n| ten + n),
    }
}

/// Han numerals, those of the largest unit first.
fn han(word: &str) -> Option<u32> {
    of_units(word, &[('万', 10_000), ('千', 1000), ('百', 100), ('十', 10)])
}

fn of_units(word: &str, units: &[(char, u32)]) -> Option<u32> {
    let [(unit, size), smaller @ ..] = units else { return han_digit(word) };
    let Some((many, rest)) = word.split_once(*unit) else { return of_units(word, smaller) };
    let many = if many.is_empty() && *unit == '十' { 1 } else { of_units(many, smaller)? };
    let rest = rest.trim_start_matches('零');
    let rest = if rest.is_empty() { 0 } else { of_units(rest, smaller)? };
    (many < 10 || *unit == '万').then_some(many * size + rest)
}

fn han_digit(word: &str) -> Option<u32> {
    let digit = if word == "两" { "二" } else { word };
    (1..).zip("一二三四五六七八九".chars()).find(|(_, c)| digit.chars().eq([*c])).map(|(n, _)| n)
}

/// `four-in-ten` as 40 %.
fn share_of_ten(lower: &str) -> Option<Number> {
    let value = spelt(lower.strip_suffix("-in-ten")?).filter(|n| (1..10).contains(n))?;
    Some(Number { percent: true, ..plain(f64::from(10 * value), (10 * value).to_string()) })
}

/// Reads a word as a number: digits with commas, brackets for negative, `%`, a currency sign, or a number word.
/// Letters glued to the digits (`P10`, `10-K`) make it something else.
pub(crate) fn parse(word: &str) -> Option<Number> {
    let lower = word.trim_end_matches([',', '.', ';', ':']).to_ascii_lowercase();
    if let Some(value) = spelt(&lower) {
        return Some(Number { printed: lower, ..plain(f64::from(value), value.to_string()) });
    }
    if let Some(share) = share_of_ten(&lower) {
        return Some(share);
    }
    let core = word.trim_start_matches(['"', '“', '~', '≈']).trim_end_matches([',', ';', ':', '.', '"', '”', '*', '†']);
    let negative = core.starts_with('(') && core.ends_with(')') || core.starts_with(['-', '−', '–']);
    let core = core.trim_start_matches(['(', '[', '-', '−', '–']).trim_end_matches([')', ']']);
    let currency = core.chars().next().filter(|c| "$€£¥₹".contains(*c));
    let core = core.trim_start_matches(['$', '€', '£', '¥', '₹']).trim_end_matches([',', '.']);
    let percent = core.ends_with('%');
    let core = core.trim_end_matches('%');
    if !core.starts_with(|c: char| c.is_ascii_digit()) || !core.chars().all(|c| c.is_ascii_digit() || ",.".contains(c))
    {
        return None;
    }
    let digits = core.replace(',', "");
    let value: f64 = digits.parse().ok().filter(|v: &f64| v.is_finite())?;
    let (value, digits) = if negative && value > 0.0 { (-value, format!("-{digits}")) } else { (value, digits) };
    let grouped = core.contains(',');
    let printed = if value < 0.0 { format!("-{core}") } else { core.to_owned() };
    Some(Number { percent, currency, grouped, printed, ..plain(value, digits) })
}

fn plain(value: f64, digits: String) -> Number {
    Number {
        words: 0..0,
        value,
        printed: digits.clone(),
        digits,
        percent: false,
        currency: None,
        grouped: false,
        parted: false,
        unit: None,
        scale: None,
        range: String::new(),
    }
}

/// The numbers of a page in the order of its text layer.
pub(crate) fn numbers(sheet: &Sheet) -> Vec<Number> {
    let n = sheet.words().len();
    let all = (0..n).filter_map(|i| parse(sheet.word(i)).map(|number| with_unit(sheet, i, number)));
    let mut found: Vec<Number> = Vec::new();
    for number in all {
        match found.last_mut() {
            Some(least) if is_range(sheet, least, &number) => *least = least.clone().up_to(sheet, number),
            _ => found.push(number),
        }
    }
    found
}

/// True for `2 – 4`, both in one cell, the unit after the second alone or after both.
fn is_range(sheet: &Sheet, least: &Number, most: &Number) -> bool {
    let cell = |i: usize| sheet.cell_of.get(i);
    let dash = least.words.end + 1 == most.words.start && matches!(sheet.word(least.words.end), "-" | "–" | "—");
    let plain = |n: &Number| !n.is_year() && n.printed.starts_with(|c: char| c.is_ascii_digit());
    dash && cell(least.words.start) == cell(most.words.start)
        && plain(least)
        && plain(most)
        && least.value < most.value
        && most.currency == least.currency.filter(|_| most.currency.is_some())
}

/// Takes in the unit beside a number: `$` or `Rs` before, `%`, `percent` or `million` after.
fn with_unit(sheet: &Sheet, i: usize, mut number: Number) -> Number {
    number.words = i..i + 1;
    if number.value < 0.0 && sheet.word(i).starts_with('(') && sheet.is_running(i) {
        number = number.positive();
    }
    let before = i.checked_sub(1).map_or("", |b| sheet.word(b));
    if let ("$" | "€" | "£" | "¥" | "($", Some(sign)) = (before, before.chars().next_back()) {
        number.currency = Some(sign);
        number.parted = before.len() == sign.len_utf8();
        number.words.start = i - 1;
    }
    let after = sheet.word(i + 1);
    let unit = after.trim_end_matches([',', '.', ';', ')']).to_ascii_lowercase();
    if matches!(unit.as_str(), "%" | "percent" | "per" | "pct")
        && (unit != "per" || sheet.word(i + 2).starts_with("cent"))
    {
        number.percent = true;
        number.words.end = i + 2;
    } else if let Some(scale) = Scale::parse(after) {
        number.scale = Some(scale);
        number.words.end = i + 2;
    }
    let following: Vec<&str> = (i + 1..i + 4).map(|w| sheet.word(w)).collect();
    let unit = measure::leading(following.iter().copied()).filter(|(_, m)| *m != Measure::Share);
    // In a row of amounts, the sign after one belongs to the next.
    let next = matches!(following.as_slice(), ["$" | "€" | "£" | "¥", after, ..] if parse(after).is_some());
    let unit = unit.filter(|(_, measure)| !next && (*measure != Measure::Money || number.currency.is_none()));
    if let Some((n, measure)) = unit.filter(|_| !sheet.word(i).ends_with([',', '.', ';', '，', '。'])) {
        let text = sheet.text(i + 1..i + 1 + n);
        let text = text.trim_end_matches(|c: char| ",.;:，。；".contains(c) || c == ')' && !text.contains('('));
        number.unit = Some((text.to_owned(), measure));
        number.words.end = number.words.end.max(i + 1 + n);
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_numerals_are_read_whole() {
        let table = [
            ("六", Some(6)),
            ("十五", Some(15)),
            ("三十四", Some(34)),
            ("一百五十", Some(150)),
            ("一百零五", Some(105)),
            ("两千三百", Some(2300)),
            ("四十万", Some(400_000)),
            ("一万二千", Some(12_000)),
            ("百", None),
            ("万", None),
            ("十百", None),
            ("一二", None),
            ("九千万万万", None),
            ("元", None),
        ];
        for (text, right) in table {
            assert_eq!(spelt(text), right, "{text}");
        }
    }

    #[test]
    fn words_are_read_as_numbers() {
        let table: &[(&str, Option<(f64, &str)>)] = &[
            ("1,358,000", Some((1_358_000.0, "1358000"))),
            ("(12.5)", Some((-12.5, "-12.5"))),
            ("$4.99.", Some((4.99, "$4.99"))),
            ("41%", Some((41.0, "41%"))),
            ("Seven", Some((7.0, "7"))),
            ("Four-in-ten", Some((40.0, "40%"))),
            ("twelve-in-ten", None),
            ("2015", Some((2015.0, "2015"))),
            ("10-K", None),
            ("P10", None),
            ("1.2.3", None),
            ("%", None),
            ("", None),
        ];
        for (word, want) in table {
            let got = parse(word).map(|n| (n.value, n.text()));
            assert_eq!(got, want.map(|(v, t)| (v, t.to_owned())), "{word}");
        }
    }
}
