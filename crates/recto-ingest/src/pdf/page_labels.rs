//! The page numbers that a file declares as printed on its pages (`iii`, `A-4`). Not numbers found in the text.

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::dict::keys::{NUMS, P, PAGE_LABELS, S, ST};
use hayro::hayro_syntax::object::{Dict, Name, String as PdfString};
use recto_page::PageNumber;

use super::{text_string, tree};
use crate::numerals::{letters, roman};

/// Forty letters, the last of them `z`.
const MOST_LETTERS: u32 = 40 * 26;

/// Ranges of equally numbered pages, by their first page's index.
#[derive(Default)]
pub(crate) struct PageLabels(Vec<(usize, Range)>);

struct Range {
    prefix: String,
    style: Option<u8>,
    first: u32,
}

impl PageLabels {
    /// Reads the document's label tree; empty if it has none.
    pub(crate) fn of(pdf: &Pdf) -> Self {
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
        let Some(root) = catalog.and_then(|c| c.get::<Dict<'_>>(PAGE_LABELS)) else { return Self::default() };
        let pairs = tree::entries(root, NUMS, pdf.xref()).into_iter();
        let mut ranges: Vec<(usize, Range)> = pairs
            .filter_map(|(index, range)| {
                Some((usize::try_from(index.into_i32()?).ok()?, Range::of(&range.into_dict()?)))
            })
            .collect();
        ranges.sort_by_key(|(index, _)| *index);
        Self(ranges)
    }

    /// The label of a page.
    pub(crate) fn get(&self, page: PageNumber) -> Option<String> {
        let at = self.0.partition_point(|(first, _)| *first <= page.index());
        let (first, range) = self.0.get(at.checked_sub(1)?)?;
        let label = range.label(u32::try_from(page.index() - first).ok()?);
        (!label.is_empty()).then_some(label)
    }
}

impl Range {
    fn of(dict: &Dict<'_>) -> Self {
        Self {
            prefix: dict.get::<PdfString<'_>>(P).map_or_else(String::new, |p| text_string::decode(&p)),
            style: dict.get::<Name<'_>>(S).and_then(|s| s.first().copied()),
            first: dict.get::<i32>(ST).and_then(|n| u32::try_from(n).ok()).unwrap_or(1).max(1),
        }
    }

    fn label(&self, offset: u32) -> String {
        let number = self.first.saturating_add(offset);
        let number = match self.style {
            None => String::new(),
            Some(b'R') => roman(number).to_uppercase(),
            Some(b'r') => roman(number),
            Some(b'A') => letters(number, MOST_LETTERS).to_uppercase(),
            Some(b'a') => letters(number, MOST_LETTERS),
            Some(_) => number.to_string(),
        };
        format!("{}{number}", self.prefix)
    }
}
