//! `recto config show`: every setting with its value and where it comes from.

use crate::config::{Config, Shown};
use crate::exit::Finish;
use crate::output;

pub(crate) fn show(config: &Config) -> anyhow::Result<Finish> {
    if config.json {
        output::json(&config.shown)?;
        return Ok(Finish::Done);
    }
    let here = config.index_of(".".as_ref()).display().to_string();
    let row = |Shown { key, value, from }: &Shown| {
        let value = if *key == "index" && value.is_empty() { &here } else { value };
        // Several values stand on lines of their own elsewhere.
        [key.to_string(), value.replace('\n', ", "), from.clone()]
    };
    let rows: Vec<[String; 3]> = config.shown.iter().map(row).collect();
    let width = |column: usize| {
        let widths = rows.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count());
        widths.filter(|width| *width <= WIDEST).max().unwrap_or_default()
    };
    let (keys, values) = (width(0), width(1));
    rows.iter()
        .try_for_each(|[key, value, from]| output::line(format_args!("{key:<keys$}  {value:<values$}  {from}")))?;
    Ok(Finish::Done)
}

/// A value that is wider stands out of its column.
const WIDEST: usize = 60;
