//! Routes of vectors: what is encoded and when, what is found by them, and what happens when things go wrong. The
//! encoders are a user's own small networks, or a server on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use recto_fixture::{Page, Pdf};
use serde_json::{Value, json};

use crate::desk::{Desk, Told, pdf};
use crate::server;

/// A folder with an encoder of three numbers: `red` is 3 4 0, `fox` is 0 0 5, and pictures are what their colours are.
fn encoder(desk: &Desk, name: &str, more: &str) {
    let networks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../recto-model/tests/it/encoders");
    for file in ["text.onnx", "patches.onnx"] {
        desk.write(&format!("{name}/{file}"), fs::read(networks.join(file)).unwrap());
    }
    desk.write(&format!("{name}/vocab.txt"), "[PAD]\n[CLS]\n[SEP]\n[UNK]\nred\nfox\n");
    let text = r#""text": {"model": "text.onnx", "vocabulary": "vocab.txt", "max_tokens": 8}"#;
    let described = format!(r#"{{"name": "{name}", "dim": 3, "pooling": "mean", {text}{more}}}"#);
    desk.write(&format!("{name}/encoder.json"), described);
}

const PICTURES: &str = r#", "image": {"model": "patches.onnx", "dpi": 36, "width": 2, "height": 2, "mean": [0, 0, 0],
    "deviation": [1, 1, 1]}"#;

/// A desk with the encoder `mine` and these documents.
fn desk(files: &[(&str, Vec<u8>)]) -> Desk {
    let desk = Desk::with(files);
    encoder(&desk, "mine", "");
    desk
}

const ROUTES: [&str; 4] = ["--routes", "bm25,dense,late", "--encoder", "mine"];

fn index(desk: &Desk, more: &[&str]) -> Value {
    desk.json(0, &[&["index", "docs"], more].concat())
}

/// The pages that a route finds, as `document:page`.
#[track_caller]
fn found(desk: &Desk, route: &str, query: &str) -> Vec<String> {
    let rows = desk.json(0, &["search", query, "--route", route]);
    let place = |row: &Value| format!("{}:{}", row["document"].as_str().unwrap(), row["page"]);
    rows.as_array().unwrap().iter().map(place).collect()
}

/// The files of vectors, by route and name.
fn files(desk: &Desk) -> Vec<PathBuf> {
    let folder = |path: PathBuf| fs::read_dir(path).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = folder(desk.path("ix/vectors")).flat_map(folder).collect();
    files.sort();
    files
}

#[track_caller]
fn is_whole(desk: &Desk) {
    let doctor = desk.recto(&["doctor", "--verify", "--index", "ix"]);
    assert_eq!(doctor.code, 0, "{doctor:?}");
}

#[track_caller]
fn says(told: &Told, code: i32, words: &str) {
    assert_eq!(told.code, code, "{told:?}");
    assert!(told.err.contains(words), "{words:?} is not in {told:?}");
}

#[test]
fn each_route_ranks_by_its_own_evidence() {
    let desk = desk(&[("a.pdf", pdf(&["red red", "fox fox", "red fox"])), ("b.pdf", pdf(&["nothing of it"]))]);
    let told = index(&desk, &ROUTES);
    assert_eq!(told["routes"], json!({ "dense": true, "late": true }));
    for route in ["dense", "late"] {
        assert_eq!(found(&desk, route, "fox")[..2], ["a.pdf:2", "a.pdf:3"], "{route}");
        assert_eq!(found(&desk, route, "red")[0], "a.pdf:1", "{route}");
    }
    for route in ["hybrid", "bm25+dense", "bm25+dense+late"] {
        assert_eq!(found(&desk, route, "fox")[0], "a.pdf:2", "{route}");
        assert_eq!(desk.json(0, &["search", "fox", "--route", route, "--doc", "b.pdf"])[0]["document"], "b.pdf");
    }
    for route in ["hybrid", "bm25+dense+late"] {
        let row = &desk.json(0, &["search", "fox", "--route", route])[0];
        let shares = row["shares"].as_array().unwrap();
        for name in ["bm25", "dense", "late"] {
            assert!(shares.iter().any(|share| share["name"] == name), "{route}: {shares:?}");
        }
        let sum: f64 = shares.iter().map(|share| share["score"].as_f64().unwrap()).sum();
        assert!((sum - row["score"].as_f64().unwrap()).abs() < 1e-12, "{route}: {row}");
    }
    says(&desk.recto(&["search", "fox", "--route", "page", "--index", "ix"]), 2, "--routes bm25,page");
    says(&desk.recto(&["search", "fox", "--route", "smell", "--index", "ix"]), 2, "smell");
    is_whole(&desk);
}

/// Two indexes searched as one rank as the one that holds all, vectors included; where one of them lacks a route, the other
/// is not asked by it.
#[test]
fn several_indexes_with_vectors_are_searched_as_one() {
    let desk = desk(&[]);
    for (folder, name, texts) in [
        ("north", "a.pdf", ["red red", "fox fox", "red fox fox"]),
        ("south", "b.pdf", ["fox fox fox", "red red red fox", "nothing of it"]),
    ] {
        desk.write(&format!("{folder}/{name}"), pdf(&texts));
        desk.write(&format!("all/{name}"), pdf(&texts));
    }
    let indexed = |folder: &str, name: &str| {
        let told = desk.recto(&[&["index", folder, "--index", name], &ROUTES[..]].concat());
        assert_eq!(told.code, 0, "{told:?}");
    };
    indexed("all", "ix");
    indexed("north", "n");
    indexed("south", "s");
    let found = |route: &str, query: &str, indexes: &[&str]| -> Vec<(String, Value)> {
        let named = indexes.iter().flat_map(|index| ["--index", *index]);
        let told =
            desk.recto(&["search", query, "--json", "--route", route].into_iter().chain(named).collect::<Vec<_>>());
        assert_eq!(told.code, 0, "{told:?}");
        let rows: Value = serde_json::from_str(&told.out).unwrap();
        let row =
            |row: &Value| (format!("{}:{}", row["document"].as_str().unwrap(), row["page"]), row["score"].clone());
        rows.as_array().unwrap().iter().map(row).collect()
    };
    for route in ["hybrid", "dense", "late", "bm25+dense"] {
        for query in ["red", "fox", "red fox"] {
            let one = found(route, query, &["ix"]);
            assert!(one.len() >= 5, "{route}, {query}: {one:?}");
            assert_eq!(found(route, query, &["n", "s"]), one, "{route}, {query}");
        }
    }
    let told = desk.recto(&["index", "south", "--index", "words"]);
    assert_eq!(told.code, 0, "{told:?}");
    let told = desk.recto(&["search", "fox", "--route", "dense", "--index", "n", "--index", "words"]);
    says(&told, 2, "--routes bm25,dense");
    assert!(found("hybrid", "fox", &["n", "words"]).len() >= 4);
}

/// A text of several windows: the page is found by its best one, which comes back with it.
#[test]
fn the_window_comes_back_as_the_snippet() {
    let desk = desk(&[("a.pdf", pdf(&["red red red red\nred red red red\nred red fox fox\nfox fox fox fox"]))]);
    index(&desk, &ROUTES);
    let rows = desk.json(0, &["search", "fox", "--route", "dense"]);
    let text = desk.recto(&["page", "a.pdf", "1", "--index", "ix"]).out;
    let at = |n: usize| rows[0]["window"][["start", "end"][n]].as_u64().unwrap() as usize;
    assert_eq!(text[at(0)..at(1)].split_whitespace().collect::<Vec<_>>(), ["fox"; 6]);
    assert_eq!(rows[0]["snippet"], "fox fox fox fox fox fox");
}

/// Fixture 40, with vectors (paperless-ngx#7393, LightRAG PR#2135): the same bytes under two names, the same name with
/// new bytes, a rename, a deletion.
#[test]
fn fixture_40_copies_new_bytes_renames_and_deletions_with_vectors() {
    let bytes = pdf(&["red red", "fox fox"]);
    let desk = desk(&[("a.pdf", bytes.clone()), ("b.pdf", bytes), ("c.pdf", pdf(&["red fox"]))]);
    index(&desk, &ROUTES);
    assert_eq!(desk.problems(), ["b.pdf:-:duplicate"]);
    assert_eq!(found(&desk, "dense", "fox"), ["a.pdf:2", "c.pdf:1", "a.pdf:1"]);
    let before = files(&desk);
    // A rename keeps the vectors: nothing is encoded.
    fs::rename(desk.path("docs/c.pdf"), desk.path("docs/d.pdf")).unwrap();
    assert_eq!(index(&desk, &[])["renamed"], 1);
    assert_eq!((found(&desk, "dense", "fox")[1].as_str(), files(&desk)), ("d.pdf:1", before.clone()));
    // New bytes replace the old ones, of which nothing is found; what is unchanged is not encoded again.
    desk.write("docs/d.pdf", pdf(&["fox fox fox"]));
    index(&desk, &[]);
    for route in ["dense", "late"] {
        assert_eq!(found(&desk, route, "fox").len(), 3, "{route}");
        assert!(found(&desk, route, "fox").contains(&"d.pdf:1".into()), "{route}");
    }
    is_whole(&desk);
    // The first of the copies goes: its pages are found under the other's name.
    fs::remove_file(desk.path("docs/a.pdf")).unwrap();
    index(&desk, &["--prune"]);
    assert_eq!(found(&desk, "dense", "red").len(), 3);
    assert!(found(&desk, "late", "red").contains(&"b.pdf:1".into()));
    fs::remove_file(desk.path("docs/b.pdf")).unwrap();
    index(&desk, &["--prune"]);
    assert_eq!(found(&desk, "dense", "red"), ["d.pdf:1"]);
    is_whole(&desk);
    // Nothing is left of what is gone, once another update has looked.
    index(&desk, &[]);
    assert!(before.iter().all(|file| !files(&desk).contains(file)), "{before:?}");
}

#[test]
fn what_is_unchanged_is_not_encoded_again() {
    let desk = desk(&[("a.pdf", pdf(&["red red"]))]);
    index(&desk, &ROUTES);
    let first = files(&desk);
    let commit = desk.json(0, &["status"])["commit"].clone();
    index(&desk, &[]);
    index(&desk, &ROUTES);
    assert_eq!((files(&desk), &desk.json(0, &["status"])["commit"]), (first.clone(), &commit));
    desk.write("docs/b.pdf", pdf(&["fox"]));
    index(&desk, &[]);
    let second = files(&desk);
    assert!(first.iter().all(|file| second.contains(file)) && second.len() == first.len() + 2, "{second:?}");
    is_whole(&desk);
}

#[test]
fn a_route_can_be_added_and_removed_later() {
    let desk = desk(&[("a.pdf", pdf(&["red red", "fox fox"]))]);
    let told = desk.json(0, &["index", "docs", "--routes", "bm25"]);
    assert_eq!((&told["routes"], files(&desk).len()), (&json!({}), 0));
    says(&desk.recto(&["search", "fox", "--route", "dense", "--index", "ix"]), 2, "bm25,dense");
    // By the next update, and without a path.
    index(&desk, &["--routes", "bm25,dense", "--encoder", "dense=mine"]);
    assert_eq!(found(&desk, "dense", "fox")[0], "a.pdf:2");
    desk.json(0, &["index", "--reindex", "late", "--encoder", "late=mine"]);
    assert_eq!(found(&desk, "late", "fox")[0], "a.pdf:2");
    is_whole(&desk);
    let status = desk.json(0, &["status"]);
    let names: Vec<&str> = status["routes"].as_array().unwrap().iter().map(|r| r["route"].as_str().unwrap()).collect();
    assert_eq!(names, ["dense", "late"]);
    says(&desk.recto(&["index", "docs", "--routes", "late", "--index", "ix"]), 0, "dense");
    says(&desk.recto(&["search", "fox", "--route", "dense", "--index", "ix"]), 2, "bm25,dense");
    index(&desk, &[]);
    assert!(files(&desk).iter().all(|file| file.to_string_lossy().contains("late")), "{:?}", files(&desk));
    is_whole(&desk);
}

#[test]
fn vectors_of_two_encoders_never_mix() {
    let desk = desk(&[("a.pdf", pdf(&["red red", "fox fox"]))]);
    encoder(&desk, "other", r#", "prefix": {"page": "red "}"#);
    index(&desk, &["--routes", "bm25,dense", "--encoder", "mine"]);
    let mixed = ["--encoder", "other", "--index", "ix"];
    let command = "`recto index --reindex dense`";
    says(&desk.recto(&[&["index", "docs"], &mixed[..]].concat()), 2, command);
    says(&desk.recto(&[&["search", "fox", "--route", "dense"], &mixed[..]].concat()), 2, command);
    // The same files under the same name that are not what they were.
    encoder(&desk, "mine", r#", "prefix": {"page": "fox "}"#);
    says(&desk.recto(&["search", "fox", "--route", "hybrid", "--index", "ix"]), 2, command);
    desk.write("docs/b.pdf", pdf(&["fox"]));
    says(&desk.recto(&["index", "docs", "--index", "ix"]), 2, command);
    // Words are found all the same.
    assert_eq!(found(&desk, "bm25", "fox"), ["a.pdf:2"]);
    desk.json(0, &["index", "docs", "--reindex", "dense"]);
    assert_eq!(found(&desk, "dense", "fox").len(), 3);
    is_whole(&desk);
}

#[test]
fn a_damaged_file_of_vectors_is_named_and_made_anew() {
    let desk = desk(&[("a.pdf", pdf(&["red red", "fox fox"]))]);
    index(&desk, &ROUTES);
    let [dense, late] = files(&desk).try_into().unwrap();
    let mut bytes = fs::read(&dense).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&dense, bytes).unwrap();
    fs::remove_file(&late).unwrap();
    let doctor = desk.recto(&["doctor", "--verify", "--index", "ix"]);
    assert_eq!(doctor.code, 3);
    for file in [&dense, &late] {
        assert!(doctor.out.contains(file.file_name().unwrap().to_str().unwrap()), "{doctor:?}");
    }
    assert_eq!(found(&desk, "bm25", "fox"), ["a.pdf:2"]);
    says(&desk.recto(&["search", "fox", "--route", "late", "--index", "ix"]), 1, "recto index --reindex late");
    for route in ["dense", "late"] {
        desk.json(0, &["index", "docs", "--reindex", route]);
        assert_eq!(found(&desk, route, "fox")[0], "a.pdf:2");
    }
    is_whole(&desk);
}

#[test]
fn what_no_commit_names_is_removed_by_the_next_writer() {
    let desk = desk(&[("a.pdf", pdf(&["red red"]))]);
    index(&desk, &ROUTES);
    let right = files(&desk);
    desk.write("ix/vectors/dense/0123.seg", "left by a crash");
    desk.write("ix/vectors/page/4567.tmp", "left by a crash");
    assert_eq!(found(&desk, "dense", "red"), ["a.pdf:1"]);
    index(&desk, &[]);
    assert_eq!(files(&desk), right);
}

/// Many updates leave few files, and what is found is the same.
#[test]
fn small_files_are_made_one() {
    let desk = desk(&[]);
    for n in 1..=9 {
        desk.write(&format!("docs/{n}.pdf"), pdf(&[&"fox ".repeat(n), "red"]));
        index(&desk, &ROUTES);
        is_whole(&desk);
        assert_eq!(found(&desk, "late", "fox").len(), (2 * n).min(10));
    }
    index(&desk, &[]);
    assert_eq!(files(&desk).len(), 4, "{:?}", files(&desk));
    assert_eq!(desk.json(0, &["search", "fox", "--route", "dense", "-k", "100"]).as_array().unwrap().len(), 18);
}

/// A page of one colour.
fn colour(red: f32, green: f32, blue: f32) -> Page {
    Page::new().size(200.0, 200.0).fill([red, green, blue]).rect(0.0, 0.0, 200.0, 200.0)
}

fn colours() -> Vec<u8> {
    Pdf::new().pages([colour(1.0, 0.0, 0.0), colour(0.0, 1.0, 0.0), colour(0.0, 0.0, 1.0)]).to_bytes()
}

/// Pages are drawn for encoders of pictures: one vector for each, or one for each patch.
#[test]
fn a_users_network_ranks_pictures_of_pages() {
    let desk = Desk::with(&[("a.pdf", colours())]);
    encoder(&desk, "seeing", PICTURES);
    let routes = ["--routes", "page,late", "--encoder", "page=seeing", "--encoder", "late=seeing", "--ocr", "never"];
    desk.json(3, &[&["index", "docs"], &routes[..]].concat());
    assert_eq!(found(&desk, "page", "fox"), ["a.pdf:3", "a.pdf:1", "a.pdf:2"]);
    assert_eq!(found(&desk, "late", "fox")[0], "a.pdf:3");
    assert_eq!(found(&desk, "late", "red")[0], "a.pdf:2");
    // Nothing is found by words; the pictures alone rank.
    assert_eq!(found(&desk, "hybrid", "fox")[0], "a.pdf:3");
    is_whole(&desk);
}

/// Pages without a file have no picture: they are there, without vectors.
#[test]
fn a_page_without_a_picture_is_no_reason_to_stop() {
    let desk = Desk::with(&[("a.pdf", colours())]);
    encoder(&desk, "seeing", PICTURES);
    desk.write(
        "docs/records.jsonl",
        "{\"doc_id\": \"given\", \"pages\": [\"the red fox\"]}\n{\"doc_id\": \"a\", \"pdf\": \"a.pdf\"}\n",
    );
    let build = ["batch", "build", "--corpus", "docs", "--index-dir", "ix", "--ocr", "never"];
    let told = desk.recto(&[&build[..], &["--routes", "page", "--encoder", "page=seeing"]].concat());
    assert_eq!(told.code, 0, "{told:?}");
    assert_eq!(found(&desk, "page", "fox").len(), 3);
    is_whole(&desk);
}

/// A server that embeds: asked in batches, with the key from the environment; what it refuses is made up for later.
#[test]
fn a_server_encodes_texts_and_pictures() {
    let server = server::start();
    let desk = Desk::with(&[("a.pdf", pdf(&["red red", "fox fox"])), ("b.pdf", colours())]);
    let dense = format!("dense={}/v1/embeddings#model=m&dim=3&batch=2", server.url);
    let page = format!("page={}/chat/embeddings#model=m&dim=3&api=chat&dpi=36", server.url);
    let late = format!("late={}/pooling#model=m&dim=3", server.url);
    let encoders = ["--encoder", &dense, "--encoder", &page, "--encoder", &late];
    let arguments =
        [&["index", "docs", "--index", "ix", "--ocr", "never", "--routes", "dense,late,page"], &encoders[..]].concat();
    // Without the key it refuses: the words are there, the routes are not, and that is said.
    let told = desk.recto(&arguments);
    says(&told, 3, "the route dense is not complete");
    assert!(!told.err.contains(server::KEY) && found(&desk, "bm25", "fox") == ["a.pdf:2"], "{told:?}");
    says(&desk.recto(&["search", "fox", "--route", "dense", "--index", "ix"]), 2, "dense");
    is_whole(&desk);
    let with_key = |arguments: &[&str]| {
        let output = desk.command(arguments).env("RECTO_ENCODER_KEY", server::KEY).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Told { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    };
    let told = with_key(&["index", "docs", "--index", "ix", "--ocr", "never"]);
    assert!(!told.err.contains("not complete"), "{told:?}");
    for (route, first) in [("dense", "a.pdf:2"), ("late", "a.pdf:2"), ("page", "a.pdf:1")] {
        let told = with_key(&["search", "fox", "--route", route, "--index", "ix", "--json"]);
        let rows: Value = serde_json::from_str(&told.out).unwrap_or_else(|_| panic!("{told:?}"));
        assert_eq!(format!("{}:{}", rows[0]["document"].as_str().unwrap(), rows[0]["page"]), first, "{route}");
        assert_eq!(rows.as_array().unwrap().len(), if route == "page" { 5 } else { 2 }, "{route}");
    }
    is_whole(&desk);
    for file in fs::read_dir(desk.path("ix")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file())
    {
        let bytes = fs::read(&file).unwrap();
        assert!(!bytes.windows(server::KEY.len()).any(|part| part == server::KEY.as_bytes()), "{}", file.display());
    }
}

#[test]
fn encoders_are_read_from_the_configuration_file() {
    let desk = desk(&[("a.pdf", pdf(&["red red", "fox fox"]))]);
    desk.write("recto.toml", "routes = \"bm25,dense,late\"\n[encoder]\ndense = \"mine\"\nlate = \"mine\"\n");
    assert_eq!(index(&desk, &[])["routes"], json!({ "dense": true, "late": true }));
    assert_eq!(found(&desk, "dense", "fox")[0], "a.pdf:2");
    desk.write("recto.toml", "[encoder]\ndense = 5\n");
    says(&desk.recto(&["index", "docs", "--index", "ix"]), 2, "encoder.dense");
    desk.write("recto.toml", "[encoder]\nlate = \"potion\"\n");
    says(&desk.recto(&["index", "docs", "--index", "ix"]), 2, "late");
}
