//! Tables of figures by year, as financial statements have them: a line item and a year to its value. The arithmetic on
//! them is in `derive`.

use super::number::{Number, numbers};
use super::reading::Reading;
use super::sheet::Sheet;
use super::term::{is_stop_word, terms};

/// A value of a line item for one year.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Value {
    pub(crate) amount: f64,
    pub(crate) number: Number,
    /// Which page of the reading.
    pub(crate) page: usize,
    /// The words that show it: label, number, year.
    pub(crate) words: Vec<usize>,
}

/// All rows of the reading that have a label and numbers.
pub(crate) struct Statement {
    lines: Vec<LineItem>,
}

struct LineItem {
    label: Vec<String>,
    label_words: Vec<usize>,
    /// Numbers from left to right with their centres, and the columns' years with the word that says so.
    numbers: Vec<(f32, Number)>,
    years: Vec<Head>,
    page: usize,
    /// The page calls itself a statement of the whole: such rows are preferred.
    formal: bool,
}

/// A year at the head of a column: the centre of the column, the year, the word that says so.
type Head = (f32, String, usize);

/// Pages with fewer numbers hold no table of figures.
const LEAST_NUMBERS: usize = 10;

impl Statement {
    pub(crate) fn new(reading: &Reading) -> Self {
        let mut lines = Vec::new();
        for (page, read) in reading.pages.iter().enumerate() {
            let digits = |w: &recto_page::Word| w.text.contains(|c: char| c.is_ascii_digit());
            if read.page.text_layer.words.iter().filter(|w| digits(w)).count() >= LEAST_NUMBERS {
                lines.extend(page_lines(&Sheet::new(&read.page), page));
            }
        }
        Self { lines }
    }

    /// The value of the line item called `label` in the column of `year`; without a year, of the first column.
    pub(crate) fn value(&self, label: &str, year: Option<&str>) -> Option<Value> {
        let wanted = label_terms(label);
        self.ranked(&wanted).into_iter().find_map(|line| line.value(year))
    }

    /// The values of one line item for two years.
    pub(crate) fn values(&self, label: &str, first: &str, second: &str) -> Option<(Value, Value)> {
        let wanted = label_terms(label);
        self.ranked(&wanted).into_iter().find_map(|line| line.value(Some(first)).zip(line.value(Some(second))))
    }

    /// The line items called so, the likeliest first.
    fn ranked(&self, wanted: &[String]) -> Vec<&LineItem> {
        let rank = |line: &LineItem| Some(likeness(&line.label, wanted)? + if line.formal { 0.5 } else { 0.0 });
        let mut ranked: Vec<(f64, &LineItem)> = self.lines.iter().filter_map(|l| Some((rank(l)?, l))).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.into_iter().map(|(_, line)| line).collect()
    }
}

impl LineItem {
    fn value(&self, year: Option<&str>) -> Option<Value> {
        let (at, header) = match year {
            None => (0, None),
            Some(year) => {
                let column = self.years.iter().position(|(_, y, _)| y == year)?;
                (self.number_under(column)?, self.years.get(column).map(|(_, _, word)| *word))
            }
        };
        let (_, number) = self.numbers.get(at)?;
        let words = self.label_words.iter().copied().chain(number.words.clone()).chain(header).collect();
        Some(Value { amount: number.value, number: number.clone(), page: self.page, words })
    }

    /// As many numbers as years stand in the same order; else the nearest number below the year counts.
    fn number_under(&self, column: usize) -> Option<usize> {
        if self.numbers.len() == self.years.len() {
            return Some(column);
        }
        let x = self.years.get(column)?.0;
        let off = |n: &(f32, Number)| (n.0 - x).abs();
        let near = self.numbers.iter().enumerate().min_by(|a, b| off(a.1).total_cmp(&off(b.1)))?;
        (off(near.1) < 0.08).then_some(near.0)
    }
}

/// 1 for the same label, a little less for one with words more; `None` for another one.
fn likeness(label: &[String], wanted: &[String]) -> Option<f64> {
    let all = !wanted.is_empty() && wanted.iter().all(|w| label.contains(w));
    let more = label.len().saturating_sub(wanted.len());
    (all && more <= 4).then(|| 1.0 - 0.15 * more as f64 + if label.starts_with(wanted) { 0.1 } else { 0.0 })
}

/// Terms of a label without articles and the like.
fn label_terms(label: &str) -> Vec<String> {
    let words = label.split_whitespace().filter(|w| !is_stop_word(w));
    words.flat_map(terms).collect()
}

fn page_lines(sheet: &Sheet, page: usize) -> Vec<LineItem> {
    let found = numbers(sheet);
    let heads = year_rows(sheet, &found);
    let formal = is_formal(sheet);
    let by_row = |row: usize| found.iter().filter(move |n| sheet.row_of.get(n.words.start) == Some(&row));
    let mut lines = Vec::new();
    for row in 0..sheet.rows.len() {
        let mut values: Vec<(f32, Number)> = by_row(row).map(|n| (center(sheet, n), n.clone())).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(first) = values.first().map(|(_, n)| n.words.start) else { continue };
        let label_words: Vec<usize> = sheet.row_words(row).take_while(|w| *w != first).collect();
        let label = label_terms(&sheet.text(label_words.iter().copied()));
        let years = heads.iter().rfind(|(r, _)| *r < row).map(|(_, years)| years.clone()).unwrap_or_default();
        if !label.is_empty() && label.len() <= 12 && values.len() <= 12 {
            lines.push(LineItem { label, label_words, numbers: values, years, page, formal });
        }
    }
    lines
}

fn center(sheet: &Sheet, n: &Number) -> f32 {
    let last = n.words.end.saturating_sub(1);
    (sheet.region(n.words.start).left() + sheet.region(last).right()) / 2.0
}

/// Rows that hold several years, or nothing but one: the heads of tables.
fn year_rows(sheet: &Sheet, found: &[Number]) -> Vec<(usize, Vec<Head>)> {
    let mut rows: std::collections::BTreeMap<usize, Vec<Head>> = std::collections::BTreeMap::new();
    for n in found.iter().filter(|n| n.is_year()) {
        let word = n.words.start;
        let Some(&row) = sheet.row_of.get(word) else { continue };
        rows.entry(row).or_default().push((center(sheet, n), n.digits.clone(), word));
    }
    rows.retain(|row, years| years.len() > 1 || sheet.row_words(*row).count() <= 4);
    rows.values_mut().for_each(|years| years.sort_by(|a, b| a.0.total_cmp(&b.0)));
    rows.into_iter().collect()
}

/// True if a short line at the top of the page names a statement of the whole.
fn is_formal(sheet: &Sheet) -> bool {
    let layer = &sheet.page.text_layer;
    let names = ["balance sheet", "statements of", "statement of", "income statement"];
    let top = layer.lines.iter().filter(|l| l.region.top() < 0.2 && l.words.len() <= 8);
    top.map(|l| layer.line_text(l).to_lowercase()).any(|line| {
        line.contains("consolidated") && names.iter().any(|n| line.contains(n)) && !line.contains("notes to")
    })
}
