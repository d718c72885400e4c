//! The table of contents that a file carries (bookmarks). Not one that is printed on its pages.

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::dict::keys::{FIRST, NEXT, OUTLINES, TITLE};
use hayro::hayro_syntax::object::{Dict, String as PdfString};
use recto_page::OutlineEntry;
use recto_page::page::LinkTarget;

use super::destination::Destinations;
use super::text_string;
use super::tree::Seen;

/// Nobody nests headings deeper: what is goes on this level.
const MAX_DEPTH: u32 = 64;

/// The entries in reading order. Cycles are left out.
pub(crate) fn outline<'a>(pdf: &'a Pdf, destinations: &Destinations<'a>) -> Vec<OutlineEntry> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let Some(root) = catalog.and_then(|c| c.get::<Dict<'_>>(OUTLINES)) else { return Vec::new() };
    let mut seen = Seen::default();
    let mut follow = |from: &Dict<'_>, key: &[u8]| from.get_ref(key).filter(|id| seen.is_new(*id));
    let mut entries = Vec::new();
    let mut pending: Vec<_> = follow(&root, FIRST).map(|id| (0, id)).into_iter().collect();
    while let Some((depth, id)) = pending.pop() {
        let Some(item) = pdf.xref().get::<Dict<'_>>(id.into()) else { continue };
        entries.extend(entry(&item, depth, destinations));
        pending.extend(follow(&item, NEXT).map(|id| (depth, id)));
        pending.extend(follow(&item, FIRST).map(|id| (MAX_DEPTH.min(depth + 1), id)));
    }
    entries
}

fn entry<'a>(item: &Dict<'a>, depth: u32, destinations: &Destinations<'a>) -> Option<OutlineEntry> {
    let title = text_string::decode(&item.get::<PdfString<'_>>(TITLE)?);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = match destinations.target(item) {
        Some(LinkTarget::Page(page)) => Some(page),
        _ => None,
    };
    (!title.is_empty()).then_some(OutlineEntry { depth, title, page })
}
