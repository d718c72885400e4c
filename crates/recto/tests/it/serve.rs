//! `recto serve` as programs meet it: documents, pages, pictures, search, questions, jobs.

use recto_fixture::{Page, Pdf};
use serde_json::{Value, json};

use crate::desk::{Desk, pdf};
use crate::web_client::Serving;

const BASE: &str = "/v1/collections/default";

fn swift() -> Vec<u8> {
    pdf(&["The swift flies at 111 km/h.\nIt sleeps on the wing.", "Swifts nest under roofs."])
}

fn library() -> Desk {
    let desk =
        Desk::with(&[("birds/swift.pdf", swift()), ("fish & chips.pdf", pdf(&["The haddock costs 9.50 pounds."]))]);
    desk.index(0);
    desk
}

fn serving(desk: &Desk) -> Serving {
    Serving::start(desk, &["--index", "ix"], &[])
}

#[test]
fn documents_and_pages_are_told_with_their_places() {
    let desk = library();
    let server = serving(&desk);
    assert_eq!(server.json("/health")["status"], "ok");
    assert_eq!(server.json("/ready")["status"], "ok");
    let held = server.json(BASE);
    assert_eq!((&held["documents"], &held["pages"], &held["right"]), (&json!(2), &json!(3), &json!("write")), "{held}");

    let list = server.json(&format!("{BASE}/documents?limit=1"));
    assert_eq!((&list["documents"][0]["document"], &list["total"]), (&json!("birds/swift.pdf"), &json!(2)), "{list}");
    let rest = server.json(&format!("{BASE}/documents?offset={}", list["next_offset"]));
    assert_eq!(rest["documents"][0]["document"], "fish & chips.pdf");
    assert!(rest["next_offset"].is_null());
    assert_eq!(server.json(&format!("{BASE}/documents?doc=nothing*"))["total"], 0);

    let url = list["documents"][0]["url"].as_str().unwrap();
    assert_eq!(url, "/v1/collections/default/documents/birds%2Fswift.pdf");
    assert_eq!(server.json(url)["pages"], 2);
    let pages = server.json(&format!("{url}/pages"));
    assert_eq!(pages["pages"].as_array().unwrap().len(), 2);
    let page = server.json(&format!("{url}/pages/1"));
    assert_eq!((&page["text_source"], &page["width"]), (&json!("layer"), &json!(595.0)), "{page}");
    let text = server.json(&format!("{url}/pages/1/text?format=plain&max_chars=100"));
    assert_eq!(text["text"], "The swift flies at 111 km/h.\nIt sleeps on the wing.");
    let words = server.json(&format!("{url}/pages/1/words"));
    let word = &words["words"][1];
    assert_eq!((&word["text"], &word["line"]), (&json!("swift"), &json!(0)), "{words}");
    let region: Vec<f64> = word["region"].as_array().unwrap().iter().map(|side| side.as_f64().unwrap()).collect();
    assert!(region[0] > 72.0 / 595.0 && region[0] < region[2] && region[1] < region[3], "{region:?}");
    assert_eq!(server.json(&format!("{url}/pages/1/tables"))["tables"], json!([]));

    let file = server.get(&format!("{url}/file"));
    assert!(file.body.starts_with(b"%PDF"));
    assert!(file.header("content-disposition").unwrap().starts_with("attachment"), "{file:?}");
}

/// A try may take seconds, and others wait behind it.
#[test]
fn what_could_not_be_drawn_is_told_at_once_the_next_time() {
    let desk = library();
    let server = serving(&desk);
    let mut sources = std::fs::read_dir(desk.path("ix/sources")).unwrap().flat_map(|shard| {
        std::fs::read_dir(shard.unwrap().path()).unwrap().map(|file| file.unwrap().path()).collect::<Vec<_>>()
    });
    let is_swift = |file: &std::path::PathBuf| std::fs::read(file).unwrap() == swift();
    let file = sources.find(is_swift).unwrap();
    std::fs::write(&file, "%PDF-1.7 and nothing more").unwrap();
    let url = format!("{BASE}/documents/birds%2Fswift.pdf/pages/1");
    let first = server.get(&format!("{url}/image?dpi=36"));
    assert_eq!((first.status, first.code().as_str()), (404, "no_picture"), "{first:?}");
    // It could be drawn now, and is not tried; another picture of the page is.
    std::fs::write(&file, swift()).unwrap();
    for path in ["image?dpi=36", "image?dpi=36&format=jpeg", "overlay?dpi=36"] {
        let again = server.get(&format!("{url}/{path}"));
        assert_eq!((again.status, again.json()), (404, first.json()), "{path}");
    }
    assert_eq!(server.get(&format!("{url}/image?dpi=37")).status, 200);
    assert_eq!(server.get(&format!("{BASE}/documents/fish%20&%20chips.pdf/pages/1/image?dpi=36")).status, 200);
}

#[test]
fn pictures_are_drawn_kept_and_not_sent_twice() {
    let desk = library();
    let server = serving(&desk);
    let url = format!("{BASE}/documents/birds%2Fswift.pdf/pages/1");
    let image = server.get(&format!("{url}/image?dpi=36"));
    assert_eq!((image.status, image.header("content-type")), (200, Some("image/png")));
    assert!(image.body.starts_with(b"\x89PNG"));
    assert_eq!(image.header("x-dpi"), Some("36"));
    let again = server.get(&format!("{url}/image?dpi=36"));
    assert_eq!(again.body, image.body);
    let tag = image.header("etag").unwrap();
    let known = server.ask("GET", &format!("{url}/image?dpi=36"), &[("If-None-Match", tag)], b"");
    assert_eq!((known.status, known.body.len()), (304, 0));
    let jpeg = server.get(&format!("{url}/image?dpi=36&format=jpeg&region=0,0,0.5,0.5&mark=0.1,0.1,0.2,0.2"));
    assert_eq!((jpeg.status, jpeg.header("content-type")), (200, Some("image/jpeg")));
    let small = server.get(&format!("{url}/image?dpi=600&max_px=100"));
    assert_eq!(small.header("x-dpi"), Some("8"), "{small:?}");
    assert_eq!(server.get(&format!("{url}/overlay?dpi=36")).header("content-type"), Some("image/png"));
    let metrics = server.get("/metrics").text();
    assert!(metrics.contains("recto_page_pictures_total{from=\"cache\"} 1"), "{metrics}");
}

/// docling-serve#282: dpi 0, −1 and a million. Every value of no use is told with its field.
#[test]
fn fixture_57_values_of_no_use_are_told_with_their_field() {
    let desk = library();
    let server = serving(&desk);
    let page = format!("{BASE}/documents/birds%2Fswift.pdf/pages/1");
    let search = format!("{BASE}/search?query=swift");
    let table = [
        (format!("{page}/image?dpi=0"), 422, "dpi"),
        (format!("{page}/image?dpi=-1"), 422, "dpi"),
        (format!("{page}/image?dpi=1000000"), 422, "10 to 600"),
        (format!("{page}/image?region=0,0,0,1"), 422, "region"),
        (format!("{page}/image?mark=a"), 422, "mark"),
        (format!("{page}/image?colour=red"), 422, "colour"),
        (format!("{BASE}/search?query=a&kind=map"), 422, "table, figure and scan"),
        (format!("{page}/text?max_chars=5"), 422, "max_chars"),
        (format!("{search}&pages=0"), 422, "pages"),
        (format!("{search}&pages=5-3"), 422, "pages"),
        (format!("{search}&pages=1,,2"), 422, "pages"),
        (format!("{search}&k=0"), 422, "1 to 1000"),
        (format!("{search}&route=none"), 422, "route"),
        (format!("{search}&route=late"), 422, "route"),
        (format!("{BASE}/search"), 422, "query"),
        (format!("{BASE}/search?query="), 422, "query"),
        (format!("{BASE}/documents/none.pdf"), 404, "document"),
        (format!("{BASE}/documents/birds%2Fswift.pdf/pages/3"), 404, "page"),
        (format!("{BASE}/documents/birds%2Fswift.pdf/pages/0"), 404, "page"),
        (format!("{BASE}/documents/birds%2Fswift.pdf/pages/iii"), 404, "page"),
        (format!("{BASE}/jobs/0"), 404, "job"),
        ("/v1/collections/other".into(), 404, "collection"),
        ("/v2".into(), 404, "address"),
    ];
    for (path, status, named) in table {
        let reply = server.get(&path);
        assert_eq!(reply.status, status, "{path}: {}", reply.text());
        reply.code();
        assert!(reply.text().contains(named), "{path}: {}", reply.text());
    }
    assert_eq!(server.json(&format!("{search}&pages=1-"))["hits"].as_array().unwrap().len(), 2);
    assert_eq!(server.ask("DELETE", "/health", &[], b"").code(), "method");
}

#[test]
fn a_search_tells_why_each_page_was_found() {
    let desk = library();
    let server = serving(&desk);
    let found = server.json(&format!("{BASE}/search?query=swift+roofs&k=1"));
    let hit = &found["hits"][0];
    assert_eq!(
        (&hit["document"], &hit["page"], &hit["rank"]),
        (&json!("birds/swift.pdf"), &json!(2), &json!(1)),
        "{found}"
    );
    assert_eq!(found["next_offset"], 1);
    assert!(
        hit["parts"].as_array().unwrap().iter().any(|part| part["term"] == "roof" || part["term"] == "roofs"),
        "{hit}"
    );
    let snippet: Vec<char> = hit["snippet"].as_str().unwrap().chars().collect();
    let marked: Vec<String> = hit["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|range| {
            let end = |n: usize| range[n].as_u64().unwrap() as usize;
            snippet[end(0)..end(1)].iter().collect()
        })
        .collect();
    assert!(marked.contains(&"roofs".to_owned()), "{marked:?}");
    assert_eq!(server.get(hit["image"].as_str().unwrap()).status, 200);
    let asked = json!({ "query": "the", "documents": ["fish & chips.pdf", "none"] });
    let none = server.post(&format!("{BASE}/search"), &asked);
    assert_eq!(none.json()["hits"], json!([]), "one of the names is none");
    let asked = json!({ "query": "haddock", "documents": ["fish*", "birds/*"] });
    assert_eq!(server.post(&format!("{BASE}/search"), &asked).json()["hits"].as_array().unwrap().len(), 1);
}

#[test]
fn an_answer_comes_at_once_step_by_step_or_as_the_result_of_a_job() {
    let desk = library();
    let server = serving(&desk);
    let question = "What does the haddock cost?";
    let path = format!("{BASE}/ask");
    let answer = server.post(&path, &json!({ "question": question })).json();
    assert_eq!((&answer["status"], &answer["answer"]), (&json!("answered"), &json!("9.50 pounds")), "{answer}");
    assert_eq!(answer.get("shown"), None, "it is the same");
    let pounds = server.post(&path, &json!({ "question": "What did the haddock cost in pounds?" })).json();
    assert_eq!((&pounds["answer"], &pounds["shown"]), (&json!("9.50"), &json!("9.50 pounds")), "{pounds}");
    let citation = &answer["citations"][0];
    assert_eq!((&citation["document"], &citation["width"]), (&json!("fish & chips.pdf"), &json!(595.0)), "{answer}");
    assert_eq!(server.get(citation["image"].as_str().unwrap()).status, 200);

    let told = server.post(&path, &json!({ "question": question, "mode": "stream" }));
    assert!(told.header("content-type").unwrap().starts_with("text/event-stream"));
    let events = told.events();
    let (last, steps) = events.split_last().unwrap();
    assert_eq!((last.0.as_str(), &last.1["answer"]), ("result", &answer["answer"]));
    assert!(steps.iter().all(|(name, _)| name == "step") && !steps.is_empty(), "{events:?}");

    let job = server.post(&path, &json!({ "question": question, "mode": "background" }));
    for _ in 0..2 {
        assert_eq!(server.result(&job).json()["answer"], answer["answer"], "a result can be read twice");
    }
    let events = server.get(job.json()["events"].as_str().unwrap()).events();
    assert_eq!(events.last().unwrap().0, "result");

    let declined = server.post(&path, &json!({ "question": "Who wrote the opera Tosca?" })).json();
    assert_eq!((&declined["status"], &declined["citations"]), (&json!("not_in_documents"), &json!([])), "{declined}");
    assert_eq!(server.post(&path, &json!({ "question": " ?! " })).status, 422);
    assert_eq!(server.post(&path, &json!({ "question": "a", "documents": ["none"] })).status, 422);
    assert_eq!(server.post(&path, &json!({ "question": "a", "more": 1 })).status, 422);
    assert_eq!(server.ask("POST", &path, &[("Content-Type", "application/json")], b"{").status, 400);
    assert_eq!(server.ask("POST", &path, &[], b"{}").status, 415);
}

/// The server is killed, and the next one knows what was promised: the result, and the page of an answer.
#[test]
fn what_has_an_address_outlives_the_server() {
    let desk = library();
    let first = serving(&desk);
    let question = json!({ "question": "What does the haddock cost?", "mode": "background" });
    let job = first.post(&format!("{BASE}/ask"), &question);
    let result = first.result(&job).json();
    assert_eq!(result["answer"], "9.50 pounds");
    let told = first.ask("POST", "/c/default/ask/live?q=What%20does%20the%20haddock%20cost%3F", &[], b"").text();
    let page = told.split("data-permanent=\"").nth(1).unwrap().split('"').next().unwrap();
    drop(first);

    let second = serving(&desk);
    assert_eq!(second.json(job.json()["result"].as_str().unwrap()), result);
    assert_eq!(second.json(&format!("{BASE}/jobs"))["jobs"].as_array().unwrap().len(), 1);
    let events = second.get(job.json()["events"].as_str().unwrap()).events();
    assert_eq!(events.len(), 1, "{events:?}");
    let shown = second.get(page).text();
    assert!(shown.contains("9.50 pounds") && !shown.contains("have changed"), "{shown}");
    // Who reads an answer of yesterday is told that the documents are no longer those.
    let put = second.ask("PUT", &format!("{BASE}/documents/new.pdf"), &[], &pdf(&["A toad."]));
    assert_eq!(second.result(&put).status, 200);
    assert!(second.get(page).text().contains("have changed"));
    assert!(second.get("/c/default/ask?answer=../../x").text().contains("no longer kept"));
}

#[test]
fn other_front_ends_ask_as_they_are_used_to() {
    let desk = library();
    let server = serving(&desk);
    assert_eq!(server.json("/v1/models")["data"][0]["id"], "recto/default");
    let asked = |stream: bool, model: &str| {
        let messages = json!([
            { "role": "system", "content": "Be kind." },
            { "role": "user", "content": [{ "type": "text", "text": "What does the haddock cost?" }] },
        ]);
        server.post(
            "/v1/chat/completions",
            &json!({ "model": model, "messages": messages, "stream": stream, "top_p": 1 }),
        )
    };
    let whole = asked(false, "recto/default").json();
    let message = &whole["choices"][0]["message"];
    let text = message["content"].as_str().unwrap();
    assert!(text.starts_with("Perhaps: 9.50 pounds [1]") && text.contains("fish & chips.pdf, page 1"), "{whole}");
    assert_eq!(message["annotations"][0]["url_citation"]["title"], "fish & chips.pdf, page 1");
    let pieces = asked(true, "default").events();
    let said: String =
        pieces.iter().filter_map(|(_, piece)| piece["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(said, text);
    assert_eq!(pieces.last().unwrap().1, Value::Null, "[DONE]");
    assert_eq!(asked(false, "gpt-4o").status, 404);
    assert_eq!(server.post("/v1/chat/completions", &json!({ "model": "default", "messages": [] })).status, 422);
}

#[test]
fn documents_come_and_go() {
    let desk = library();
    let server = Serving::start(&desk, &["--index", "ix", "--max-upload", "100KiB"], &[]);
    let document = |name: &str| format!("{BASE}/documents/{name}");
    let bytes = |text: &str| pdf(&[text]);

    let put = server.ask("PUT", &document("notes%2Feel.pdf"), &[], &bytes("The eel weighs 3 kg."));
    let told = server.result(&put).json();
    assert_eq!((&told["documents"][0]["state"], &told["read"]), (&json!("indexed"), &json!(1)), "{told}");
    assert_eq!(server.json(&format!("{BASE}/search?query=eel"))["hits"][0]["document"], "notes/eel.pdf");
    assert!(desk.path("docs/fish & chips.pdf").is_file(), "files outside are left alone");

    let newer = server.ask("PUT", &document("notes%2Feel.pdf"), &[], &bytes("The eel weighs 4 kg."));
    assert_eq!(server.result(&newer).json()["documents"][0]["pages"], 1);
    assert_eq!(server.json(&format!("{}/pages/1/text", document("notes%2Feel.pdf")))["text"], "The eel weighs 4 kg.");

    // A copy is told as one, and gets the pages when the first one goes.
    let copy = server.ask("PUT", &document("copy.pdf"), &[], &bytes("The eel weighs 4 kg."));
    assert_eq!(server.result(&copy).json()["documents"][0]["state"], "duplicate");
    let removed = server.ask("DELETE", &document("notes%2Feel.pdf"), &[], b"");
    assert_eq!(server.result(&removed).json()["removed"], 1);
    assert_eq!(server.json(&format!("{BASE}/search?query=eel"))["hits"][0]["document"], "copy.pdf");
    assert_eq!(server.get(&document("notes%2Feel.pdf")).status, 404);
    assert_eq!(server.ask("DELETE", &document("notes%2Feel.pdf"), &[], b"").status, 404);

    let form = form(&[("a.pdf", &bytes("A newt.")), ("sub/b.txt", b"A toad."), ("broken.pdf", b"%PDF-1.7 nothing")]);
    let sent = server.ask("POST", &format!("{BASE}/documents"), &[("Content-Type", FORM)], &form);
    let told = server.result(&sent).json();
    let states: Vec<&str> =
        told["documents"].as_array().unwrap().iter().map(|row| row["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["indexed", "indexed", "failed"], "{told}");
    assert!(told["documents"][2]["problems"][0]["next_step"].is_string());
    assert!(server.json(&format!("{BASE}/jobs"))["jobs"].as_array().unwrap().len() >= 5);
}

const FORM: &str = "multipart/form-data; boundary=xXx";

fn form(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, bytes) in files {
        form.extend(
            format!("--xXx\r\nContent-Disposition: form-data; name=\"files\"; filename=\"{name}\"\r\n\r\n").bytes(),
        );
        form.extend(*bytes);
        form.extend(b"\r\n");
    }
    form.extend(b"--xXx--\r\n");
    form
}

#[test]
fn uploads_that_are_hostile_are_refused_and_leave_nothing() {
    let desk = library();
    let server = Serving::start(&desk, &["--index", "ix", "--max-upload", "100KiB", "--body-timeout", "1"], &[]);
    let put = |name: &str, body: &[u8]| server.ask("PUT", &format!("{BASE}/documents/{name}"), &[], body);
    let table = [
        ("..%2F..%2Fx.pdf", 422),
        ("%2Fetc%2Fpasswd.pdf", 422),
        ("a%5Cb.pdf", 422),
        ("a%00b.pdf", 422),
        ("a%0D%0Ab.pdf", 422),
        ("x.exe", 415),
    ];
    for (name, status) in table {
        let reply = put(name, b"%PDF");
        assert_eq!(reply.status, status, "{name}: {}", reply.text());
        reply.code();
    }
    let large = vec![b'x'; 200 << 10];
    let told = put("large.txt", &large);
    assert_eq!(told.status, 413, "{}", told.text());
    assert!(told.text().contains("--max-upload"));
    let sent = server.ask("POST", &format!("{BASE}/documents"), &[("Content-Type", FORM)], &form(&[("l.txt", &large)]));
    assert_eq!((sent.status, sent.code().as_str()), (413, "too_large"));
    let other = String::from_utf8(form(&[("a.txt", b"a")])).unwrap().replace("name=\"files\"", "name=\"more\"");
    let sent = server.ask("POST", &format!("{BASE}/documents"), &[("Content-Type", FORM)], other.as_bytes());
    assert_eq!((sent.status, sent.code().as_str()), (422, "invalid"));
    // Ten gigabytes are refused before they are sent.
    let head = [("Content-Length", "10737418240")];
    let huge = server.ask("PUT", &format!("{BASE}/documents/huge.pdf"), &head, b"");
    assert_eq!(huge.status, 413);
    // One that never comes to its end.
    let slow = server.ask("PUT", &format!("{BASE}/documents/slow.pdf"), &[("Content-Length", "1000")], b"");
    assert_eq!((slow.status, slow.code().as_str()), (408, "slow"));
    let body = "x".repeat(2 << 20);
    let long = server.post(&format!("{BASE}/ask"), &json!({ "question": body }));
    assert_eq!((long.status, long.code().as_str()), (413, "too_large"));
    assert_eq!(server.json(BASE)["documents"], 2);
    let left = std::fs::read_dir(desk.path("ix/cache/uploads")).unwrap().count();
    assert_eq!(left, 0, "nothing is left of what was refused");
}

#[test]
fn fixture_54_addresses_are_never_fetched_and_paths_are_read_where_that_is_allowed() {
    let desk = library();
    desk.write("more/owl.txt", "The owl sees at night.");
    desk.write("other/secret.txt", "Nobody reads this.");
    let path = format!("{BASE}/index");
    let closed = serving(&desk);
    assert_eq!(closed.post(&path, &json!({ "path": desk.path("more") })).status, 403);
    drop(closed);
    let server = Serving::start(&desk, &["--index", "ix", "--allow-path", "more"], &[]);
    for outside in ["other", "more/../other", "other/secret.txt", "nothing"] {
        assert_eq!(server.post(&path, &json!({ "path": desk.path(outside) })).status, 403, "{outside}");
    }
    #[cfg(unix)]
    for (target, link) in [("other/secret.txt", "more/link.txt"), ("other", "more/others")] {
        std::os::unix::fs::symlink(desk.path(target), desk.path(link)).unwrap();
    }
    let told = server.result(&server.post(&path, &json!({ "path": desk.path("more") }))).json();
    assert_eq!(told["read"], 3, "one that can be read, two links: {told}");
    assert_eq!(server.json(&format!("{BASE}/search?query=nobody"))["hits"], json!([]));
    assert_eq!(server.json(&format!("{BASE}/search?query=owl"))["hits"].as_array().unwrap().len(), 1);
    // ragflow#14088, ragflow#18280: addresses are nothing that is fetched here.
    for address in ["http://127.0.0.1/x.pdf", "http://169.254.169.254/", "file:///etc/passwd"] {
        assert_eq!(server.post(&path, &json!({ "path": address })).status, 403, "{address}");
    }
}

/// paperless-ngx and others: the first index is made while people look already.
#[test]
fn a_folder_is_indexed_while_it_is_served() {
    let desk = Desk::with(&[("a.pdf", pdf(&["A newt."]))]);
    let server = Serving::start(&desk, &["docs", "--index", "ix"], &[]);
    let jobs = server.json(&format!("{BASE}/jobs"));
    let url = jobs["jobs"][0]["url"].as_str().unwrap();
    let mut job = server.json(&format!("{url}?wait=30"));
    while job["state"] == "running" || job["state"] == "waiting" {
        job = server.json(&format!("{url}?wait=30"));
    }
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["progress"]["pages"], 1, "{job}");
    assert_eq!(server.json(BASE)["documents"], 1);
}

#[test]
fn an_episode_is_played_kept_and_told_in_parts() {
    let desk = library();
    let server = serving(&desk);
    let path = format!("{BASE}/episodes");
    let told = server.post(&path, &json!({ "task": "The page that says what haddock costs" }));
    assert_eq!(told.status, 200, "{}", told.text());
    let ended = told.json();
    assert_eq!(ended["outcome"]["ranking"][0]["document"], "fish & chips.pdf", "{ended}");
    let list = server.json(&path);
    assert_eq!((&list["total"], &list["episodes"][0]["episode"]), (&json!(1), &ended["episode"]), "{list}");
    let url = list["episodes"][0]["url"].as_str().unwrap();
    let episode = server.json(url);
    assert_eq!(episode["ranking"][0]["place"]["document"], "fish & chips.pdf", "{episode}");
    let outline = episode["outline"].as_array().unwrap();
    let steps = server.json(&format!("{url}/steps?limit=1"));
    assert_eq!((steps["steps"].as_array().unwrap().len(), &steps["total"]), (1, &json!(outline.len())));
    assert!(!steps["steps"][0]["pages"].as_object().unwrap().is_empty(), "{steps}");
    assert_eq!(server.get(&format!("{path}/..")).status, 404);
    assert_eq!(server.get(&format!("{path}/..%2F..")).status, 404);
    let chat = server.post(&path, &json!({ "task": "a", "planner": "chat" }));
    assert_eq!(chat.status, 422, "there is no model");
}

/// inspect_ai#1375, inspect_ai#2249: viewers choked on long logs. What is told at once is small, pictures are told by their
/// addresses.
#[test]
fn fixture_61_a_trace_of_5000_steps_is_told_in_parts() {
    let desk = library();
    let server = Serving::start(&desk, &["--index", "ix", "--runs", "docs"], &[]);
    let path = format!("{BASE}/episodes");
    let ended = server.post(&path, &json!({ "task": "The page that says what haddock costs" })).json();
    let id = ended["episode"].as_str().unwrap();
    let file = format!("ix/episodes/{id}/trajectory.jsonl");
    let mut trajectory: Value = serde_json::from_str(&desk.read(&file)).unwrap();
    let steps = trajectory["steps"].as_array().unwrap().clone();
    let long: Vec<Value> = steps.iter().cycle().take(5000).cloned().collect();
    trajectory["steps"] = Value::Array(long);
    desk.write("docs/long/trajectory.jsonl", format!("{trajectory}\n"));
    let mapping = desk.read(&format!("ix/episodes/{id}/page_handle_mapping.internal.jsonl"));
    desk.write("docs/long/page_handle_mapping.internal.jsonl", mapping);

    let whole = server.get(&format!("{path}/long"));
    assert_eq!(whole.json()["outline"].as_array().unwrap().len(), 5000);
    assert!(whole.body.len() < 2_000_000, "{} bytes", whole.body.len());
    let part = server.get(&format!("{path}/long/steps?offset=4990&limit=200"));
    assert_eq!((part.json()["steps"].as_array().unwrap().len(), &part.json()["total"]), (10, &json!(5000)));
    assert!(part.body.len() < 1_000_000, "{} bytes", part.body.len());
}

/// mcp-chrome#163, donsetch#25: a page of fifty megapixels, a hundred pages, and a cap on characters.
#[test]
fn fixture_55_what_is_told_at_once_is_bounded() {
    let desk = Desk::with(&[
        (
            "poster.pdf",
            Pdf::new()
                .page(Page::new().media_box([0.0, 0.0, 14400.0, 14400.0]).text_at(72.0, 720.0, 12.0, "Poster"))
                .to_bytes(),
        ),
        ("long.pdf", pdf(&["word ".repeat(18).as_str(); 100])),
    ]);
    desk.index(0);
    let server = Serving::start(&desk, &["--index", "ix", "--max-pixels", "1000000"], &[]);
    let image = server.get(&format!("{BASE}/documents/poster.pdf/pages/1/image?dpi=600"));
    assert_eq!(image.status, 200, "{}", image.text());
    let size = |at: usize| u32::from_be_bytes(image.body[at..at + 4].try_into().unwrap());
    assert!(size(16) * size(20) <= 1_000_000, "{} by {}", size(16), size(20));
    assert!(image.header("x-dpi").unwrap().parse::<u32>().unwrap() < 600);
    let pages = server.json(&format!("{BASE}/documents/long.pdf/pages?limit=10"));
    assert_eq!((pages["pages"].as_array().unwrap().len(), &pages["next_offset"]), (10, &json!(10)));
    let text = server.json(&format!("{BASE}/documents/long.pdf/pages/7/text?max_chars=100"));
    assert_eq!(text["text"].as_str().unwrap().chars().count().min(100), text["text"].as_str().unwrap().chars().count());
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "read_page", "arguments": { "doc": "long.pdf", "page": "7", "max_chars": 100 } } });
    let headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    let reply = server.ask("POST", "/mcp", &headers, call.to_string().as_bytes());
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert!(reply.text().len() < 1500, "{}", reply.text());
}
