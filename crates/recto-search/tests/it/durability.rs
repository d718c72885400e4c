//! What a reader sees after commits, crashes and deletes.

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
