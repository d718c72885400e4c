//! What lies over a page: comments, links and form fields, with or without an appearance of their own.

use crate::file::RawFile;
use crate::font::Font;
use crate::object::{Object, num, nums, string};

/// An annotation in the rectangle left, bottom, right, top.
#[derive(Debug, Clone)]
pub struct Annotation {
    rect: [f32; 4],
    entries: String,
    field: bool,
    /// Appearance streams by state; a single one has no state.
    looks: Vec<(&'static str, String)>,
}

impl Annotation {
    /// Text written over the page, in a frame.
    pub fn free_text(rect: [f32; 4], text: &str) -> Self {
        let [_, _, w, h] = from_origin(rect);
        let frame = format!("1 1 0.8 rg 0 0 {0} {1} re f 0.5 w 0 0 {0} {1} re S 0 g", num(w), num(h));
        let entries = format!("/Subtype /FreeText /Contents {} /DA (/F1 10 Tf 0 g)", string(text));
        Self::new(rect, entries, vec![("", format!("{frame} {}", shown(text, h)))])
    }

    /// A link to an address.
    pub fn link(rect: [f32; 4], uri: &str) -> Self {
        let action = format!("/A << /S /URI /URI {} >>", string(uri));
        Self::new(rect, format!("/Subtype /Link /Border [0 0 0] {action}"), Vec::new())
    }

    /// A text field with its value.
    pub fn text_field(rect: [f32; 4], name: &str, value: &str) -> Self {
        let [_, _, _, h] = from_origin(rect);
        let entries = format!("/Subtype /Widget /FT /Tx /T {} /V {} /DA (/F1 10 Tf 0 g)", string(name), string(value));
        let look = format!("/Tx BMC q {} Q EMC", shown(value, h));
        Self { field: true, ..Self::new(rect, entries, vec![("", look)]) }
    }

    /// A check box, ticked or not.
    pub fn check_box(rect: [f32; 4], name: &str, ticked: bool) -> Self {
        let [_, _, w, h] = from_origin(rect);
        let state = if ticked { "Yes" } else { "Off" };
        let entries = format!("/Subtype /Widget /FT /Btn /T {} /V /{state} /AS /{state}", string(name));
        let frame = format!("0.8 w 0.4 0.4 {} {} re S", num(w - 0.8), num(h - 0.8));
        let cross = format!("1.4 w 2.5 2.5 m {0} {1} l 2.5 {1} m {0} 2.5 l S", num(w - 2.5), num(h - 2.5));
        let looks = vec![("Off", frame.clone()), ("Yes", format!("{frame} {cross}"))];
        Self { field: true, ..Self::new(rect, entries, looks) }
    }

    /// Any other annotation, e.g. `/Subtype /Highlight /QuadPoints [..]`.
    pub fn new_raw(rect: [f32; 4], entries: &str) -> Self {
        Self::new(rect, entries.to_owned(), Vec::new())
    }

    /// Draws it with these operators, from the origin at its lower left corner, e.g. a signature.
    #[must_use]
    pub fn appearance(self, operators: &str) -> Self {
        Self { looks: vec![("", operators.to_owned())], ..self }
    }

    /// Takes its appearance away, so that a reader must draw from the value or show nothing. Where a form field has
    /// none, the document asks viewers to draw them (`/NeedAppearances true`).
    #[must_use]
    pub fn without_appearance(self) -> Self {
        Self { looks: Vec::new(), ..self }
    }

    fn new(rect: [f32; 4], entries: String, looks: Vec<(&'static str, String)>) -> Self {
        Self { rect, entries, field: false, looks }
    }

    pub(crate) fn is_field(&self) -> bool {
        self.field
    }

    pub(crate) fn lacks_appearance(&self) -> bool {
        self.looks.is_empty()
    }

    pub(crate) fn write(&self, file: &mut RawFile, page: u32) -> u32 {
        let look = self.write_looks(file);
        file.add(Object::new(format!(
            "<< /Type /Annot /F 4 /P {page} 0 R /Rect [{}] {}{look} >>",
            nums(&self.rect),
            self.entries
        )))
    }

    fn write_looks(&self, file: &mut RawFile) -> String {
        let mut written = String::new();
        for (state, content) in &self.looks {
            let helvetica = Font::standard("F1", "Helvetica").write(file, &[].into());
            let form = file.add(Object::flate(
                &format!(
                    "/Type /XObject /Subtype /Form /BBox [{}] /Resources << /Font << /F1 {helvetica} 0 R >> >>",
                    nums(&from_origin(self.rect))
                ),
                content.as_bytes(),
            ));
            if state.is_empty() {
                return format!(" /AP << /N {form} 0 R >>");
            }
            written.push_str(&format!("/{state} {form} 0 R "));
        }
        if written.is_empty() { written } else { format!(" /AP << /N << {written}>> >>") }
    }
}

/// `text` on one line, in the middle of a box of this height.
fn shown(text: &str, height: f32) -> String {
    let size = 10.0_f32.min(height * 0.8);
    let y = (height - size * 0.72) / 2.0;
    let text = Font::standard("F1", "Helvetica").encode(text);
    format!("BT /F1 {} Tf 0 g 3 {} Td {text} Tj ET", num(size), num(y))
}

fn from_origin([left, bottom, right, top]: [f32; 4]) -> [f32; 4] {
    [0.0, 0.0, right - left, top - bottom]
}
