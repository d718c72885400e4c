//! The files in `samples/`: made by this crate, and their questions answered where they say.

use crate::reader::texts;
use std::collections::BTreeMap;
use std::fs;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/");

#[test]
fn stored_files_are_what_the_code_makes() {
    for (name, bytes) in recto_fixture::samples::all() {
        let stored = fs::read(format!("{FOLDER}{name}")).unwrap();
        assert!(stored == bytes, "{name} differs: run the example `samples` and look at its pages");
    }
}

#[test]
fn questions_are_answered_on_their_pages() {
    let documents: BTreeMap<&str, Vec<String>> =
        recto_fixture::samples::all().into_iter().map(|(name, bytes)| (name, texts(bytes, "").unwrap())).collect();
    let questions = fs::read_to_string(format!("{FOLDER}questions.jsonl")).unwrap();
    let mut unanswered = 0;
    for line in questions.lines() {
        let question: serde_json::Value = serde_json::from_str(line).unwrap();
        let Some(document) = question["doc"].as_str() else {
            assert!(question["pages"].is_null() && question["answer"] == "Not answerable", "{line}");
            unanswered += 1;
            continue;
        };
        let page = question["pages"][0].as_u64().unwrap() as usize;
        let text = documents[document][page - 1].replace('|', "");
        let answer = question["answer"].as_str().unwrap();
        // The unit may stand elsewhere; the Chinese font has no map to text; one value is only in its field.
        let core = answer.split(' ').find(|word| *word != "€").unwrap();
        let by_eye = document == "scanned-letter.pdf" || document == "water-guide-zh.pdf" || core == "CC-4471";
        assert!(by_eye || text.contains(core), "{line}\n{text}");
    }
    assert_eq!(unanswered, 2);
}
