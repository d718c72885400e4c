//! How far the pages of an answer's evidence are from each other: slices of items that need several pages (MADQA, source
//! 001, figure 15 and tables 14 and 15).

use std::ops::Range;

use recto_page::PageId;

use crate::item::Item;

/// By the mean distance of the pages, 1 minus the cosine of their vectors; the paper's bins.
const DISTANCES: [(&str, Range<f64>); 5] = [
    ("0 to 0.15", f64::NEG_INFINITY..0.15),
    ("0.15 to 0.3", 0.15..0.3),
    ("0.3 to 0.45", 0.3..0.45),
    ("0.45 to 0.6", 0.45..0.6),
    ("0.6 and more", 0.6..f64::INFINITY),
];

/// By the pages that lie between the first and the last, in one document; these bins are ours.
const GAPS: [(&str, Range<u32>); 4] =
    [("1", 1..2), ("2 to 4", 2..5), ("5 to 19", 5..20), ("20 and more", 20..u32::MAX)];

/// Adds the slices `page_gap` and, where `distance` knows all pages of an item's evidence, `evidence_distance`.
pub fn slice_by_distance(items: &mut [Item], distance: impl Fn(&PageId, &PageId) -> Option<f64>) {
    for item in items {
        let (gap, apart) = {
            let pages: Vec<&PageId> = item.gold.relevant().into_iter().collect();
            (gap(&pages), mean_distance(&pages, &distance))
        };
        let gap = gap.and_then(|gap| GAPS.iter().find(|(_, range)| range.contains(&gap))).map(|(name, _)| *name);
        let apart = apart.and_then(|apart| DISTANCES.iter().find(|(_, range)| range.contains(&apart)));
        for (kind, name) in [("page_gap", gap), ("evidence_distance", apart.map(|(name, _)| *name))] {
            if let Some(name) = name {
                item.slices.entry(kind.into()).or_default().insert(name.into());
            }
        }
    }
}

/// From the first to the last page; `None` for pages of several documents, or one.
fn gap(pages: &[&PageId]) -> Option<u32> {
    let (first, last) = (pages.first()?, pages.last()?);
    (first.doc == last.doc).then(|| last.page.get() - first.page.get()).filter(|gap| *gap > 0)
}

fn mean_distance(pages: &[&PageId], distance: impl Fn(&PageId, &PageId) -> Option<f64>) -> Option<f64> {
    let pairs = pages.iter().enumerate().flat_map(|(at, a)| pages.iter().skip(at + 1).map(|b| distance(a, b)));
    let distances: Vec<f64> = pairs.collect::<Option<_>>()?;
    (!distances.is_empty()).then(|| distances.iter().sum::<f64>() / distances.len() as f64)
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageNumber};

    use super::*;
    use crate::item::Gold;

    #[test]
    fn items_of_several_pages_are_parted() {
        let page = |doc: &str, number| PageId::new(DocId::new(doc), PageNumber::new(number).unwrap());
        let far =
            |a: &PageId, b: &PageId| (a.doc.as_str() != "x").then(|| f64::from(b.page.get() - a.page.get()) / 10.0);
        for (pages, gap, apart) in [
            (vec![page("a", 1)], None, None),
            (vec![page("a", 1), page("a", 2)], Some("1"), Some("0 to 0.15")),
            (vec![page("a", 1), page("a", 4), page("a", 7)], Some("5 to 19"), Some("0.3 to 0.45")),
            (vec![page("a", 1), page("a", 30)], Some("20 and more"), Some("0.6 and more")),
            (vec![page("a", 1), page("b", 4)], None, Some("0.3 to 0.45")),
            (vec![page("x", 1), page("x", 2)], Some("1"), None),
        ] {
            let gold = Gold { pages: pages.into_iter().map(Into::into).collect(), ..Gold::default() };
            let mut items = [Item { gold, ..Item::default() }];
            slice_by_distance(&mut items, far);
            let of = |kind: &str| items[0].slices.get(kind).and_then(|names| names.first().map(String::as_str));
            assert_eq!((of("page_gap"), of("evidence_distance")), (gap, apart), "{:?}", items[0].gold.pages);
        }
    }
}
