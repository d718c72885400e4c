//! Where links and outline entries lead: pages of the document, and addresses outside it.

use std::collections::BTreeMap;

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::dict::keys::{A, D, DEST, DESTS, NAMES, S, URI};
use hayro::hayro_syntax::object::{Dict, MaybeRef, Name, Object, ObjectIdentifier, String as PdfString};
use hayro::hayro_syntax::xref::XRef;
use recto_page::PageNumber;
use recto_page::page::LinkTarget;

use super::page_list::PageList;
use super::tree;

/// A named destination that leads to another name, and so on, is followed this far.
const MAX_HOPS: u32 = 4;

/// The pages and named destinations of a document.
pub(crate) struct Destinations<'a> {
    n_pages: usize,
    pages: BTreeMap<ObjectIdentifier, PageNumber>,
    named: BTreeMap<Vec<u8>, Object<'a>>,
}

impl<'a> Destinations<'a> {
    /// Lists the pages and the names once, for all links.
    pub(crate) fn of(pdf: &'a Pdf, list: &PageList) -> Self {
        let mut pages = BTreeMap::new();
        for (index, page) in list.iter().enumerate() {
            if let Some(id) = pdf.pages().get(page).and_then(|page| page.raw().obj_id()) {
                pages.entry(id).or_insert(PageNumber::from_index(index));
            }
        }
        Self { n_pages: list.len(), pages, named: named(pdf.xref()).unwrap_or_default() }
    }

    /// Where a link annotation or outline entry leads.
    pub(crate) fn target(&self, dict: &Dict<'a>) -> Option<LinkTarget> {
        if let Some(destination) = dict.get::<Object<'_>>(DEST) {
            return self.page(&destination, 0).map(LinkTarget::Page);
        }
        let action = dict.get::<Dict<'_>>(A)?;
        match action.get::<Name<'_>>(S)?.as_ref() {
            b"GoTo" => self.page(&action.get::<Object<'_>>(D)?, 0).map(LinkTarget::Page),
            b"URI" => uri(&action.get::<PdfString<'_>>(URI)?).map(LinkTarget::Uri),
            _ => None,
        }
    }

    fn page(&self, destination: &Object<'a>, hops: u32) -> Option<PageNumber> {
        let named = |name: &[u8]| self.page(self.named.get(name)?, hops + 1);
        match destination {
            _ if hops > MAX_HOPS => None,
            Object::Name(name) => named(name),
            Object::String(name) => named(name),
            Object::Dict(dict) => self.page(&dict.get::<Object<'_>>(D)?, hops + 1),
            Object::Array(array) => match array.raw_iter().next()? {
                MaybeRef::Ref(page) => self.pages.get(&page.into()).copied(),
                MaybeRef::NotRef(index) => self.at(index.into_i32()?),
            },
            _ => None,
        }
    }

    /// Some files give the page's index instead of the page.
    fn at(&self, index: i32) -> Option<PageNumber> {
        usize::try_from(index).ok().filter(|i| *i < self.n_pages).map(PageNumber::from_index)
    }
}

fn named(xref: &XRef) -> Option<BTreeMap<Vec<u8>, Object<'_>>> {
    let catalog = xref.get::<Dict<'_>>(xref.root_id())?;
    let mut named = BTreeMap::new();
    if let Some(names) = catalog.get::<Dict<'_>>(NAMES).and_then(|n| n.get::<Dict<'_>>(DESTS)) {
        for (name, value) in tree::entries(names, NAMES, xref) {
            named.extend(name.into_string().map(|name| (name.to_vec(), value)));
        }
    }
    if let Some(old) = catalog.get::<Dict<'_>>(DESTS) {
        for (name, _) in old.entries() {
            named.extend(old.get::<Object<'_>>(&name).map(|value| (name.to_vec(), value)));
        }
    }
    Some(named)
}

fn uri(bytes: &[u8]) -> Option<String> {
    let text: String = String::from_utf8_lossy(bytes).chars().filter(|c| !c.is_control()).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
