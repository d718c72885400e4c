//! Several word indexes searched as one give the ranking of one index that holds all, bit for bit.

use std::collections::BTreeMap;

use proptest::prelude::*;
use recto_page::{DocId, PageNumber};
use recto_search::{Kinds, LexicalReader, LexicalWriter, Query, Scope, Searcher};

/// The words of a page.
fn page() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "net",
        "income",
        "incomes",
        "rose",
        "total",
        "assets",
        "of",
        "the",
        "AB-12",
        "2021",
        "1.2 million",
        "Table 3",
        "fell",
    ]);
    prop::collection::vec(word, 0..14).prop_map(|words| words.join(" "))
}

/// Documents, and which of three indexes each is in.
fn corpus() -> impl Strategy<Value = Vec<(usize, Vec<String>)>> {
    prop::collection::vec((0..3_usize, prop::collection::vec(page(), 1..5)), 1..9)
}

struct Index {
    dir: tempfile::TempDir,
    live: BTreeMap<u64, DocId>,
}

/// An index of documents, which keep their names; every other one is there in an older version too.
fn index<'d>(documents: impl Iterator<Item = (usize, &'d Vec<String>)>) -> Index {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    let (mut live, mut version) = (BTreeMap::new(), 0);
    for (n, pages) in documents {
        for old in [n % 2 == 0, false] {
            version += 1;
            for (at, text) in pages.iter().enumerate() {
                let text = if old { "net income of old" } else { text };
                writer
                    .add_page(
                        version,
                        PageNumber::from_index(at),
                        text,
                        "",
                        if at % 2 == 0 { Kinds::TABLE } else { Kinds::default() },
                    )
                    .unwrap();
            }
        }
        writer.commit(version).unwrap();
        live.insert(version, DocId::new(format!("doc-{}", n * 7 % 10)));
    }
    writer.commit(version + 1).unwrap();
    writer.close().unwrap();
    Index { dir, live }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn rankings_are_those_of_one_index(corpus in corpus(), query in page(), k in 1..30_usize) {
        let documents = || corpus.iter().enumerate().map(|(n, (part, pages))| (n, *part, pages));
        let whole = index(documents().map(|(n, _, pages)| (n, pages)));
        let parts: Vec<Index> =
            (0..3).map(|wanted| index(documents().filter(|(_, part, _)| *part == wanted).map(|(n, _, pages)| (n, pages)))).collect();
        let read = |index: &Index| LexicalReader::open(index.dir.path()).unwrap();
        let one = read(&whole).searcher(&whole.live).unwrap();
        let readers: Vec<LexicalReader> = parts.iter().map(read).collect();
        let indexes: Vec<_> = readers.iter().zip(&parts).map(|(reader, part)| (reader, &part.live)).collect();
        let joined = Searcher::over(&indexes).unwrap();
        let some = Scope::Documents(whole.live.values().take(2).cloned().collect());
        for query in [Query::plain(&query), Query::parse(&format!("{query} inc* -fell"))] {
            if query.is_empty() {
                continue;
            }
            for scope in [&Scope::All, &some] {
                prop_assert_eq!(one.run(&query, scope, k).unwrap(), joined.run(&query, scope, k).unwrap());
                prop_assert_eq!(one.run_weighed(&query, scope, k).unwrap(), joined.run_weighed(&query, scope, k).unwrap());
            }
        }
    }
}
