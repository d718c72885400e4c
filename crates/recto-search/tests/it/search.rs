//! Which pages are found for which query.

use recto_search::{Kinds, LexicalWriter, Query, Scope, Search, SearchError};

use crate::{add, page, pages, run, scope, searcher};

#[track_caller]
fn check(query: &str, want: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    add(
        &mut writer,
        1,
        &[
            "The order AB-1234 was shipped on 2021-03-05 for 12,345.67 euros.",
            "The orders 1234 and AB were shipped in 2021, in March, on the 5th day of it.",
            "Net income rose. Infor-\nmation on income, net of tax.",
            "日本の東京都庁は新宿にある。",
            "京都の東にある。",
            "Café amortisation, amortised and amortising",
        ],
    );
    writer.commit(1).unwrap();
    assert_eq!(pages(&run(&searcher(dir.path(), &[(1, "d")]), query)), want, "{query}");
}

#[test]
fn words_identifiers_and_scripts() {
    check("AB-1234", &["d:1", "d:2"]);
    check("2021-03-05", &["d:1", "d:2"]);
    check("12345.67", &["d:1"]);
    check("information", &["d:3"]);
    check("cafe", &["d:6"]);
    check("東京", &["d:4"]);
    check("京", &["d:5", "d:4"]);
    check("nothing of this", &["d:3", "d:2"]);
    check("zzz", &[]);
}

#[test]
fn operators() {
    check("\"net income\"", &["d:3"]);
    check("\"income net\"", &["d:3"]);
    check("\"net of income\"", &[]);
    check("\"東京都\"", &["d:4"]);
    check("\"ab 1234\"", &["d:1"]);
    check("shipped -orders", &["d:1"]);
    check("shipped -AB-1234", &["d:2"]);
    check("amort*", &["d:6"]);
    check("shipped \"in march\"", &["d:2"]);
}

#[test]
fn scopes_limits_and_empty_queries() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    add(&mut writer, 1, &["apple", "apple pear"]);
    add(&mut writer, 2, &["apple"]);
    writer.add_page(3, page(1), "apple", "", Kinds::default()).unwrap();
    writer.commit(1).unwrap();
    let searcher = searcher(dir.path(), &[(1, "b"), (2, "a")]);
    let search = |text, scope: &Scope, k| pages(&searcher.search(text, scope, k).unwrap());
    assert_eq!(search("apple", &Scope::All, 10), ["a:1", "b:1", "b:2"]);
    assert_eq!(search("apple", &Scope::All, 2), ["a:1", "b:1"]);
    assert_eq!(search("apple", &Scope::All, 0), Vec::<String>::new());
    assert_eq!(search("apple", &Scope::All, usize::MAX).len(), 3);
    assert_eq!(search("apple", &scope(&["b", "zzz"]), 10), ["b:1", "b:2"]);
    assert_eq!(search("apple", &scope(&[]), 10), Vec::<String>::new());
    for query in ["", "?!", "\"\"", "-apple", "*"] {
        assert!(matches!(searcher.run(&Query::parse(query), &Scope::All, 10), Err(SearchError::EmptyQuery)), "{query}");
    }
    assert!(matches!(searcher.search(" \n", &Scope::All, 10), Err(SearchError::EmptyQuery)));
}

#[test]
fn a_searcher_can_be_shared_by_threads() {
    const fn shared<T: Send + Sync>() {}
    shared::<recto_search::Searcher>();
}
