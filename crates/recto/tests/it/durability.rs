//! What happens when the program is killed, or runs twice at once.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use recto_fixture::bomb;

use crate::desk::{Desk, pdf};

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

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[track_caller]
fn doctor(desk: &Desk, code: i32) -> String {
    let told = desk.recto(&["doctor", "--verify", "--index", "ix"]);
    assert_eq!(told.code, code, "{told:?}");
    told.out
}

/// A word index that is gone, put back from an older copy, or another one: nothing is told from it, and the next update makes
/// it anew, though no file has changed.
#[test]
fn a_word_index_that_is_not_that_of_the_pages_is_made_anew() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron.", "The heron again."]))]);
    desk.index(0);
    copy(&desk.path("ix/lexical"), &desk.path("older"));
    desk.write("docs/b.pdf", pdf(&["The heron and the otter."]));
    desk.index(0);
    desk.json(0, &["index", "docs"]);
    desk.write("empty/c.c", "x");
    assert_eq!(desk.recto(&["index", "empty", "--index", "nothing"]).code, 0);
    copy(&desk.path("nothing/lexical"), &desk.path("empty-words"));
    for other in [None, Some("older"), Some("empty-words")] {
        std::fs::remove_dir_all(desk.path("ix/lexical")).unwrap();
        if let Some(other) = other {
            copy(&desk.path(other), &desk.path("ix/lexical"));
        }
        let told = desk.recto(&["search", "heron", "--index", "ix"]);
        assert!(told.code == 1 && told.err.contains("`recto index PATH` makes it anew"), "{other:?}: {told:?}");
        assert!(doctor(&desk, 3).contains("FAIL index: "), "{other:?}");
        let told = desk.recto(&["index", "docs", "--index", "ix"]);
        assert!(told.code == 0 && told.err.contains("2 unchanged"), "{other:?}: {told:?}");
        assert!(told.err.contains("made anew from 3 of them"), "{other:?}: {told:?}");
        assert_eq!(desk.search("heron").len(), 3, "{other:?}");
        doctor(&desk, 0);
    }
}

/// A changed byte of a page record is not told as what the page says, and what mends it is told.
#[test]
fn a_damaged_page_record_is_named_and_can_be_mended() {
    let desk =
        Desk::with(&[("a.pdf", pdf(&["The sum is 3,412 euros.", "The heron."])), ("b.pdf", pdf(&["The otter."]))]);
    desk.index(0);
    let mut bytes = std::fs::read(desk.path("ix/catalog.sqlite")).unwrap();
    let at = bytes.windows(5).position(|part| part == b"3,412").unwrap();
    bytes[at] = b'8';
    std::fs::write(desk.path("ix/catalog.sqlite"), bytes).unwrap();
    let told = desk.recto(&["page", "a.pdf", "1", "--index", "ix"]);
    assert!(told.code == 1 && told.err.contains("the record of page a.pdf p. 1 in the index is damaged"), "{told:?}");
    assert_eq!(desk.recto(&["page", "a.pdf", "2", "--index", "ix"]).out, "The heron.\n");
    let told = doctor(&desk, 3);
    assert!(told.contains("page 1 of a.pdf: ") && told.contains("remove the folder ix/lexical"), "{told}");
    std::fs::remove_dir_all(desk.path("ix/lexical")).unwrap();
    assert_eq!(desk.index(0)["read"], 1);
    assert_eq!(desk.recto(&["page", "a.pdf", "1", "--index", "ix"]).out, "The sum is 3,412 euros.\n");
    assert_eq!(desk.search("3,412 otter"), ["a.pdf:1", "b.pdf:1"]);
    doctor(&desk, 0);
}

/// A kept file that is gone or cut is copied again where the file still is.
#[test]
fn a_lost_kept_file_is_kept_again() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron."]))]);
    desk.index(0);
    for lose in [|path: &Path| std::fs::remove_file(path).unwrap(), |path: &Path| std::fs::write(path, "%PDF").unwrap()]
    {
        let shards = std::fs::read_dir(desk.path("ix/sources")).unwrap().map(|shard| shard.unwrap().path());
        let kept = shards.flat_map(|shard| std::fs::read_dir(shard).unwrap()).next().unwrap().unwrap().path();
        lose(&kept);
        assert!(doctor(&desk, 3).contains("is missing or changed"));
        assert_eq!(desk.index(0)["unchanged"], 1);
        doctor(&desk, 0);
    }
}

#[test]
fn an_index_without_its_catalog_is_no_new_place() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron."]))]);
    desk.index(0);
    std::fs::remove_file(desk.path("ix/catalog.sqlite")).unwrap();
    let told = doctor(&desk, 3);
    assert!(told.contains("FAIL index: ix holds words and kept files, but no catalog.sqlite"), "{told}");
    desk.index(0);
    assert_eq!(desk.search("heron"), ["a.pdf:1"]);
    doctor(&desk, 0);
}

#[test]
fn another_writer_is_named_and_waited_for() {
    let desk = Desk::with(&[("a.pdf", pdf(&["A heron."]))]);
    let held = recto_page::IndexDir::new(desk.path("ix")).lock().unwrap();
    let mut child = start(&desk, &["index", "docs", "--index", "ix"]);
    let mut told = String::new();
    let mut notes = BufReader::new(child.stderr.take().unwrap());
    notes.read_line(&mut told).unwrap();
    let who = format!("another process (number {}) is writing", std::process::id());
    assert!(told.contains(&who) && told.contains("waiting"), "{told}");
    drop(held);
    assert!(child.wait().unwrap().success());
    assert_eq!(desk.search("heron"), ["a.pdf:1"]);
    // Where there is an index, it is asked as it is.
    let held = recto_page::IndexDir::new(desk.path("ix")).lock().unwrap();
    let told = desk.recto(&["search", "docs", "heron", "--index", "ix"]);
    assert!(told.code == 0 && told.out.contains("a.pdf") && told.err.contains(&who), "{told:?}");
    drop(held);
}
