//! `recto index --watch`: what comes, changes and goes is noticed, and Ctrl-C ends it in good order.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::desk::{Desk, pdf};
use crate::web_client::Serving;

/// A look takes a second; machines can be slow.
const PATIENCE: Duration = Duration::from_secs(60);

struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        self.0.kill().ok();
    }
}

/// Waits until a search tells of this many pages.
fn wait_for(desk: &Desk, word: &str, want: usize) {
    let start = Instant::now();
    loop {
        let told = desk.recto(&["search", word, "--json", "--index", "index"]);
        let found = serde_json::from_str::<Vec<serde_json::Value>>(&told.out).map_or(0, |hits| hits.len());
        if told.code == 0 && found == want {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "{word}: {found} of {want} pages; {}", told.err);
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn a_watched_folder_is_indexed_as_it_changes() {
    let desk = Desk::with(&[("one.pdf", pdf(&["heron"])), ("drafts/two.pdf", pdf(&["heron"]))]);
    let arguments = ["index", "docs", "--watch=1", "--ignore", "drafts/*", "--index", "index", "--quiet"];
    let mut watching = Watching(desk.command(&arguments).spawn().unwrap());
    wait_for(&desk, "heron", 1);
    desk.write("docs/three.pdf", pdf(&["heron", "heron"]));
    wait_for(&desk, "heron", 3);
    std::fs::remove_file(desk.path("docs/one.pdf")).unwrap();
    wait_for(&desk, "heron", 2);
    Command::new("kill").args(["-INT", &watching.0.id().to_string()]).status().unwrap();
    let start = Instant::now();
    let ended = loop {
        match watching.0.try_wait().unwrap() {
            Some(status) => break status,
            None => assert!(start.elapsed() < PATIENCE),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(ended.code(), Some(0));
}

/// The same while it is served: others look at the index meanwhile, and a folder that is away takes nothing with it.
#[test]
fn a_served_folder_is_kept_up_to_date() {
    let desk = Desk::with(&[("one.pdf", pdf(&["heron"]))]);
    let server = Serving::start(&desk, &["docs", "--index", "index", "--watch=1"], &[]);
    let wait_for = |want: usize| {
        let start = Instant::now();
        loop {
            let told = server.get("/v1/collections/default/search?query=heron");
            let found = (told.status == 200).then(|| told.json()["hits"].as_array().map_or(0, Vec::len));
            if found == Some(want) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "{found:?} of {want} pages: {}", told.text());
            std::thread::sleep(Duration::from_millis(200));
        }
    };
    wait_for(1);
    desk.write("docs/two.pdf", pdf(&["heron", "heron"]));
    wait_for(3);
    std::fs::remove_file(desk.path("docs/one.pdf")).unwrap();
    wait_for(2);
    std::fs::rename(desk.path("docs"), desk.path("away")).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    wait_for(2);
    assert!(server.get("/c/default/library").text().contains("can’t be seen"));
    std::fs::rename(desk.path("away"), desk.path("docs")).unwrap();
    desk.write("docs/three.pdf", pdf(&["heron"]));
    wait_for(3);
}
