//! Files of vectors: what is written is read, what is damaged is refused, and what is nearest is found.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use recto_model::{Identity, Pooling, Prefix};

use super::*;
use crate::kernel;

fn space(dim: u32) -> Space {
    let encoder = Identity {
        model: "m".into(),
        revision: "1".into(),
        dim,
        normalised: false,
        prefix: Prefix::default(),
        dpi: None,
        pooling: Pooling::Given,
    };
    Space { route: "dense".into(), encoder, merged: 1 }
}

fn key(version: u64, number: u32) -> PageKey {
    PageKey { version, number }
}

type Page = (PageKey, Vec<f32>);
type Change = fn(&mut Space);

fn segment(dir: &Path, dim: u32, layout: Layout, elements: &[Element], pages: &[Page]) -> Segment {
    let mut writer = Writer::new(space(dim), Storage { layout, elements: elements.to_vec() }).unwrap();
    pages.iter().for_each(|(key, vectors)| writer.push(*key, vectors.clone()).unwrap());
    let published = writer.publish(dir).unwrap();
    let segment = Segment::open(&published.file).unwrap();
    segment.verify().unwrap();
    assert_eq!(segment.hash(), published.hash);
    segment
}

/// Pages of up to 20 vectors of 5 numbers, of which some have none.
fn pages() -> impl Strategy<Value = Vec<Page>> {
    let vectors = proptest::collection::vec((-8_i8..8).prop_map(f32::from), 0..100);
    let whole = vectors.prop_map(|mut vectors| {
        vectors.truncate(vectors.len() / 5 * 5);
        vectors
    });
    let keys = proptest::collection::btree_map((0_u64..6, 1_u32..9).prop_map(|(v, n)| key(v, n)), whole, 0..30);
    keys.prop_map(|pages| pages.into_iter().collect())
}

/// The definition, in whole numbers that all elements but bits hold exactly.
fn nearest(pages: &[Page], query: &[f32], wanted: impl Fn(PageKey) -> bool, k: usize) -> Vec<(PageKey, f32)> {
    let product = |q: &[f32], v: &[f32]| q.iter().zip(v).map(|(q, v)| q * v).sum::<f32>();
    let score = |page: &[f32]| {
        query.chunks(5).map(|q| page.chunks(5).map(|v| product(q, v)).fold(f32::NEG_INFINITY, f32::max)).sum()
    };
    let mut all: Vec<(PageKey, f32)> = pages
        .iter()
        .filter(|(key, page)| wanted(*key) && !page.is_empty())
        .map(|(key, page)| (*key, score(page)))
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(k);
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn the_nearest_pages_of_any_number_of_files_on_any_number_of_threads(
        pages in pages(),
        query in proptest::collection::vec((-8_i8..8).prop_map(f32::from), 15),
        cut in 0_usize..30,
        versions in proptest::collection::btree_set(0_u64..6, 0..4),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let (left, right) = pages.split_at(cut.min(pages.len()));
        let versions: Vec<u64> = versions.into_iter().collect();
        let keys: Vec<PageKey> = pages.iter().map(|(key, _)| *key).filter(|key| versions.contains(&key.version)).collect();
        for (layout, query) in [(Layout::Rows, &query[..5]), (Layout::Blocks, &query[..])] {
            for elements in [&[Element::F32][..], &[Element::F16], &[Element::Bit, Element::I8, Element::F32]] {
                let segments = [left, right].map(|pages| segment(dir.path(), 5, layout, elements, pages));
                let segments = [&segments[0], &segments[1]];
                let prepared = Query::new(space(5), query.to_vec()).unwrap();
                for (threads, prefilter) in [(1, 0), (3, 0), (2, 100)] {
                    for path in kernel::Path::ALL {
                        let plan = Plan { threads, prefilter, path, ..Plan::new(7) };
                        let found = |restriction| {
                            let found = search(&segments, &prepared, restriction, &plan).unwrap();
                            found.into_iter().map(|found| (found.key, found.score)).collect::<Vec<_>>()
                        };
                        let wanted = |key: PageKey| versions.contains(&key.version);
                        prop_assert_eq!(found(Restriction::None), nearest(&pages, query, |_| true, 7));
                        prop_assert_eq!(found(Restriction::Versions(&versions)), nearest(&pages, query, wanted, 7));
                        prop_assert_eq!(found(Restriction::Pages(&keys)), nearest(&pages, query, wanted, 7));
                    }
                }
            }
        }
    }

    #[test]
    fn a_damaged_file_is_refused(at in any::<proptest::sample::Index>(), bit in 0_u32..8, cut in any::<proptest::sample::Index>()) {
        let dir = tempfile::tempdir().unwrap();
        let pages: Vec<Page> = (1..9).map(|number| (key(1, number), vec![number as f32; 10])).collect();
        let elements = [Element::Bit, Element::I8, Element::F16, Element::F32];
        let published = {
            let mut writer = Writer::new(space(5), Storage { layout: Layout::Rows, elements: elements.to_vec() }).unwrap();
            pages.iter().for_each(|(key, vectors)| writer.push(*key, vectors.clone()).unwrap());
            writer.publish(dir.path()).unwrap()
        };
        let content = fs::read(&published.file).unwrap();
        let mut flipped = content.clone();
        let at = at.index(content.len());
        flipped[at] ^= 1 << bit;
        for damaged in [&flipped[..], &content[..cut.index(content.len())]] {
            let file = dir.path().join("damaged.seg");
            fs::write(&file, damaged).unwrap();
            let Ok(segment) = Segment::open(&file) else { continue };
            let query = Query::new(segment.header().space.clone(), vec![1.0; segment.header().space.dim() as usize]);
            if let Ok(query) = query {
                let _ = search(&[&segment], &query, Restriction::Versions(&[0, 1]), &Plan::new(3));
            }
            prop_assert!(matches!(segment.verify(), Err(VectorError::Damaged { .. })), "bit {} of byte {}", bit, at);
        }
    }
}

#[test]
fn files_are_merged_without_the_pages_that_are_gone() {
    let dir = tempfile::tempdir().unwrap();
    // Multiples of the step that 8-bit integers get: everything but bits holds them exactly.
    let page = |n: u32, numbers: usize| {
        let number = |at: usize| ((at * 31 + n as usize * 7) % 255) as f32 - 127.0;
        (key(u64::from(n % 3), n), std::iter::once(127.0).chain((1..numbers).map(number)).collect::<Vec<f32>>())
    };
    let pages: Vec<Page> = [5, 100, 0, 85, 80, 15]
        .into_iter()
        .zip(1..)
        .map(|(numbers, n)| match numbers {
            0 => (key(u64::from(n % 3), n), vec![]),
            numbers => page(n, numbers),
        })
        .collect();
    for layout in [Layout::Rows, Layout::Blocks] {
        for elements in [&[Element::I8][..], &[Element::I8, Element::F16], &[Element::Bit, Element::F32]] {
            let [left, right] = [&pages[..2], &pages[2..]].map(|pages| segment(dir.path(), 5, layout, elements, pages));
            let keep = |key: PageKey| key.version != 1;
            let merged = merge(&left, &[&right], keep, &dir.path().join("merged")).unwrap();
            let kept: Vec<Page> = pages.iter().filter(|(key, _)| keep(*key)).cloned().collect();
            assert_eq!(merged.hash, segment(dir.path(), 5, layout, elements, &kept).hash(), "{layout:?} {elements:?}");
        }
    }
    let empty = segment(dir.path(), 5, Layout::Rows, &[Element::F32], &[]);
    assert_eq!([class(&empty), class(&segment(dir.path(), 5, Layout::Rows, &[Element::F32], &pages))], [0, 0]);
}

#[test]
fn a_page_scores_by_its_best_window() {
    let dir = tempfile::tempdir().unwrap();
    let pages = [(key(1, 1), vec![1.0, 0.0, 3.0, 0.0, 3.0, 0.0]), (key(1, 2), vec![2.0, 9.0])];
    let segment = segment(dir.path(), 2, Layout::Rows, &[Element::I8, Element::F16], &pages);
    let query = Query::new(space(2), vec![1.0, 0.0]).unwrap();
    let found = search(&[&segment], &query, Restriction::None, &Plan::new(5)).unwrap();
    let right = [Found { key: key(1, 1), score: 3.0, window: 1 }, Found { key: key(1, 2), score: 2.0, window: 0 }];
    assert_eq!(found, right);
}

#[test]
fn equal_batches_give_equal_files_whatever_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let mut pages = vec![(key(2, 1), vec![0.5, 1.0]), (key(1, 2), vec![]), (key(1, 1), vec![0.25, -1.0])];
    let first = segment(dir.path(), 2, Layout::Rows, &[Element::I8], &pages);
    pages.reverse();
    assert_eq!(first.hash(), segment(dir.path(), 2, Layout::Rows, &[Element::I8], &pages).hash());
    assert_eq!(first.pages().collect::<Vec<_>>(), [key(1, 1), key(1, 2), key(2, 1)]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn kinds_that_differ_do_not_mix() {
    let dir = tempfile::tempdir().unwrap();
    let segment = segment(dir.path(), 2, Layout::Rows, &[Element::F32], &[(key(1, 1), vec![1.0, 2.0])]);
    let changes: [(&str, Change); 10] = [
        ("route", |space| space.route = "page".into()),
        ("model", |space| space.encoder.model = "n".into()),
        ("revision", |space| space.encoder.revision = "2".into()),
        ("width", |space| space.encoder.dim = 1),
        ("normalisation", |space| space.encoder.normalised = true),
        ("prefix of queries", |space| space.encoder.prefix.query = "query: ".into()),
        ("prefix of pages", |space| space.encoder.prefix.page = "page: ".into()),
        ("dpi", |space| space.encoder.dpi = Some(144)),
        ("pooling", |space| space.encoder.pooling = Pooling::Mean),
        ("merging of patches", |space| space.merged = 3),
    ];
    for (name, change) in changes {
        let mut other = space(2);
        change(&mut other);
        let query = Query::new(other.clone(), vec![1.0; other.dim() as usize]).unwrap();
        let error = search(&[&segment], &query, Restriction::None, &Plan::new(1)).unwrap_err();
        assert!(matches!(error, VectorError::Mixed { what, .. } if what == name), "{name}: {error}");
    }
}

#[test]
fn what_is_no_vector_is_refused() {
    let writer = || Writer::new(space(2), Storage { layout: Layout::Rows, elements: vec![] }).unwrap();
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(writer().push(key(1, 1), vec![1.0]), Err(VectorError::Shape { numbers: 1, .. })));
    assert!(matches!(writer().push(key(1, 1), vec![1.0, f32::NAN]), Err(VectorError::NotFinite(_))));
    let mut twice = writer();
    twice.push(key(1, 1), vec![]).unwrap();
    twice.push(key(1, 1), vec![]).unwrap();
    assert!(matches!(twice.publish(dir.path()), Err(VectorError::Twice(_))));
    assert!(Writer::new(space(0), Storage { layout: Layout::Rows, elements: vec![] }).is_err());
    for numbers in [vec![], vec![1.0], vec![1.0, f32::INFINITY]] {
        assert!(matches!(Query::new(space(2), numbers), Err(VectorError::Query { .. })));
    }
    let segment = segment(dir.path(), 2, Layout::Rows, &[Element::F32], &[]);
    let two = Query::new(space(2), vec![1.0; 4]).unwrap();
    assert!(matches!(search(&[&segment], &two, Restriction::None, &Plan::new(1)), Err(VectorError::Query { .. })));
}

#[test]
fn a_later_version_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("later.seg");
    let mut content = b"RECTOVEC".to_vec();
    content.resize(64, 0);
    content[8] = 9;
    fs::write(&file, content).unwrap();
    assert!(matches!(Segment::open(&file), Err(VectorError::Version { version: 9, .. })));
    assert!(matches!(Segment::open(&dir.path().join("none.seg")), Err(VectorError::Io { .. })));
}
