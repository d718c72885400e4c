//! The best few are those of a sum over all pages, bit for bit, in a corpus that is larger than what is looked at at once:
//! many blocks of postings, several segments, dead pages, equal scores.

use std::collections::BTreeMap;

use recto_page::{DocId, PageNumber};
use recto_search::{Kinds, LexicalReader, LexicalWriter, Query, Ranking, Scope, Searcher};

use crate::scope;

const DOCUMENTS: u64 = 60;
const PAGES: usize = 100;
const VOCABULARY: usize = 400;
/// What many pages say.
const EQUAL: &str = "bal bal gem rom";

/// Numbers from a seed (Marsaglia's xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    /// Low numbers come much more often.
    fn word(&mut self) -> usize {
        let most = 1 + self.below(VOCABULARY);
        let most = 1 + self.below(most);
        self.below(most)
    }

    fn words(&mut self, n: usize) -> Vec<String> {
        (0..n).map(|_| word(self.word())).collect()
    }
}

/// One of so many words of three letters, which have no other forms and make no pairs.
fn word(number: usize) -> String {
    let letter = |of: &str, at: usize| char::from(of.as_bytes()[at % of.len()]);
    let [first, last] = ["bcdfghjklmnpqrtvwxyz", "lmnr"];
    [letter(first, number / 20), letter("aeiou", number), letter(last, number / 5)].iter().collect()
}

/// Texts of all pages by document; every tenth document is there twice, and some pages are all alike.
fn texts() -> BTreeMap<String, Vec<String>> {
    let mut numbers = Numbers(7);
    let mut page = |at: usize| {
        let n = 5 + numbers.below(40);
        if at.is_multiple_of(17) { EQUAL.to_owned() } else { numbers.words(n).join(" ") }
    };
    (0..DOCUMENTS).map(|doc| (format!("doc-{doc:02}"), (0..PAGES).map(&mut page).collect())).collect()
}

fn index(dir: &std::path::Path, texts: &BTreeMap<String, Vec<String>>) -> Searcher {
    let mut writer = LexicalWriter::open(dir).unwrap();
    let mut live = BTreeMap::new();
    for (version, (doc, pages)) in texts.iter().enumerate() {
        // An old version of every fourth that only the catalog knows to be dead, and one that the index knows, too.
        for (old, text) in [(1_000, "bal bel bil"), (2_000, "bal bal gem"), (0, "")] {
            if old > 0 && version % 4 > 0 {
                continue;
            }
            for (at, page) in pages.iter().enumerate() {
                let kinds = if at.is_multiple_of(3) { Kinds::TABLE } else { Kinds::default() };
                let text = if old > 0 { text } else { page };
                writer.add_page(version as u64 + old, PageNumber::from_index(at), text, "", kinds).unwrap();
            }
        }
        if version % 20 == 19 {
            writer.commit(version as u64).unwrap();
        }
        live.insert(version as u64, DocId::new(doc));
    }
    for version in (0..DOCUMENTS).filter(|version| version.is_multiple_of(4)) {
        writer.delete_version(version + 2_000).unwrap();
    }
    writer.commit(DOCUMENTS).unwrap();
    writer.close().unwrap();
    LexicalReader::open(dir).unwrap().searcher(&live).unwrap()
}

/// How often each word stands on a page, and how many words it has.
fn counted(text: &str) -> (BTreeMap<&str, f64>, f64) {
    let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
    text.split(' ').for_each(|word| *counts.entry(word).or_default() += 1.0);
    (counts, text.split(' ').count() as f64)
}

/// The formula, page by page.
fn assert_scores(ranking: &Ranking, texts: &BTreeMap<String, Vec<String>>, query: &Query) {
    let pages: BTreeMap<(&str, usize), _> = texts
        .iter()
        .flat_map(|(doc, pages)| {
            pages.iter().enumerate().map(move |(at, text)| ((doc.as_str(), at + 1), counted(text)))
        })
        .collect();
    let n = pages.len() as f64;
    let average = pages.values().map(|(_, length)| length).sum::<f64>() / n;
    let idf: BTreeMap<&str, f64> = query
        .terms
        .keys()
        .map(|term| {
            let df = pages.values().filter(|(counts, _)| counts.contains_key(term.as_str())).count() as f64;
            (term.as_str(), (1.0 + (n - df + 0.5) / (df + 0.5)).ln())
        })
        .collect();
    let score = |(counts, length): &(BTreeMap<&str, f64>, f64)| -> f64 {
        let share = |(term, idf): (&&str, &f64)| {
            let tf = counts.get(term).copied().unwrap_or_default();
            f64::from(query.terms[*term]) * idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / average))
        };
        idf.iter().map(share).sum()
    };
    let found = pages.values().filter(|page| score(page) > 0.0).count();
    assert_eq!(ranking.0.len(), found);
    for hit in &ranking.0 {
        let want = score(&pages[&(hit.page.doc.as_str(), hit.page.page.get() as usize)]);
        assert!((hit.score - want).abs() <= 1e-9 * want, "{:?} {want}", hit.page);
        assert_eq!(hit.score, hit.parts.iter().map(|part| part.score).sum::<f64>(), "parts sum to the score, exactly");
    }
    let ordered = |a: &recto_search::Hit, b: &recto_search::Hit| (b.score, &a.page) < (a.score, &b.page);
    assert!(ranking.0.windows(2).all(|pair| ordered(&pair[0], &pair[1])));
}

#[test]
fn the_best_few_are_those_of_all() {
    let dir = tempfile::tempdir().unwrap();
    let texts = texts();
    let searcher = index(dir.path(), &texts);
    let mut numbers = Numbers(99);
    let scopes = [Scope::All, scope(&["doc-03", "doc-04", "doc-55"]), scope(&["zzz"])];
    let mut compared = 0;
    for round in 0..24 {
        let n = 1 + round % 12;
        let words = numbers.words(n);
        let plain = Query::plain(&words.join(" "));
        assert_scores(&searcher.run(&plain, &Scope::All, usize::MAX).unwrap(), &texts, &plain);
        let queries = [
            Query { kinds: Kinds::TABLE, ..plain.clone() },
            Query::parse(&format!("{} \"bal bel\" -bol", words.join(" "))),
            Query::parse(&format!("{} c*", words.join(" "))),
            Query::plain(EQUAL),
            Query {
                terms: [("bal bel".to_owned(), 2), ("bel bal".to_owned(), 1), (words[0].clone(), 1)].into(),
                ..plain.clone()
            },
            plain,
        ];
        for (query, scope) in queries.iter().flat_map(|query| scopes.iter().map(move |scope| (query, scope))) {
            let all = searcher.run(query, scope, usize::MAX).unwrap();
            for k in [0, 1, 7, 10, 200, all.0.len()] {
                let best = searcher.run(query, scope, k).unwrap();
                assert_eq!(best.0, all.0[..k.min(all.0.len())], "{query:?} {k}");
                compared += best.0.len();
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}
