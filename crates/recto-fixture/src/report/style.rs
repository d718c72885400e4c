//! How a document looks: page size, margins, type, colours, header and footer.

use crate::face::Face;
use crate::font::Font;
use crate::page::Page;

/// A font, and how wide its text is.
#[derive(Debug, Clone)]
pub struct Script {
    pub(crate) font: Font,
    face: Option<Face>,
}

impl Script {
    /// An embedded face under this font name.
    pub fn embedded(name: &str, face: Face) -> Self {
        Self { font: Font::embedded(name, face), face: Some(face) }
    }

    /// The Chinese font that is not embedded.
    pub fn chinese(name: &str) -> Self {
        Self { font: Font::chinese(name), face: None }
    }

    /// The width of `text` in points at `size` points.
    pub(crate) fn width(&self, text: &str, size: f32) -> f32 {
        let ems = |text: &str| text.chars().map(|c| if c.is_ascii() { 0.5 } else { 1.0 }).sum::<f32>();
        self.face.map_or_else(|| ems(text) * size, |face| face.width(text, size))
    }
}

/// How a document looks. Lengths are in points.
#[derive(Debug, Clone)]
pub struct Style {
    /// Title of the document, also in the header of its pages.
    pub title: String,
    /// Width and height of pages.
    pub page: [f32; 2],
    /// Margin on the left and right.
    pub side: f32,
    /// Margin at the top and bottom.
    pub edge: f32,
    /// Columns after `!columns`.
    pub columns: usize,
    /// Font of the text.
    pub regular: Script,
    /// Font of headings.
    pub bold: Script,
    /// Size of the text.
    pub size: f32,
    /// Distance of lines as a multiple of the size.
    pub leading: f32,
    /// Sizes of the three levels of headings.
    pub headings: [f32; 3],
    /// Colour of headings, rules and charts.
    pub accent: [f32; 3],
    /// Space between list items as a multiple of the size.
    pub item_gap: f32,
    /// Straight right edge, words broken at line ends.
    pub justified: bool,
    /// Each heading of the first level begins a page.
    pub break_before_heading: bool,
}

impl Style {
    /// A report on A4 in a sans-serif face.
    pub fn report(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            page: [595.0, 842.0],
            side: 68.0,
            edge: 78.0,
            columns: 1,
            regular: Script::embedded("F2", Face::Sans),
            bold: Script::embedded("F3", Face::SansBold),
            size: 10.5,
            leading: 1.42,
            headings: [20.0, 14.0, 11.5],
            accent: [0.07, 0.33, 0.5],
            item_gap: 0.25,
            justified: false,
            break_before_heading: false,
        }
    }

    /// A scientific paper in two columns on US letter in a serif face.
    pub fn paper(title: &str) -> Self {
        Self {
            page: [612.0, 792.0],
            side: 54.0,
            edge: 62.0,
            columns: 2,
            regular: Script::embedded("F2", Face::Serif),
            bold: Script::embedded("F3", Face::SerifBold),
            size: 10.8,
            leading: 1.27,
            headings: [13.0, 11.6, 10.8],
            accent: [0.0, 0.0, 0.0],
            justified: true,
            ..Self::report(title)
        }
    }

    /// Landscape slides; each heading of the first level begins one.
    pub fn slides(title: &str) -> Self {
        Self {
            page: [960.0, 540.0],
            side: 72.0,
            edge: 70.0,
            size: 25.0,
            leading: 1.4,
            headings: [38.0, 28.0, 25.0],
            item_gap: 0.55,
            accent: [0.75, 0.24, 0.1],
            break_before_heading: true,
            ..Self::report(title)
        }
    }

    /// A Chinese document on A4 in a font that is not embedded.
    pub fn chinese(title: &str) -> Self {
        Self {
            regular: Script::chinese("F2"),
            bold: Script::chinese("F2"),
            size: 12.0,
            leading: 1.75,
            accent: [0.05, 0.38, 0.33],
            ..Self::report(title)
        }
    }

    /// The width between the margins.
    pub(crate) fn width(&self) -> f32 {
        self.page[0] - 2.0 * self.side
    }

    /// Adds header and footer to a page with this label.
    pub(crate) fn edges(&self, page: Page, label: &str) -> Page {
        let size = if self.break_before_heading { 12.0 } else { 8.5 };
        let [width, height] = self.page;
        let [left, right] = [self.side, width - self.side];
        let top = height - self.edge + 26.0;
        let label_at = right - self.regular.width(label, size);
        let page = page.content("q 0.45 g 0.7 G");
        let page = if self.break_before_heading {
            let bar = page.fill(self.accent).rect(0.0, 0.0, 16.0, height).content("0.45 g");
            bar.text(&self.regular.font, left, 28.0, size, &self.title)
        } else {
            page.text(&self.regular.font, left, top + 5.0, size, &self.title).line([left, top], [right, top], 0.5)
        };
        page.text(&self.regular.font, label_at, 28.0, size, label).content("Q")
    }
}
