//! `recto serve` with a scripted language model: steps, costs, and an end when nobody waits any more.

use std::io::{BufRead, BufReader, Write};
use std::sync::{Arc, Condvar, Mutex};

use recto_fixture::{Answer, ModelServer};
use serde_json::{Value, json};

use crate::desk::{Desk, pdf};
use crate::web_client::Serving;

const BASE: &str = "/v1/collections/default";
const KEY: &str = "sk-serve-666666666666";

fn reply() -> Answer {
    let evidence = json!([{"page": 1, "quote": "The toll at lock 7 is 37 crowns"}]);
    let said = json!({"status": "answered", "answer": "37 crowns", "items": [], "evidence": evidence});
    Answer::openai(&said.to_string(), 1_000, 50)
}

fn serving(desk: &Desk, model: &ModelServer, arguments: &[&str]) -> Serving {
    desk.index(0);
    let url = model.url();
    let common = ["--index", "ix", "--model", "openai:scripted", "--base-url", &url];
    Serving::start(desk, &[&common, arguments].concat(), &[("RECTO_API_KEY", KEY)])
}

fn canal() -> Desk {
    Desk::with(&[("canal.pdf", pdf(&["The toll at lock 7 is 37 crowns."]))])
}

#[test]
fn a_model_answers_and_what_it_used_is_told() {
    let desk = canal();
    let model = ModelServer::start(|_| reply()).unwrap();
    let server = serving(&desk, &model, &[]);
    let question = json!({ "question": "What is the toll at lock 7?", "mode": "stream" });
    let events = server.post(&format!("{BASE}/ask"), &question).events();
    let (last, steps) = events.split_last().unwrap();
    assert_eq!(
        (&last.1["answer"], &last.1["answerer"]),
        (&json!("37 crowns"), &json!("openai:scripted")),
        "{events:?}"
    );
    assert_eq!(last.1["usage"]["requests"], 2);
    let kinds: Vec<&str> = steps.iter().map(|(_, step)| step["kind"].as_str().unwrap()).collect();
    for kind in ["searched", "read", "drawn", "asked"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    // The model is the same for agents and other front ends, and so is what it may cost.
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "ask", "arguments": { "question": "What is the toll at lock 7?" } } });
    let headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    let told = server.ask("POST", "/mcp/default", &headers, call.to_string().as_bytes()).text();
    assert!(told.contains("openai:scripted"), "{told}");
    let messages = json!([{ "role": "user", "content": "What is the toll at lock 7?" }]);
    let chat = server.post("/v1/chat/completions", &json!({ "model": "default", "messages": messages })).json();
    assert_eq!(chat["usage"]["prompt_tokens"], 2_000, "{chat}");
    let metrics = server.get("/metrics").text();
    assert!(metrics.contains("recto_model_requests_total 6"), "{metrics}");
    assert_eq!(server.json(BASE)["answerer"], "openai:scripted");
    for text in [told, metrics, chat.to_string(), format!("{events:?}")] {
        assert!(!text.contains(KEY));
    }
}

/// docling-serve#189: work went on after the client had gone.
#[test]
fn a_question_ends_when_nobody_waits_for_its_answer() {
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let held = Arc::clone(&gate);
    let model = ModelServer::start(move |_| {
        let (open, opened) = &*held;
        drop(opened.wait_while(open.lock().unwrap(), |open| !*open).unwrap());
        reply()
    })
    .unwrap();
    let desk = canal();
    let server = serving(&desk, &model, &[]);
    let body = json!({ "question": "What is the toll at lock 7?", "mode": "stream" }).to_string();
    let mut stream = server.connect();
    let headers = [("Content-Type", "application/json")];
    stream.write_all(&server.request("POST", &format!("{BASE}/ask"), &headers, body.as_bytes())).unwrap();
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    // The pages are drawn for the model just before it is asked.
    while !line.contains("\"drawn\"") {
        line.clear();
        assert!(reader.read_line(&mut line).unwrap() > 0);
    }
    drop(reader);
    let url = server.json(&format!("{BASE}/jobs"))["jobs"][0]["url"].as_str().unwrap().to_owned();
    // It is ending while the model is asked; before that it has ended at once.
    let goes_on = |job: &Value| job["ending"] == false && job["state"] == "running";
    while goes_on(&server.json(&url)) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let (open, opened) = &*gate;
    *open.lock().unwrap() = true;
    opened.notify_all();
    let ended: Value = server.json(&format!("{url}?wait=60"));
    assert_eq!(ended["state"], "cancelled", "{ended}");
    let result = server.get(&format!("{url}/result"));
    assert_eq!((result.status, result.code().as_str()), (409, "conflict"));
}
