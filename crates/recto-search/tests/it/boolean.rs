//! Which pages a query of AND, OR, NOT and wildcards means, over several segments and dead versions.

use recto_search::{Boolean, LexicalWriter, Scope, Searcher};

use crate::{add, pages, scope, searcher};

/// Three live documents in two segments, and an old version of one.
fn index(dir: &std::path::Path) -> Searcher {
    let mut writer = LexicalWriter::open(dir).unwrap();
    add(&mut writer, 1, &["old words about tax"]);
    add(&mut writer, 2, &["Net income of the mill", "Income tax was paid", "The goldberg and the women of AB-1234"]);
    writer.commit(1).unwrap();
    add(&mut writer, 3, &["Net profit, no income at all", "Amortisation of goodwill in 2021"]);
    add(&mut writer, 4, &["tax tax tax"]);
    writer.commit(2).unwrap();
    searcher(dir, &[(2, "mill"), (3, "plant"), (4, "zoo")])
}

#[test]
fn pages_are_meant_exactly() {
    let dir = tempfile::tempdir().unwrap();
    let searcher = index(dir.path());
    let check = |query: &str, want: &[&str]| {
        let query = Boolean::parse(query).unwrap();
        let meant: Vec<String> = searcher
            .meant(&query, &Scope::All)
            .unwrap()
            .iter()
            .map(|page| format!("{}:{}", page.doc, page.page))
            .collect();
        assert_eq!(meant, want, "{query:?}");
        let mut ranked = pages(&searcher.run_boolean(&query, &Scope::All, 100).unwrap());
        ranked.sort();
        assert_eq!(ranked, want, "{query:?}");
    };
    check("net income", &["mill:1", "plant:1"]);
    check("\"net income\"", &["mill:1"]);
    check("income NOT tax", &["mill:1", "plant:1"]);
    check("profit OR tax", &["mill:2", "plant:1", "zoo:1"]);
    check("(profit OR tax) AND income", &["mill:2", "plant:1"]);
    check("amort* 202?", &["plant:2"]);
    check("wom?n *berg", &["mill:3"]);
    check("AB-1234 AND the", &["mill:3"]);
    check("zebra", &[]);
    check("zeb*", &[]);
    assert_eq!(searcher.n_pages(), 6);
}

#[test]
fn the_best_come_first_within_a_scope() {
    let dir = tempfile::tempdir().unwrap();
    let searcher = index(dir.path());
    let query = Boolean::parse("tax OR income").unwrap();
    let ranked = searcher.run_boolean(&query, &Scope::All, 1).unwrap();
    assert_eq!(pages(&ranked), ["mill:2"]);
    let tax = Boolean::parse("tax").unwrap();
    assert_eq!(pages(&searcher.run_boolean(&tax, &Scope::All, 10).unwrap()), ["zoo:1", "mill:2"]);
    assert_eq!(pages(&searcher.run_boolean(&tax, &scope(&["mill"]), 10).unwrap()), ["mill:2"]);
    assert_eq!(searcher.meant(&tax, &scope(&["plant"])).unwrap(), []);
}
