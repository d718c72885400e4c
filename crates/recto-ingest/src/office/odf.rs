//! OpenDocument text, spreadsheets and presentations: all three are made of the same elements. Cells hold what they show.

use std::collections::BTreeSet;

use recto_page::ProblemCode;

use super::package::Package;
use super::sheet_rows::Rows;
use super::xml::{Tag, Visit};
use super::{core_properties, refuse};
use crate::Result;
use crate::laid_out::{Draft, Part, Shape, TableBuilder};

/// Elements whose text is not that of the document.
const SKIPPED: [&str; 4] = ["tracked-changes", "annotation", "forms", "index-title-template"];

/// A cell is repeated no more often than this.
const MOST_REPEATED: usize = 1000;

/// Reads a document of this media type.
///
/// # Errors
/// When a part is damaged or too large, or the document is encrypted.
pub(super) fn read(package: &mut Package<'_>, kind: &str) -> Result<Draft> {
    let manifest = package.part("META-INF/manifest.xml")?.unwrap_or_default();
    if manifest.contains("encryption-data") {
        return refuse(ProblemCode::PasswordRequired, "the office document is encrypted: save it without a password");
    }
    let Some(content) = package.part("content.xml")? else {
        return refuse(ProblemCode::Damaged, "the document has no content");
    };
    let is_sheet = kind.contains("spreadsheet");
    let shape = match () {
        () if is_sheet => Shape::Sheet,
        () if kind.contains("presentation") => Shape::Slide,
        () if content.contains("soft-page-break/>") => Shape::Whole,
        () => Shape::Flow,
    };
    let mut body = Body { is_sheet, shape, ..Body::default() };
    super::xml::walk(&content, &mut body)?;
    if body.rows.is_full() {
        body.end_sheet();
        body.draft.cut();
    }
    if !body.notes.is_empty() {
        body.draft.push(Part::Label("Notes".into()));
        body.notes.into_iter().for_each(|note| body.draft.push(Part::Text(note)));
    }
    body.draft.title = core_properties::title_in(package, "meta.xml")?;
    Ok(body.draft)
}

#[derive(Default)]
struct Body {
    draft: Draft,
    shape: Shape,
    is_sheet: bool,
    /// The style that is being described.
    style: String,
    /// Styles that begin a page, that hide what has them, and that number the items of a list.
    breaking: BTreeSet<String>,
    hiding: BTreeSet<String>,
    numbering: BTreeSet<String>,
    skipped: usize,
    paragraphs: Vec<Paragraph>,
    /// The open lists: the number of the last item, if they count.
    lists: Vec<Option<u32>>,
    marker: Option<String>,
    /// Texts of footnotes, and how many are open.
    notes: Vec<String>,
    in_note: usize,
    in_title: bool,
    tables: TableBuilder,
    rows: Rows,
    column: usize,
    row_repeats: usize,
    cell: String,
    cell_repeats: usize,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    heading: Option<u8>,
}

impl Visit for Body {
    fn is_full(&self) -> bool {
        self.draft.is_cut() || self.rows.is_full()
    }

    fn open(&mut self, tag: &Tag<'_>) {
        if self.skipped > 0 || SKIPPED.contains(&tag.name()) {
            self.skipped += 1;
            return;
        }
        match tag.name() {
            "h" | "p" => self.start_paragraph(tag),
            "tab" => self.add("\t"),
            "line-break" => self.add("\n"),
            "s" => self.add(&" ".repeat(tag.number("c").unwrap_or(1).clamp(1, MOST_REPEATED))),
            "soft-page-break" => self.break_page(),
            "note" => self.in_note += 1,
            "note-citation" => self.add(" ["),
            "list" => self.start_list(tag),
            "list-item" => self.marker = Some(self.next_marker()),
            "page" => self.start_page(tag),
            "frame" => self.in_title = tag.get("class").as_deref() == Some("title"),
            "image" => self.draft.push(Part::Picture(tag.get("href").unwrap_or_default())),
            "notes" => self.draft.push(Part::Label("Speaker notes".into())),
            "table" if self.is_sheet => self.start_sheet(tag),
            "table" => self.tables.open_table(),
            "table-header-rows" => self.tables.has_head(),
            "table-row" => self.start_row(tag),
            "table-cell" | "covered-table-cell" => self.start_cell(tag),
            _ => self.note_style(tag),
        }
    }

    fn close(&mut self, name: &str) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        match name {
            "h" | "p" => self.end_paragraph(),
            "note" => self.in_note = self.in_note.saturating_sub(1),
            "note-citation" => self.add("]"),
            "list" => drop(self.lists.pop()),
            "list-item" => self.marker = None,
            "frame" => self.in_title = false,
            "table-cell" | "covered-table-cell" => self.end_cell(),
            "table-row" => self.end_row(),
            "table" if self.is_sheet => self.end_sheet(),
            "table" => {
                if let Some(table) = self.tables.close_table() {
                    self.draft.push(Part::Table(table));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped > 0 {
            return;
        }
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        for char in text.chars() {
            if !char.is_ascii_whitespace() {
                paragraph.text.push(char);
            } else if !paragraph.text.is_empty() && !paragraph.text.ends_with([' ', '\n', '\t']) {
                paragraph.text.push(' ');
            }
        }
    }
}

impl Body {
    fn add(&mut self, text: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.text.push_str(text);
        }
    }

    fn note_style(&mut self, tag: &Tag<'_>) {
        let is = |name: &str, value: &str| tag.get(name).as_deref() == Some(value);
        match tag.name() {
            "style" | "list-style" => self.style = tag.get("name").unwrap_or_default(),
            "paragraph-properties" if is("break-before", "page") => drop(self.breaking.insert(self.style.clone())),
            "table-properties" if is("display", "false") => drop(self.hiding.insert(self.style.clone())),
            "drawing-page-properties" if is("visibility", "hidden") => drop(self.hiding.insert(self.style.clone())),
            "list-level-style-number" if is("level", "1") => drop(self.numbering.insert(self.style.clone())),
            _ => {}
        }
    }

    fn start_paragraph(&mut self, tag: &Tag<'_>) {
        if tag.get("style-name").is_some_and(|style| self.breaking.contains(&style)) {
            self.break_page();
        }
        let level = || tag.number("outline-level").unwrap_or(1).clamp(1, 9);
        let heading = if self.in_title { Some(1) } else { (tag.name() == "h").then(level) };
        self.paragraphs.push(Paragraph { text: String::new(), heading });
    }

    fn end_paragraph(&mut self) {
        let Some(Paragraph { text, heading }) = self.paragraphs.pop() else { return };
        if text.trim().is_empty() {
            return;
        }
        if self.in_note > 0 {
            let number = self.notes.len() + 1;
            return self.notes.push(format!("[{number}] {text}"));
        }
        let marker = self.marker.take();
        let text = marker.as_ref().map_or_else(|| text.clone(), |marker| format!("{marker} {text}"));
        if self.is_sheet {
            let gap = if self.cell.is_empty() { "" } else { "\n" };
            self.cell += &format!("{gap}{text}");
        } else if self.tables.is_open() {
            self.tables.line(&text);
        } else {
            let depth = u8::try_from(self.lists.len().saturating_sub(1)).unwrap_or(u8::MAX);
            self.draft.push(match heading {
                Some(level) => Part::Heading(level, text),
                None if self.lists.is_empty() => Part::Text(text),
                None => Part::Item(depth, text),
            });
        }
    }

    /// What was said of a paragraph so far stays on the page; the rest goes on the next.
    fn break_page(&mut self) {
        if self.tables.is_open() || self.shape == Shape::Slide || self.is_sheet {
            return;
        }
        if let Some(paragraph) = self.paragraphs.last_mut() {
            self.draft.push(Part::Text(std::mem::take(&mut paragraph.text)));
        }
        if self.draft.sections.last().is_some_and(|section| !section.parts.is_empty()) {
            self.draft.start(self.shape);
        }
    }

    fn start_list(&mut self, tag: &Tag<'_>) {
        let is_numbered = tag.get("style-name").map(|style| self.numbering.contains(&style));
        let inherited = self.lists.last().is_some_and(Option::is_some);
        self.lists.push(is_numbered.unwrap_or(inherited).then_some(0));
    }

    fn next_marker(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number = number.saturating_add(1);
                format!("{number}.")
            }
            _ => "•".into(),
        }
    }

    fn start_page(&mut self, tag: &Tag<'_>) {
        self.draft.start(Shape::Slide);
        if self.is_hidden(tag) {
            self.draft.push(Part::Label("(hidden slide)".into()));
        }
    }

    fn is_hidden(&self, tag: &Tag<'_>) -> bool {
        tag.get("style-name").is_some_and(|style| self.hiding.contains(&style))
    }

    fn start_sheet(&mut self, tag: &Tag<'_>) {
        self.rows = Rows::default();
        self.draft.start(Shape::Sheet);
        let note = if self.is_hidden(tag) { " (hidden sheet)" } else { "" };
        self.draft.push(Part::Heading(1, format!("{}{note}", tag.get("name").unwrap_or_default())));
    }

    fn end_sheet(&mut self) {
        self.rows.parts().into_iter().for_each(|part| self.draft.push(part));
    }

    fn start_row(&mut self, tag: &Tag<'_>) {
        self.row_repeats = tag.number("number-rows-repeated").unwrap_or(1);
        self.column = 0;
        if self.is_sheet {
            self.rows.start(None);
        }
    }

    fn end_row(&mut self) {
        if !self.is_sheet {
            return self.tables.close_row();
        }
        self.rows.repeat(self.row_repeats);
    }

    fn start_cell(&mut self, tag: &Tag<'_>) {
        self.cell.clear();
        self.cell_repeats = tag.number("number-columns-repeated").unwrap_or(1);
        if !self.is_sheet {
            self.tables.open_cell();
        }
    }

    fn end_cell(&mut self) {
        if !self.is_sheet {
            return self.tables.close_cell();
        }
        let text = std::mem::take(&mut self.cell);
        for index in 0..self.cell_repeats.min(MOST_REPEATED) {
            self.rows.cell(self.column.saturating_add(index), text.clone());
        }
        self.column = self.column.saturating_add(self.cell_repeats);
    }
}
