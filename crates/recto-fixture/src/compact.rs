//! The newer layout of files (PDF 1.5): objects packed into a stream, and the cross-reference table as a stream.

use crate::object::Object;
use std::fmt::Write;

/// Where an object of a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// At this byte of the file.
    At(usize),
    /// The object of this index in the object stream.
    Packed(usize),
}

/// The object stream: all objects that are not streams themselves.
pub(crate) fn object_stream(objects: &[Object]) -> Object {
    let (mut index, mut bodies) = (String::new(), String::new());
    let plain = (1..).zip(objects).filter(|(_, object)| object.stream.is_none());
    let mut count = 0;
    for (number, object) in plain {
        let _ = write!(index, "{number} {} ", bodies.len());
        let _ = writeln!(bodies, "{}", object.body);
        count += 1;
    }
    let entries = format!("/Type /ObjStm /N {count} /First {}", index.len());
    Object::flate(&entries, (index + &bodies).as_bytes())
}

/// The cross-reference stream; the object stream is the object `packer`, `trailer` the entries of a trailer.
pub(crate) fn xref_stream(places: &[Place], packer: usize, trailer: &str) -> Object {
    let mut data = vec![0, 0, 0, 0, 0, 0xff, 0xff];
    for place in places {
        let (kind, second, third) = match *place {
            Place::At(offset) => (1, offset, 0),
            Place::Packed(index) => (2, packer, index),
        };
        data.push(kind);
        data.extend((second as u32).to_be_bytes());
        data.extend((third as u16).to_be_bytes());
    }
    Object::flate(&format!("/Type /XRef /W [1 4 2] {trailer}"), &data)
}
