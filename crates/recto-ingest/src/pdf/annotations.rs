//! What is attached to a page: links, form fields and notes. How it is drawn is the engine's business.

use hayro::hayro_syntax::object::dict::keys::{ANNOTS, CONTENTS, F, RECT, SUBTYPE};
use hayro::hayro_syntax::object::{Array, Dict, Name, Rect, String as PdfString};
use hayro::hayro_syntax::page::Page;
use recto_page::{BlockKind, Region};

use super::form_fields;
use super::geometry::Geometry;
use super::{text_string, tree};
use crate::added_text::AddedText;

/// What is behind this many on one page is left out.
const MAX_ON_PAGE: usize = 20_000;

/// Flag bits: invisible on screen.
const HIDDEN: u32 = 1 << 1 | 1 << 5;

/// Kinds whose contents are a text for readers of the page.
const NOTES: [&[u8]; 7] = [b"FreeText", b"Text", b"Highlight", b"Underline", b"Squiggly", b"StrikeOut", b"Caret"];

/// An annotation that shows on its page.
pub(crate) struct Annotation<'a> {
    /// Its dictionary.
    pub(crate) dict: Dict<'a>,
    /// Its kind.
    pub(crate) subtype: Name<'a>,
    /// The place it takes.
    pub(crate) region: Region,
}

/// The annotations that show on the page, in file order.
pub(crate) fn visible<'a>(page: &'a Page<'a>) -> impl Iterator<Item = Annotation<'a>> {
    let geometry = Geometry::of(page);
    let list = page.raw().get::<Array<'_>>(ANNOTS);
    let list = list.into_iter().flat_map(|list| tree::items(&list, page.xref())).take(MAX_ON_PAGE);
    list.filter_map(move |item| {
        let dict = item?.into_dict()?;
        let shown = dict.get::<u32>(F).unwrap_or(0) & HIDDEN == 0;
        let subtype = dict.get::<Name<'_>>(SUBTYPE)?;
        let region = geometry.region(dict.get::<Rect>(RECT)?)?;
        shown.then_some(Annotation { dict, subtype, region })
    })
}

/// The values of form fields and the texts of notes, with their places.
pub(crate) fn texts<'a>(page: &'a Page<'a>) -> Vec<AddedText> {
    let text = |annotation: Annotation<'a>| match annotation.subtype.as_ref() {
        b"Widget" => form_fields::text(&annotation.dict, annotation.region, page.xref()),
        kind if NOTES.contains(&kind) => note(&annotation),
        _ => None,
    };
    visible(page).filter_map(text).collect()
}

fn note(annotation: &Annotation<'_>) -> Option<AddedText> {
    let text = text_string::decode(&annotation.dict.get::<PdfString<'_>>(CONTENTS)?);
    let shown = Some(text.clone());
    (!text.is_empty()).then_some(AddedText { kind: BlockKind::Annotation, region: annotation.region, text, shown })
}
