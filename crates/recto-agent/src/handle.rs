//! The only names that a planner has for pages and pictures. Nothing of a page's document or number is in them.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use recto_page::PageId;
use recto_page::mersenne_twister::MersenneTwister;
use serde::{Deserialize, Serialize};

/// A page as an episode calls it: `page_000001`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PageHandle(u32);

/// A part of a page that was cut out: `crop_000001_000007`, the seventh of the episode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CropHandle {
    /// The page that it was cut from.
    pub page: PageHandle,
    /// Its number in the episode, from 1.
    pub number: u32,
}

/// A picture that can be shown or read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ImageHandle {
    /// A whole page.
    Page(PageHandle),
    /// A part of one.
    Crop(CropHandle),
}

/// A text that is no handle.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no handle")]
pub struct NoHandle(pub String);

/// An episode's handles and the pages that they stand for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HandleSpace {
    pages: Vec<PageId>,
    handles: BTreeMap<PageId, PageHandle>,
}

/// The seed with which VisDocAgentBench hides its pages.
pub const HANDLE_SEED: u64 = 20_260_707;

impl HandleSpace {
    /// Hides pages: they are put in the order of their [names](page_name), shuffled, and numbered from 1.
    pub fn new(pages: impl IntoIterator<Item = PageId>, seed: u64) -> Self {
        Self::named(pages.into_iter().map(|page| (page_name(&page), page)), seed)
    }

    /// Hides pages that have names of their own, by which they are put in order.
    pub fn named(pages: impl IntoIterator<Item = (String, PageId)>, seed: u64) -> Self {
        let mut pages: Vec<(String, PageId)> = pages.into_iter().collect();
        pages.sort_unstable();
        pages.dedup();
        MersenneTwister::new(seed).shuffle(&mut pages);
        let pages: Vec<PageId> = pages.into_iter().map(|(_, page)| page).collect();
        let handles = (1..).zip(&pages).map(|(number, page)| (page.clone(), PageHandle(number))).collect();
        Self { pages, handles }
    }

    /// How many pages there are: the handles are numbered 1 to this.
    pub fn len(&self) -> u32 {
        u32::try_from(self.pages.len()).unwrap_or(u32::MAX)
    }

    /// True if there is no page.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The page that a handle stands for.
    pub fn page(&self, handle: PageHandle) -> Option<&PageId> {
        self.pages.get((handle.0 as usize).checked_sub(1)?)
    }

    /// The handle of a page.
    pub fn handle(&self, page: &PageId) -> Option<PageHandle> {
        self.handles.get(page).copied()
    }

    /// Every handle with its page, in the order of the handles.
    pub fn iter(&self) -> impl Iterator<Item = (PageHandle, &PageId)> {
        (1..).map(PageHandle).zip(&self.pages)
    }
}

/// A page's name in the form of VisDocAgentBench: the document without `.pdf`, `_p`, the number in three digits at least.
pub fn page_name(page: &PageId) -> String {
    let doc = page.doc.as_str();
    format!("{}_p{:03}", doc.strip_suffix(".pdf").unwrap_or(doc), page.page)
}

impl PageHandle {
    /// The handle of this number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number, from 1.
    pub const fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for PageHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "page_{:06}", self.0)
    }
}

impl fmt::Display for CropHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "crop_{:06}_{:06}", self.page.0, self.number)
    }
}

impl fmt::Display for ImageHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page(page) => page.fmt(f),
            Self::Crop(crop) => crop.fmt(f),
        }
    }
}

impl FromStr for PageHandle {
    type Err = NoHandle;

    /// Only the form that [`Display`](fmt::Display) writes is a handle.
    fn from_str(text: &str) -> Result<Self, NoHandle> {
        let number = text.strip_prefix("page_").and_then(|digits| digits.parse().ok()).map(Self);
        number.filter(|handle| handle.to_string() == text).ok_or_else(|| NoHandle(text.into()))
    }
}

impl FromStr for CropHandle {
    type Err = NoHandle;

    fn from_str(text: &str) -> Result<Self, NoHandle> {
        let numbers = text.strip_prefix("crop_").and_then(|digits| digits.split_once('_'));
        let crop = numbers.and_then(|(page, number)| {
            Some(Self { page: PageHandle(page.parse().ok()?), number: number.parse().ok()? })
        });
        crop.filter(|handle| handle.to_string() == text).ok_or_else(|| NoHandle(text.into()))
    }
}

impl FromStr for ImageHandle {
    type Err = NoHandle;

    fn from_str(text: &str) -> Result<Self, NoHandle> {
        text.parse().map(Self::Page).or_else(|_: NoHandle| text.parse().map(Self::Crop))
    }
}

macro_rules! as_text {
    ($($handle:ty),*) => {$(
        impl From<$handle> for String {
            fn from(handle: $handle) -> Self {
                handle.to_string()
            }
        }

        impl TryFrom<String> for $handle {
            type Error = NoHandle;

            fn try_from(text: String) -> Result<Self, NoHandle> {
                text.parse()
            }
        }
    )*};
}

as_text!(PageHandle, CropHandle, ImageHandle);

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageNumber};

    use super::*;
    use crate::golden;

    fn page(name: &str) -> PageId {
        PageId::new(DocId::new(name), PageNumber::FIRST)
    }

    #[test]
    fn golden_handles() {
        let vectors = golden::vectors("handle_mapping");
        for vector in &vectors {
            let ids = golden::texts(&vector["page_ids"]);
            let named = ids.iter().map(|id| (id.clone(), page(id)));
            let space = HandleSpace::named(named, vector["seed"].as_u64().unwrap());
            for id in &ids {
                let handle = space.handle(&page(id)).unwrap();
                assert_eq!(vector["handles"][id], handle.to_string(), "{id}");
                assert_eq!(space.page(handle), Some(&page(id)));
            }
            assert_eq!(space.len() as usize, ids.len());
        }
        assert_eq!(vectors.len(), 4);
    }

    #[test]
    fn pages_are_named_as_the_benchmark_does() {
        let name = |doc: &str, n: u32| page_name(&PageId::new(DocId::new(doc), PageNumber::new(n).unwrap()));
        assert_eq!(name("2601.00001v2.pdf", 7), "2601.00001v2_p007");
        assert_eq!(name("a/b.docx", 1234), "a/b.docx_p1234");
    }

    #[test]
    fn only_what_is_written_so_is_a_handle() {
        for text in ["page_000001", "page_000000", "page_1000000", "crop_000001_000002"] {
            assert_eq!(text.parse::<ImageHandle>().map(|handle| handle.to_string()), Ok(text.into()));
        }
        for text in ["", "page_1", "page_+00001", "Page_000001", "page_000001 ", "crop_000001", "crop_1_2", "page_９"]
        {
            assert!(text.parse::<ImageHandle>().is_err(), "{text}");
        }
        assert_eq!(HandleSpace::default().page(PageHandle(0)), None);
    }
}
