//! Pages that a query names: by the number printed on them, by counting, by what is told on first pages; and pages with the
//! figure or table that is named.

use recto_page::PageNumber;
use recto_search::{Kinds, LexicalWriter, Query, Scope};

use crate::{pages, scope, searcher};

/// Enough words that what stands in the middle is at no edge.
fn filled(middle: &str) -> String {
    format!("{} {middle} {}", "river bank ".repeat(12), "mill race ".repeat(12))
}

/// The pages that are found in a document of these (heading, text), which is not the only one.
fn found(query: &str, texts: &[(&str, String)], scope: &Scope) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    for version in [1, 2] {
        for (at, (heading, text)) in texts.iter().enumerate() {
            writer.add_page(version, PageNumber::from_index(at), text, heading, Kinds::default()).unwrap();
        }
    }
    writer.commit(1).unwrap();
    let searcher = searcher(dir.path(), &[(1, "d"), (2, "e")]);
    pages(&searcher.run_weighed(&Query::plain(query), scope, 99).unwrap())
}

#[track_caller]
fn check(query: &str, texts: &[(&str, String)], want: &str) {
    assert_eq!(found(query, texts, &scope(&["d"]))[0], want, "{query}");
}

/// Ten pages; from the third on each has a number in its footer, beginning with 1, and the fourth many in its text.
fn numbered() -> Vec<(&'static str, String)> {
    let footer = |n: usize| if n < 2 { String::new() } else { format!("Annual Report of the Mill {}", n - 1) };
    let text = |n: usize| filled(if n == 3 { "crowns 5 5 5 5 7 8 page" } else { "crowns" }) + &footer(n);
    (0..10).map(|n| ("", text(n))).collect()
}

#[test]
fn a_page_is_named_by_the_number_printed_on_it() {
    check("How many crowns are on page 5?", &numbered(), "d:7");
    check("How many crowns are on page five?", &numbered(), "d:7");
    // None has these printed on it: they are counted.
    check("How many crowns are on page 10?", &numbered(), "d:10");
    let plain: Vec<_> = (0..10).map(|_| ("", filled("crowns 5 5 page"))).collect();
    check("How many crowns are on page 5?", &plain, "d:5");
    // What only says how to answer names no page.
    check("Where are 7 and 8? Answer like ['Page 5']", &numbered(), "d:4");
}

#[test]
fn two_pages_of_a_book_on_a_sheet() {
    let sheets: Vec<_> = (1..9).map(|n| ("", format!("{} {} {} Mills", filled("crowns"), 2 * n, 2 * n + 1))).collect();
    check("How many crowns are on page 9?", &sheets, "d:4");
    check("How many crowns are on page 8?", &sheets, "d:4");
}

#[test]
fn pages_are_named_by_their_places() {
    for (query, want) in [
        ("Who is on the cover?", "d:1"),
        ("What is the title of the report?", "d:1"),
        ("crowns on the last page", "d:10"),
        ("crowns on the second last page", "d:9"),
        ("crowns on the third slide", "d:3"),
    ] {
        check(query, &numbered(), want);
    }
    // Of a whole corpus, every document has such a page.
    assert_eq!(found("page 5", &numbered(), &Scope::All)[0], "d:4");
}

#[test]
fn the_caption_of_what_is_named_comes_before_its_mentions() {
    let mention = "as Table 1-1 and Figure 2 tell in chapter 4, prices of barges in table 1-1 and figure 2";
    let texts = [
        ("", filled(mention)),
        ("Table 1-1 Tolls", filled("Table 1-1 Tolls")),
        ("Fig. 2: Barges in a row", filled("Fig. 2: Barges in a row")),
        ("3.4 Locks", filled("3.4 Locks")),
        ("", filled("section 3.4 of the prices, section 3.4 of barges")),
    ];
    check("prices of barges in Table 1-1", &texts, "d:2");
    check("prices of barges in figure 2", &texts, "d:3");
    check("prices of barges in section 3.4", &texts, "d:4");
    check("prices of barges in chapter 4", &texts, "d:1");
}
