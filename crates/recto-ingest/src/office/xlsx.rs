//! Excel workbooks: each sheet starts on a page of its own, as tables. Cells show what they showed when the file was last
//! saved; formulas are not calculated.

use std::collections::BTreeMap;

use super::chart;
use super::number_format::{built_in, shown};
use super::package::Package;
use super::sheet_rows::Rows;
use super::xml::{Tag, Visit};
use crate::Result;
use crate::laid_out::{Draft, Part, Shape};

/// Excel's own limit on the length of a format.
const LONGEST_FORMAT: usize = 255;

/// Reads the workbook whose main part has this name.
///
/// # Errors
/// When a part is damaged or too large.
pub(super) fn read(package: &mut Package<'_>, main: &str) -> Result<Draft> {
    let mut book = Book::default();
    package.walk(main, &mut book)?;
    let relations = package.relations(main)?;
    let mut shared = Strings::default();
    for relation in &relations {
        match relation.kind.as_str() {
            "sharedStrings" => drop(package.walk(&relation.target, &mut shared)?),
            "styles" => drop(package.walk(&relation.target, &mut book.formats)?),
            _ => {}
        }
    }
    let mut draft = Draft::default();
    for entry in &book.sheets {
        let Some(relation) = relations.iter().find(|relation| relation.id == entry.relation) else { continue };
        let mut sheet = Sheet::new(&book, &shared.strings);
        package.walk(&relation.target, &mut sheet)?;
        draft.start(Shape::Sheet);
        let mut notes = Vec::new();
        notes.extend(entry.is_hidden.then_some("hidden sheet"));
        notes.extend(sheet.hides_rows.then_some("some rows are hidden"));
        let note = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        draft.push(Part::Heading(1, format!("{}{note}", entry.name)));
        sheet.rows.parts().into_iter().for_each(|part| draft.push(part));
        if sheet.rows.is_full() {
            draft.cut();
        }
        push_drawings(package, &relation.target, &mut draft)?;
        push_comments(package, &relation.target, &mut draft)?;
    }
    Ok(draft)
}

fn push_drawings(package: &mut Package<'_>, sheet: &str, draft: &mut Draft) -> Result<()> {
    for drawing in package.relations(sheet)?.iter().filter(|relation| relation.kind == "drawing") {
        for relation in package.relations(&drawing.target)? {
            match relation.kind.as_str() {
                "chart" => chart::read(package, &relation.target)?.into_iter().for_each(|part| draft.push(part)),
                "image" => draft.push(Part::Picture(relation.target)),
                _ => {}
            }
        }
    }
    Ok(())
}

fn push_comments(package: &mut Package<'_>, sheet: &str, draft: &mut Draft) -> Result<()> {
    let relations = package.relations(sheet)?;
    for relation in relations.iter().filter(|relation| relation.kind == "comments") {
        let mut comments = Strings { item: "comment", ..Strings::default() };
        package.walk(&relation.target, &mut comments)?;
        draft.push(Part::Label("Comments".into()));
        for (place, text) in comments.places.into_iter().zip(comments.strings) {
            draft.push(Part::Text(format!("{place}: {text}")));
        }
    }
    Ok(())
}

/// The workbook's list of sheets.
#[derive(Default)]
struct Book {
    sheets: Vec<Entry>,
    from_1904: bool,
    formats: Formats,
}

struct Entry {
    name: String,
    relation: String,
    is_hidden: bool,
}

impl Visit for Book {
    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "workbookPr" => self.from_1904 = matches!(tag.get("date1904").as_deref(), Some("1" | "true")),
            "sheet" => self.sheets.push(Entry {
                name: tag.get("name").unwrap_or_default(),
                relation: tag.relation().unwrap_or_default(),
                is_hidden: tag.get("state").is_some_and(|state| state != "visible"),
            }),
            _ => {}
        }
    }
}

/// Texts of the part that cells share, or of comments. Phonetic help is left out.
struct Strings {
    item: &'static str,
    strings: Vec<String>,
    /// The cells of comments.
    places: Vec<String>,
    in_text: bool,
    in_help: bool,
}

impl Default for Strings {
    fn default() -> Self {
        Self { item: "si", strings: Vec::new(), places: Vec::new(), in_text: false, in_help: false }
    }
}

impl Visit for Strings {
    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            name if name == self.item => {
                self.strings.push(String::new());
                self.places.extend(tag.get("ref"));
            }
            "t" => self.in_text = true,
            "rPh" => self.in_help = true,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "rPh" => self.in_help = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text
            && !self.in_help
            && let Some(string) = self.strings.last_mut()
        {
            string.push_str(text);
        }
    }
}

/// The number formats of cells, by the number of their style.
#[derive(Default)]
struct Formats {
    custom: BTreeMap<u32, String>,
    styles: Vec<u32>,
    in_styles: bool,
}

impl Formats {
    fn of(&self, style: usize) -> &str {
        let id = self.styles.get(style).copied().unwrap_or(0);
        self.custom.get(&id).map_or_else(|| built_in(id), String::as_str)
    }
}

impl Visit for Formats {
    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "numFmt" => {
                let format = tag.get("formatCode").unwrap_or_default().chars().take(LONGEST_FORMAT).collect();
                self.custom.extend(tag.number("numFmtId").map(|id: u32| (id, format)));
            }
            "cellXfs" => self.in_styles = true,
            "xf" if self.in_styles => self.styles.push(tag.number("numFmtId").unwrap_or(0)),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        self.in_styles &= name != "cellXfs";
    }
}

/// The cells of a sheet.
struct Sheet<'b> {
    book: &'b Book,
    shared: &'b [String],
    rows: Rows,
    hides_rows: bool,
    column: usize,
    kind: String,
    style: usize,
    value: String,
    formula: String,
    in_value: bool,
    in_formula: bool,
}

impl<'b> Sheet<'b> {
    fn new(book: &'b Book, shared: &'b [String]) -> Self {
        Self {
            book,
            shared,
            rows: Rows::default(),
            hides_rows: false,
            column: 0,
            kind: String::new(),
            style: 0,
            value: String::new(),
            formula: String::new(),
            in_value: false,
            in_formula: false,
        }
    }

    /// What the cell shows.
    fn shown(&self) -> String {
        let value = &self.value;
        match self.kind.as_str() {
            "s" => {
                value.trim().parse().ok().and_then(|index: usize| self.shared.get(index)).cloned().unwrap_or_default()
            }
            "b" => if value.trim() == "1" { "TRUE" } else { "FALSE" }.into(),
            "" | "n" if value.is_empty() => String::new(),
            "" | "n" => match value.trim().parse::<f64>() {
                Ok(number) => shown(number, self.book.formats.of(self.style), self.book.from_1904),
                Err(_) => value.clone(),
            },
            "d" => value.trim_end_matches("T00:00:00").to_owned(),
            _ => value.clone(),
        }
    }

    fn end_cell(&mut self) {
        // A formula without a result was written by a program that does not calculate.
        let is_uncalculated = self.value.is_empty() && self.kind != "str" && !self.formula.is_empty();
        let text = if is_uncalculated { format!("={}", self.formula) } else { self.shown() };
        self.rows.cell(self.column, text);
        self.column += 1;
    }
}

impl Visit for Sheet<'_> {
    fn is_full(&self) -> bool {
        self.rows.is_full()
    }

    fn open(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "row" => {
                self.rows.start(tag.number("r"));
                self.hides_rows |= matches!(tag.get("hidden").as_deref(), Some("1" | "true"));
                self.column = 0;
            }
            "c" => {
                self.column = tag.get("r").and_then(|place| column(&place)).unwrap_or(self.column);
                self.kind = tag.get("t").unwrap_or_default();
                self.style = tag.number("s").unwrap_or(0);
                self.value.clear();
                self.formula.clear();
            }
            "v" | "t" => self.in_value = true,
            "f" => self.in_formula = true,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "v" | "t" => self.in_value = false,
            "f" => self.in_formula = false,
            "c" => self.end_cell(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_value {
            self.value.push_str(text);
        } else if self.in_formula {
            self.formula.push_str(text);
        }
    }
}

/// The column of a cell's name, from 0 on: 1 for `B7`.
fn column(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic);
    let number = letters.take(4).fold(0, |sum, letter| sum * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1);
    number.checked_sub(1)
}
