//! Sets a draft on pages: breaks lines, stacks parts, begins new pages. Tables are set in
//! [`super::setter_tables`].

use std::collections::{BTreeMap, BTreeSet};

use pdf_writer::types::TextRenderingMode;
use pdf_writer::{Content, Name, Str};

use super::draft::{Draft, Part, Section, Shape};
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
pub(super) const MARGIN: f32 = 50.0;

/// A picture is set no higher than this.
const TALLEST: f32 = 500.0;

/// Font size of text.
pub(super) const SIZE: f32 = 10.5;

/// Distance of lines in ems.
pub(super) const LEADING: f32 = 1.4;

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

/// The page at hand, and those that are done.
pub(super) struct Setter {
    pub(super) done: Setting,
    /// The pictures that could be read.
    named: BTreeMap<String, usize>,
    /// Of the page at hand.
    pub(super) content: Content,
    /// Pictures on the page at hand.
    on_page: BTreeSet<usize>,
    /// Of pages of this section; they may grow longer.
    pub(super) size: (f32, f32),
    pub(super) longest: f32,
    /// How far down the page is full.
    pub(super) y: f32,
}

/// How a line looks.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) size: f32,
    pub(super) bold: bool,
}

const PLAIN: Style = Style { size: SIZE, bold: false };

impl Setter {
    fn section(&mut self, section: &Section) {
        self.size = if section.shape == Shape::Slide { SLIDE } else { A4 };
        self.longest = if matches!(section.shape, Shape::Whole | Shape::Slide) { LONGEST } else { self.size.1 };
        let mut grids: Vec<Grid> = Vec::new();
        for part in &section.parts {
            if let Part::Table(table) = part {
                grids.push(self.grid(table, section.shape));
            }
        }
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
    pub(super) fn gap(&mut self, height: f32) {
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

    pub(super) fn end_page(&mut self) {
        let height = self.size.1.max(self.y + MARGIN);
        let content = std::mem::replace(&mut self.content, Content::new());
        let pictures = std::mem::take(&mut self.on_page);
        self.done.pages.push(SetPage { width: self.size.0, height, content, pictures });
        self.y = MARGIN;
    }

    /// Draws a line whose lower edge is at `bottom`; what is written from the right stands on the right.
    pub(super) fn show(&mut self, line: &str, x: f32, room: f32, bottom: f32, style: Style) {
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
}
