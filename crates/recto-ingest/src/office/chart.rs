//! Charts within office documents, as tables of their numbers: a row for each category, a column for each series.

use std::collections::BTreeMap;

use super::number_format::shown;
use super::package::Package;
use super::xml::{Tag, Visit};
use crate::Result;
use crate::laid_out::{Part, Table};

/// A chart has no more points in a series than this.
const MOST_POINTS: usize = 5000;

/// A chart has no more series than this.
const MOST_SERIES: usize = 200;

/// Reads the chart in a part: its title, its table, the titles of its axes.
///
/// # Errors
/// When the part is damaged or too large.
pub(super) fn read(package: &mut Package<'_>, part: &str) -> Result<Vec<Part>> {
    let mut chart = Chart::default();
    package.walk(part, &mut chart)?;
    let mut titles = std::mem::take(&mut chart.titles).into_iter();
    let title = titles.next().unwrap_or_else(|| "Chart".into());
    let axes: Vec<String> = titles.collect();
    Ok(vec![Part::Label(title), Part::Table(chart.table()), Part::Text(axes.join("\n"))])
}

#[derive(Default)]
struct Chart {
    titles: Vec<String>,
    series: Vec<Series>,
    /// What of a series is being read.
    field: Field,
    format: String,
    point: usize,
    in_title: bool,
    in_text: bool,
    in_value: bool,
    in_format: bool,
}

#[derive(Default)]
struct Series {
    name: String,
    categories: BTreeMap<usize, String>,
    values: BTreeMap<usize, String>,
}

#[derive(Clone, Copy, PartialEq, Default)]
enum Field {
    #[default]
    None,
    Name,
    Categories,
    Values,
}

impl Chart {
    fn table(mut self) -> Table {
        self.series.truncate(MOST_SERIES);
        let names = self.series.iter().map(|series| series.name.clone());
        let mut rows = vec![std::iter::once(String::new()).chain(names).collect::<Vec<_>>()];
        let points: BTreeMap<usize, &str> = self
            .series
            .iter()
            .flat_map(|series| series.values.keys().map(|point| (*point, "")).chain(named(&series.categories)))
            .take(MOST_POINTS)
            .collect();
        for (point, category) in points {
            let value = |series: &Series| series.values.get(&point).cloned().unwrap_or_default();
            rows.push(std::iter::once(category.to_owned()).chain(self.series.iter().map(value)).collect());
        }
        Table { rows, has_head: true }
    }

    fn add(&mut self, text: &str) {
        let Some(series) = self.series.last_mut() else { return };
        match self.field {
            Field::None => {}
            Field::Name => series.name.push_str(text),
            Field::Categories => series.categories.entry(self.point).or_default().push_str(text),
            Field::Values => series.values.entry(self.point).or_default().push_str(text),
        }
    }

    /// Shows the last value as the chart does.
    fn end_value(&mut self) {
        let texts = match (self.field, self.series.last_mut()) {
            (Field::Values, Some(series)) => &mut series.values,
            (Field::Categories, Some(series)) if !self.format.is_empty() => &mut series.categories,
            _ => return,
        };
        if let Some(text) = texts.get_mut(&self.point)
            && let Ok(number) = text.trim().parse()
        {
            *text = shown(number, if self.format.is_empty() { "General" } else { &self.format }, false);
        }
    }
}

fn named(categories: &BTreeMap<usize, String>) -> impl Iterator<Item = (usize, &str)> {
    categories.iter().map(|(point, name)| (*point, name.as_str()))
}

impl Visit for Chart {
    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "title" => {
                self.in_title = true;
                self.titles.push(String::new());
            }
            "t" => self.in_text = self.in_title,
            "ser" => self.series.push(Series::default()),
            "tx" if !self.in_title => self.field = Field::Name,
            "cat" | "xVal" => self.field = Field::Categories,
            "val" | "yVal" => self.field = Field::Values,
            "formatCode" => self.in_format = true,
            "pt" => self.point = tag.number("idx").unwrap_or(0),
            "v" => self.in_value = true,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "title" => self.in_title = false,
            "t" => self.in_text = false,
            "tx" | "cat" | "xVal" | "val" | "yVal" => {
                self.field = Field::None;
                self.format.clear();
            }
            "formatCode" => self.in_format = false,
            "v" => {
                self.in_value = false;
                self.end_value();
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text {
            self.titles.last_mut().into_iter().for_each(|title| title.push_str(text));
        } else if self.in_value {
            self.add(text);
        } else if self.in_format {
            self.format.push_str(text);
        }
    }
}
