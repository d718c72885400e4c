//! Fonts as a PDF knows them: how text becomes codes, and whether a reader can find its way back from codes to text.

use crate::face::{Face, Step};
use crate::file::RawFile;
use crate::object::{Object, hex, literal, num, nums};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use subsetter::GlyphRemapper;

/// A font under the name by which content streams select it, e.g. `F2`. `F1` is always Helvetica.
#[derive(Debug, Clone)]
pub struct Font {
    pub(crate) name: String,
    kind: Kind,
    unicode: Option<fn(char) -> String>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Standard(&'static str),
    Type3 { face: Face, named: bool },
    Embedded { face: Face, whole: bool },
    Predefined { base: &'static str, encoding: &'static str, ordering: &'static str },
}

impl Font {
    /// One of the 14 standard fonts, not embedded, with WinAnsiEncoding.
    pub fn standard(name: &str, base: &'static str) -> Self {
        Self { name: name.to_owned(), kind: Kind::Standard(base), unicode: None }
    }

    /// A Type 3 font whose glyphs are drawn by content streams. Its codes mean nothing and it has no `ToUnicode`,
    /// so that its text can be read by eye only. Printable ASCII.
    pub fn type3(name: &str, face: Face) -> Self {
        Self { name: name.to_owned(), kind: Kind::Type3 { face, named: false }, unicode: None }
    }

    /// As [`Font::type3`], with ASCII codes and glyph names that tell the characters (`uni0041`).
    pub fn type3_named(name: &str, face: Face) -> Self {
        Self { name: name.to_owned(), kind: Kind::Type3 { face, named: true }, unicode: None }
    }

    /// An embedded subset as a Type 0 font with Identity-H: codes are glyph numbers, and only `ToUnicode` tells the text.
    pub fn embedded(name: &str, face: Face) -> Self {
        Self { name: name.to_owned(), kind: Kind::Embedded { face, whole: false }, unicode: Some(String::from) }
    }

    /// As [`Font::embedded`] with the whole font file, whose `cmap` table tells characters too.
    pub fn embedded_whole(name: &str, face: Face) -> Self {
        Self { name: name.to_owned(), kind: Kind::Embedded { face, whole: true }, unicode: Some(String::from) }
    }

    /// A simplified Chinese font that is not embedded, with a predefined CMap (`UniGB-UTF16-H`).
    pub fn chinese(name: &str) -> Self {
        let kind = Kind::Predefined { base: "STSong-Light", encoding: "UniGB-UTF16-H", ordering: "GB1" };
        Self { name: name.to_owned(), kind, unicode: None }
    }

    /// Leaves out `ToUnicode`.
    #[must_use]
    pub fn without_unicode(self) -> Self {
        Self { unicode: None, ..self }
    }

    /// A `ToUnicode` that says this of each character, e.g. a wrong one.
    #[must_use]
    pub fn with_unicode(self, map: fn(char) -> String) -> Self {
        Self { unicode: Some(map), ..self }
    }

    /// `text` as a PDF string in this font's codes, for `Tj` and `TJ`.
    pub fn encode(&self, text: &str) -> String {
        match self.kind {
            Kind::Standard(_) => literal(&text.chars().map(win_ansi).collect::<Vec<_>>()),
            Kind::Type3 { named, .. } => literal(&text.chars().map(|c| type3_code(c, named)).collect::<Vec<_>>()),
            Kind::Embedded { face, .. } => {
                hex(&text.chars().flat_map(|c| face.glyph(c).to_be_bytes()).collect::<Vec<_>>())
            }
            Kind::Predefined { .. } => hex(&text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>()),
        }
    }

    /// Writes the font as far as `chars` need it; its object number comes back.
    pub(crate) fn write(&self, file: &mut RawFile, chars: &BTreeSet<char>) -> u32 {
        match self.kind {
            Kind::Standard(base) => file.add(Object::new(format!(
                "<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding >>"
            ))),
            Kind::Type3 { face, named } => self.write_type3(file, face, named, chars),
            Kind::Embedded { face, whole } => self.write_embedded(file, face, whole, chars),
            Kind::Predefined { base, encoding, ordering } => write_predefined(file, base, encoding, ordering),
        }
    }

    fn write_type3(&self, file: &mut RawFile, face: Face, named: bool, chars: &BTreeSet<char>) -> u32 {
        let codes: BTreeMap<u8, char> = chars.iter().map(|&c| (type3_code(c, named), c)).collect();
        let glyph_name = |code: u8, c: char| if named { format!("uni{:04X}", c as u32) } else { format!("g{code}") };
        let (mut procs, mut differences) = (String::new(), String::new());
        for (&code, &c) in &codes {
            let glyph = file.add(Object::flate("", glyph_proc(face, c).as_bytes()));
            let _ = write!(procs, "/{} {glyph} 0 R ", glyph_name(code, c));
            let _ = write!(differences, "{code} /{} ", glyph_name(code, c));
        }
        let widths: Vec<f32> =
            (0..=255).map(|code| codes.get(&code).map_or(0.0, |&c| face.advance(face.glyph(c)))).collect();
        let unicode = self.write_unicode(file, 1, codes.iter().map(|(&code, &c)| (u16::from(code), c)));
        file.add(Object::new(format!(
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 -300 1100 1000] /FontMatrix [0.001 0 0 0.001 0 0] \
             /CharProcs << {procs}>> /Encoding << /Type /Encoding /Differences [{differences}] >> \
             /FirstChar 0 /LastChar 255 /Widths [{}] /Resources << >>{unicode} >>",
            nums(&widths)
        )))
    }

    fn write_embedded(&self, file: &mut RawFile, face: Face, whole: bool, chars: &BTreeSet<char>) -> u32 {
        let glyphs: BTreeMap<u16, char> = chars.iter().rev().map(|&c| (face.glyph(c), c)).collect();
        let (program, map) =
            if whole { (face.data().to_vec(), String::from("/Identity")) } else { subset(file, face, &glyphs) };
        let base = if whole { face.name().to_owned() } else { format!("RECTOF+{}", face.name()) };
        let program = file.add(Object::flate(&format!("/Length1 {}", program.len()), &program));
        let descriptor = file.add(Object::new(format!(
            "<< /Type /FontDescriptor /FontName /{base} /Flags 4 /FontBBox [-500 -300 1300 1000] /ItalicAngle 0 \
             /Ascent 905 /Descent -212 /CapHeight 729 /StemV 80 /FontFile2 {program} 0 R >>"
        )));
        let widths: String = glyphs.keys().map(|&g| format!("{g} [{}] ", num(face.advance(g)))).collect();
        let cid_font = file.add(Object::new(format!(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{base} /CIDToGIDMap {map} /FontDescriptor {descriptor} 0 R \
             /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 /W [{widths}] >>"
        )));
        let unicode = self.write_unicode(file, 2, glyphs.into_iter());
        file.add(Object::new(format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /{base} /Encoding /Identity-H \
             /DescendantFonts [{cid_font} 0 R]{unicode} >>"
        )))
    }

    /// Writes the `ToUnicode` map of codes of `bytes` bytes; the font dictionary's entry comes back.
    fn write_unicode(&self, file: &mut RawFile, bytes: usize, codes: impl Iterator<Item = (u16, char)>) -> String {
        let Some(map) = self.unicode else { return String::new() };
        let digits = bytes * 2;
        let lines: Vec<String> =
            codes.map(|(code, c)| format!("<{code:0digits$X}> {}\n", hex(&utf16(&map(c))))).collect();
        let mut cmap = format!(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Adobe-Identity-UCS def\n\
             /CMapType 2 def\n1 begincodespacerange\n<{}> <{}>\nendcodespacerange\n",
            "0".repeat(digits),
            "F".repeat(digits)
        );
        for part in lines.chunks(100) {
            let _ = write!(cmap, "{} beginbfchar\n{}endbfchar\n", part.len(), part.concat());
        }
        cmap.push_str("endcmap\nend\nend\n");
        format!(" /ToUnicode {} 0 R", file.add(Object::flate("", cmap.as_bytes())))
    }
}

/// The subset's font file, and the map from our codes (glyphs of the whole font) to its glyphs.
#[expect(clippy::expect_used, reason = "the fonts are part of this crate and a test makes a subset of each")]
fn subset(file: &mut RawFile, face: Face, glyphs: &BTreeMap<u16, char>) -> (Vec<u8>, String) {
    let mut remapper = GlyphRemapper::new();
    let new: BTreeMap<u16, u16> = glyphs.keys().map(|&glyph| (glyph, remapper.remap(glyph))).collect();
    let program = subsetter::subset(face.data(), 0, &remapper).expect("a font of this crate");
    let last = new.keys().next_back().copied().unwrap_or(0);
    let map: Vec<u8> = (0..=last).flat_map(|glyph| new.get(&glyph).copied().unwrap_or(0).to_be_bytes()).collect();
    (program, format!("{} 0 R", file.add(Object::flate("", &map))))
}

fn write_predefined(file: &mut RawFile, base: &str, encoding: &str, ordering: &str) -> u32 {
    let descriptor = file.add(Object::new(format!(
        "<< /Type /FontDescriptor /FontName /{base} /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 \
         /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>"
    )));
    // CIDs 1 to 95 of Adobe-GB1 are ASCII in proportional widths; here they take half an em each.
    let cid_font = file.add(Object::new(format!(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{base} /FontDescriptor {descriptor} 0 R \
         /CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) /Supplement 4 >> /DW 1000 /W [1 95 500] >>"
    )));
    file.add(Object::new(format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /{base}-{encoding} /Encoding /{encoding} \
         /DescendantFonts [{cid_font} 0 R] >>"
    )))
}

fn glyph_proc(face: Face, c: char) -> String {
    let mut out = format!("{} 0 0 -300 1100 1000 d1\n", num(face.advance(face.glyph(c))));
    for step in face.outline(c) {
        let _ = match step {
            Step::Move(p) => writeln!(out, "{} m", nums(&p)),
            Step::Line(p) => writeln!(out, "{} l", nums(&p)),
            Step::Curve(p) => writeln!(out, "{} c", nums(&p)),
            Step::Close => writeln!(out, "h"),
        };
    }
    out + "f\n"
}

/// The code of an ASCII character: itself, or its mirror image, which no reader can take for text.
fn type3_code(c: char, named: bool) -> u8 {
    let ascii = u8::try_from(c).ok().filter(|b| (0x20..0x7f).contains(b)).unwrap_or(b'?');
    if named { ascii } else { 0xff - ascii }
}

/// The code of a character in WinAnsiEncoding; a question mark where it has none.
fn win_ansi(c: char) -> u8 {
    const HIGH: [(char, u8); 12] = [
        ('€', 0x80),
        ('…', 0x85),
        ('‰', 0x89),
        ('‘', 0x91),
        ('’', 0x92),
        ('“', 0x93),
        ('”', 0x94),
        ('•', 0x95),
        ('–', 0x96),
        ('—', 0x97),
        ('™', 0x99),
        ('Š', 0x8a),
    ];
    match u32::from(c) {
        code @ (0x20..0x7f | 0xa0..=0xff) => code as u8,
        _ => HIGH.iter().find(|(high, _)| *high == c).map_or(b'?', |&(_, code)| code),
    }
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}
