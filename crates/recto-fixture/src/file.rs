//! Objects to the bytes of a file: header, bodies, cross-reference table, trailer; and how each can be broken.

use crate::compact::{Place, object_stream, xref_stream};
use crate::crypt::{Encryption, Lock};
use crate::object::{Object, hex};

/// Sixteen bytes that never change, so that equal documents are equal bytes.
pub(crate) const FILE_ID: &[u8; 16] = b"recto-fixture-id";

/// A file of raw objects, for what [`crate::Pdf`] will not say: cycles, missing parts, wrong types.
///
/// ```
/// # use recto_fixture::{Object, RawFile};
/// let mut file = RawFile::new();
/// let catalog = file.add(Object::new("<< /Type /Catalog /Pages 2 0 R >>"));
/// file.add(Object::new("<< /Type /Pages /Kids [2 0 R] /Count 1 >>"));
/// assert!(file.to_bytes(catalog).starts_with(b"%PDF-1.7"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct RawFile {
    objects: Vec<Object>,
    damage: Option<Damage>,
    encryption: Option<Encryption>,
    info: Option<u32>,
    compact: bool,
}

/// What is wrong with the file around its objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// `startxref` points elsewhere.
    StartxrefOffset,
    /// Each entry of the cross-reference table points elsewhere.
    XrefEntries,
    /// `startxref` is missing, as is all that follows it.
    NoStartxref,
    /// Cross-reference table, trailer and `startxref` are missing.
    NoXref,
    /// This many bytes of other text stand before the header.
    LeadingJunk(usize),
}

impl RawFile {
    /// A file without objects.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an object; its number comes back (the first is 1).
    pub fn add(&mut self, object: Object) -> u32 {
        self.objects.push(object);
        u32::try_from(self.objects.len()).unwrap_or(u32::MAX)
    }

    /// A number for an object that [`RawFile::set`] will bring, so that others can already refer to it.
    pub fn reserve(&mut self) -> u32 {
        self.add(Object::new("null"))
    }

    /// Puts an object in a reserved place.
    pub fn set(&mut self, number: u32, object: Object) {
        if let Some(place) = self.objects.get_mut((number as usize).wrapping_sub(1)) {
            *place = object;
        }
    }

    /// Breaks the file in this way.
    pub fn damage(&mut self, damage: Damage) {
        self.damage = Some(damage);
    }

    /// Encrypts every string and stream.
    pub fn encrypt(&mut self, encryption: Encryption) {
        self.encryption = Some(encryption);
    }

    /// The object that is the information dictionary.
    pub fn info(&mut self, number: u32) {
        self.info = Some(number);
    }

    /// Packs objects into a stream and writes the cross-reference table as a stream, as newer programs do.
    pub fn compact(&mut self) {
        self.compact = true;
    }

    /// The bytes of the file whose catalog is the object of this number.
    pub fn to_bytes(&self, catalog: u32) -> Vec<u8> {
        let lock = self.encryption.as_ref().map(Encryption::lock);
        let mut out = Vec::new();
        if let Some(Damage::LeadingJunk(length)) = self.damage {
            out.extend(b"junk\n".iter().cycle().take(length));
        }
        out.extend(b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n");
        let places = self.write_objects(&mut out, lock.as_ref());
        if self.damage != Some(Damage::NoXref) {
            self.write_end(&mut out, places, catalog, lock.as_ref());
        }
        out
    }

    fn write_objects(&self, out: &mut Vec<u8>, lock: Option<&Lock>) -> Vec<Place> {
        let packer = self.compact.then(|| object_stream(&self.objects));
        let mut places = Vec::new();
        let mut packed = 0;
        for (number, object) in (1..).zip(self.objects.iter().chain(&packer)) {
            if self.compact && object.stream.is_none() {
                places.push(Place::Packed(packed));
                packed += 1;
                continue;
            }
            places.push(Place::At(out.len()));
            write_object(out, number, &lock.map_or_else(|| object.clone(), |lock| lock.object(number, object)));
        }
        places
    }

    fn write_end(&self, out: &mut Vec<u8>, mut places: Vec<Place>, catalog: u32, lock: Option<&Lock>) {
        let start = out.len();
        let id = hex(FILE_ID);
        let info = self.info.map_or(String::new(), |n| format!(" /Info {n} 0 R"));
        let encrypt = lock.map_or(String::new(), |lock| format!(" /Encrypt {}", lock.dictionary()));
        let size = places.len() + 1 + usize::from(self.compact);
        let trailer = format!("/Size {size} /Root {catalog} 0 R{info} /ID [{id} {id}]{encrypt}");
        if self.damage == Some(Damage::XrefEntries) {
            places.iter_mut().for_each(misplace);
        }
        if self.compact {
            let packer = places.len();
            places.push(Place::At(start));
            write_object(out, size as u32 - 1, &xref_stream(&places, packer, &trailer));
        } else {
            write_table(out, &places, &trailer);
        }
        match self.damage {
            Some(Damage::NoStartxref) => {}
            Some(Damage::StartxrefOffset) => out.extend(format!("startxref\n{}\n%%EOF\n", start / 2).bytes()),
            _ => out.extend(format!("startxref\n{start}\n%%EOF\n").bytes()),
        }
    }
}

fn write_object(out: &mut Vec<u8>, number: u32, object: &Object) {
    out.extend(format!("{number} 0 obj\n").bytes());
    match &object.stream {
        None => out.extend(object.body.bytes()),
        Some(data) => {
            out.extend(format!("<< {} /Length {} >>\nstream\n", object.body.trim(), data.len()).bytes());
            out.extend(data);
            out.extend(b"\nendstream");
        }
    }
    out.extend(b"\nendobj\n");
}

fn write_table(out: &mut Vec<u8>, places: &[Place], trailer: &str) {
    out.extend(format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1).bytes());
    for place in places {
        if let Place::At(offset) = place {
            out.extend(format!("{offset:010} 00000 n \n").bytes());
        }
    }
    out.extend(format!("trailer\n<< {trailer} >>\n").bytes());
}

fn misplace(place: &mut Place) {
    if let Place::At(offset) = place {
        *offset += 11;
    }
}
