//! What searches find, and that they find nothing where nothing is.

use recto_fixture::{Font, Page, Pdf};

use crate::desk::{Desk, page, pdf};

/// quant-mind PR#146, mem0#4884.
#[test]
fn words_that_no_page_has_find_nothing_and_say_so() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The weir was repaired.", "The lock was not."]))]);
    desk.index(0);
    assert_eq!(desk.search("zeppelin quaternion"), Vec::<String>::new());
    let told = desk.recto(&["search", "zeppelin quaternion", "--index", "ix"]);
    assert_eq!((told.code, told.out.as_str()), (0, ""));
    assert!(told.err.contains("no page matches"), "{told:?}");
}

/// Bamboo-agent PR#243.
#[test]
fn queries_without_a_word_are_errors_and_never_everything() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The weir was repaired in 1958.", "The lock was not."]))]);
    desk.index(0);
    for query in ["", "   ", "?!", "...", "\"\"", "*", "-weir"] {
        let told = desk.recto(&["search", "--index", "ix", "--", query]);
        assert_eq!((told.code, told.out.as_str()), (2, ""), "{query:?}: {told:?}");
        assert!(told.err.contains("no word to search for"), "{query:?}: {told:?}");
    }
    // A word that every page has is a word: it finds those pages, and no other.
    assert_eq!(desk.search("the").len(), 2);
    assert_eq!(desk.search("of"), Vec::<String>::new());
}

/// cherry-studio PR#17511.
#[test]
fn chinese_words_are_found_whole_and_in_parts() {
    let font = Font::chinese("F2");
    let text = |text| Page::new().text(&font, 72.0, 700.0, 12.0, text);
    let file = Pdf::new().page(text("公司二零二四年的利润增长")).page(text("员工人数没有变化")).to_bytes();
    let desk = Desk::with(&[("a.pdf", file)]);
    desk.index(0);
    for query in ["利润", "利", "润"] {
        assert_eq!(desk.search(query), ["a.pdf:1"], "{query}");
    }
}

/// openclaw#25183, arcana PR#170, semantic-router PR#3989, for word search.
#[test]
fn the_only_page_with_an_identifier_comes_first_and_scores_are_made_of_the_words_that_are_there() {
    let common = "The pump housing and the pump seal are checked every year.";
    let mut pages = vec![common; 30];
    pages[17] = "Order the seal kit under the number KX-4471-B.";
    let desk = Desk::with(&[("a.pdf", pdf(&pages))]);
    desk.index(0);
    let query = ["search", "pump housing KX-4471-B", "-k", "50", "--route"];
    let rows = desk.json(0, &[&query[..], &["hybrid"]].concat());
    let rows = rows.as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["page"]), (30, &18.into()));
    for row in rows {
        let shares = row["shares"].as_array().unwrap().iter().map(|share| share["score"].as_f64().unwrap());
        assert!((shares.sum::<f64>() - row["score"].as_f64().unwrap()).abs() < 1e-6, "{row}");
    }
    let rows = desk.json(0, &[&query[..], &["bm25"]].concat());
    let rows = rows.as_array().unwrap();
    assert_eq!((rows.len(), &rows[0]["page"]), (30, &18.into()));
    for row in rows {
        let parts = row["parts"].as_array().unwrap();
        let terms: Vec<&str> = parts.iter().map(|part| part["term"].as_str().unwrap()).collect();
        let scores: Vec<f64> = parts.iter().map(|part| part["score"].as_f64().unwrap()).collect();
        assert!(scores.iter().all(|score| *score > 0.0), "{row}");
        assert!((scores.iter().sum::<f64>() - row["score"].as_f64().unwrap()).abs() < 1e-6, "{row}");
        if row["page"] == 18 {
            assert!(terms.contains(&"kx-4471-b") && !terms.contains(&"pump"), "{row}");
        } else {
            let words = terms.iter().flat_map(|term| term.split(' '));
            assert!(words.into_iter().all(|word| ["pump", "housing"].contains(&word)), "{row}");
        }
    }
}

/// qmd#976.
#[test]
fn one_misspelt_word_of_five_does_not_hide_the_page() {
    let desk = Desk::with(&[(
        "a.pdf",
        pdf(&[
            "The reservoir supplies the town with drinking water.",
            "Maintenance of the spillway gates begins in October each year.",
            "Water levels in October were low, and the town saved water.",
        ]),
    )]);
    desk.index(0);
    assert_eq!(desk.search("maintenence of spillway gates october")[0], "a.pdf:2");
}

/// xberg#1345, xberg#1397: phrases are found within a column, not across.
#[test]
fn phrases_are_found_within_a_column() {
    let rows = [
        ("The river rises in the hills", "Below the dam the valley is"),
        ("north of the town. A dam was", "wide and flat. Meadows on"),
        ("built of local stone in the", "both banks are flooded in"),
        ("year 1911. It holds enough", "most springs. The houses"),
        ("water for one dry summer", "stand on the terrace and"),
        ("and was raised in 1958.", "stay dry all year round."),
    ];
    let columns = rows.into_iter().zip(0_u8..).fold(Page::new(), |page, ((left, right), at)| {
        let y = 700.0 - 14.0 * f32::from(at);
        page.text_at(72.0, y, 11.0, left).text_at(320.0, y, 11.0, right)
    });
    let desk = Desk::with(&[("a.pdf", Pdf::new().page(columns).to_bytes())]);
    desk.index(0);
    for (query, found) in [
        ("\"dam was built of local stone\"", true),
        ("\"Meadows on both banks are flooded\"", true),
        ("\"A dam was wide and flat\"", false),
        ("\"stone in the both banks\"", false),
    ] {
        assert_eq!(!desk.search(query).is_empty(), found, "{query}");
    }
}

/// xberg#1613, xberg#1581.
#[test]
fn words_broken_at_line_ends_are_found_in_every_form() {
    let broken = "Spending on long-\nterm storage needs infor-\nmation from pre- and post-war surveys.";
    let desk = Desk::with(&[("a.pdf", Pdf::new().page(page(broken)).page(page("Nothing of the kind")).to_bytes())]);
    desk.index(0);
    for query in ["long-term", "\"long-term storage\"", "long", "term", "information", "pre-war", "post-war", "war"] {
        assert_eq!(desk.search(query), ["a.pdf:1"], "{query}");
    }
}

/// xberg#398: snippets are never cut inside a character.
#[test]
fn snippets_of_text_in_characters_of_several_bytes() {
    let texts: Vec<String> = (180..220).map(|n| format!("{} needle {}", "é".repeat(n), "水".repeat(400 - n))).collect();
    let record = serde_json::json!({ "doc_id": "d", "pages": texts });
    let desk = Desk::new();
    desk.write("docs/records.jsonl", record.to_string());
    assert_eq!(desk.recto(&["batch", "build", "--corpus", "docs", "--index-dir", "ix"]).code, 0);
    let rows = desk.json(0, &["search", "needle", "-k", "100"]);
    assert_eq!(rows.as_array().unwrap().len(), texts.len());
    for row in rows.as_array().unwrap() {
        let (snippet, matched) = (row["snippet"].as_str().unwrap(), &row["matches"][0]);
        let [start, end] = ["start", "end"].map(|key| matched[key].as_u64().unwrap() as usize);
        assert_eq!(snippet.get(start..end), Some("needle"), "{row}");
    }
}
