//! Writes laid out pages as a PDF file.

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::face::Face;
use super::setter::{Mark, SetPage, Setting};
use crate::pdf::FALLBACK_FONT;

/// The name of the font in content streams.
pub(super) const FONT: Name<'static> = Name(b"F");

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const INFO: Ref = Ref::new(3);
const TYPE0: Ref = Ref::new(4);
const CID_FONT: Ref = Ref::new(5);
const DESCRIPTOR: Ref = Ref::new(6);
const PROGRAM: Ref = Ref::new(7);
const GLYPHS: Ref = Ref::new(8);
const UNICODE: Ref = Ref::new(9);
const OUTLINE: Ref = Ref::new(10);
const FIRST_FREE: i32 = 11;

const NAME: Name<'static> = Name(b"RectoFallback");
const IDENTITY: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The file's bytes.
pub(super) fn write(setting: Setting, title: Option<&str>) -> Vec<u8> {
    let n_pages = setting.pages.len();
    let mut pdf = Pdf::new();
    let mut catalog = pdf.catalog(CATALOG);
    catalog.pages(PAGES);
    if !setting.marks.is_empty() {
        catalog.outlines(OUTLINE);
    }
    catalog.finish();
    if let Some(title) = title {
        pdf.document_info(INFO).title(TextStr(title));
    }
    write_font(&mut pdf, &setting.face);
    let (first_picture, first_mark) = (2 * n_pages, 2 * n_pages + setting.pictures.len());
    for (index, picture) in setting.pictures.iter().enumerate() {
        picture.write(&mut pdf, free(first_picture + index));
    }
    pdf.pages(PAGES).kids((0..n_pages).map(page_ref)).count(i32::try_from(n_pages).unwrap_or(i32::MAX));
    for (index, page) in setting.pages.into_iter().enumerate() {
        write_page(&mut pdf, index, page, first_picture);
    }
    write_outline(&mut pdf, &setting.marks, first_mark);
    pdf.finish()
}

fn free(index: usize) -> Ref {
    Ref::new(i32::try_from(index).unwrap_or(i32::MAX - FIRST_FREE) + FIRST_FREE)
}

fn page_ref(index: usize) -> Ref {
    free(2 * index)
}

/// The origin is the upper left corner, so that a page need not know its height before it is full.
fn write_page(pdf: &mut Pdf, index: usize, set: SetPage, first_picture: usize) {
    let (id, content) = (page_ref(index), free(2 * index + 1));
    let mut page = pdf.page(id);
    page.media_box(Rect::new(0.0, -set.height, set.width, 0.0)).parent(PAGES).contents(content);
    let mut resources = page.resources();
    resources.fonts().pair(FONT, TYPE0);
    let mut objects = resources.x_objects();
    for picture in &set.pictures {
        objects.pair(Name(picture_name(*picture).as_bytes()), free(first_picture + picture));
    }
    objects.finish();
    resources.finish();
    page.finish();
    pdf.stream(content, &set.content.finish());
}

/// The name of a picture in content streams.
pub(super) fn picture_name(index: usize) -> String {
    format!("P{index}")
}

fn write_font(pdf: &mut Pdf, face: &Face) {
    pdf.type0_font(TYPE0)
        .base_font(NAME)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(CID_FONT)
        .to_unicode(UNICODE);
    let mut font = pdf.cid_font(CID_FONT);
    font.subtype(CidFontType::Type2).base_font(NAME).system_info(IDENTITY).font_descriptor(DESCRIPTOR);
    font.widths().consecutive(0, face.glyphs().iter().map(|glyph| glyph.width));
    font.cid_to_gid_map_stream(GLYPHS);
    font.finish();
    pdf.font_descriptor(DESCRIPTOR)
        .name(NAME)
        .flags(FontFlags::SYMBOLIC)
        .bbox(Rect::new(-500.0, -300.0, 1300.0, 1100.0))
        .italic_angle(0.0)
        .ascent(930.0)
        .descent(-240.0)
        .cap_height(710.0)
        .stem_v(80.0)
        .font_file2(PROGRAM);
    pdf.stream(PROGRAM, FALLBACK_FONT);
    let glyphs: Vec<u8> = face.glyphs().iter().flat_map(|glyph| glyph.id.to_be_bytes()).collect();
    pdf.stream(GLYPHS, &glyphs);
    let mut unicode = UnicodeCmap::new(Name(b"Recto-UCS"), IDENTITY);
    for (code, glyph) in (0..=u16::MAX).zip(face.glyphs()) {
        unicode.pair(code, glyph.char);
    }
    pdf.stream(UNICODE, &unicode.finish());
}

/// Bookmarks; `before` objects are in use.
fn write_outline(pdf: &mut Pdf, marks: &[Mark], before: usize) {
    let reference = |node: usize| node.checked_sub(1).map_or(OUTLINE, |index| free(before + index));
    let nodes = tree(marks);
    let Some(Node { first: Some(first), last: Some(last), .. }) = nodes.first() else { return };
    pdf.outline(OUTLINE).first(reference(*first)).last(reference(*last));
    for ((index, node), mark) in nodes.iter().enumerate().skip(1).zip(marks) {
        let mut item = pdf.outline_item(reference(index));
        item.title(TextStr(&mark.title)).parent(reference(node.parent));
        if let Some(next) = node.next {
            item.next(reference(next));
        }
        if let (Some(first), Some(last)) = (node.first, node.last) {
            item.first(reference(first)).last(reference(last));
        }
        item.dest().page(page_ref(mark.page)).xyz(0.0, -mark.y, None);
    }
}

/// A bookmark's neighbours, as indices into the tree.
#[derive(Clone, Default)]
struct Node {
    parent: usize,
    next: Option<usize>,
    first: Option<usize>,
    last: Option<usize>,
}

/// The root, then a node for each mark.
fn tree(marks: &[Mark]) -> Vec<Node> {
    let mut nodes = vec![Node::default(); marks.len() + 1];
    let mut open: Vec<(u8, usize)> = Vec::new();
    for (index, mark) in (1..).zip(marks) {
        open.retain(|(level, _)| *level < mark.level);
        let parent = open.last().map_or(0, |(_, node)| *node);
        open.push((mark.level, index));
        let before = nodes.get_mut(parent).and_then(|node| node.last.replace(index));
        match before.and_then(|node| nodes.get_mut(node)) {
            Some(sibling) => sibling.next = Some(index),
            None => nodes.get_mut(parent).into_iter().for_each(|node| node.first = Some(index)),
        }
        nodes.get_mut(index).into_iter().for_each(|node| node.parent = parent);
    }
    nodes
}
