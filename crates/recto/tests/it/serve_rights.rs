//! Who may do what at `recto serve`: keys, collections, other sites, and what is refused before it costs anything.

use std::io::{BufReader, Read, Write};
use std::time::Duration;

use serde_json::{Value, json};

use crate::desk::{Desk, pdf};
use crate::web_client::{Reply, Serving, chunk};

const ONE: &str = "key-for-one-aaaaaaaa";
const TWO: &str = "key-for-two-bbbbbbbb";
const READ: &str = "key-to-read-cccccccc";
const ALL: &str = "key-for-all-dddddddd";

/// Two collections and a key for each.
fn two_collections() -> (Desk, Serving) {
    let desk = Desk::new();
    for (name, text) in [("one", "The first secret is 111."), ("two", "The second secret is 222.")] {
        desk.write(&format!("{name}/{name}.pdf"), pdf(&[text]));
        let told = desk.recto(&["index", name, "--index", &format!("ix-{name}")]);
        assert_eq!(told.code, 0, "{told:?}");
    }
    let keys = format!("{ONE}@one:write {TWO}@two;{READ}@one:read\n{ALL}");
    let arguments = ["--collection", "one=ix-one", "--collection", "two=ix-two"];
    let server = Serving::start(&desk, &arguments, &[("RECTO_SERVE_KEYS", &keys)]);
    (desk, server)
}

fn with_key(server: &Serving, key: &str, method: &str, path: &str, body: Option<&Value>) -> Reply {
    let headers = [("X-API-Key", key), ("Content-Type", "application/json")];
    let body = body.map(Value::to_string).unwrap_or_default();
    server.ask(method, path, if body.is_empty() { &headers[..1] } else { &headers }, body.as_bytes())
}

/// ragflow#15267: another user's document could be read by its id. Every endpoint of the description is asked with the
/// names of what the other collection holds.
#[test]
fn fixture_53_the_other_collection_is_not_there_at_any_endpoint() {
    let (_desk, server) = two_collections();
    let asked = json!({ "question": "secret", "mode": "background" });
    let job = with_key(&server, ONE, "POST", "/v1/collections/one/ask", Some(&asked)).json()["job"].clone();
    let episode = with_key(&server, ONE, "POST", "/v1/collections/one/episodes", Some(&json!({ "task": "secret" })));
    let episode = episode.json()["episode"].clone();
    let fill = |path: &str, collection: &str| {
        let mut path = path.replace("{collection}", collection).replace("{document}", "one.pdf").replace("{page}", "1");
        for (name, value) in [("{job}", &job), ("{episode}", &episode)] {
            path = path.replace(name, value.as_str().unwrap());
        }
        path.replace("{run}", "run").replace("{other}", "run")
    };
    let described = server.json("/openapi.json");
    let mut asked = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys().filter(|_| path.contains("{collection}")) {
            let method = method.to_uppercase();
            for (key, collection, status) in [
                // The collection of others; one's own with the ids of others; a collection that there is not.
                (TWO, "one", 404),
                (TWO, "three", 404),
                ("", "one", 401),
                ("key-of-nobody-eeeeee", "one", 401),
            ] {
                let reply = with_key(&server, key, &method, &fill(path, collection), Some(&json!({})));
                assert_eq!(reply.status, status, "{method} {path} {key} {collection}: {}", reply.text());
                asked += 1;
            }
            if path.contains("{document}") && method == "GET" || path.contains("{job}") || path.contains("{episode}") {
                let reply = with_key(&server, TWO, &method, &fill(path, "two"), None);
                assert_eq!(reply.status, 404, "{method} {path}: {}", reply.text());
            }
        }
    }
    assert!(asked > 100, "only {asked} were asked");
    for path in ["/mcp/one", "/mcp/three"] {
        assert_eq!(with_key(&server, TWO, "POST", path, Some(&json!({}))).status, 404, "{path}");
        assert_eq!(with_key(&server, "", "POST", path, Some(&json!({}))).status, 401, "{path}");
    }
    let chat = json!({ "model": "recto/one", "messages": [{ "role": "user", "content": "secret" }] });
    assert_eq!(with_key(&server, TWO, "POST", "/v1/chat/completions", Some(&chat)).status, 404);
    let seen = with_key(&server, TWO, "GET", "/v1/collections", None).json();
    assert_eq!(seen["collections"], json!([{ "collection": "two", "right": "write" }]));
    assert_eq!(with_key(&server, TWO, "GET", "/v1/models", None).json()["data"].as_array().unwrap().len(), 1);
}

#[test]
fn a_right_is_what_a_key_says() {
    let (_desk, server) = two_collections();
    let ask = json!({ "question": "What is the first secret?" });
    let table = [
        (READ, "GET", "/v1/collections/one/search?query=secret", None, 200),
        (READ, "POST", "/v1/collections/one/ask", Some(&ask), 403),
        (READ, "DELETE", "/v1/collections/one/documents/one.pdf", None, 403),
        (READ, "GET", "/metrics", None, 403),
        (ONE, "POST", "/v1/collections/one/ask", Some(&ask), 200),
        (ONE, "GET", "/metrics", None, 403),
        (ALL, "GET", "/metrics", None, 200),
        (ALL, "POST", "/v1/collections/two/ask", Some(&ask), 200),
        ("", "GET", "/health", None, 200),
        ("", "GET", "/docs", None, 200),
        ("", "GET", "/metrics", None, 401),
    ];
    for (key, method, path, body, status) in table {
        let reply = with_key(&server, key, method, path, body);
        assert_eq!(reply.status, status, "{key} {method} {path}: {}", reply.text());
    }
    let bearer = [("Authorization", "bearer key-to-read-cccccccc")];
    assert_eq!(server.ask("GET", "/v1/collections/one", &bearer, b"").status, 200);
    let text = server.ask("GET", "/v1/collections/one", &[("Authorization", "Basic abc")], b"");
    assert_eq!((text.status, text.code().as_str()), (401, "no_key"));
}

#[test]
fn a_server_that_others_reach_needs_keys_and_keys_are_not_told() {
    let desk = Desk::new();
    let run = |arguments: &[&str], keys: Option<&str>| {
        let mut command = desk.command(&[&["serve"], arguments].concat());
        let output = command.envs(keys.map(|keys| ("RECTO_SERVE_KEYS", keys))).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    for (arguments, keys, named) in [
        (&["--host", "0.0.0.0"][..], None, "RECTO_SERVE_KEYS"),
        (&["--host", "::"], None, "RECTO_SERVE_KEYS"),
        (&["--host", "nowhere"], None, "--host"),
        (&["--port", "99999"], None, "--port"),
        (&[], Some(""), "RECTO_SERVE_KEYS"),
        (&[], Some("secret"), "16"),
        (&[], Some("0123456789abcdef@other"), "other"),
        (&["--collection", "a b=ix"], None, "--collection"),
        (&["--collection", "a=ix", "--collection", "a=iy"], None, "twice"),
        (&["--runs", "nowhere"], None, "--runs"),
        (&["nowhere"], None, "nowhere"),
        (&["--max-upload", "0"], None, "--max-upload"),
        (&["--max-streams", "none"], None, "--max-streams"),
    ] {
        let (code, told) = run(arguments, keys);
        assert_eq!(code, 2, "{arguments:?} {keys:?}: {told}");
        assert!(told.contains(named), "{arguments:?} {keys:?}: {told}");
        assert!(keys.is_none_or(|keys| keys.is_empty() || !told.contains(keys)), "{told}");
    }
}

/// A page of another site makes a browser send requests to this machine, under a name of its own that points here.
#[test]
fn requests_of_other_sites_are_refused() {
    let desk = Desk::with(&[("a.pdf", pdf(&["A newt."]))]);
    desk.index(0);
    let server = Serving::start(&desk, &["--index", "ix"], &[]);
    let own = format!("http://{}", server.address);
    for (headers, status) in [
        (vec![("Host", "evil.example")], 403),
        (vec![("Host", "evil.example:80"), ("Origin", "http://evil.example:80")], 403),
        (vec![("Origin", "http://evil.example")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Origin", own.as_str())], 200),
        (vec![], 200),
    ] {
        let reply = server.ask("GET", "/v1/collections/default", &headers, b"");
        assert_eq!(reply.status, status, "{headers:?}");
        let policy = reply.header("content-security-policy").unwrap();
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        let mcp = server.ask("POST", "/mcp", &headers, b"{}");
        assert_eq!(mcp.status == 403, status == 403, "{headers:?}: {}", mcp.text());
    }
}

/// docling-serve#189, docling-serve#447, docling-serve#177: work went on after the client had gone, a result could be read
/// once.
#[test]
fn fixture_56_a_job_can_be_ended_and_a_result_read_again() {
    let scans: Vec<u8> =
        recto_fixture::Pdf::new().pages((0..400).map(|n| crate::desk::page(&format!("Page {n}")))).to_bytes();
    let desk = Desk::with(&[("a.pdf", pdf(&["A newt."]))]);
    desk.index(0);
    let server = Serving::start(&desk, &["--index", "ix", "--jobs", "1"], &[]);
    let put = server.ask("PUT", "/v1/collections/default/documents/long.pdf", &[], &scans);
    assert_eq!(put.status, 202, "{}", put.text());
    let job = put.json();
    let (url, result) = (job["url"].as_str().unwrap(), job["result"].as_str().unwrap());
    let second = server.ask("PUT", "/v1/collections/default/documents/b.pdf", &[], &pdf(&["A toad."]));
    let waiting = second.json();
    // The second waits for the first; both are ended.
    for url in [waiting["url"].as_str().unwrap(), url] {
        assert_eq!(server.ask("POST", &format!("{url}/cancel"), &[], b"").status, 202);
    }
    let ended = server.json(&format!("{}?wait=60", waiting["url"].as_str().unwrap()));
    assert_eq!(ended["state"], "cancelled", "{ended}");
    let ended = server.json(&format!("{url}?wait=60"));
    assert!(["cancelled", "done"].contains(&ended["state"].as_str().unwrap()), "{ended}");
    let first = server.get(result);
    let again = server.get(result);
    assert_eq!((first.status, first.text()), (again.status, again.text()));
    assert_eq!(server.json("/v1/collections/default/search?query=newt")["hits"].as_array().unwrap().len(), 1);
}

/// There is a limit of streams and one of connections; beyond it stands an answer and no silence.
#[test]
fn many_open_streams_have_a_limit_and_an_answer() {
    let desk = Desk::with(&[("a.pdf", pdf(&["A newt."]))]);
    desk.index(0);
    let server = Serving::start(&desk, &["--index", "ix", "--max-streams", "2", "--max-connections", "40"], &[]);
    // A model that never answers keeps streams open; without one, a job that waits does.
    let long = recto_fixture::Pdf::new().pages((0..2000).map(|n| crate::desk::page(&format!("Page {n}")))).to_bytes();
    let put = server.ask("PUT", "/v1/collections/default/documents/long.pdf", &[], &long).json();
    let events = put["events"].as_str().unwrap();
    let open = || {
        let mut stream = server.connect();
        stream.write_all(&server.request("GET", events, &[], b"")).unwrap();
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") && std::io::BufRead::read_line(&mut reader, &mut head).unwrap() > 0 {}
        (head, reader)
    };
    let (first, mut kept) = open();
    let (second, other) = open();
    assert!(first.starts_with("HTTP/1.1 200") && second.starts_with("HTTP/1.1 200"), "{first} {second}");
    let third = server.get(events);
    assert_eq!((third.status, third.code().as_str()), (429, "busy"));
    assert!(third.text().contains("--max-streams") && third.header("retry-after").is_some());
    assert!(chunk(&mut kept).is_some(), "what is open is told on");
    server.ask("POST", &format!("{}/cancel", put["url"].as_str().unwrap()), &[], b"");

    // Their places are free before others ask for them.
    drop((kept, other));
    std::thread::sleep(Duration::from_millis(500));
    let idle: Vec<_> = (0..40).map(|_| server.connect()).collect();
    std::thread::sleep(Duration::from_millis(200));
    let mut refused = server.connect();
    refused.write_all(&server.request("GET", "/health", &[], b"")).unwrap();
    let mut told = String::new();
    refused.read_to_string(&mut told).unwrap();
    assert!(told.starts_with("HTTP/1.1 503") && told.contains("--max-connections"), "{told}");
    drop(idle);
}

/// Whoever sends a form a letter a second holds a place that others need.
#[test]
fn a_form_that_comes_too_slowly_is_answered() {
    let desk = Desk::with(&[("a.pdf", pdf(&["A newt."]))]);
    desk.index(0);
    let server = Serving::start(&desk, &["--index", "ix", "--body-timeout", "1"], &[]);
    for (method, path) in
        [("POST", "/login"), ("POST", "/c/default/annotate"), ("POST", "/mcp"), ("POST", "/v1/collections/default/ask")]
    {
        let mut stream = server.connect();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n",
            server.address
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut told = [0; 12];
        std::io::Read::read_exact(&mut stream, &mut told).unwrap();
        assert_eq!(String::from_utf8_lossy(&told), "HTTP/1.1 408", "{path}");
    }
}

/// The description is part of the contract: it changes on purpose only. `RECTO_BLESS=1 cargo test` writes it anew.
#[test]
fn the_description_is_the_one_that_is_kept() {
    let desk = Desk::new();
    let server = Serving::start(&desk, &["--index", "ix"], &[]);
    let told = serde_json::to_string_pretty(&server.json("/openapi.json")).unwrap() + "\n";
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    if std::env::var_os("RECTO_BLESS").is_some() {
        std::fs::write(&kept, &told).unwrap();
    }
    let kept = std::fs::read_to_string(kept).unwrap_or_default();
    let differs = kept.lines().zip(told.lines()).find(|(a, b)| a != b);
    assert!(kept == told, "docs/openapi.json differs first at {differs:?}; RECTO_BLESS=1 writes it anew");
}
