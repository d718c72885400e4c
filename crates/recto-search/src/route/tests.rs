//! Routes over a small index: what each finds, and what they find together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recto_model::encoder::FakeTextEncoder;
use recto_model::{Identity, TextEncoder, Vector, Window};
use recto_page::{DocId, PageId, PageNumber};

use super::*;
use crate::vectors::{PageKey, VectorError, Writer};
use crate::{Kinds, LexicalReader, LexicalWriter, Part};

/// A document version, its name, and the texts of its pages.
type Document<'t> = (u64, &'t str, &'t [&'t str]);

struct Index {
    dir: tempfile::TempDir,
    live: BTreeMap<u64, DocId>,
    files: Vec<PathBuf>,
}

/// An index of words and of vectors that count letters; each document has a segment of its own.
fn index(documents: &[Document<'_>]) -> Index {
    let dir = tempfile::tempdir().unwrap();
    let mut lexical = LexicalWriter::open(&dir.path().join("lexical")).unwrap();
    let (mut live, mut files) = (BTreeMap::new(), Vec::new());
    for (version, name, texts) in documents {
        texts
            .iter()
            .zip(1..)
            .for_each(|(text, n)| lexical.add_page(*version, number(n), text, "", Kinds::default()).unwrap());
        live.insert(*version, DocId::new(*name));
        files.push(segment(dir.path(), *version, texts));
    }
    lexical.commit(1).unwrap();
    lexical.close().unwrap();
    Index { dir, live, files }
}

fn number(n: u32) -> PageNumber {
    PageNumber::new(n).unwrap()
}

fn segment(dir: &Path, version: u64, texts: &[&str]) -> PathBuf {
    let encoder = dense();
    let mut writer = Writer::new(encoder.space(), encoder.storage()).unwrap();
    for (vectors, n) in encoder.encode_pages(PageInputs::Texts(texts)).unwrap().into_iter().zip(1..) {
        writer.push(PageKey { version, number: n }, vectors).unwrap();
    }
    writer.publish(dir).unwrap().file
}

/// Windows of two words.
struct Windows(FakeTextEncoder);

impl TextEncoder for Windows {
    fn identity(&self) -> &Identity {
        self.0.identity()
    }

    fn windows(&self, text: &str) -> Vec<Window> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let window = |(at, pair): (usize, &[&str])| {
            let (first, last) = (pair[0], pair[pair.len() - 1]);
            Window { bytes: place(first)..place(last) + last.len(), words: 2 * at..2 * at + pair.len() }
        };
        words.chunks(2).enumerate().map(window).collect()
    }

    fn batch(&self) -> usize {
        3
    }

    fn encode_pages(&self, texts: &[&str]) -> recto_model::Result<Vec<Vector>> {
        self.0.encode_pages(texts)
    }

    fn encode_query(&self, query: &str) -> recto_model::Result<Vector> {
        self.0.encode_query(query)
    }
}

fn dense() -> RouteEncoder {
    RouteEncoder::Dense(Arc::new(Windows(FakeTextEncoder::default())))
}

impl Index {
    fn rank(&self, ranker: &str, query: &str, scope: &Scope, k: usize) -> Result<Ranking> {
        let bm25 = LexicalReader::open(&self.dir.path().join("lexical"))?.searcher(&self.live)?;
        let store = VectorStore::open(&self.files, &self.live)?;
        let routes = Routes { bm25: &bm25, vectors: vec![VectorRoute::new(Arc::new(dense()), &store)?] };
        routes.rank(&ranker.parse().unwrap(), &Query::parse(query), scope, k)
    }

    fn names(&self, ranker: &str, query: &str, scope: &Scope) -> Vec<String> {
        let Ranking(hits) = self.rank(ranker, query, scope, 9).unwrap();
        hits.iter().map(|hit| format!("{}:{}", hit.page.doc, hit.page.page)).collect()
    }
}

fn sums_to_its_score(hit: &Hit) {
    let sum: f64 = hit.shares.iter().map(|share| share.score).sum();
    assert!((sum - hit.score).abs() < 1e-12, "{hit:?}");
}

#[test]
fn a_ranker_is_written_as_it_is_read() {
    for name in ["bm25", "dense", "late", "page", "hybrid", "bm25+dense", "bm25+dense+late+page"] {
        assert_eq!(name.parse::<Ranker>().unwrap().to_string(), name);
    }
    assert_eq!("dense+bm25+dense".parse(), Ok(Ranker::Fused(vec![Route::Bm25, Route::Dense])));
    for name in ["", "sparse", "bm25+", "BM25"] {
        assert!(name.parse::<Ranker>().is_err(), "{name:?}");
    }
}

#[test]
fn the_best_window_of_a_page_ranks_it_and_comes_with_it() {
    let index = index(&[(1, "a", &["zzzz zzzz silent zzzz", "tin tin"]), (2, "b", &["", "qqqq"])]);
    let Ranking(hits) = index.rank("dense", "listenzzzz", &Scope::All, 9).unwrap();
    let places: Vec<String> = hits.iter().map(|hit| hit.page.to_string()).collect();
    // The page without text is not found.
    assert_eq!(places.len(), 3, "{places:?}");
    assert_eq!((hits[0].page.clone(), hits[0].shares[0].window), (PageId::new(DocId::new("a"), number(1)), Some(1)));
    hits.iter().for_each(sums_to_its_score);
}

#[test]
fn only_live_versions_in_scope_are_found() {
    let mut index = index(&[(1, "a", &["red fox"]), (2, "b", &["red fox"]), (3, "c", &["red fox"])]);
    // Equal pages are in the order of their names, wherever the cut is.
    index.live.insert(3, DocId::new("0"));
    assert_eq!(index.names("dense", "fox", &Scope::All), ["0:1", "a:1", "b:1"]);
    let Ranking(first) = index.rank("dense", "fox", &Scope::All, 1).unwrap();
    assert_eq!(first[0].page.doc.as_str(), "0");
    index.live.remove(&3);
    assert_eq!(index.names("dense", "fox", &Scope::All), ["a:1", "b:1"]);
    let b = Scope::Documents(BTreeSet::from([DocId::new("b")]));
    for ranker in ["bm25", "dense", "hybrid", "bm25+dense"] {
        assert_eq!(index.names(ranker, "fox", &b), ["b:1"], "{ranker}");
    }
}

#[test]
fn operators_restrict_every_route() {
    let index = index(&[(1, "a", &["red fox", "fox red", "red fox draft", "blue whale"])]);
    for ranker in ["bm25", "dense", "hybrid", "bm25+dense"] {
        assert_eq!(index.names(ranker, "\"red fox\" -draft", &Scope::All), ["a:1"], "{ranker}");
        assert!(matches!(index.rank(ranker, "-draft", &Scope::All, 9), Err(SearchError::EmptyQuery)), "{ranker}");
    }
    // Fusion looks at the first 1,000 of each route, the hybrid at as many as are asked for.
    assert_eq!(index.rank("hybrid", "fox", &Scope::All, usize::MAX).unwrap().0.len(), 4);
    assert!(matches!(index.rank("late", "fox", &Scope::All, 9), Err(SearchError::NoRoute(Route::Late))));
}

/// openclaw#25183, arcana PR#170, semantic-router PR#3989: an identifier that only one page holds, whose vectors are far
/// from the query, and many pages that share two of three terms.
#[test]
fn fixture_47b_the_exact_page_is_first_and_absent_evidence_adds_nothing() {
    let near: Vec<String> = (0..40).map(|n| format!("pump manual pump manual part{n:02}")).collect();
    let mut texts: Vec<&str> = near.iter().map(String::as_str).collect();
    texts.insert(17, "xyzzy zyzzyx jazz quiz fizz buzz jinx KX-4471b zzz yyy xxx");
    let index = index(&[(1, "a", &texts)]);
    let Ranking(hits) = index.rank("hybrid", "pump manual KX-4471b", &Scope::All, 100).unwrap();
    assert_eq!(hits[0].page.page, number(18), "{:?}", &hits[..2]);
    assert_eq!(hits.len(), 41);
    for hit in &hits {
        sums_to_its_score(hit);
        let names: Vec<&str> = hit.shares.iter().map(|share| share.name).collect();
        assert!(names.contains(&"bm25") && names.contains(&"dense"), "{names:?}");
        assert_eq!(names.contains(&"exact"), hit.page.page == number(18), "{names:?}");
    }
    // No page has these words: what is found is found by its vectors alone, and nothing is added for words.
    let Ranking(hits) = index.rank("hybrid", "nothing", &Scope::All, 100).unwrap();
    assert!(!hits.is_empty());
    for hit in &hits {
        assert_eq!(hit.shares.iter().map(|share| share.name).collect::<Vec<_>>(), ["dense"]);
        assert!(hit.parts.is_empty());
        sums_to_its_score(hit);
    }
}

#[test]
fn fusion_is_the_published_formula() {
    let hit = |page, score| Hit {
        page: PageId::new(DocId::new("d"), number(page)),
        score,
        parts: vec![Part { term: "t".into(), score, count: 1, pages: 1 }],
        shares: Vec::new(),
    };
    let first = Ranking(vec![hit(1, 9.0), hit(2, 8.0), hit(3, 7.0)]);
    let second = Ranking(vec![hit(3, 0.9), hit(4, 0.8)]);
    let Ranking(fused) = reciprocal_rank_fusion(vec![("bm25", first), ("dense", second)]);
    let got: Vec<(u32, f64)> = fused.iter().map(|hit| (hit.page.page.get(), hit.score)).collect();
    assert_eq!(got, [(3, 1.0 / 63.0 + 1.0 / 61.0), (1, 1.0 / 61.0), (2, 1.0 / 62.0), (4, 1.0 / 62.0)]);
    let ranks: Vec<(&str, u32, f64)> = fused[0].shares.iter().map(|s| (s.name, s.rank, s.value)).collect();
    assert_eq!(ranks, [("bm25", 3, 7.0), ("dense", 1, 0.9)]);
}

#[test]
fn an_encoder_that_did_not_make_the_vectors_is_refused_with_the_command() {
    let index = index(&[(1, "a", &["red fox"])]);
    let store = VectorStore::open(&index.files, &index.live).unwrap();
    let mut other = FakeTextEncoder::default().identity().clone();
    other.revision = "2".into();
    let error = VectorRoute::new(Arc::new(RouteEncoder::Dense(Arc::new(Other(other)))), &store).err().unwrap();
    assert!(matches!(error, VectorError::Mixed { what: "revision", .. }), "{error}");
    assert!(error.to_string().contains("`recto index --reindex dense`"), "{error}");
}

struct Other(Identity);

impl TextEncoder for Other {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn encode_pages(&self, _: &[&str]) -> recto_model::Result<Vec<Vector>> {
        Ok(Vec::new())
    }

    fn encode_query(&self, _: &str) -> recto_model::Result<Vector> {
        Ok(Vec::new())
    }
}
