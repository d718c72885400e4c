//! Addresses of pages of the web face. Names of documents hold any character: each is one percent-encoded segment.

use recto_page::{DocId, PageId, Region};

pub(super) use crate::percent::encoded;

/// Addresses within a collection.
#[derive(Clone, Copy)]
pub(super) struct Links<'a> {
    pub(super) collection: &'a str,
}

/// Resolution of pictures as they are first shown.
pub(super) const DPI: u32 = 110;
/// Resolution of small pictures.
pub(super) const THUMB_DPI: u32 = 36;

impl Links<'_> {
    /// A page of the collection that is not about one document.
    pub(super) fn to(self, what: &str) -> String {
        format!("/c/{}/{what}", encoded(self.collection))
    }

    /// A page with a query.
    pub(super) fn with(self, what: &str, query: &[(&str, &str)]) -> String {
        let pairs = query.iter().filter(|(_, value)| !value.is_empty());
        let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let mark = if pairs.is_empty() { "" } else { "?" };
        format!("{}{mark}{}", self.to(what), pairs.join("&"))
    }

    /// What stands below a document: `what` of it.
    pub(super) fn document(self, doc: &DocId, what: &str) -> String {
        self.to(&format!("view/{}/{what}", encoded(doc.as_str())))
    }

    /// The viewer at a page.
    pub(super) fn page(self, page: &PageId) -> String {
        self.document(&page.doc, &page.page.to_string())
    }

    /// The viewer at a page, regions of it marked.
    pub(super) fn marked(self, page: &PageId, marks: &[Region]) -> String {
        query(self.page(page), "mark", &marks_text(marks))
    }

    /// The picture of a part of a page.
    pub(super) fn part(self, page: &PageId, region: Region, dpi: u32) -> String {
        query(self.image(page, dpi), "region", &marks_text(&[region]))
    }

    /// The page's picture.
    pub(super) fn image(self, page: &PageId, dpi: u32) -> String {
        let (collection, doc) = (encoded(self.collection), encoded(page.doc.as_str()));
        format!("/v1/collections/{collection}/documents/{doc}/pages/{}/image?dpi={dpi}", page.page)
    }
}

/// The address with one more value, unless that is empty.
pub(super) fn query(address: String, name: &str, value: &str) -> String {
    match value {
        "" => address,
        value => format!("{address}{}{name}={}", if address.contains('?') { '&' } else { '?' }, encoded(value)),
    }
}

/// Regions as `left,top,right,bottom;...`.
pub(super) fn marks_text(marks: &[Region]) -> String {
    let one = |mark: &Region| mark.ltrb().map(|side| side.to_string()).join(",");
    marks.iter().map(one).collect::<Vec<_>>().join(";")
}

/// The most regions that are marked on a page.
const MAX_MARKS: usize = 500;

/// The regions of [`marks_text`]; what is none is left out.
pub(super) fn marks(text: &str) -> Vec<Region> {
    let one = |text: &str| {
        let sides: Vec<f64> = text.split(',').map(|side| side.trim().parse().ok()).collect::<Option<_>>()?;
        let [left, top, right, bottom] = sides.as_slice() else { return None };
        Some(Region::new(*left, *top, *right, *bottom)).filter(|region| !region.is_empty())
    };
    text.split(';').filter_map(one).take(MAX_MARKS).collect()
}

#[cfg(test)]
mod tests {
    use recto_page::PageNumber;

    use super::*;

    #[test]
    fn marks_are_read_as_they_are_written() {
        let marks_of = |text: &str| marks(text).len();
        let regions = vec![Region::new(0.1, 0.2, 0.3, 0.4), Region::new(0.0, 0.5, 1.0, 0.75)];
        assert_eq!(marks(&marks_text(&regions)), regions);
        for (text, want) in [("", 0), ("1,2,3", 0), ("0,0,nan,1", 0), ("0,0,1,1;x", 1), ("0.5,0.5,0.5,0.9", 0)] {
            assert_eq!(marks_of(text), want, "{text}");
        }
        let page = PageId::new(DocId::new("a b"), PageNumber::FIRST);
        let links = Links { collection: "main" };
        assert_eq!(links.marked(&page, &regions[..1]), "/c/main/view/a%20b/1?mark=0.1%2C0.2%2C0.3%2C0.4");
        assert_eq!(links.with("search", &[("q", "ä"), ("doc", "")]), "/c/main/search?q=%C3%A4");
    }
}
