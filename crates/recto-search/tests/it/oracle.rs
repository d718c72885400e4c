//! The searcher against BM25 written down plainly from the terms of all pages, on random corpora.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use recto_page::{DocId, PageId, PageNumber};
use recto_search::tokenize::{Token, query_terms, tokens};
use recto_search::{Kinds, LexicalReader, LexicalWriter, Query, Scope};

/// One step of a corpus' history.
#[derive(Clone, Debug)]
enum Step {
    /// Adds a document of these pages.
    Add(Vec<String>),
    /// Takes a document away, by its place among those there are.
    Remove(usize),
    /// As `Remove`, but only the catalog knows.
    Forget(usize),
    Commit,
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "a",
        "b",
        "c",
        "dd",
        "ab-1",
        "x_y",
        "café",
        "東京都",
        "e-\nf",
        "1,000",
        "ab",
        "able",
        "axes",
        "-",
    ]);
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

fn history() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => prop::collection::vec(words(), 0..4).prop_map(Step::Add),
        1 => (0..8_usize).prop_map(Step::Remove),
        1 => (0..8_usize).prop_map(Step::Forget),
        2 => Just(Step::Commit),
    ];
    prop::collection::vec(step, 1..14)
}

/// Which words of a corpus: a page, the first word, how many.
fn excerpt() -> impl Strategy<Value = (usize, usize, usize)> {
    (0..20_usize, 0..8_usize, 0..5_usize)
}

fn cut(corpus: &Corpus, (page, first, count): (usize, usize, usize)) -> Vec<String> {
    let surface = corpus.values().cycle().nth(page).into_iter().flatten().filter(|t| t.form.is_surface());
    surface.skip(first).take(count).map(|t| t.term.clone()).collect()
}

type Corpus = BTreeMap<PageId, Vec<Token>>;

/// What the catalog knows.
#[derive(Default)]
struct Catalog {
    live: BTreeMap<u64, (DocId, Vec<String>)>,
    versions: u64,
}

impl Catalog {
    fn take(&mut self, place: usize) -> Option<u64> {
        let version = self.live.keys().nth(place).copied()?;
        self.live.remove(&version);
        Some(version)
    }

    fn corpus(&self) -> Corpus {
        let pages = |(doc, texts): &(DocId, Vec<String>)| -> Vec<(PageId, Vec<Token>)> {
            let page =
                |(i, text): (usize, &String)| (PageId::new(doc.clone(), PageNumber::from_index(i)), tokens(text));
            texts.iter().enumerate().map(page).collect()
        };
        self.live.values().flat_map(pages).collect()
    }
}

fn play(history: &[Step], writer: &mut LexicalWriter) -> Catalog {
    let mut catalog = Catalog::default();
    for step in history {
        match step {
            Step::Add(pages) => {
                catalog.versions += 1;
                let version = catalog.versions;
                let doc = DocId::new(format!("doc-{}", version * 7 % 10));
                for (i, text) in pages.iter().enumerate() {
                    writer.add_page(version, PageNumber::from_index(i), text, "", Kinds::default()).unwrap();
                }
                catalog.live.retain(|_, (name, _)| *name != doc);
                catalog.live.insert(version, (doc, pages.clone()));
            }
            Step::Remove(place) => {
                if let Some(version) = catalog.take(*place) {
                    writer.delete_version(version).unwrap();
                }
            }
            Step::Forget(place) => drop(catalog.take(*place)),
            Step::Commit => writer.commit(catalog.versions).unwrap(),
        }
    }
    writer.commit(catalog.versions).unwrap();
    catalog
}

/// How often a term stands on a page; of two words with a space between, how often they stand side by side.
fn count(page: &[Token], term: &str) -> usize {
    let at = |term: &str| page.iter().filter(|t| t.term == term).map(|t| t.position).collect::<BTreeSet<u32>>();
    match term.split_once(' ') {
        None => at(term).len(),
        Some((left, right)) => {
            let right = at(right);
            at(left).into_iter().filter(|position| right.contains(&(position + 1))).count()
        }
    }
}

fn len(page: &[Token]) -> usize {
    page.iter().filter(|t| t.form.is_surface()).count()
}

/// The formula, page by page and term by term, in another order than the searcher's.
fn naive_score(corpus: &Corpus, page: &[Token], query: &[String]) -> f64 {
    let n = corpus.len() as f64;
    let average = corpus.values().map(|p| len(p)).sum::<usize>() as f64 / n;
    let one = |term: &String| {
        let df = corpus.values().filter(|p| count(p, term) > 0).count() as f64;
        let tf = count(page, term) as f64;
        let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
        idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * len(page) as f64 / average))
    };
    query.iter().map(one).filter(|share| *share > 0.0).sum()
}

fn naive_ranking(corpus: &Corpus, query: &[String], wanted: impl Fn(&[Token]) -> bool) -> Vec<(PageId, f64)> {
    let scored = corpus.iter().filter(|(_, p)| wanted(p)).map(|(id, p)| (id.clone(), naive_score(corpus, p, query)));
    let mut ranking: Vec<_> = scored.filter(|(_, score)| *score > 0.0).collect();
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    ranking
}

/// True if the page has the words in this order at positions that follow each other.
fn has_phrase(page: &[Token], phrase: &[String]) -> bool {
    let at = |position: u32, term: &String| page.iter().any(|t| t.position == position && t.term == *term);
    let starts = 0..len(page) as u32;
    !phrase.is_empty() && starts.into_iter().any(|s| phrase.iter().zip(s..).all(|(term, position)| at(position, term)))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Same scores in the same places; same pages but where neighbours differ by less than rounding.
fn assert_same(got: &recto_search::Ranking, want: &[(PageId, f64)]) {
    assert_eq!(got.0.len(), want.len());
    let score_of: BTreeMap<&PageId, f64> = want.iter().map(|(id, score)| (id, *score)).collect();
    for (hit, (id, score)) in got.0.iter().zip(want) {
        assert!(close(hit.score, *score), "{} {score}", hit.score);
        assert!(hit.page == *id || close(score_of[&hit.page], *score), "{} {id}", hit.page);
        assert!(close(hit.score, hit.parts.iter().map(|p| p.score).sum()), "{hit:?}");
    }
    let ordered =
        |a: &recto_search::Hit, b: &recto_search::Hit| a.score > b.score || (a.score == b.score && a.page < b.page);
    assert!(got.0.windows(2).all(|pair| ordered(&pair[0], &pair[1])));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn scores_and_order_equal_the_formula(
        history in history(), query in words(), phrase in excerpt(), excluded in excerpt(), some in prop::collection::btree_set(0..10_u64, 0..5),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = LexicalWriter::open(dir.path()).unwrap();
        let catalog = play(&history, &mut writer);
        let corpus = catalog.corpus();
        let live = catalog.live.iter().map(|(version, (doc, _))| (*version, doc.clone())).collect();
        let searcher = LexicalReader::open(dir.path()).unwrap().searcher(&live).unwrap();
        let terms = query_terms(&query);
        if terms.is_empty() {
            return Ok(());
        }

        let all = searcher.run(&Query::plain(&query), &Scope::All, 1000).unwrap();
        assert_same(&all, &naive_ranking(&corpus, &terms, |_| true));
        let three = searcher.run(&Query::plain(&query), &Scope::All, 3).unwrap();
        prop_assert_eq!(&three.0[..], &all.0[..all.0.len().min(3)]);

        let docs: BTreeSet<DocId> = some.iter().map(|i| DocId::new(format!("doc-{i}"))).collect();
        let within = searcher.run(&Query::plain(&query), &Scope::Documents(docs.clone()), 1000).unwrap();
        let kept: Vec<_> = all.0.iter().filter(|hit| docs.contains(&hit.page.doc)).cloned().collect();
        prop_assert_eq!(within.0, kept);

        let (phrase, excluded) = (cut(&corpus, phrase), cut(&corpus, excluded));
        let mut restricted = Query::plain(&query);
        restricted.phrases.extend([phrase.clone()].into_iter().filter(|p| !p.is_empty()));
        restricted.excluded.extend([excluded.clone()].into_iter().filter(|p| !p.is_empty()));
        let wanted = |p: &[Token]| (phrase.is_empty() || has_phrase(p, &phrase)) && !has_phrase(p, &excluded);
        assert_same(&searcher.run(&restricted, &Scope::All, 1000).unwrap(), &naive_ranking(&corpus, &terms, wanted));

        let prefixed = Query { prefixes: vec!["a".into()], ..Query::default() };
        let expanded: BTreeSet<String> = corpus.values().flatten().filter(|t| t.term.starts_with('a') && !t.term.contains(' ')).map(|t| t.term.clone()).collect();
        let want = naive_ranking(&corpus, &expanded.into_iter().collect::<Vec<_>>(), |_| true);
        assert_same(&searcher.run(&prefixed, &Scope::All, 1000).unwrap(), &want);
    }
}
