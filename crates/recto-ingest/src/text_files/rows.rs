//! Tables as text: fields parted by commas, semicolons or tabs.

use csv::ReaderBuilder;

use crate::laid_out::{Draft, MOST, Part, Shape, Table, cost};

/// So many rows show whether a text is a table.
const SAMPLE: usize = 50;

/// At least so many in a hundred of them have the same number of fields.
const ALIKE_PERCENT: usize = 80;

/// Fields of a comma separated text that is no sentence are mostly shorter than this.
const LONG_FIELD: usize = 60;

/// Reads a table; `None` if the text is none.
pub(super) fn read(text: &str) -> Option<Draft> {
    let delimiter = [b'\t', b';', b','].into_iter().find(|delimiter| is_table(text, *delimiter))?;
    let cells = |row: csv::StringRecord| row.iter().map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    // Somewhat more than a draft holds, so that the draft knows of what is left out.
    let mut left = MOST + MOST / 4;
    let fits = |row: &Vec<String>| {
        let fits = cost(row) <= left;
        left = left.saturating_sub(cost(row));
        fits
    };
    let rows = records(text, delimiter).map(cells).take_while(fits).collect();
    let mut draft = Draft::default();
    draft.start(Shape::Sheet);
    draft.push(Part::Table(Table { rows, has_head: true }));
    Some(draft)
}

fn records(text: &str, delimiter: u8) -> impl Iterator<Item = csv::StringRecord> {
    let reader =
        ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.into_records().filter_map(Result::ok)
}

/// True if most rows have the same number of fields, two or more, as tables do and sentences do not.
fn is_table(text: &str, delimiter: u8) -> bool {
    let sample: Vec<csv::StringRecord> = records(text, delimiter).take(SAMPLE).collect();
    let mut counts: Vec<usize> = sample.iter().map(csv::StringRecord::len).collect();
    counts.sort_unstable();
    let usual = counts.get(counts.len() / 2).copied().unwrap_or(0);
    let alike = counts.iter().filter(|count| **count == usual).count();
    let fields = || sample.iter().flatten();
    let long = fields().filter(|field| field.len() > LONG_FIELD).count();
    counts.len() > 1 && usual > 1 && alike * 100 >= ALIKE_PERCENT * counts.len() && long * 4 <= fields().count()
}
