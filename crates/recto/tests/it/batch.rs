//! The batch contract, as `docs/batch.md` has it: whatever is wrong with a row, the others are served and the exit code is 0.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::desk::{Desk, Told, pdf};

const BUILD: [&str; 6] = ["batch", "build", "--corpus", "docs", "--index-dir", "ix"];
const RUN: [&str; 8] = ["batch", "run", "--index-dir", "ix", "--queries", "q.jsonl", "--output", "out/a.jsonl"];

/// A corpus of every kind of row.
fn corpus() -> Desk {
    let desk = Desk::with(&[
        ("lock.pdf", pdf(&["Canals of Harrow", "The toll at the Harrow lock is 35 crowns."])),
        ("scan.pdf", pdf(&["The bridge was opened in 1911.", ""])),
        ("broken.pdf", b"%PDF-1.7 and then nothing".to_vec()),
    ]);
    let rows = [
        json!({ "doc_id": "lock", "pdf": "lock.pdf", "unknown": { "fields": ["are", "ignored"] } }).to_string(),
        "{\"doc_id\": \"torn\", \"pages\": [\"".to_owned(),
        "[1, 2]".to_owned(),
        json!({ "doc_id": "gone", "pdf": "gone.pdf", "pages": ["", "The tower is 44 metres high."] }).to_string(),
        json!({ "doc_id": "broken", "pdf": "broken.pdf", "page_texts": [{ "page": 2, "text": "The pier is 85 metres long." }], "page_count": 3 })
            .to_string(),
        json!({ "document_id": "scan", "file": "scan.pdf", "text": ["not this", "The mill has 12 wheels."] }).to_string(),
        json!({ "id": 7, "page_texts": ["The ferry sails at 6:40."] }).to_string(),
        json!({ "doc_id": "lock", "pages": ["A second row for one document."] }).to_string(),
        json!({ "pages": ["a row without a name"] }).to_string(),
        json!({ "doc_id": "nothing" }).to_string(),
    ];
    desk.write("docs/records.jsonl", rows.join("\n"));
    desk
}

fn query(id: &str, doc: &str, question: &str) -> String {
    json!({ "query_id": id, "doc_id": doc, "question": question }).to_string()
}

fn queries() -> Vec<String> {
    vec![
        query("tower", "gone", "How high is the tower?"),
        query("toll", "lock", "What is the toll at the Harrow lock?"),
        query("pier", "broken", "How long is the pier?"),
        query("mill", "scan", "How many wheels does the mill have?"),
        query("bridge", "scan", "When was the bridge opened?"),
        query("salmon", "lock", "How many salmon were counted in 2019?"),
    ]
}

const RIGHT: [(&str, &str, &[u64]); 6] = [
    ("tower", "44", &[2]),
    ("toll", "35", &[2]),
    ("pier", "85", &[2]),
    ("mill", "12", &[2]),
    ("bridge", "1911", &[1]),
    ("salmon", "Not answerable", &[]),
];

/// Builds the index and answers these questions.
#[track_caller]
fn answered(desk: &Desk, queries: &[String]) -> (Vec<Value>, Told) {
    let told = desk.recto(&BUILD);
    assert_eq!((told.code, told.out.as_str()), (0, ""), "{told:?}");
    desk.write("q.jsonl", queries.join("\n"));
    let told = desk.recto(&RUN);
    assert_eq!((told.code, told.out.as_str()), (0, ""), "{told:?}");
    (rows(&desk.read("out/a.jsonl")), told)
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ids(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["query_id"].as_str().unwrap()).collect()
}

#[track_caller]
fn is_right(rows: &[Value]) {
    assert_eq!(ids(rows), RIGHT.map(|(id, ..)| id));
    for (row, (_, answer, pages)) in rows.iter().zip(RIGHT) {
        assert_eq!(row.as_object().unwrap().len(), 3, "{row}");
        assert!(row["answer"].as_str().unwrap().contains(answer), "{row}: {answer} is right");
        assert_eq!(row["pages"], json!(pages), "{row}");
    }
}

#[test]
fn records_with_broken_rows_missing_files_and_given_texts_are_served() {
    let desk = corpus();
    let told = desk.recto(&BUILD);
    assert_eq!(told.code, 0);
    for line in ["line 2:", "line 3:", "line 8: lock was there before", "line 9:", "line 10: nothing has neither"] {
        assert!(told.err.contains(line), "{line} is not in {}", told.err);
    }
    assert_eq!(desk.problems(), ["broken:-:damaged", "gone:-:missing_source"]);
    let status = desk.recto(&["status", "--index", "ix"]).out;
    for line in ["lock: 2 pages", "gone: 2 pages", "broken: 3 pages", "scan: 2 pages", "7: 1 page\n"] {
        assert!(status.contains(line), "{line} is not in {status}");
    }
    // Given texts serve only pages that have no text of their own.
    assert_eq!(desk.search("\"not this\""), Vec::<String>::new());
    let (rows, _) = answered(&desk, &queries());
    is_right(&rows);
}

#[test]
fn a_corpus_without_records_is_every_document_in_it() {
    let desk = Desk::with(&[
        ("deep/er/lock.pdf", pdf(&["The toll at the Harrow lock is 35 crowns."])),
        ("bad.pdf", b"no PDF".to_vec()),
        ("notes.txt", b"no document".to_vec()),
    ]);
    let (rows, _) = answered(&desk, &[query("toll", "deep/er/lock.pdf", "What is the toll at the Harrow lock?")]);
    assert_eq!(rows[0]["pages"], json!([1]), "{rows:?}");
    assert_eq!(desk.problems(), ["bad.pdf:-:not_a_pdf"]);
}

#[test]
fn broken_questions_are_declined_and_named() {
    let desk = corpus();
    let mut all = queries();
    all.insert(1, "{\"query_id\": \"torn\", \"doc_id\": \"lock\", \"quest".into());
    all.insert(2, query("unknown", "no such document", "How high is the tower?"));
    all.insert(3, json!({ "query_id": "mute", "doc_id": "lock" }).to_string());
    all.insert(4, query("empty", "lock", "   "));
    all.push(query("toll", "gone", "A second question of one name"));
    all.push("not JSON at all".into());
    all.push(json!({ "question": "Who am I?" }).to_string());
    let (rows, told) = answered(&desk, &all);
    let right = ["tower", "torn", "unknown", "mute", "empty", "toll", "pier", "mill", "bridge", "salmon"];
    assert_eq!(ids(&rows), right);
    for row in &rows[1..5] {
        assert_eq!((&row["answer"], &row["pages"]), (&json!("Not answerable"), &json!([])), "{row}");
    }
    let good: Vec<Value> = [&rows[..1], &rows[5..]].concat();
    is_right(&good);
    for line in ["line 2:", "line 4:", "line 11:", "line 12:", "line 13:", "unknown: ", "empty: "] {
        assert!(told.err.contains(line), "{line} is not in {}", told.err);
    }
}

#[test]
fn a_question_without_a_document_asks_the_whole_corpus() {
    let desk = corpus();
    let asked = json!({ "query_id": "q", "question": "How long is the pier?" }).to_string();
    let (rows, _) = answered(&desk, &[asked]);
    assert_eq!(rows[0]["pages"], json!([2]), "{rows:?}");
}

#[test]
fn a_torn_output_is_continued_and_ends_in_the_order_of_the_questions() {
    let desk = corpus();
    let done = json!({ "query_id": "mill", "answer": "kept from before", "pages": [1] });
    let foreign = json!({ "query_id": "foreign", "answer": "x", "pages": [1] });
    desk.write("out/a.jsonl", format!("{done}\n{foreign}\n\n{{\"query_id\": \"toll\", \"ans"));
    let (rows, _) = answered(&desk, &queries());
    assert_eq!(ids(&rows), RIGHT.map(|(id, ..)| id));
    assert_eq!(rows[3], done, "rows that were there are kept");
    assert_eq!(rows[1]["pages"], json!([2]), "the torn row is answered again");
    // Once more: nothing is left to do.
    let told = desk.recto(&RUN);
    assert!(told.code == 0 && told.err.contains("6 there already"), "{told:?}");
    assert_eq!(self::rows(&desk.read("out/a.jsonl")), rows);
    assert_eq!(fs::read_dir(desk.path("out")).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn questions_that_failed_are_tried_again_by_the_next_run() {
    let desk = corpus();
    let (rows, _) = answered(&desk, &[query("ferry", "late", "When does the ferry sail?")]);
    assert_eq!(rows[0]["answer"], "Not answerable");
    desk.write("docs/records.jsonl", json!({ "doc_id": "late", "pages": ["The ferry sails at 6:40."] }).to_string());
    let (rows, _) = answered(&desk, &[query("ferry", "late", "When does the ferry sail?")]);
    assert_eq!(rows[0]["pages"], json!([1]), "{rows:?}");
}

#[test]
fn a_deadline_that_has_passed_declines_what_is_left() {
    let desk = corpus();
    assert_eq!(desk.recto(&BUILD).code, 0);
    desk.write("q.jsonl", queries().join("\n"));
    let told = desk.recto(&[&RUN[..], &["--deadline", "0"]].concat());
    assert_eq!(told.code, 0, "{told:?}");
    let rows = rows(&desk.read("out/a.jsonl"));
    assert_eq!(ids(&rows), RIGHT.map(|(id, ..)| id));
    assert!(rows.iter().all(|row| row["answer"] == "Not answerable"), "{rows:?}");
    // With time at hand the next run answers them.
    assert_eq!(desk.recto(&RUN).code, 0);
    is_right(&self::rows(&desk.read("out/a.jsonl")));
}

#[test]
fn two_runs_at_once_over_one_index_give_the_same() {
    let desk = corpus();
    let many: Vec<String> = (0..40)
        .flat_map(|n| {
            queries().into_iter().map(move |row| row.replace("\"query_id\":\"", &format!("\"query_id\":\"{n}-")))
        })
        .collect();
    assert_eq!(desk.recto(&BUILD).code, 0);
    desk.write("q.jsonl", many.join("\n"));
    let outputs = ["one.jsonl", "two.jsonl"];
    let children = outputs.map(|output| {
        let arguments = [&RUN[..7], &[output]].concat();
        desk.command(&arguments).stderr(Stdio::null()).spawn().unwrap()
    });
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert_eq!(rows(&desk.read("one.jsonl")).len(), many.len());
    assert_eq!(desk.read("one.jsonl"), desk.read("two.jsonl"));
}

/// Only the index directory and the output's may be written, by a user without rights; the corpus is gone at the end.
#[test]
fn nothing_is_written_but_the_index_and_the_output() {
    const NOBODY: u32 = 65534;
    let desk = corpus();
    desk.write("q.jsonl", queries().join("\n"));
    // The program itself may stand where that user can't look.
    fs::copy(env!("CARGO_BIN_EXE_recto"), desk.path("recto")).unwrap();
    let root = desk.path(".");
    let is_root = fs::metadata(&root).unwrap().uid() == 0;
    for folder in ["ix", "out", "cache"] {
        fs::create_dir(desk.path(folder)).unwrap();
        if is_root {
            chown(desk.path(folder), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
    for locked in ["docs", "."] {
        fs::set_permissions(desk.path(locked), Permissions::from_mode(0o555)).unwrap();
    }
    let run = |arguments: &[&str]| {
        let mut command = Command::new(desk.path("recto"));
        command.args(arguments).current_dir(&root).env_clear().stdin(Stdio::null());
        command.env("HOME", "/nonexistent").env("XDG_CACHE_HOME", desk.path("cache")).env("TMPDIR", desk.path("cache"));
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output().unwrap()
    };
    let built = run(&BUILD);
    fs::set_permissions(&root, Permissions::from_mode(0o755)).unwrap();
    fs::rename(desk.path("docs"), desk.path("moved")).unwrap();
    fs::set_permissions(&root, Permissions::from_mode(0o555)).unwrap();
    let answered = run(&RUN);
    // So that the folder can be removed again.
    for locked in [".", "moved"] {
        fs::set_permissions(desk.path(locked), Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!((built.status.code(), answered.status.code()), (Some(0), Some(0)), "{built:?} {answered:?}");
    is_right(&rows(&desk.read("out/a.jsonl")));
}

#[test]
fn what_can_not_be_done_at_all_is_a_failure() {
    let desk = Desk::with(&[("notes.c", b"no document".to_vec())]);
    desk.write("q.jsonl", query("q", "d", "Who?"));
    for (arguments, code) in [
        (&["batch", "build", "--corpus", "nowhere", "--index-dir", "ix"][..], 2),
        (&BUILD[..], 1),
        (&RUN[..], 2),
        (&[&RUN[..], &["--deadline", "soon"]].concat(), 2),
    ] {
        let told = desk.recto(arguments);
        assert_eq!(told.code, code, "{arguments:?}: {told:?}");
        assert!(!told.err.is_empty());
    }
    assert!(!desk.path("out").exists());
}

/// Only answers are ever overwritten: neither the questions nor a file of something else.
#[test]
fn an_output_that_holds_something_else_is_refused() {
    let desk = corpus();
    let build = desk.recto(&["batch", "build", "--corpus", "docs", "--index-dir", "ix"]);
    assert_eq!(build.code, 0, "{build:?}");
    desk.write("q.jsonl", "{\"query_id\": \"a\", \"doc_id\": \"lock\", \"question\": \"How long is it?\"}\n");
    desk.write("notes.txt", "buy milk\n");
    for output in ["q.jsonl", "notes.txt", "/dev/null", "docs"] {
        let before = desk.path(output).is_file().then(|| desk.read(output));
        let told = desk.recto(&["batch", "run", "--index-dir", "ix", "--queries", "q.jsonl", "--output", output]);
        assert_eq!(told.code, 2, "{output}: {told:?}");
        assert_eq!(desk.path(output).is_file().then(|| desk.read(output)), before);
    }
}
