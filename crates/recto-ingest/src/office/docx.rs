//! Word documents. A page begins where Word began one when it last saved the file, or else where the author wants one.
//! Text that was deleted or hidden is left out.

use std::collections::{BTreeMap, BTreeSet};

use super::chart;
use super::numbering::Numbering;
use super::package::Package;
use super::styles::Styles;

use super::xml::{Tag, Visit};
use crate::Result;
use crate::laid_out::{Draft, Part, Shape, TableBuilder};

/// Elements whose text is not that of the document: deleted, moved away, commands, phonetic help, a second version of a
/// drawing for old programs.
const SKIPPED: [&str; 7] = ["del", "moveFrom", "instrText", "delText", "Fallback", "rt", "pPrChange"];

/// Parts that are read after the body, with the title under which they stand.
const APPENDED: [(&str, &str); 5] = [
    ("footnotes", "Footnotes"),
    ("endnotes", "Endnotes"),
    ("comments", "Comments"),
    ("header", "Header"),
    ("footer", "Footer"),
];

/// Reads the document whose main part has this name.
///
/// # Errors
/// When a part is damaged or too large.
pub(super) fn read(package: &mut Package<'_>, main: &str) -> Result<Draft> {
    let relations = package.relations(main)?;
    let mut body = Body::default();
    for relation in &relations {
        match relation.kind.as_str() {
            "styles" => drop(package.walk(&relation.target, &mut body.styles)?),
            "chart" => drop(body.charts.insert(relation.id.clone(), chart::read(package, &relation.target)?)),
            "image" => drop(body.images.insert(relation.id.clone(), relation.target.clone())),
            "numbering" => drop(package.walk(&relation.target, &mut body.numbering)?),
            _ => {}
        }
    }
    let text = package.part(main)?.unwrap_or_default();
    body.shape = if text.contains("lastRenderedPageBreak") { Shape::Whole } else { Shape::Flow };
    body.draft.start(body.shape);
    super::xml::walk(&text, &mut body)?;
    for (kind, title) in APPENDED {
        let parts = relations.iter().filter(|relation| relation.kind == kind);
        append(package, &mut body, parts.map(|part| part.target.as_str()), title)?;
    }
    Ok(body.draft)
}

/// Reads parts into the last section; equal ones once.
fn append<'t>(
    package: &mut Package<'_>,
    body: &mut Body,
    parts: impl Iterator<Item = &'t str>,
    title: &str,
) -> Result<()> {
    let (mut said, mut known) = (Vec::new(), BTreeSet::new());
    for part in parts {
        let mut other = Body { styles: std::mem::take(&mut body.styles), ..Body::default() };
        package.walk(part, &mut other)?;
        body.styles = other.styles;
        for part in other.draft.sections.into_iter().flat_map(|section| section.parts) {
            if known.insert(part.clone()) {
                said.push(part);
            }
        }
    }
    if !said.is_empty() {
        body.draft.push(Part::Label(title.into()));
        said.into_iter().for_each(|part| body.draft.push(part));
    }
    Ok(())
}

#[derive(Default)]
struct Body {
    draft: Draft,
    shape: Shape,
    styles: Styles,
    numbering: Numbering,
    tables: TableBuilder,
    /// The open paragraphs: text boxes stand within one.
    paragraphs: Vec<Paragraph>,
    /// Depth within an element that is left out.
    skipped: usize,
    /// True within the text of a run.
    in_text: bool,
    /// The open runs; tabs and breaks outside of any are settings.
    runs: usize,
    /// True in a run that is hidden.
    is_hidden: bool,
    /// What the next paragraph begins with: the number of a footnote, the author of a comment.
    prefix: String,
    /// The parts of pictures by the names of their relationships.
    images: BTreeMap<String, String>,
    /// The charts by the names of their relationships.
    charts: BTreeMap<String, Vec<Part>>,
    /// A page begins with the next row of the table.
    breaks_before_row: bool,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    style: String,
    level: Option<u8>,
    list: Option<String>,
    list_level: Option<u8>,
    ends_section: bool,
}

impl Visit for Body {
    fn is_full(&self) -> bool {
        self.draft.is_cut()
    }

    fn open(&mut self, tag: &Tag<'_>) {
        if self.skipped > 0 || SKIPPED.contains(&tag.name()) || is_separator(tag) {
            self.skipped += 1;
            return;
        }
        match tag.name() {
            "p" => self.paragraphs.push(Paragraph { text: std::mem::take(&mut self.prefix), ..Paragraph::default() }),
            "footnote" | "endnote" => self.prefix = format!("[{}] ", tag.get("id").unwrap_or_default()),
            "comment" => self.prefix = format!("{}: ", tag.get("author").unwrap_or_default()),
            "t" => self.in_text = true,
            "r" => (self.runs, self.is_hidden) = (self.runs + 1, false),
            "vanish" => self.is_hidden = tag.is_on(),
            "tab" => self.add("\t"),
            "cr" => self.add("\n"),
            "noBreakHyphen" => self.add("-"),
            "br" if tag.get("type").as_deref() == Some("page") => self.break_page(),
            "br" => self.add("\n"),
            "lastRenderedPageBreak" => self.break_page(),
            "pageBreakBefore" if tag.is_on() => self.break_page(),
            "footnoteReference" | "endnoteReference" => self.add_reference(tag),
            "chart" => self.say_chart(tag),
            "blip" => self.show_picture(tag.get("embed")),
            "imagedata" => self.show_picture(tag.relation()),
            "tbl" => self.tables.open_table(),
            "tc" => self.tables.open_cell(),
            "tblHeader" if tag.is_on() => self.tables.has_head(),
            "gridSpan" => self.tables.span(tag.number("val").unwrap_or(1)),
            _ => self.note_property(tag),
        }
    }

    fn close(&mut self, name: &str) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        match name {
            "p" => self.end_paragraph(),
            "t" => self.in_text = false,
            "r" => self.runs = self.runs.saturating_sub(1),
            "tc" => self.tables.close_cell(),
            "tr" => self.end_row(),
            "tbl" => {
                if let Some(table) = self.tables.close_table() {
                    self.draft.push(Part::Table(table));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text && self.skipped == 0 {
            self.add(text);
        }
    }
}

impl Body {
    fn add(&mut self, text: &str) {
        if self.runs > 0
            && !self.is_hidden
            && let Some(paragraph) = self.paragraphs.last_mut()
        {
            paragraph.text.push_str(text);
        }
    }

    fn say_chart(&mut self, tag: &Tag<'_>) {
        let chart = tag.relation().and_then(|relation| self.charts.remove(&relation)).unwrap_or_default();
        if !self.tables.is_open() {
            chart.into_iter().for_each(|part| self.draft.push(part));
        }
    }

    fn show_picture(&mut self, relation: Option<String>) {
        if let Some(part) = relation.and_then(|relation| self.images.get(&relation)) {
            self.draft.push(Part::Picture(part.clone()));
        }
    }

    fn add_reference(&mut self, tag: &Tag<'_>) {
        self.add(&format!(" [{}]", tag.get("id").unwrap_or_default()));
    }

    fn note_property(&mut self, tag: &Tag<'_>) {
        let value = || tag.get("val");
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        match tag.name() {
            "pStyle" => paragraph.style = value().unwrap_or_default(),
            "outlineLvl" => paragraph.level = tag.number::<u8>("val").map(|level| level.saturating_add(1)),
            "numId" => paragraph.list = value(),
            "ilvl" => paragraph.list_level = tag.number("val"),
            "sectPr" => paragraph.ends_section = true,
            "type" if value().as_deref() == Some("continuous") => paragraph.ends_section = false,
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let Some(mut paragraph) = self.paragraphs.pop() else { return };
        let text = std::mem::take(&mut paragraph.text);
        self.say(&paragraph, &text);
        if paragraph.ends_section {
            self.start_section();
        }
    }

    fn say(&mut self, paragraph: &Paragraph, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let marker = self.marker(paragraph);
        let text = if marker.is_empty() { text.to_owned() } else { format!("{marker} {text}") };
        if self.tables.is_open() {
            return self.tables.line(&text);
        }
        let heading = paragraph.level.or_else(|| self.styles.heading(&paragraph.style)).filter(|level| *level <= 9);
        self.draft.push(match heading {
            Some(level) => Part::Heading(level, text),
            None if marker.is_empty() => Part::Text(text),
            None => Part::Item(paragraph.list_level.unwrap_or(0), text),
        });
    }

    fn marker(&mut self, paragraph: &Paragraph) -> String {
        let of_style = self.styles.list(&paragraph.style);
        let (style_list, style_level) = of_style.map_or((None, 0), |(list, level)| (Some(list), level));
        let list = paragraph.list.clone().or(style_list);
        list.map_or_else(String::new, |list| self.numbering.next(&list, paragraph.list_level.unwrap_or(style_level)))
    }

    fn end_row(&mut self) {
        if std::mem::take(&mut self.breaks_before_row) {
            let table = self.tables.take_rows();
            self.draft.push(Part::Table(table));
            self.start_section();
        }
        self.tables.close_row();
    }

    /// What was said of the paragraph so far stays on the page; the rest goes on the next.
    fn break_page(&mut self) {
        if self.tables.is_open() {
            self.breaks_before_row = true;
            return;
        }
        if let Some(paragraph) = self.paragraphs.last_mut()
            && !paragraph.text.trim().is_empty()
        {
            let text = std::mem::take(&mut paragraph.text);
            self.draft.push(Part::Text(text));
        }
        self.start_section();
    }

    fn start_section(&mut self) {
        if self.draft.sections.last().is_some_and(|section| !section.parts.is_empty()) {
            self.draft.start(self.shape);
        }
    }
}

/// True for the lines over footnotes, which the file holds as footnotes.
fn is_separator(tag: &Tag<'_>) -> bool {
    matches!(tag.name(), "footnote" | "endnote") && tag.get("type").is_some_and(|kind| kind != "normal")
}
