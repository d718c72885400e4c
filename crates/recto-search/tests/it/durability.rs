//! What a reader sees after commits, crashes and deletes.

use std::collections::BTreeSet;
use std::path::Path;

use recto_search::{LexicalReader, LexicalWriter, SearchError};

use crate::{add, pages, run, searcher};

#[test]
fn an_uncommitted_writer_leaves_the_last_commit() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    add(&mut writer, 1, &["apple", "pear"]);
    writer.commit(7).unwrap();
    add(&mut writer, 2, &["apple plum"]);
    writer.delete_version(1).unwrap();
    drop(writer);

    assert_eq!(LexicalReader::open(dir.path()).unwrap().generation(), Some(7));
    assert_eq!(pages(&run(&searcher(dir.path(), &[(1, "a"), (2, "b")]), "apple plum")), ["a:1"]);

    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    add(&mut writer, 3, &["plum"]);
    writer.commit(8).unwrap();
    writer.close().unwrap();
    let reader = LexicalReader::open(dir.path()).unwrap();
    assert_eq!(reader.generation(), Some(8));
    assert_eq!(pages(&run(&searcher(dir.path(), &[(1, "a"), (3, "c")]), "apple plum")), ["a:1", "c:1"]);
}

#[test]
fn a_searcher_is_a_snapshot() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    add(&mut writer, 1, &["apple"]);
    writer.commit(1).unwrap();
    let before = searcher(dir.path(), &[(1, "a")]);
    writer.delete_version(1).unwrap();
    add(&mut writer, 2, &["pear"]);
    writer.commit(2).unwrap();
    assert_eq!(pages(&run(&before, "apple pear")), ["a:1"]);
    assert_eq!(pages(&run(&searcher(dir.path(), &[(1, "a"), (2, "a")]), "apple pear")), ["a:1"]);
}

#[test]
fn a_sweep_leaves_the_live_versions_and_frees_the_numbers_of_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    let mut many = vec!["fig"; 20]; // so that the segment is not merged for its few dead pages
    many[0] = "apple";
    add(&mut writer, 1, &many);
    add(&mut writer, 2, &["apple pear", "apple"]);
    writer.commit(1).unwrap();
    drop(writer);

    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    writer.retain(&[1].into()).unwrap();
    add(&mut writer, 2, &["apple plum"]);
    writer.commit(2).unwrap();
    writer.close().unwrap();
    let searcher = searcher(dir.path(), &[(1, "a"), (2, "b")]);
    assert_eq!(pages(&run(&searcher, "apple")), ["a:1", "b:1"]);
    assert!(run(&searcher, "pear").0.is_empty());
}

/// A writer that was killed in a commit has written files that no commit names. The next one would give a file the same name.
#[test]
fn what_a_killed_commit_left_is_in_nobodys_way() {
    let [before, after] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mut writer = LexicalWriter::open(before.path()).unwrap();
    add(&mut writer, 1, &["fig"; 20]);
    add(&mut writer, 2, &["apple"]);
    writer.commit(1).unwrap();
    writer.close().unwrap();
    let files = |dir: &Path| {
        let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        entries.collect::<BTreeSet<_>>()
    };
    files(before.path()).iter().for_each(|name| {
        std::fs::copy(before.path().join(name), after.path().join(name)).unwrap();
    });
    let delete = |dir: &Path| {
        let mut writer = LexicalWriter::open(dir).unwrap();
        writer.delete_version(2).unwrap();
        writer.commit(2).and_then(|()| writer.close())
    };
    delete(after.path()).unwrap();
    let written: Vec<_> = files(after.path()).difference(&files(before.path())).cloned().collect();
    assert!(written.iter().any(|name| name.ends_with(".del")), "{written:?}");
    let orphan = format!("{:032x}.term", 7);
    for name in written.iter().map(String::as_str).chain([orphan.as_str(), ".tmpA1b2C3"]) {
        std::fs::write(before.path().join(name), "half").unwrap();
    }
    delete(before.path()).unwrap();
    assert_eq!(files(before.path()), files(after.path()));
    assert!(run(&searcher(before.path(), &[(1, "a"), (2, "b")]), "apple").0.is_empty());
}

#[test]
fn a_word_index_knows_whether_it_is_the_catalogs() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = LexicalWriter::open(dir.path()).unwrap();
    add(&mut writer, 1, &["fig", "fig"]);
    add(&mut writer, 2, &["apple"]);
    writer.commit(3).unwrap();
    writer.close().unwrap();
    let reader = LexicalReader::open(dir.path()).unwrap();
    let check = |generation, pages: &[(u64, u64)], want| {
        assert_eq!(reader.holds(generation, &pages.iter().copied().collect()).unwrap(), want, "{generation} {pages:?}");
    };
    check(3, &[(1, 2), (2, 1)], true);
    // After a crash between the commits it is ahead, with pages that the catalog does not name.
    check(2, &[(1, 2)], true);
    check(4, &[(1, 2), (2, 1)], false);
    check(3, &[(1, 2), (2, 1), (3, 1)], false);
    check(3, &[(1, 3)], false);

    std::fs::write(dir.path().join("meta.json"), "{").unwrap();
    LexicalWriter::anew(dir.path()).unwrap().close().unwrap();
    assert_eq!(LexicalReader::open(dir.path()).unwrap().generation(), None);
}

#[test]
fn a_new_index_is_empty_and_has_no_generation() {
    let dir = tempfile::tempdir().unwrap();
    LexicalWriter::open(dir.path()).unwrap().close().unwrap();
    assert_eq!(LexicalReader::open(dir.path()).unwrap().generation(), None);
    assert!(run(&searcher(dir.path(), &[(1, "a")]), "apple").0.is_empty());
}

#[test]
fn what_cannot_be_opened_says_why() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(LexicalReader::open(dir.path()), Err(SearchError::Unreadable { .. })));
    let writer = LexicalWriter::open(dir.path()).unwrap();
    assert!(matches!(LexicalWriter::open(dir.path()), Err(SearchError::Locked(_))));
    drop(writer);
    std::fs::write(dir.path().join("meta.json"), "{").unwrap();
    assert!(matches!(LexicalWriter::open(dir.path()), Err(SearchError::Unreadable { .. })));
    assert!(matches!(LexicalReader::open(dir.path()), Err(SearchError::Unreadable { .. })));
}
