//! What helps people and agents to find pages: other spellings, other ways to write amounts and dates, pages by their names
//! and kinds, several indexes at once, a model that looks twice.

use recto_fixture::{Answer, ModelServer, Pdf};
use serde_json::{Value, json};

use crate::desk::{Desk, page, pdf};

fn places(rows: &Value) -> Vec<String> {
    let place = |row: &Value| format!("{}:{}", row["document"].as_str().unwrap(), row["page"]);
    rows.as_array().unwrap().iter().map(place).collect()
}

#[test]
fn a_word_that_no_page_has_is_searched_for_as_it_may_be_meant_and_that_is_said() {
    let desk = Desk::with(&[("a.pdf", pdf(&["Maintenance of the spillway gates", "The seal kit KX-4471 fits"]))]);
    desk.index(0);
    let told = desk.recto(&["search", "maintenence", "--index", "ix"]);
    assert!(told.out.contains("a.pdf, page 1"), "{told:?}");
    assert!(told.err.contains("showing pages for maintenance; search \"maintenence\" instead?"), "{told:?}");
    let rows = desk.json(0, &["search", "maintenence of gates"]);
    assert_eq!(rows[0]["corrections"], json!([{ "typed": "maintenence", "instead": "maintenance" }]));
    // Forms of known words, what is quoted or excluded, and identifiers stay as they are.
    for query in
        ["maintenances of gates", "\"maintenence\" gates", "gates -maintenence", "gates KX-4472", "gates maintenenc*"]
    {
        let rows = desk.json(0, &["search", query]);
        assert_eq!(places(&rows).first().map(String::as_str).unwrap_or("a.pdf:1"), "a.pdf:1", "{query}");
        assert!(rows.as_array().unwrap().iter().all(|row| row["corrections"].is_null()), "{query}: {rows}");
    }
    assert_eq!(desk.search("\"maintenence\""), Vec::<String>::new());
    assert_eq!(desk.search("KX-4472"), ["a.pdf:2"], "its first part is found, its second not mended");
}

#[test]
fn words_that_name_pages_are_not_taken_for_misspelt() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The left side of the weir", "The right side of the weir"]))]);
    desk.index(0);
    let rows = desk.json(0, &["search", "second slide", "--doc", "a.pdf"]);
    assert_eq!(places(&rows), ["a.pdf:2"]);
    assert!(rows[0]["corrections"].is_null(), "{rows}");
}

#[test]
fn amounts_and_dates_are_found_however_they_are_written() {
    let desk = Desk::with(&[(
        "a.pdf",
        pdf(&[
            "Sales rose to 1.2 million euros.",
            "The dam was opened on 5 March 2021.",
            "The share fell to 12 per cent.",
            "Results of the third quarter of 2023.",
            "Sales, dam, share and results are words of this page; 2021, 12, 2023, 3, 5 are its numbers.",
        ]),
    )]);
    desk.index(0);
    for (query, found) in [
        ("1,200,000", 1),
        ("1200000", 1),
        ("$1.2m", 1),
        ("2021-03-05", 2),
        ("March 5, 2021", 2),
        ("05.03.2021", 2),
        ("12%", 3),
        ("12 percent", 3),
        ("Q3 2023", 4),
        ("3Q23", 4),
    ] {
        assert_eq!(desk.search(query)[0], format!("a.pdf:{found}"), "{query}");
    }
}

#[test]
fn pages_are_found_by_their_printed_label_and_by_their_number() {
    let text = ["Preface", "Thanks", "Contents", "Foreword", "The mill", "The weir", "The lock"];
    let file = Pdf::new().pages(text.into_iter().map(page)).label(0, "/S /r").label(4, "/S /D").to_bytes();
    let desk = Desk::with(&[("a.pdf", file)]);
    desk.index(0);
    for (query, found) in [("page iii", "a.pdf:3"), ("what is on page iv", "a.pdf:4"), ("page 2", "a.pdf:6")] {
        let rows = desk.json(0, &["search", query]);
        assert_eq!(places(&rows)[0], found, "{query}: {rows}");
        assert!(rows[0]["shares"].as_array().unwrap().iter().any(|share| share["name"] == "named"), "{rows}");
    }
}

#[test]
fn a_search_can_be_limited_to_pages_of_a_kind() {
    let grid = (0..4_u8).fold(page("Costs of the mill"), |page, n| {
        let at = 100.0 * f32::from(n);
        let (x, y) = (100.0 + at, 700.0 - 0.3 * at);
        page.line([x, 610.0], [x, 700.0], 1.0).line([100.0, y], [400.0, y], 1.0)
    });
    let cells = (0..9_u8).fold(grid, |page, n| {
        page.text_at(110.0 + 100.0 * f32::from(n % 3), 680.0 - 30.0 * f32::from(n / 3), 10.0, &format!("mill {n}"))
    });
    let desk = Desk::with(&[("a.pdf", Pdf::new().page(page("The mill")).page(cells).to_bytes())]);
    desk.index(0);
    let found = |kind| places(&desk.json(0, &["search", "mill", "--kind", kind]));
    assert_eq!(found("table"), ["a.pdf:2"]);
    assert_eq!(found("scan"), Vec::<String>::new());
    let told = desk.recto(&["search", "mill", "--kind", "smell", "--index", "ix"]);
    assert!(told.code == 2 && told.err.contains("table, figure and scan"), "{told:?}");
}

/// Several indexes give what one with all the documents gives; a name that two of them have is made unique, and the same
/// file is found once.
#[test]
fn several_indexes_are_searched_as_one() {
    let (mill, weir) =
        (pdf(&["The mill was built in 1911", "A mill race"]), pdf(&["The weir and the mill", "The lock"]));
    let files = [("north/mill.pdf", &mill), ("north/both.pdf", &pdf(&["Mill and lock"])), ("south/weir.pdf", &weir)];
    let desk = Desk::new();
    for (name, bytes) in files {
        desk.write(&format!("all/{name}"), bytes);
        desk.write(name, bytes);
    }
    let index = |folder: &str, name: &str| assert_eq!(desk.recto(&["index", folder, "--index", name]).code, 0);
    index("all", "ix");
    index("north", "n");
    index("south", "s");
    let several = |more: &[&str]| -> Value {
        let told =
            desk.recto(&[&["search", "mill lock built", "--json", "--index", "n", "--index", "s"], more].concat());
        assert_eq!(told.code, 0, "{told:?}");
        serde_json::from_str(&told.out).unwrap()
    };
    for route in ["bm25", "hybrid"] {
        let one = desk.json(0, &["search", "mill lock built", "--route", route]);
        let rows = several(&["--route", route]);
        let scores = |rows: &Value| -> Vec<(String, Value)> {
            let row = |row: &Value| (row["snippet"].as_str().unwrap().to_owned(), row["score"].clone());
            rows.as_array().unwrap().iter().map(row).collect()
        };
        assert_eq!(scores(&one), scores(&rows), "{route}");
        assert_eq!(rows[0]["index"], "n", "{rows}");
    }
    assert_eq!(places(&several(&["--doc", "weir.pdf"])), ["weir.pdf:2", "weir.pdf:1"]);
    // The same name with other bytes; the same bytes with another name.
    desk.write("south/mill.pdf", pdf(&["Another mill"]));
    desk.write("south/copy.pdf", &mill);
    index("south", "s");
    let found = places(&several(&[]));
    assert!(found.contains(&"mill.pdf:1".into()) && found.contains(&"s/mill.pdf:1".into()), "{found:?}");
    assert!(!found.iter().any(|place| place.starts_with("copy.pdf")), "{found:?}");
    assert_eq!(places(&several(&["--doc", "copy.pdf"])), ["mill.pdf:1", "mill.pdf:2"]);
    let told = desk.recto(&["status", "--index", "n", "--index", "s"]);
    assert!(told.code == 2 && told.err.contains("only `recto search`"), "{told:?}");
}

#[test]
fn a_reranker_orders_the_first_pages_and_a_broken_one_leaves_them() {
    let desk = Desk::with(&[(
        "a.pdf",
        pdf(&["The mill, the mill", "The mill of the town", "A mill with a long text about it"]),
    )]);
    desk.index(0);
    let server = ModelServer::start(|asked| {
        let results = |(index, text): (usize, &Value)| {
            let score = if text.as_str().unwrap().contains("town") { 0.9 } else { 0.1 };
            json!({ "index": index, "relevance_score": score })
        };
        let documents = asked.body["documents"].as_array().cloned().unwrap_or_default();
        let results: Vec<Value> = documents.iter().enumerate().map(results).collect();
        Answer::new(200, json!({ "results": results }).to_string())
    })
    .unwrap();
    let plain = places(&desk.json(0, &["search", "mill"]));
    assert_eq!(plain[0], "a.pdf:1");
    let reranker = format!("{}/rerank#model=m", server.url());
    let rows = desk.json(0, &["search", "mill", "--rerank", &reranker]);
    assert_eq!(places(&rows)[0], "a.pdf:2", "{rows}");
    assert!(rows[0]["shares"].as_array().unwrap().iter().any(|share| share["name"] == "rerank"), "{rows}");
    let asked = server.asked();
    assert_eq!((&asked[0].body["model"], &asked[0].body["query"]), (&json!("m"), &json!("mill")));
    // Whoever ranks pages asks it.
    desk.write(
        "q.jsonl",
        r#"{"id":"1","question":"mill","document":"a.pdf","evidence":[{"document":"a.pdf","page":2}]}"#,
    );
    let run = ["bench", "run", "--index", "ix", "--set", "madqa:q.jsonl", "--system", "hybrid", "--out", "run"];
    let told = desk.recto(&[&run[..], &["--rerank", &reranker]].concat());
    assert_eq!((told.code, server.asked().len()), (0, 2), "{told:?}");
    let broken = ModelServer::of(vec![Answer::new(400, "no")]).unwrap();
    let reranker = format!("{}/rerank#model=m", broken.url());
    let told = desk.recto(&["search", "mill", "--index", "ix", "--json", "--rerank", &reranker]);
    assert_eq!((told.code, places(&serde_json::from_str(&told.out).unwrap())), (0, plain));
    assert!(told.err.contains("not reranked"), "{told:?}");
}
