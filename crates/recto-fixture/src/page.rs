//! One page: its boxes, its content stream, and what hangs on it. Positions are in points from the lower left corner.

use crate::annotation::Annotation;
use crate::file::RawFile;
use crate::font::Font;
use crate::object::{Object, num, nums, string};
use std::collections::{BTreeMap, BTreeSet};

/// The fonts that pages use, each with the characters that it must have.
pub(crate) type Fonts = BTreeMap<String, (Font, BTreeSet<char>)>;

/// Object numbers by name.
pub(crate) type Numbers = BTreeMap<String, u32>;

/// A page, A4 unless told otherwise.
///
/// ```
/// # use recto_fixture::{Page, Pdf};
/// let page = Page::new().text_at(72.0, 700.0, 12.0, "Hello").content("0 0 100 50 re S").rotate(90);
/// let bytes = Pdf::new().page(page).to_bytes();
/// ```
#[derive(Debug, Clone)]
pub struct Page {
    media_box: [f32; 4],
    entries: String,
    content: String,
    compressed: bool,
    truncated: bool,
    pub(crate) fonts: Fonts,
    xobjects: Vec<(String, Object)>,
    annotations: Vec<Annotation>,
}

impl Page {
    /// An empty A4 page.
    pub fn new() -> Self {
        let mut fonts = Fonts::new();
        fonts.insert("F1".to_owned(), (Font::standard("F1", "Helvetica"), BTreeSet::new()));
        Self {
            media_box: [0.0, 0.0, 595.0, 842.0],
            entries: String::new(),
            content: String::new(),
            compressed: true,
            truncated: false,
            fonts,
            xobjects: Vec::new(),
            annotations: Vec::new(),
        }
    }

    /// The MediaBox, as left, bottom, right, top.
    #[must_use]
    pub fn media_box(self, media_box: [f32; 4]) -> Self {
        Self { media_box, ..self }
    }

    /// A MediaBox of this width and height.
    #[must_use]
    pub fn size(self, width: f32, height: f32) -> Self {
        self.media_box([0.0, 0.0, width, height])
    }

    /// The CropBox, as left, bottom, right, top.
    #[must_use]
    pub fn crop_box(self, crop_box: [f32; 4]) -> Self {
        self.entry(&format!("/CropBox [{}]", nums(&crop_box)))
    }

    /// Degrees clockwise by which viewers turn the page.
    #[must_use]
    pub fn rotate(self, degrees: i32) -> Self {
        self.entry(&format!("/Rotate {degrees}"))
    }

    /// The size of a unit in points.
    #[must_use]
    pub fn user_unit(self, unit: f32) -> Self {
        self.entry(&format!("/UserUnit {}", num(unit)))
    }

    /// Anything else in the page's dictionary, e.g. `/Group << /S /Transparency >>`.
    #[must_use]
    pub fn entry(mut self, entry: &str) -> Self {
        self.entries.push(' ');
        self.entries.push_str(entry);
        self
    }

    /// Operators, added to the content stream as they are.
    #[must_use]
    pub fn content(mut self, operators: &str) -> Self {
        self.content.push_str(operators);
        self.content.push('\n');
        self
    }

    /// Text in Helvetica; the baseline begins at `x`, `y`.
    #[must_use]
    pub fn text_at(self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.text(&Font::standard("F1", "Helvetica"), x, y, size, text)
    }

    /// Text in any font; the baseline begins at `x`, `y`.
    #[must_use]
    pub fn text(self, font: &Font, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.text_matrix(font, [1.0, 0.0, 0.0, 1.0, x, y], size, text)
    }

    /// Text that turns with a matrix, e.g. `[0.0, 1.0, -1.0, 0.0, x, y]` for a quarter turn to the left.
    #[must_use]
    pub fn text_matrix(self, font: &Font, matrix: [f32; 6], size: f32, text: &str) -> Self {
        let show = format!("{} Tj", font.encode(text));
        self.uses(font, text).content(&format!("BT /{} {} Tf {} Tm {show} ET", font.name, num(size), nums(&matrix)))
    }

    /// Text in Helvetica that is not drawn (rendering mode 3), as scanners put it over their pictures.
    #[must_use]
    pub fn hidden_text_at(self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.content("q 3 Tr").text_at(x, y, size, text).content("Q")
    }

    /// What `draw` adds, marked as meaning `text`.
    #[must_use]
    pub fn actual_text(self, text: &str, draw: impl FnOnce(Self) -> Self) -> Self {
        draw(self.content(&format!("/Span << /ActualText {} >> BDC", string(text)))).content("EMC")
    }

    /// The colour of fills and text, each part from 0 to 1.
    #[must_use]
    pub fn fill(self, rgb: [f32; 3]) -> Self {
        self.content(&format!("{} rg", nums(&rgb)))
    }

    /// A filled rectangle.
    #[must_use]
    pub fn rect(self, x: f32, y: f32, width: f32, height: f32) -> Self {
        self.content(&format!("{} re f", nums(&[x, y, width, height])))
    }

    /// A line of this width.
    #[must_use]
    pub fn line(self, from: [f32; 2], to: [f32; 2], width: f32) -> Self {
        self.content(&format!("{} w {} m {} l S", num(width), nums(&from), nums(&to)))
    }

    /// An XObject under a name, for `/NAME Do`; see [`crate::image`].
    #[must_use]
    pub fn xobject(mut self, name: &str, object: Object) -> Self {
        self.xobjects.push((name.to_owned(), object));
        self
    }

    /// A picture drawn into the rectangle at `x`, `y`.
    #[must_use]
    pub fn image(self, object: Object, x: f32, y: f32, width: f32, height: f32) -> Self {
        let name = format!("Im{}", self.xobjects.len());
        let place = nums(&[width, 0.0, 0.0, height, x, y]);
        self.content(&format!("q {place} cm /{name} Do Q")).xobject(&name, object)
    }

    /// An annotation or a form field.
    #[must_use]
    pub fn annotation(mut self, annotation: Annotation) -> Self {
        self.annotations.push(annotation);
        self
    }

    /// Leaves the content stream uncompressed.
    #[must_use]
    pub fn uncompressed(self) -> Self {
        Self { compressed: false, ..self }
    }

    /// Cuts the content stream in half.
    #[must_use]
    pub fn truncated(self) -> Self {
        Self { truncated: true, ..self }
    }

    /// Makes the font known to the page, with the characters of `text`: for text shown by [`Page::content`].
    #[must_use]
    pub fn uses(mut self, font: &Font, text: &str) -> Self {
        let entry = self.fonts.entry(font.name.clone()).or_insert_with(|| (font.clone(), BTreeSet::new()));
        entry.1.extend(text.chars());
        self
    }

    /// Some form field has no appearance, so that viewers must draw it.
    pub(crate) fn needs_appearances(&self) -> bool {
        self.annotations.iter().any(|annotation| annotation.is_field() && annotation.lacks_appearance())
    }

    /// Writes the page in its reserved place, with what belongs to it; `fields` receives its form fields.
    pub(crate) fn write(&self, file: &mut RawFile, number: u32, parent: u32, fonts: &Numbers, fields: &mut Vec<u32>) {
        let content = self.write_content(file);
        let fonts: String =
            self.fonts.keys().filter_map(|name| Some(format!("/{name} {} 0 R ", fonts.get(name)?))).collect();
        let xobjects: String =
            self.xobjects.iter().map(|(name, object)| format!("/{name} {} 0 R ", file.add(object.clone()))).collect();
        let annotations = self.write_annotations(file, number, fields);
        file.set(
            number,
            Object::new(format!(
                "<< /Type /Page /Parent {parent} 0 R /MediaBox [{}] /Contents {content} 0 R \
                 /Resources << /Font << {fonts}>> /XObject << {xobjects}>> >>{annotations}{} >>",
                nums(&self.media_box),
                self.entries
            )),
        );
    }

    fn write_content(&self, file: &mut RawFile) -> u32 {
        let data = self.content.as_bytes();
        let content = if self.compressed { Object::flate("", data) } else { Object::stream("", data) };
        file.add(if self.truncated { content.truncated() } else { content })
    }

    fn write_annotations(&self, file: &mut RawFile, page: u32, fields: &mut Vec<u32>) -> String {
        let mut list = String::new();
        for annotation in &self.annotations {
            let number = annotation.write(file, page);
            list.push_str(&format!("{number} 0 R "));
            if annotation.is_field() {
                fields.push(number);
            }
        }
        if list.is_empty() { list } else { format!(" /Annots [{list}]") }
    }
}

impl Default for Page {
    fn default() -> Self {
        Self::new()
    }
}
