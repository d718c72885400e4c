//! Pictures as XObjects, for [`crate::Page::image`].

use crate::object::Object;

/// A grey picture of `bits` bits a pixel (1, 2, 4 or 8; 0 is black), rows padded to whole bytes, compressed with Flate.
pub fn grey(width: u32, height: u32, bits: u8, data: &[u8]) -> Object {
    Object::flate(&entries(width, height, bits), data)
}

/// A picture whose stream is already encoded, e.g. by `/DCTDecode` (`filter`), in `space`, e.g. `/DeviceRGB`.
pub fn encoded(width: u32, height: u32, space: &str, filter: &str, data: &[u8]) -> Object {
    let head = format!("/Type /XObject /Subtype /Image /Width {width} /Height {height}");
    Object::stream(&format!("{head} /BitsPerComponent 8 /ColorSpace {space} /Filter {filter}"), data)
}

pub(crate) fn entries(width: u32, height: u32, bits: u8) -> String {
    format!(
        "/Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent {bits} /ColorSpace /DeviceGray"
    )
}
