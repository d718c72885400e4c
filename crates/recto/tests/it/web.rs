//! The web pages of `recto serve` as a browser gets them. What they do there is tested by `tests/web/run`.

use recto_page::Region;

use crate::desk::{Desk, pdf};
use crate::web_client::Serving;

fn library() -> (Desk, Serving) {
    let desk = Desk::with(&[
        (
            "birds/swift <b>.pdf",
            pdf(&[
                "The swift flies at 111 km/h.\nIt says <script>alert(1)</script>.",
                "The haddock costs 9.50 pounds.",
            ]),
        ),
        ("broken.pdf", b"%PDF-1.7 and nothing more".to_vec()),
    ]);
    desk.index(3);
    let server = Serving::start(&desk, &["--index", "ix"], &[]);
    (desk, server)
}

/// Its address below `view/`.
const SWIFT: &str = "birds%2Fswift%20%3Cb%3E.pdf";

#[test]
fn every_page_is_there_and_says_what_it_is_about() {
    let (_desk, server) = library();
    let swift = |rest: &str| format!("view/{SWIFT}/{rest}");
    let mark = Region::new(0.1, 0.2, 0.3, 0.4).ltrb().map(|side| side.to_string()).join(",");
    let table = [
        ("ask".into(), 200, "1 document, 2 pages"),
        ("ask?answer=none".into(), 200, "no longer kept"),
        ("search?q=swift".into(), 200, "swift &lt;b&gt;.pdf</bdi>, page 1"),
        ("search?q=swift".into(), 200, "flies at 111 km/h"),
        ("search?q=nothing".into(), 200, "No page matches"),
        ("search?q=swift&route=magic".into(), 200, "role=\"alert\""),
        ("search?q=swift&pages=0".into(), 200, "role=\"alert\""),
        ("search?q=-".into(), 200, "role=\"alert\""),
        ("library".into(), 200, "swift &lt;b&gt;.pdf"),
        ("library".into(), 200, "could not be read"),
        ("library?filter=BROKEN".into(), 200, "broken.pdf"),
        ("library?filter=none".into(), 200, "No document is called so"),
        ("library/job".into(), 200, ""),
        ("problems".into(), 200, "<b>Next: </b>"),
        (swift("1"), 200, "of 2"),
        (swift(&format!("1?mark={mark}")), 200, "data-mark"),
        (swift("1/layer"), 200, "&lt;script&gt;"),
        (swift(&format!("1/layer?mark={mark}")), 200, "class=\"mark\""),
        (swift("1/layer?find=FLIES"), 200, "class=\"found\""),
        (swift("1/about"), 200, "the file’s text reads well"),
        (swift("2/pane"), 200, "Open in the document"),
        (swift("find?find=swift"), 200, "1 place"),
        (swift("find?find=none"), 200, "does not stand"),
        ("view/broken.pdf/1".into(), 200, "could not be read"),
        (swift("0"), 404, "Nothing here"),
        (swift("3"), 404, "Nothing here"),
        (swift("x/layer"), 404, "Nothing here"),
        ("view/none.pdf/1".into(), 404, "Nothing here"),
    ];
    for (path, status, text) in table {
        let path: String = path;
        let reply = server.get(&format!("/c/default/{path}"));
        assert_eq!(reply.status, status, "{path}");
        assert!(reply.text().contains(text), "{path} does not say {text:?}: {}", reply.text());
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        mind_markup(&path, &reply.text());
    }
    assert_eq!(server.get("/").header("location"), Some("/c/default/ask"));
}

/// No script but files of ours, no style but those, nothing that a document says as markup.
#[track_caller]
fn mind_markup(path: &str, html: &str) {
    for start in html.match_indices("<script").map(|(at, _)| at) {
        assert!(
            html[start..].starts_with("<script src=\"/assets/")
                || html[start..].starts_with("<script type=\"module\" src=\"/assets/"),
            "{path}"
        );
    }
    for never in [" style=\"", " onclick=", " onload=", "javascript:", "<b>.pdf", "alert(1)<"] {
        let told = html.replace("alert(1)&lt;", "");
        assert!(!told.contains(never), "{path} holds {never}");
    }
}

#[test]
fn assets_are_kept_by_browsers_since_their_addresses_name_their_content() {
    let (_desk, server) = library();
    let page = server.get("/c/default/ask").text();
    let addresses: Vec<&str> = page.split('"').filter(|part| part.starts_with("/assets/")).collect();
    assert!(addresses.len() >= 4, "{addresses:?}");
    for address in addresses {
        let reply = server.get(address);
        assert_eq!(reply.status, 200, "{address}");
        assert!(reply.header("cache-control").is_some_and(|text| text.contains("immutable")), "{address}");
    }
    assert_eq!(server.get("/assets/0/none.js").status, 404);
    assert_eq!(server.get("/favicon.ico").status, 200);
}

#[test]
fn an_answer_comes_as_a_page_after_its_steps_and_keeps_its_address() {
    let (_desk, server) = library();
    let reply = server.ask("POST", "/c/default/ask/live?q=How+many+pounds+does+the+haddock+cost%3F", &[], b"");
    let text = reply.text();
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part}: {text}"));
    assert!(at("event: step") < at("event: answer"), "{text}");
    assert!(text.contains("9.50") && text.contains("class=\"mark\""), "{text}");
    let permanent = text.split("data-permanent=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(server.get(permanent).text().contains("9.50"));
    let none = server.ask("POST", "/c/default/ask/live?q=%3F", &[], b"").text();
    assert!(none.contains("event: error"), "{none}");
}
