//! What happens when the program is killed, or runs twice at once.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use recto_fixture::bomb;

use crate::desk::Desk;

const DOCUMENTS: usize = 6;
const PAGES: usize = 150;

/// Enough pages that reading them takes a while, every page with the word "page" and its number.
fn shelf() -> Desk {
    let desk = Desk::new();
    for n in 0..DOCUMENTS {
        // The number of pages differs, else the documents would be copies of each other.
        desk.write(&format!("docs/{n}.pdf"), bomb::many_pages(PAGES + n));
    }
    desk
}

/// The number of pages of all documents.
fn total() -> usize {
    (0..DOCUMENTS).map(|n| PAGES + n).sum()
}

#[track_caller]
fn is_whole(desk: &Desk) {
    let told = desk.recto(&["search", "page", "-k", "100000", "--index", "ix", "--json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&told.out).unwrap();
    let mut places: Vec<String> = rows.iter().map(|row| format!("{}:{}", row["document"], row["page"])).collect();
    places.sort();
    assert_eq!(places.len(), total());
    places.dedup();
    assert_eq!(places.len(), total(), "pages are there twice");
    assert_eq!(desk.recto(&["doctor", "--verify", "--index", "ix"]).code, 0);
    assert_eq!(desk.problems(), Vec::<String>::new());
}

/// Waits until `is_so`, for at most a minute.
#[track_caller]
fn wait_until(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "it never happened");
        sleep(Duration::from_millis(2));
    }
}

fn start(desk: &Desk, arguments: &[&str]) -> Child {
    desk.command(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// RAG-Anything#277, RAG-Anything#328.
#[test]
fn an_index_run_that_was_killed_is_finished_by_the_next_one_without_duplicates() {
    let desk = shelf();
    let index = ["index", "docs", "--index", "ix", "--jobs", "1"];
    // Killed when the first file is kept, then when the first page is on its way.
    for place in ["ix/sources", "ix/lexical"] {
        let mut child = start(&desk, &index);
        wait_until(|| desk.path(place).exists() || child_ended(&child));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().code(), None, "it ended before it could be killed");
        // What is there can be looked at: nothing yet, or a part, each page once.
        let told = desk.recto(&["search", "page", "-k", "100000", "--index", "ix"]);
        assert!([0, 2].contains(&told.code), "{told:?}");
    }
    assert_eq!(desk.index(0)["documents"], DOCUMENTS);
    is_whole(&desk);
}

/// True if the process is gone or a zombie.
fn child_ended(child: &Child) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    stat.rsplit(") ").next().is_none_or(|rest| rest.is_empty() || rest.starts_with('Z'))
}

#[test]
fn two_index_runs_at_once_leave_one_whole_index() {
    let desk = shelf();
    let children = [0, 1].map(|_| start(&desk, &["index", "docs", "--index", "ix"]));
    let ended = children.map(|child| child.wait_with_output().unwrap());
    let codes: Vec<i32> = ended.iter().map(|output| output.status.code().unwrap()).collect();
    assert!(codes.contains(&0), "{ended:?}");
    for output in ended.iter().filter(|output| !output.status.success()) {
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains("another process"), "{output:?}");
    }
    is_whole(&desk);
}

#[test]
fn an_index_can_be_searched_while_it_is_brought_up_to_date() {
    let desk = shelf();
    desk.index(0);
    desk.write("docs/more.pdf", bomb::many_pages(400));
    let mut child = start(&desk, &["index", "docs", "--index", "ix", "--jobs", "1"]);
    let mut seen = 0;
    while child.try_wait().unwrap().is_none() {
        let found = desk.search("\"page 7\"").len();
        assert!(found == DOCUMENTS || found == DOCUMENTS + 1, "{found}");
        seen += 1;
    }
    assert!(seen > 0);
    assert_eq!(desk.search("\"page 7\"").len(), DOCUMENTS + 1);
}

/// A worker that hangs in a page ends with the program that started it, however that ends.
#[test]
fn no_worker_outlives_a_killed_program() {
    let desk = Desk::with(&[("laughs.pdf", bomb::form_laughs(30))]);
    let mut child = start(&desk, &["index", "docs", "--index", "ix", "--page-timeout", "60"]);
    let workers = |parent: u32| {
        let path = format!("/proc/{parent}/task/{parent}/children");
        let mut listed = std::fs::read_to_string(path).unwrap_or_default();
        for task in std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten() {
            listed += &std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
        }
        listed.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    wait_until(|| !workers(child.id()).is_empty());
    let started = workers(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    let is_gone = |id: &String| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    };
    wait_until(|| started.iter().all(is_gone));
}

/// Bytes that changed on the disk are found by the doctor, and whatever is asked of them ends in a sentence.
#[test]
fn a_damaged_word_index_is_named() {
    let desk = shelf();
    desk.index(0);
    for entry in std::fs::read_dir(desk.path("ix/lexical")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ["idx", "pos", "term", "fast"].iter().any(|e| ending == *e)) {
            let bytes = std::fs::read(&path).unwrap();
            std::fs::write(&path, vec![0x5a; bytes.len()]).unwrap();
        }
    }
    let doctor = desk.recto(&["doctor", "--verify", "--index", "ix"]);
    assert_eq!(doctor.code, 3, "{doctor:?}");
    assert!(doctor.out.contains("FAIL"), "{doctor:?}");
    let search = desk.recto(&["search", "page", "--index", "ix"]);
    assert_eq!(search.code, 1, "{search:?}");
    assert!(search.err.contains("recto: "), "{search:?}");
}
