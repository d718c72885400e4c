//! `recto bench`: what is measured is right, a run that is killed goes on, and results of no use are refused by line.

use serde_json::{Value, json};

use crate::desk::{Desk, Told, pdf};

const RUN: [&str; 6] = ["bench", "run", "--set", "items.jsonl", "--documents", "docs"];

fn item(id: &str, question: &str, doc: &str, page: u32, answer: &str) -> String {
    let pages = if page == 0 { json!([]) } else { json!([{ "doc": doc, "page": page }]) };
    json!({ "id": id, "question": question, "answer": answer, "docs": [doc], "pages": pages }).to_string()
}

/// Two documents and four questions, one without an answer.
fn desk() -> Desk {
    let desk = Desk::with(&[
        ("lock.pdf", pdf(&["Canals of Harrow", "The toll at the Harrow lock is 35 crowns.", "Nothing of note."])),
        ("tower.pdf", pdf(&["The tower is 44 metres high.", "The tower was opened in 1911."])),
    ]);
    let items = [
        item("toll", "What is the toll at the Harrow lock?", "lock.pdf", 2, "35"),
        item("high", "How high is the tower?", "tower", 1, "44"),
        item("year", "When was the tower opened?", "tower.pdf", 2, "1911"),
        item("fish", "How many salmon were counted?", "lock.pdf", 0, "Not answerable"),
    ];
    desk.write("items.jsonl", items.join("\n") + "\n");
    desk
}

#[track_caller]
fn run(desk: &Desk, code: i32, more: &[&str]) -> Told {
    let told = desk.recto(&[&RUN, more].concat());
    assert_eq!(told.code, code, "{more:?}: {told:?}");
    told
}

#[track_caller]
fn score(desk: &Desk, code: i32, more: &[&str]) -> Value {
    let told = desk.recto(&[&["bench", "score", "--json"], more].concat());
    assert_eq!(told.code, code, "{more:?}: {told:?}");
    serde_json::from_str(&told.out).unwrap_or_else(|error| panic!("{error} in {told:?}"))
}

fn values(scores: &Value) -> Vec<Value> {
    scores["measures"].as_array().unwrap().iter().map(|of| of["value"].clone()).collect()
}

#[test]
fn a_route_and_an_answerer_are_measured() {
    let desk = desk();
    run(&desk, 0, &["--system", "bm25", "--out", "bm25"]);
    let scores = score(&desk, 0, &["bm25", "-m", "R@1", "-m", "MRR@10"]);
    assert_eq!(values(&scores), [json!(1.0), json!(1.0)]);
    assert_eq!(scores["measures"][0]["n"], 3, "the item without pages is not scored");
    let answers = score(&desk, 0, &["bm25", "-m", "ANLS"]);
    assert_eq!((&answers["measures"][0]["value"], &answers["measures"][0]["n"]), (&Value::Null, &json!(0)));
    run(&desk, 0, &["--system", "offline", "--out", "offline"]);
    let scores = score(&desk, 0, &["offline", "-m", "R@1", "-m", "PageF1", "-m", "ANLS"]);
    // "35 crowns" and "44 metres" are longer than what is right, "1911" is right, and so is the decline.
    assert_eq!(values(&scores), [json!(1.0), json!(1.0), json!(0.5)]);
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let desk = desk();
    run(&desk, 0, &["--system", "offline", "--out", "whole"]);
    run(&desk, 0, &["--system", "offline", "--out", "torn"]);
    let whole = desk.read("whole/results.jsonl");
    let half: String = whole.split_inclusive('\n').skip(2).collect();
    desk.write("torn/results.jsonl", &half[..half.len() - 9]);
    let told = run(&desk, 0, &["--system", "offline", "--out", "torn"]);
    assert!(told.err.contains("3 items asked"), "{told:?}");
    assert_eq!(desk.read("torn/results.jsonl"), whole);
}

#[test]
fn a_folder_holds_one_run() {
    let desk = desk();
    run(&desk, 0, &["--system", "bm25", "--out", "out", "--limit", "2", "--seed", "a"]);
    let told = run(&desk, 1, &["--system", "offline", "--out", "out"]);
    assert!(told.err.contains("another configuration"), "{told:?}");
    assert_eq!(score(&desk, 0, &["out", "-m", "R@1"])["n_items"], 2);
}

#[test]
fn items_without_a_row_count_as_nothing() {
    let desk = desk();
    desk.write("theirs.jsonl", r#"{"id":"toll","outcome":"done","ranking":[{"doc":"lock.pdf","page":2,"score":1.0}]}"#);
    let scores = score(&desk, 3, &["theirs.jsonl", "--set", "items.jsonl", "-m", "R@1"]);
    assert_eq!(values(&scores), [json!(1.0 / 3.0)]);
    assert_eq!(scores["missing"], json!(["high", "year", "fish"]));
}

#[test]
fn results_of_no_use_are_refused_by_file_and_line() {
    let right = r#"{"id":"toll","outcome":"done"}"#;
    for (second, why) in [
        (right, "toll"),
        (r#"{"id":"tolls","outcome":"done"}"#, "tolls"),
        (r#"{"id":"high","outcome":"done","confidence":NaN}"#, "at column 44"),
        (r#"{"id":"high","outcome":"done","pages":[{"doc":"tower","page":0}]}"#, "nonzero"),
        (r#"{"id":"high","outcome":"done","answer":{"text":"44"}}"#, "a text or a list of texts"),
        (r#"{"id":"high","outc"#, "EOF"),
    ] {
        let desk = desk();
        desk.write("theirs.jsonl", format!("{right}\n{second}\n"));
        let told = desk.recto(&["bench", "score", "theirs.jsonl", "--set", "items.jsonl", "-m", "R@1"]);
        assert_eq!(told.code, 1, "{second}: {told:?}");
        assert!(told.err.contains("theirs.jsonl:2"), "{second}: {told:?}");
        assert!(told.err.contains(why), "{second}: {told:?}");
    }
}

#[test]
fn documents_that_the_index_lacks_fail_by_name() {
    let desk = desk();
    desk.write("items.jsonl", item("lost", "How deep is the well?", "well.pdf", 1, "9") + "\n");
    let told = run(&desk, 3, &["--system", "bm25", "--out", "out"]);
    assert!(told.err.contains("well.pdf"), "{told:?}");
    assert_eq!(values(&score(&desk, 3, &["out", "-m", "R@1"])), [json!(0.0)]);
}

#[test]
fn answers_are_judged_once_by_whoever_replies() {
    let desk = desk();
    run(&desk, 0, &["--system", "offline", "--out", "out"]);
    let judge = |code: i32, more: &[&str]| {
        let told = desk.recto(&[&["bench", "judge", "out", "--by", "mmlb-v2"], more].concat());
        assert_eq!(told.code, code, "{more:?}: {told:?}");
        told
    };
    let measures = ["out", "-m", "Judged(by=mmlb-v2)", "-m", "Judged-F1(by=mmlb-v2)"];
    assert_eq!(values(&score(&desk, 0, &measures)), [Value::Null, Value::Null], "not judged is no zero");
    judge(0, &["--prompts", "prompts.jsonl"]);
    let prompts = desk.read("prompts.jsonl");
    let prompts: Vec<Value> = prompts.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(prompts.len(), 4);
    let reply = |prompt: &Value, equivalent: bool| {
        let user = prompt["prompt"]["user"].as_str().unwrap();
        let abstained = user.contains("salmon");
        let reply = json!({ "equivalent": equivalent, "abstained": abstained, "reason": "so" }).to_string();
        json!({ "key": prompt["key"], "reply": reply }).to_string()
    };
    desk.write("some.jsonl", prompts[..3].iter().map(|prompt| reply(prompt, true) + "\n").collect::<String>());
    assert!(judge(3, &["--replies", "some.jsonl", "--respondent", "me"]).err.contains("1 without a reply"));
    let scores = score(&desk, 0, &measures);
    assert_eq!((&scores["measures"][0]["n"], &scores["measures"][1]["value"]), (&json!(3), &Value::Null));
    desk.write("all.jsonl", prompts.iter().map(|prompt| reply(prompt, false) + "\n").collect::<String>());
    assert!(judge(0, &["--replies", "all.jsonl", "--respondent", "me"]).err.contains("1 answer judged"));
    assert_eq!(values(&score(&desk, 0, &measures))[0], json!(0.75), "what was judged stays");
    let told = desk.recto(&["bench", "judge", "docs", "--by", "mmlb-v2", "--replies", "all.jsonl"]);
    assert!(told.err.contains("docs: no run is there (no config.json"), "{told:?}");
    assert!(desk.recto(&["bench", "judge", "out", "--by", "me", "--replies", "all.jsonl"]).err.contains("madqa"));
}

#[test]
fn citations_are_judged_by_pictures_of_their_places() {
    let desk = desk();
    run(&desk, 0, &["--system", "offline", "--out", "out"]);
    let judge = |code: i32, more: &[&str]| {
        let told = desk.recto(&[&["bench", "judge", "out", "--by", "frb-box"], more].concat());
        assert_eq!(told.code, code, "{more:?}: {told:?}");
        told
    };
    judge(0, &["--prompts", "ask/prompts.jsonl"]);
    let prompts: Vec<Value> =
        desk.read("ask/prompts.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(prompts.len(), 3, "what was declined cites nothing");
    for prompt in &prompts {
        let file = prompt["files"][0].as_str().unwrap();
        let picture = std::fs::read(desk.path(&format!("ask/{file}"))).unwrap();
        assert!(picture.starts_with(b"\x89PNG"), "{file}");
        assert_eq!(prompt["prompt"]["pictures"][0]["shown"], "box");
    }
    let replies = prompts.iter().map(|prompt| json!({ "key": prompt["key"], "reply": "Yes." }).to_string() + "\n");
    desk.write("replies.jsonl", replies.collect::<String>());
    let told = judge(0, &["--replies", "replies.jsonl", "--prompts", "ask/more.jsonl"]);
    assert!(told.err.contains("0 prompts written"), "one picture each needs no further question: {told:?}");
    let measures = ["out", "-m", "Judged(by=frb-box)", "-m", "Judged-Precision(by=frb-box)"];
    assert_eq!(values(&score(&desk, 0, &measures)), [json!(0.75), json!(0.75)]);
}

#[test]
fn vectors_of_others_rank_pages_and_part_items() {
    let desk = desk();
    let far = json!({ "id": "far", "question": "What is far apart?", "answer": "35", "docs": ["lock.pdf"],
        "pages": [{ "doc": "lock.pdf", "page": 1 }, { "doc": "lock.pdf", "page": 2 }] });
    desk.write("items.jsonl", item("toll", "What is the toll?", "lock.pdf", 2, "35") + "\n" + &far.to_string());
    desk.write(
        "pages.jsonl",
        [("lock.pdf p. 1", [1.0, 0.0]), ("lock.pdf p. 2", [0.0, 2.0]), ("tower.pdf p. 1", [0.0, 1.0])]
            .map(|(id, vector)| json!({ "id": id, "vector": vector }).to_string())
            .join("\n"),
    );
    desk.write("queries.jsonl", "{\"id\": \"toll\", \"vectors\": [[0, 1], [0.5, 1]]}");
    // The other item has no vectors, and fails.
    run(&desk, 3, &["--system", "vectors:pages.jsonl,queries.jsonl", "--out", "out"]);
    let scores = score(&desk, 3, &["out", "-m", "R@1", "--distances", "pages.jsonl"]);
    assert_eq!(values(&scores), [json!(0.5)]);
    let slices = &scores["measures"][0]["slices"];
    assert_eq!(slices["evidence_distance"], json!({ "0.6 and more": { "value": 0.0, "n": 1 } }));
    assert_eq!(slices["page_gap"], json!({ "1": { "value": 0.0, "n": 1 } }));
    for wrong in ["vectors:pages.jsonl", "vectors:gone.jsonl,queries.jsonl"] {
        assert_ne!(desk.recto(&[&RUN[..], &["--system", wrong, "--out", "no"]].concat()).code, 0, "{wrong}");
    }
}

#[test]
fn baselines_rank_the_texts_of_pages() {
    let desk = desk();
    for (system, measure, value) in [
        ("vdab-bm25", "R@1", json!(1.0)),
        ("ctrlf:2", "PageRecall", json!(1.0)),
        ("ctrlf:3", "PagePrecision", json!(1.0 / 3.0)),
    ] {
        run(&desk, 0, &["--system", system, "--out", system]);
        assert_eq!(values(&score(&desk, 0, &[system, "-m", measure])), [value], "{system}");
    }
    let files = "rrf:vdab-bm25/results.jsonl,ctrlf:2/results.jsonl";
    run(&desk, 0, &["--system", files, "--out", "fused"]);
    // Both pages of the tower are first once and second once: of equals the first page is taken.
    assert_eq!(values(&score(&desk, 0, &["fused", "-m", "MRR"])), [json!((1.0 + 1.0 + 0.5) / 3.0)]);
    for wrong in ["ctrlf:0", "ctrlf", "rrf:one", "nobody"] {
        assert!(run(&desk, 2, &["--system", wrong, "--out", "no"]).err.contains("--system"), "{wrong}");
    }
    let told = desk.recto(&["bench", "select", "vdab-bm25", "fused", "-n", "2", "-m", "R@1", "--json"]);
    let told: Value = serde_json::from_str(&told.out).unwrap_or_else(|error| panic!("{error} in {told:?}"));
    assert_eq!((told["items"].as_array().unwrap().len(), &told["items"][0]["difficulty"]), (2, &json!(1.0)));
}

#[test]
fn reports_link_to_pictures_of_pages() {
    let desk = desk();
    run(&desk, 0, &["--system", "offline", "--out", "out"]);
    let told = desk.recto(&["bench", "report", "out", "--out", "web/report.html", "--pictures"]);
    assert_eq!(told.code, 0, "{told:?}");
    let html = desk.read("web/report.html");
    let link = html.split("report-pages/").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(desk.path(&format!("web/report-pages/{link}")).is_file(), "{link}");
}

#[test]
fn two_runs_are_compared_item_by_item() {
    let desk = desk();
    run(&desk, 0, &["--system", "bm25", "--out", "bm25"]);
    let row = |id: &str, page: u32| {
        json!({ "id": id, "outcome": "done", "ranking": [{ "doc": "lock.pdf", "page": page, "score": 1.0 }] })
            .to_string()
    };
    desk.write("theirs.jsonl", [row("toll", 1), row("high", 1)].join("\n"));
    let told = desk.recto(&["bench", "compare", "bm25", "theirs.jsonl", "--set", "items.jsonl", "-m", "R@1", "--json"]);
    let told: Value = serde_json::from_str(&told.out).unwrap_or_else(|error| panic!("{error} in {told:?}"));
    assert_eq!((&told[0]["wins"], &told[0]["losses"], &told[0]["difference"]), (&json!(0), &json!(3), &json!(-1.0)));
}

#[test]
fn reports_show_what_documents_say_and_run_none_of_it() {
    let desk = desk();
    let hostile = "What is </script><img src=x onerror=alert(1)> the toll at the Harrow lock?";
    desk.write("items.jsonl", item("to<b>ll", hostile, "lock.pdf", 2, "35 <i>crowns</i>") + "\n");
    run(&desk, 0, &["--system", "offline", "--out", "offline"]);
    run(&desk, 0, &["--system", "bm25", "--out", "bm25"]);
    let report = |name: &str| {
        let told = desk.recto(&["bench", "report", "offline", "bm25", "--out", name, "-m", "R@1", "-m", "ANLS"]);
        assert_eq!(told.code, 0, "{told:?}");
        desk.read(name)
    };
    let html = report("out/report.html");
    assert!(html.contains("&lt;img src=x onerror=alert(1)&gt;"), "{html}");
    for raw in ["<img", "to<b>", "<i>", "://"] {
        assert!(!html.contains(raw), "{raw} in {html}");
    }
    let told: Value = serde_json::from_str(&report("out/report.json")).unwrap();
    assert_eq!(told["n_items"], 1);
    assert!(report("out/report.csv").starts_with("run,measure,"));
    assert!(report("out/report.md").contains("| R@1 |"));
    let told = desk.recto(&["bench", "report", "bm25", "--out", "report.pdf"]);
    assert_eq!(told.code, 2, "{told:?}");
    desk.recto(&["bench", "report", "bm25", "--out", "layout.json", "--layout"]);
    let told: Value = serde_json::from_str(&desk.read("layout.json")).unwrap();
    assert_eq!((&told["layout"][0]["pages"], &told["layout"][0]["density"]["tables"]), (&json!(3), &json!(0.0)));
}

#[test]
fn a_benchmark_that_is_not_there_or_is_empty_is_named() {
    let desk = desk();
    desk.write("empty.jsonl", "");
    for (set, why) in
        [("gone.jsonl", "gone.jsonl: No such file"), ("empty.jsonl", "empty.jsonl: the benchmark holds no item")]
    {
        let told = desk.recto(&["bench", "run", "--set", set, "--system", "bm25", "--out", "out"]);
        assert_eq!(told.code, 1, "{told:?}");
        assert!(told.err.contains(why), "{told:?}");
    }
}
