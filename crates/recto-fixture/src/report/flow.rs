//! Blocks to pages: what stands where, column by column and page by page.

use super::line::{Line, wrap};
use super::markup::Block;
use super::style::{Script, Style};
use super::{chart, table};
use crate::page::Page;
use std::fmt::Write;

/// A heading and the 1-based page on which it came to stand.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) level: u8,
    pub(crate) title: String,
    pub(crate) page: usize,
}

/// A document being laid out. `y` is the distance from the top of the page, `x` and `width` are those of the column.
pub(crate) struct Flow<'a> {
    pub(crate) style: &'a Style,
    contents: &'a [Entry],
    pub(crate) pages: Vec<Page>,
    pub(crate) entries: Vec<Entry>,
    page: Page,
    pub(crate) x: f32,
    pub(crate) width: f32,
    pub(crate) y: f32,
    /// Where the columns of this page begin.
    top: f32,
    column: usize,
    columns: usize,
}

impl<'a> Flow<'a> {
    /// An empty document; `contents` is what `!contents` lists.
    pub(crate) fn new(style: &'a Style, contents: &'a [Entry]) -> Self {
        Self {
            style,
            contents,
            pages: Vec::new(),
            entries: Vec::new(),
            page: Page::new().size(style.page[0], style.page[1]),
            x: style.side,
            width: style.width(),
            y: style.edge,
            top: style.edge,
            column: 0,
            columns: 1,
        }
    }

    /// Places all blocks.
    pub(crate) fn lay_out(mut self, blocks: &[Block]) -> Self {
        for (at, block) in blocks.iter().enumerate() {
            let rest = blocks.get(at..).unwrap_or_default();
            if at > 0 && matches!(blocks.get(at - 1), Some(Block::Item { .. })) && !matches!(block, Block::Item { .. })
            {
                self.y += self.style.size * 0.5;
            }
            self.need(self.kept(rest));
            self.place(block, rest.get(1));
        }
        self.end_page();
        self
    }

    /// The height that must be free for the first block: headings and captions stay with what follows them.
    fn kept(&self, blocks: &[Block]) -> f32 {
        let mut height = 0.0;
        for (at, block) in blocks.iter().enumerate() {
            let size = self.style.size;
            height += match block {
                Block::Heading(level, _) => self.heading_size(*level) * 2.7,
                Block::Caption(_) if matches!(blocks.get(at + 1), Some(Block::Table(_))) => size * 2.0,
                Block::Table(rows) => return height + table::kept(self, rows),
                Block::Chart(_) => return height + chart::height(self),
                Block::Page => return 0.0,
                // Alone, it may begin on the last line of a page.
                _ if height == 0.0 => return 0.0,
                _ => return height + size * self.style.leading * 3.0,
            };
        }
        height
    }

    fn heading_size(&self, level: u8) -> f32 {
        self.style.headings.get(usize::from(level).saturating_sub(1)).copied().unwrap_or(self.style.size)
    }

    fn place(&mut self, block: &Block, next: Option<&Block>) {
        let Style { regular, bold, size, accent, .. } = self.style;
        let grey = [0.35, 0.35, 0.35];
        let size = *size;
        match block {
            Block::Heading(level, text) => self.heading(*level, text),
            Block::Paragraph(text) => self.paragraph(text),
            Block::Item { marker, text } => self.item(marker, text, bold, size * 1.6, size * self.style.item_gap),
            Block::Fact { key, value } => self.item(key, value, bold, self.width * 0.4, size * 0.1),
            Block::Table(rows) => table::draw(self, rows),
            Block::Chart(chart) => chart::draw(self, chart),
            Block::Caption(text) => {
                self.set(text, regular, size * 0.88, grey, false);
                self.y += size * if matches!(next, Some(Block::Table(_))) { 0.4 } else { 1.0 };
            }
            Block::Title(text) => self.centred(text, bold, self.title_size(), *accent),
            Block::Subtitle(text) => self.centred(text, regular, size * 1.2, grey),
            Block::Big(text) => self.set(text, bold, size * 4.0, *accent, false),
            Block::Note(text) => self.note(text),
            Block::Space(height) => self.y += height,
            Block::Page => self.end_page(),
            Block::Columns => self.start_columns(),
            Block::Contents => self.list_contents(),
        }
    }

    fn title_size(&self) -> f32 {
        if self.style.columns > 1 { self.style.size * 1.9 } else { self.style.headings[0] * 1.35 }
    }

    fn heading(&mut self, level: u8, text: &str) {
        let style = self.style;
        let size = self.heading_size(level);
        if level == 1 && style.break_before_heading && self.y > style.edge {
            self.end_page();
        }
        if self.y > self.top {
            self.y += size * if style.columns > 1 { 0.6 } else { 0.9 };
        }
        let page = self.pages.len() + 1;
        self.entries.push(Entry { level, title: text.to_owned(), page });
        self.set(text, &style.bold, size, style.accent, false);
        self.y += size * 0.35;
    }

    fn paragraph(&mut self, text: &str) {
        let style = self.style;
        self.set(text, &style.regular, style.size, [0.0; 3], style.justified);
        self.y += style.size * if style.columns > 1 { 0.4 } else { 0.65 };
    }

    /// A marker and text beside it, which begins `indent` to the right.
    fn item(&mut self, marker: &str, text: &str, script: &Script, indent: f32, gap: f32) {
        let style = self.style;
        self.need(style.size * style.leading);
        let script = if marker == "•" { &style.regular } else { script };
        self.draw_text(marker, script, style.size, self.x, self.y + style.size);
        self.x += indent;
        self.width -= indent;
        self.set(text, &style.regular, style.size, [0.0; 3], style.justified);
        self.x -= indent;
        self.width += indent;
        self.y += gap;
    }

    fn note(&mut self, text: &str) {
        let Style { regular, size, leading, accent, .. } = self.style;
        let lines = wrap(text, regular, *size, self.width - 28.0, false);
        let height = lines.len() as f32 * size * leading + size * 1.1;
        self.need(height + size);
        let (x, bottom, width) = (self.x, self.up(self.y + height), self.width);
        let tint = accent.map(|c| 0.9 + c * 0.1);
        self.draw(|page| {
            page.fill(tint).rect(x, bottom, width, height).fill(*accent).rect(x, bottom, 4.0, height).content("0 g")
        });
        for (n, line) in (1..).zip(&lines) {
            self.draw_text(
                &line.text,
                regular,
                *size,
                x + 16.0,
                self.y + size * 0.35 + n as f32 * size * leading - size * 0.25,
            );
        }
        self.y += height + size;
    }

    fn centred(&mut self, text: &str, script: &Script, size: f32, rgb: [f32; 3]) {
        for line in wrap(text, script, size, self.width, false) {
            self.need(size * 1.3);
            let x = self.x + (self.width - line.width) / 2.0;
            self.draw(|page| page.fill(rgb));
            self.draw_text(&line.text, script, size, x, self.y + size);
            self.y += size * 1.3;
        }
        self.draw(|page| page.content("0 g"));
        self.y += size * 0.3;
    }

    fn list_contents(&mut self) {
        let Style { regular, bold, size, .. } = self.style;
        let right = self.x + self.width;
        for entry in self.contents.iter().filter(|entry| entry.level < 3) {
            let (script, indent) = if entry.level == 1 { (bold, 0.0) } else { (regular, size * 1.6) };
            let number = entry.page.to_string();
            let (start, end) = (self.x + indent, right - regular.width(&number, *size));
            let from = start + script.width(&entry.title, *size);
            let dots = (((end - from) / regular.width(".", *size)) as usize).saturating_sub(3);
            self.need(size * 1.7);
            let y = self.y + size;
            self.draw_text(&entry.title, script, *size, start, y);
            let dots = ".".repeat(dots);
            self.draw_text(&dots, regular, *size, end - regular.width(&dots, *size) - 4.0, y);
            self.draw_text(&number, regular, *size, end, y);
            self.y += size * 1.7;
        }
    }

    /// Sets text in lines across the column, over as many columns and pages as it takes.
    fn set(&mut self, text: &str, script: &Script, size: f32, rgb: [f32; 3], justified: bool) {
        let leading = if size > self.style.size { size * 1.25 } else { size * self.style.leading };
        let lines = wrap(text, script, size, self.width, justified);
        for (at, line) in lines.iter().enumerate() {
            // Neither the first nor the last line of a paragraph stands alone.
            let together = if at == 0 || at + 2 == lines.len() { 2.min(lines.len() - at) } else { 1 };
            self.need(leading * together as f32);
            if rgb != [0.0; 3] {
                self.draw(|page| page.fill(rgb));
            }
            self.draw_line(line, script, size, justified);
            if rgb != [0.0; 3] {
                self.draw(|page| page.content("0 g"));
            }
            self.y += leading;
        }
    }

    fn draw_line(&mut self, line: &Line, script: &Script, size: f32, justified: bool) {
        let gaps = line.text.matches(' ').count();
        if !justified || line.last || gaps == 0 {
            self.draw_text(&line.text, script, size, self.x, self.y + size);
            return;
        }
        let spread = (self.width - line.width) / gaps as f32 / size * -1000.0;
        let mut array = String::new();
        for part in line.text.split_inclusive(' ') {
            let _ = write!(array, "{} {spread:.1} ", script.font.encode(part));
        }
        let (x, y) = (self.x, self.up(self.y + size));
        let show = format!("BT /{} {size} Tf 1 0 0 1 {x:.2} {y:.2} Tm [{array}] TJ ET", script.font.name);
        self.draw(|page| page.uses(&script.font, &line.text).content(&show));
    }

    /// Draws text whose baseline begins at `x` and is `y` below the top of the page.
    pub(crate) fn draw_text(&mut self, text: &str, script: &Script, size: f32, x: f32, y: f32) {
        let y = self.up(y);
        self.draw(|page| page.text(&script.font, x, y, size, text));
    }

    pub(crate) fn draw(&mut self, draw: impl FnOnce(Page) -> Page) {
        self.page = draw(std::mem::take(&mut self.page));
    }

    /// A distance from the top as a distance from the bottom.
    pub(crate) fn up(&self, y: f32) -> f32 {
        self.style.page[1] - y
    }

    /// Moves on to the next column or page where less than `height` is left.
    pub(crate) fn need(&mut self, height: f32) {
        if self.y + height > self.style.page[1] - self.style.edge && self.y > self.top {
            self.next_column();
        }
    }

    fn start_columns(&mut self) {
        self.columns = self.style.columns;
        self.width = (self.style.width() - self.gutter() * (self.columns as f32 - 1.0)) / self.columns as f32;
        self.top = self.y;
    }

    fn gutter(&self) -> f32 {
        self.style.size * 2.2
    }

    fn next_column(&mut self) {
        self.column += 1;
        if self.column >= self.columns {
            self.end_page();
        } else {
            self.x += self.width + self.gutter();
            self.y = self.top;
        }
    }

    fn end_page(&mut self) {
        let [width, height] = self.style.page;
        self.pages.push(std::mem::replace(&mut self.page, Page::new().size(width, height)));
        (self.x, self.y, self.top, self.column) = (self.style.side, self.style.edge, self.style.edge, 0);
    }
}
