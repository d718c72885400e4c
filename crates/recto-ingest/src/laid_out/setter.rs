//! Sets a draft on pages: breaks lines, stacks parts, begins new pages. Where a table's columns stand is said in
//! [`super::grid`].

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use pdf_writer::types::TextRenderingMode;
use pdf_writer::{Content, Name, Str};

use super::draft::{Draft, Part, Section, Shape, Table};
use super::face::Face;
use super::file::{FONT, picture_name};
use super::grid::Grid;
use super::lines;
use super::picture::Picture;
use crate::pdf::FALLBACK_FONT;

/// Width and height of A4 in points.
const A4: (f32, f32) = (595.0, 842.0);

/// A slide is no smaller than this.
const SLIDE: (f32, f32) = (720.0, 405.0);

/// A single page gets no longer than this; what does not fit goes to a further one.
const LONGEST: f32 = 4000.0;

/// White space around a page.
const MARGIN: f32 = 50.0;

/// A picture is set no higher than this.
const TALLEST: f32 = 500.0;

/// Font size of text.
const SIZE: f32 = 10.5;

/// Font size in tables.
const CELL_SIZE: f32 = 9.0;

/// Distance of lines in ems.
const LEADING: f32 = 1.4;

/// White space between a cell's text and its borders: wide enough to part the words of neighbouring cells.
const PADDING: f32 = 5.0;

/// White space between a cell's text and the borders above and below it, together. Lines of neighbouring rows then stand
/// about as close as lines of one row.
const ROW_PADDING: f32 = 3.0;

/// How far an item is indented for each level of its list.
const INDENT: f32 = 18.0;

/// A laid out page.
pub(super) struct SetPage {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) content: Content,
    /// Indices of the pictures on it.
    pub(super) pictures: BTreeSet<usize>,
}

/// A heading and where it stands.
pub(super) struct Mark {
    pub(super) level: u8,
    pub(super) title: String,
    pub(super) page: usize,
    pub(super) y: f32,
}

/// What came of a draft. Has at least one page.
pub(super) struct Setting {
    pub(super) pages: Vec<SetPage>,
    pub(super) marks: Vec<Mark>,
    pub(super) face: Face,
    pub(super) pictures: Vec<Picture>,
    /// How many pictures could not be read.
    pub(super) lost_pictures: usize,
}

/// Lays a draft out.
pub(super) fn set(draft: &Draft) -> Setting {
    let done = Setting {
        pages: Vec::new(),
        marks: Vec::new(),
        face: Face::new(FALLBACK_FONT),
        pictures: Vec::new(),
        lost_pictures: 0,
    };
    let mut setter = Setter {
        done,
        named: BTreeMap::new(),
        content: Content::new(),
        on_page: BTreeSet::new(),
        size: A4,
        longest: A4.1,
        y: MARGIN,
    };
    setter.read_pictures(draft);
    let empty = Section { shape: Shape::Flow, parts: Vec::new() };
    let sections = if draft.sections.is_empty() { std::slice::from_ref(&empty) } else { &draft.sections };
    for section in sections {
        setter.section(section);
    }
    setter.done
}

struct Setter {
    done: Setting,
    /// The pictures that could be read.
    named: BTreeMap<String, usize>,
    /// Of the page at hand.
    content: Content,
    /// Pictures on the page at hand.
    on_page: BTreeSet<usize>,
    /// Of pages of this section; they may grow longer.
    size: (f32, f32),
    longest: f32,
    /// How far down the page is full.
    y: f32,
}

/// How a line looks.
#[derive(Clone, Copy)]
struct Style {
    size: f32,
    bold: bool,
}

const PLAIN: Style = Style { size: SIZE, bold: false };

impl Setter {
    fn section(&mut self, section: &Section) {
        self.size = if section.shape == Shape::Slide { SLIDE } else { A4 };
        self.longest = if matches!(section.shape, Shape::Whole | Shape::Slide) { LONGEST } else { self.size.1 };
        let room = self.size.0 - 2.0 * MARGIN;
        let face = &mut self.done.face;
        let tables =
            section.parts.iter().filter_map(|part| if let Part::Table(table) = part { Some(table) } else { None });
        let grids: Vec<Grid> = tables.map(|t| Grid::new(t, face, CELL_SIZE, PADDING, room, section.shape)).collect();
        self.size.0 = grids.iter().map(|grid| grid.width() + 2.0 * MARGIN).fold(self.size.0, f32::max);
        let mut grids = grids.iter();
        for part in &section.parts {
            match part {
                Part::Table(table) => grids.next().into_iter().for_each(|grid| self.table(table, grid)),
                other => self.text_part(other),
            }
        }
        self.end_page();
    }

    fn text_part(&mut self, part: &Part) {
        match part {
            Part::Heading(level, text) => {
                let size = SIZE + 8.0 - 2.0 * f32::from((*level).clamp(1, 4));
                self.gap(size);
                self.need(4.0 * size);
                let title = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let (level, page, y) = (*level, self.done.pages.len(), self.y);
                self.done.marks.push(Mark { level, title, page, y });
                self.text(text, Style { size, bold: true }, 0.0);
                self.gap(0.5 * SIZE);
            }
            Part::Label(text) => {
                self.gap(SIZE);
                self.need(4.0 * SIZE);
                self.text(text, Style { bold: true, ..PLAIN }, 0.0);
            }
            Part::Text(text) => {
                self.text(text, PLAIN, 0.0);
                self.gap(0.7 * SIZE);
            }
            Part::Item(depth, text) => {
                self.item(text, INDENT * f32::from((*depth).min(8) + 1));
                self.gap(0.3 * SIZE);
            }
            Part::Picture(name) => self.picture(name),
            Part::Table(_) => {}
        }
    }

    fn read_pictures(&mut self, draft: &Draft) {
        let mut left = Picture::budget();
        for name in draft.wanted() {
            match draft.pictures.get(&name).and_then(|bytes| Picture::read(bytes, &mut left)) {
                Some(picture) => {
                    self.named.insert(name, self.done.pictures.len());
                    self.done.pictures.push(picture);
                }
                None => self.done.lost_pictures += 1,
            }
        }
    }

    fn picture(&mut self, name: &str) {
        let Some(index) = self.named.get(name).copied() else { return };
        let Some(picture) = self.done.pictures.get(index) else { return };
        let (width, height) = picture.size((self.size.0 - 2.0 * MARGIN, TALLEST));
        self.need(height);
        self.on_page.insert(index);
        let name = picture_name(index);
        let name = Name(name.as_bytes());
        let to_place = [width, 0.0, 0.0, height, MARGIN, -(self.y + height)];
        self.content.save_state().transform(to_place).x_object(name).restore_state();
        self.y += height;
        self.gap(SIZE);
    }

    fn text(&mut self, text: &str, style: Style, indent: f32) {
        let room = self.size.0 - 2.0 * MARGIN - indent;
        for line in lines::broken(text, &mut self.done.face, style.size, room) {
            self.line(&line, indent, room, style);
        }
    }

    /// The lines after the first stand below the text, not below the bullet or number before it.
    fn item(&mut self, text: &str, indent: f32) {
        let marker = text.find(' ').map_or("", |space| text.get(..=space).unwrap_or_default());
        let hang = (self.done.face.width(marker) * SIZE).min(4.0 * INDENT);
        let room = self.size.0 - 2.0 * MARGIN - indent - hang;
        let rest = text.get(marker.len()..).unwrap_or_default();
        for (index, line) in lines::broken(rest, &mut self.done.face, SIZE, room).iter().enumerate() {
            if index == 0 {
                self.line(&format!("{marker}{line}"), indent, room + hang, PLAIN);
            } else {
                self.line(line, indent + hang, room, PLAIN);
            }
        }
    }

    fn line(&mut self, line: &str, indent: f32, room: f32, style: Style) {
        self.need(LEADING * style.size);
        self.y += LEADING * style.size;
        self.show(line, MARGIN + indent, room, self.y, style);
    }

    /// White space, but not at the top of a page.
    fn gap(&mut self, height: f32) {
        if self.y > MARGIN {
            self.y += height;
        }
    }

    /// Begins a new page unless so much fits on this one.
    fn need(&mut self, height: f32) {
        if self.y + height > self.longest - MARGIN && self.y > MARGIN {
            self.end_page();
        }
    }

    fn end_page(&mut self) {
        let height = self.size.1.max(self.y + MARGIN);
        let content = std::mem::replace(&mut self.content, Content::new());
        let pictures = std::mem::take(&mut self.on_page);
        self.done.pages.push(SetPage { width: self.size.0, height, content, pictures });
        self.y = MARGIN;
    }

    /// Draws a line whose lower edge is at `bottom`; what is written from the right stands on the right.
    fn show(&mut self, line: &str, x: f32, room: f32, bottom: f32, style: Style) {
        if line.trim().is_empty() {
            return;
        }
        let (visual, from_right) = lines::visual(line);
        let left = if from_right { x + room - self.done.face.width(&visual) * style.size } else { x };
        let codes = self.done.face.encode(&visual);
        let content = &mut self.content;
        content.save_state().begin_text().set_font(FONT, style.size);
        if style.bold {
            content.set_text_rendering_mode(TextRenderingMode::FillStroke).set_line_width(0.035 * style.size);
        }
        content.next_line(left, 0.4 * style.size - bottom).show(Str(&codes)).end_text().restore_state();
    }

    fn table(&mut self, table: &Table, grid: &Grid) {
        self.gap(0.4 * SIZE);
        for columns in grid.slices() {
            let mut repeated = None;
            for (index, row) in table.rows.iter().enumerate() {
                let is_head = index == 0 && table.has_head;
                let row = self.row(row, grid, columns.clone(), is_head);
                self.row_on_pages(&row, repeated.as_ref());
                if is_head {
                    repeated = Some(row).filter(|head| head.height(head.n_lines()) < self.longest / 4.0);
                }
            }
            self.gap(SIZE);
        }
    }

    fn row<'g>(&mut self, cells: &[String], grid: &'g Grid, columns: Range<usize>, is_head: bool) -> Row<'g> {
        let widths = grid.widths.get(columns.clone()).unwrap_or_default();
        let broken = |(column, width): (usize, &f32)| {
            let text = cells.get(column).map_or("", String::as_str);
            lines::broken(text, &mut self.done.face, CELL_SIZE, width - 2.0 * PADDING)
        };
        Row { cells: columns.zip(widths).map(broken).collect(), widths, is_head }
    }

    /// Sets a row here or on a new page, which begins with the head; one that is longer than a page goes over several.
    fn row_on_pages(&mut self, row: &Row<'_>, head: Option<&Row<'_>>) {
        let mut from = 0;
        let mut is_fresh = self.y <= MARGIN;
        loop {
            let left = row.n_lines() - from;
            let fitting = ((self.longest - MARGIN - self.y - ROW_PADDING) / (LEADING * CELL_SIZE)).max(0.0) as usize;
            if left > fitting && !is_fresh {
                self.end_page();
                head.into_iter().for_each(|head| self.piece(head, 0..head.n_lines()));
                is_fresh = true;
                continue;
            }
            let end = from + left.min(fitting.max(1));
            self.piece(row, from..end);
            if end >= row.n_lines() {
                return;
            }
            (from, is_fresh) = (end, false);
        }
    }

    /// Draws these lines of a row's cells, with the borders around them.
    fn piece(&mut self, row: &Row<'_>, lines: Range<usize>) {
        let (top, height) = (self.y, row.height(lines.len()));
        self.boxes(row, top, height);
        let mut x = MARGIN;
        for (cell, width) in row.cells.iter().zip(row.widths) {
            let room = width - 2.0 * PADDING;
            let in_piece = cell.iter().skip(lines.start).take(lines.len());
            for (number, line) in (1..).zip(in_piece) {
                let style = Style { bold: row.is_head, size: CELL_SIZE };
                let slack = room - self.done.face.width(line) * CELL_SIZE;
                let indent = if is_number(line) && !row.is_head { slack.max(0.0) } else { 0.0 };
                let bottom = top + ROW_PADDING / 2.0 + LEADING * CELL_SIZE * number as f32;
                self.show(line, x + PADDING + indent, room - indent, bottom, style);
            }
            x += width;
        }
        self.y = top + height;
    }

    fn boxes(&mut self, row: &Row<'_>, top: f32, height: f32) {
        self.content.save_state().set_line_width(0.5).set_stroke_gray(0.6).set_fill_gray(0.93);
        let mut x = MARGIN;
        for width in row.widths {
            self.content.rect(x, -(top + height), *width, height);
            x += width;
        }
        if row.is_head {
            self.content.fill_nonzero_and_stroke();
        } else {
            self.content.stroke();
        }
        self.content.restore_state();
    }
}

/// A row of a table, its cells broken to lines.
struct Row<'g> {
    cells: Vec<Vec<String>>,
    widths: &'g [f32],
    is_head: bool,
}

impl Row<'_> {
    fn n_lines(&self) -> usize {
        self.cells.iter().map(Vec::len).max().unwrap_or(0).max(1)
    }

    fn height(&self, n_lines: usize) -> f32 {
        ROW_PADDING + LEADING * CELL_SIZE * n_lines as f32
    }
}

/// True for what stands on the right in a column: numbers, amounts, percentages.
fn is_number(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || " .,+-()%€$£¥\u{a0}\u{2212}".contains(c))
}
