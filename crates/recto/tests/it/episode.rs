//! `recto episode`: scripted episodes on both routes give rows that the benchmark's measures accept; what is kept goes on;
//! no document's name reaches a planner.

use std::io::Write;
use std::process::Stdio;

use recto_fixture::{Answer, ModelServer};
use serde_json::{Value, json};

use crate::desk::{Desk, Told, pdf};

/// Twelve pages in two documents; one shows the toll of a lock.
fn desk() -> Desk {
    let page = |n: u32| format!("Report of the canal board\nSection {n} tells of barge number {n}.");
    let mut canal: Vec<String> = (1..=8).map(page).collect();
    canal[4] = "Report of the canal board\nThe toll at the Harrow lock is 35 crowns.".into();
    let tower: Vec<String> = (9..=12).map(page).collect();
    let pages = |texts: &[String]| pdf(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let desk = Desk::with(&[("canal.pdf", pages(&canal)), ("tower.pdf", pages(&tower))]);
    desk.index(0);
    desk
}

fn call(action: &str, arguments: Value) -> Value {
    json!({"action": action, "arguments": arguments, "reason": "r"})
}

fn submit(pages: &[String]) -> Value {
    let ranked: Vec<Value> =
        pages.iter().map(|page| json!({"page_handle": page, "evidence_page_handles": [page]})).collect();
    json!({"action": "submit_answer", "ranked_answers": ranked, "overall_rationale": "o"})
}

#[track_caller]
fn episode(desk: &Desk, code: i32, more: &[&str]) -> Told {
    let told = desk.recto(&[&["episode", "toll at the Harrow lock", "--index", "ix"], more].concat());
    assert_eq!(told.code, code, "{more:?}: {told:?}");
    told
}

fn rows(desk: &Desk, file: &str) -> Vec<Value> {
    desk.read(file).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The handle of a page, from the file that only evaluators see.
fn handle(desk: &Desk, out: &str, page_id: &str) -> String {
    let mapping = rows(desk, &format!("{out}/page_handle_mapping.internal.jsonl"));
    let row = mapping.iter().find(|row| row["page_id"] == page_id).unwrap();
    row["page_handle"].as_str().unwrap().into()
}

/// Twelve steps of a script and the ranking at the end, on one route; the row is scored by the benchmark's measures.
#[track_caller]
fn check_route(route: &str, search: &str, read: &dyn Fn(&str) -> Value) {
    let desk = desk();
    episode(&desk, 0, &["--route", route, "--out", "first"]);
    let page = handle(&desk, "first", "canal_p005");
    let all: Vec<String> = rows(&desk, "first/page_handle_mapping.internal.jsonl")
        .iter()
        .map(|row| row["page_handle"].as_str().unwrap().to_owned())
        .filter(|other| *other != page)
        .collect();
    let ranked: Vec<String> = std::iter::once(page.clone()).chain(all).take(10).collect();
    let region = json!([0.1, 0.0, 0.9, 0.25]);
    let mut script = vec![
        call(search, json!({"query": "toll Harrow lock", "top_k": 5})),
        call(search, json!({"query": "canal board", "top_k": 50})),
        call("inspect_pages", json!({"page_handles": [page]})),
        call("crop_pages", json!({"crops": [{"page_handle": page, "region": region, "purpose": "the sum"}]})),
        read(&page),
    ];
    script.extend((6..=12).map(|n| call(search, json!({"query": format!("barge {n}")}))));
    script.push(submit(&ranked));
    let lines: Vec<String> = script.iter().map(Value::to_string).collect();
    desk.write("script.jsonl", lines.join("\n"));
    episode(&desk, 0, &["--route", route, "--planner", "replay:script.jsonl", "--out", "out"]);

    let row = rows(&desk, "out/predictions.jsonl").remove(0);
    assert_eq!((&row["status"], &row["stop"]), (&json!("forced_submit_after_max_steps"), &json!("steps")));
    assert_eq!(row["model_outputs"].as_array().unwrap().len(), 13);
    let trace = row["tool_trace"].as_array().unwrap();
    assert_eq!(trace.len(), 12);
    assert!(trace.iter().all(|row| row["observation"]["ok"] == true), "{trace:?}");
    assert_eq!(trace[0]["search_route"], "hybrid of bm25");
    // An A4 page at 144 dpi.
    assert_eq!(trace[2]["observation"]["loaded_pages"][0]["page_width"], 1190);
    assert_eq!(trace[3]["observation"]["crops"][0]["crop_width"], 952);
    assert!(trace[4]["observation"]["ocr_text"].as_str().unwrap().contains("35 crowns"), "{}", trace[4]);
    for text in
        [desk.read("out/predictions.jsonl"), desk.read("out/trajectory.jsonl"), desk.read("out/trajectory.atif.json")]
    {
        assert!(!text.contains("canal.pdf") && !text.contains("tower"), "a document's name is in it");
    }

    let id = row["query_id"].as_str().unwrap();
    let item = json!({"id": id, "question": "toll", "pages": [{"doc": "canal_p005", "page": 1}]});
    desk.write("items.jsonl", format!("{item}\n"));
    let score = |file: &str| {
        let told = desk.recto(&[
            "bench",
            "score",
            file,
            "--set",
            "items.jsonl",
            "--json",
            "-m",
            "VDAB-R@1",
            "-m",
            "VDAB-MRR@10",
        ]);
        assert_eq!(told.code, 0, "{told:?}");
        let scores: Value = serde_json::from_str(&told.out).unwrap();
        [scores["measures"][0]["value"].clone(), scores["measures"][1]["value"].clone()]
    };
    assert_eq!(score("out/predictions.jsonl"), [json!(1.0), json!(1.0)]);
    // A ranking of nine is not valid, wherever the right page stands.
    let mut nine = row.clone();
    nine["submission"]["ranked_answers"].as_array_mut().unwrap().pop();
    desk.write("out/nine.jsonl", format!("{nine}\n"));
    assert_eq!(score("out/nine.jsonl"), [json!(0.0), json!(0.0)]);
}

#[test]
fn twelve_steps_on_the_visual_route_give_a_valid_row() {
    check_route("visual", "visual_search", &|page| call("ocr_image", json!({"target_handle": page})));
}

#[test]
fn twelve_steps_on_the_text_route_give_a_valid_row() {
    check_route("text", "text_search", &|page| call("get_page_ocr", json!({"page_handle": page})));
}

#[test]
fn the_rules_find_the_page_and_are_measured() {
    let desk = desk();
    let told = episode(&desk, 0, &["--json", "--out", "out", "--trace", "t.jsonl"]);
    let found: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!((&found["ranking"][0]["document"], &found["ranking"][0]["page"]), (&json!("canal.pdf"), &json!(5)));
    assert_eq!(found["ranking"].as_array().unwrap().len(), 10);
    episode(&desk, 0, &["--out", "out", "--trace", "t.jsonl"]);
    assert_eq!(rows(&desk, "t.jsonl").len(), 1, "what ended and is run again is kept once");
    desk.write("broken.jsonl", "{\"half\":");
    episode(&desk, 0, &["--out", "out", "--trace", "broken.jsonl"]);
    assert_eq!(desk.read("broken.jsonl"), format!("{{\"half\":\n{}", desk.read("t.jsonl")));
    let told = episode(&desk, 1, &["--trace", "docs"]);
    assert!(told.out.is_empty() && told.err.contains("docs"), "it is told before the first step: {told:?}");
    let item = json!({"id": "q", "question": "toll at the Harrow lock", "pages": [{"doc": "canal", "page": 5}]});
    desk.write("items.jsonl", format!("{item}\n"));
    for system in ["episode:visual", "episode:text:no-crop+no-text-access"] {
        let out = system.replace(':', "_");
        let told =
            desk.recto(&["bench", "run", "--set", "items.jsonl", "--index", "ix", "--system", system, "--out", &out]);
        assert_eq!(told.code, 0, "{told:?}");
        let told = desk.recto(&["bench", "score", &out, "--json", "-m", "VDAB-R@1"]);
        let scores: Value = serde_json::from_str(&told.out).unwrap();
        assert_eq!(scores["measures"][0]["value"], 1.0, "{system}");
    }
}

#[test]
fn a_program_plays_over_standard_input_and_output_and_goes_on_later() {
    let desk = desk();
    let play = |lines: &[Value]| {
        let arguments = ["episode", "toll", "--index", "ix", "--route", "visual", "--planner", "stdio", "--out", "out"];
        let mut child = desk.command(&arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        lines.iter().for_each(|line| writeln!(input, "{line}").unwrap());
        drop(input);
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        told.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let first = play(&[call("visual_search", json!({"query": "Harrow lock toll", "top_k": 1}))]);
    assert_eq!(first.len(), 3, "two turns, and that the input ended");
    assert_eq!(first[2]["done"]["status"], "planner_retry_exhausted");
    let page = first[1]["observations"][0]["observation"]["results"][0]["page_handle"].clone();
    let second = play(&[call("inspect_pages", json!({"page_handles": [page]})), json!("what?")]);
    assert_eq!((&second[0]["step"], &second[0]["task"]), (&json!(2), &json!("toll")), "it goes on where it was");
    let image = second[1]["visible_images"][0]["file"].as_str().unwrap();
    assert!(std::fs::read(image).unwrap().starts_with(b"\x89PNG"));
    assert!(second[2]["your_last_reply"].as_str().unwrap().contains("one JSON object"));
    for told in [&first[..2], &second[..3]].concat() {
        assert!(!told.to_string().contains("canal.pdf"), "{told}");
    }
    // Another task does not go on with it.
    let told =
        desk.recto(&["episode", "tower", "--index", "ix", "--route", "visual", "--planner", "stdio", "--out", "out"]);
    assert_eq!(told.code, 2, "{told:?}");
}

#[test]
fn a_model_plays_and_a_broken_reply_costs_a_step() {
    let desk = desk();
    let says = |value: Value| Answer::openai(&value.to_string(), 100, 10);
    let find = says(call("visual_search", json!({"query": "Harrow lock toll", "top_k": 1})));
    let server = ModelServer::of(vec![
        find,
        Answer::openai("I think I should look.", 100, 10),
        says(call("visual_search", json!({"query": "canal board barge", "top_k": 50}))),
        says(call("web_search", json!({}))),
        Answer::new(400, "no"),
    ]);
    let server = server.unwrap();
    let model = ["--planner", "chat", "--model", "openai:m", "--base-url", &server.url(), "--route", "visual"];
    episode(&desk, 3, &[&model[..], &["--out", "out"]].concat());
    let row = rows(&desk, "out/predictions.jsonl").remove(0);
    assert_eq!(row["status"], "provider_error");
    let outputs = row["model_outputs"].as_array().unwrap();
    let events: Vec<&str> = outputs.iter().map(|output| output["event_type"].as_str().unwrap()).collect();
    let accepted = "accepted_response";
    assert_eq!(events, [accepted, "format_error", accepted, accepted, "provider_error"]);
    assert_eq!(outputs[0]["usage"]["input_tokens"], 100);
    let asked = server.asked();
    let told = |at: usize| asked[at].body["messages"].to_string();
    assert!(told(0).contains("toll at the Harrow lock") && !told(0).contains("canal.pdf"));
    assert!(told(2).contains("one JSON object"), "{}", told(2));
    assert!(told(4).contains("there is no action"), "{}", told(4));
}

/// Twelve pages in four batches of three, and their order; the page with the toll is judged best.
#[test]
fn a_model_judges_the_pages_of_one_search() {
    let desk = desk();
    let server = ModelServer::start(|asked| {
        let told = asked.body["messages"].to_string();
        let named: std::collections::BTreeSet<&str> =
            told.match_indices("page_0000").filter_map(|(at, _)| told.get(at..at + 11)).collect();
        // The form of the answer names a page too: it is among those of the corpus.
        let judged = |page: &&str| {
            let place = told.find(&format!("{page} (rank"));
            place.map(|_| json!({"page_handle": page, "relevance_score": 50}))
        };
        let batch: Vec<Value> = named.iter().filter_map(judged).collect();
        let order = named.iter().filter(|page| told.contains(&format!("{page}\\\",\\\"first_stage_rank")));
        let order: Vec<Value> = order.take(10).map(|page| json!({"page_handle": page})).collect();
        let said = if batch.is_empty() { json!({"ranked_answers": order}) } else { json!({"assessments": batch}) };
        Answer::openai(&said.to_string(), 50, 5)
    });
    let server = server.unwrap();
    let url = server.url();
    let told = desk.recto(&[
        "episode",
        "report of the canal board toll",
        "--index",
        "ix",
        "--planner",
        "chat",
        "--ablation",
        "no-iterative-search",
        "--model",
        "openai:m",
        "--base-url",
        &url,
        "--out",
        "out",
    ]);
    assert_eq!(told.code, 0, "{told:?}");
    let row = rows(&desk, "out/predictions.jsonl").remove(0);
    assert_eq!(
        (&row["status"], &row["logical_vlm_calls"], &row["pages_examined"]),
        (&json!("submitted"), &json!(5), &json!(12))
    );
    assert_eq!(row["ranked_page_ids"].as_array().unwrap().len(), 10);
    assert_eq!((server.count().requests, server.count().images), (5, 12));
}

#[test]
fn what_does_not_fit_together_is_said() {
    let desk = desk();
    let check = |more: &[&str], holds: &str| {
        let told = episode(&desk, 2, more);
        assert!(told.err.contains(holds), "{more:?}: {told:?}");
    };
    check(&["--route", "sound"], "visual or text");
    check(&["--planner", "oracle"], "expected offline, stdio, replay:FILE or chat");
    check(&["--ablation", "no-pictures"], "no-page-inspection");
    check(&["--ablation", "support-provided"], "--show DOC:PAGE");
    check(&["--show", "canal.pdf:5"], "support-provided");
    check(&["--ablation", "no-iterative-search"], "needs --planner chat");
    check(&["--planner", "chat"], "--model PROVIDER:NAME");
    check(&["--steps", "0"], "--steps");
    let told = desk.recto(&["episode", " ? ", "--index", "ix"]);
    assert_eq!(told.code, 2, "{told:?}");
    let told = episode(&desk, 0, &["--ablation", "support-provided", "--show", "canal.pdf:2", "--out", "out"]);
    assert!(told.out.contains("canal.pdf, page 5"), "{told:?}");
    let row = rows(&desk, "out/predictions.jsonl").remove(0);
    assert_eq!(
        row["initial_page_observations"]["visible_image_artifacts"],
        json!([handle(&desk, "out", "canal_p002")])
    );
}
