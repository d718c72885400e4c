//! What an index does when files change, move or go.

use std::fs;

use serde_json::json;

use crate::desk::{Desk, pdf};

/// paperless-ngx#7393, LightRAG PR#2135.
#[test]
fn copies_are_named_once_and_found_under_the_first_name() {
    let bytes = pdf(&["The heron nests here."]);
    let desk = Desk::with(&[("a.pdf", bytes.clone()), ("b.pdf", bytes), ("c.pdf", pdf(&["The otter."]))]);
    let told = desk.index(0);
    assert_eq!((&told["documents"], &told["duplicates"]), (&json!(2), &json!(1)));
    assert_eq!(desk.problems(), ["b.pdf:-:duplicate"]);
    assert!(desk.recto(&["problems", "--index", "ix"]).out.contains("the same content as a.pdf"));
    assert_eq!(desk.search("heron"), ["a.pdf:1"]);
    // The copy can be asked for by its own name too.
    let rows = desk.json(0, &["search", "heron", "--doc", "b.pdf"]);
    assert_eq!(rows[0]["document"], "a.pdf");
    // The first goes: the copy takes its place.
    fs::remove_file(desk.path("docs/a.pdf")).unwrap();
    desk.json(0, &["index", "docs", "--prune"]);
    assert_eq!(desk.search("heron"), ["b.pdf:1"]);
    assert_eq!(desk.problems(), Vec::<String>::new());
}

/// LightRAG PR#2135.
#[test]
fn new_bytes_under_an_old_name_replace_the_old_ones() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron.", "Second page."])), ("b.pdf", pdf(&["The otter."]))]);
    desk.index(0);
    desk.write("docs/a.pdf", pdf(&["The kingfisher."]));
    let told = desk.index(0);
    assert_eq!((&told["read"], &told["unchanged"], &told["pages"]), (&json!(1), &json!(1), &json!(2)));
    assert_eq!(desk.search("heron second"), Vec::<String>::new());
    assert_eq!(desk.search("kingfisher otter"), ["a.pdf:1", "b.pdf:1"]);
}

/// LightRAG PR#2135.
#[test]
fn what_is_deleted_is_found_no_more() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron."])), ("b.pdf", pdf(&["The otter."]))]);
    desk.index(0);
    fs::remove_file(desk.path("docs/a.pdf")).unwrap();
    let told = desk.index(0);
    assert_eq!((&told["removed"], &told["gone"]), (&json!(0), &json!(1)), "documents stay until it is asked to prune");
    assert_eq!(desk.search("heron"), ["a.pdf:1"]);
    assert_eq!(desk.json(0, &["index", "docs", "--prune"])["removed"], 1);
    assert_eq!(desk.search("heron"), Vec::<String>::new());
    let kept = walk(&desk.path("ix/sources"));
    assert_eq!(kept.len(), 1, "the file that nobody refers to any more: {kept:?}");
}

#[test]
fn a_folder_that_is_asked_answers_with_what_it_holds_now() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron."])), ("b.pdf", pdf(&["The heron and the otter."]))]);
    let search = || desk.json(0, &["search", "docs", "heron"]).as_array().unwrap().len();
    assert_eq!(search(), 2);
    fs::remove_file(desk.path("docs/a.pdf")).unwrap();
    assert_eq!(search(), 1);
}

#[cfg(unix)]
#[test]
fn an_index_that_nobody_named_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron."]))]);
    let mode = |path: &str| fs::metadata(path.trim()).unwrap().permissions().mode() & 0o777;
    let told = desk.recto(&["index", "docs"]);
    assert_eq!(mode(&told.out), 0o700, "{told:?}");
    // Without a home it does not go where everybody may write.
    let bare = desk.command(&["index", "docs", "-q"]).env_remove("HOME").env_remove("XDG_CACHE_HOME").output().unwrap();
    let place = String::from_utf8(bare.stdout).unwrap();
    assert!(place.contains("/docs/.recto/index/docs-"), "{place}");
    assert_eq!(mode(&place), 0o700);
}

/// paperless-ngx#7393.
#[test]
fn a_renamed_file_is_not_read_again() {
    let desk = Desk::with(&[("old.pdf", pdf(&["The heron."])), ("b.pdf", pdf(&["The otter."]))]);
    desk.index(0);
    fs::create_dir(desk.path("docs/birds")).unwrap();
    fs::rename(desk.path("docs/old.pdf"), desk.path("docs/birds/new.pdf")).unwrap();
    let told = desk.index(0);
    assert_eq!((&told["renamed"], &told["read"], &told["documents"]), (&json!(1), &json!(0), &json!(2)));
    assert_eq!(desk.search("heron"), ["birds/new.pdf:1"]);
}

#[test]
fn what_is_unchanged_is_not_read_again() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron."])), ("b.pdf", pdf(&["The otter."]))]);
    desk.index(0);
    let commit = desk.json(0, &["status"])["commit"].clone();
    let told = desk.index(0);
    assert_eq!((&told["unchanged"], &told["read"]), (&json!(2), &json!(0)));
    assert_eq!(desk.json(0, &["status"])["commit"], commit);
}

/// The index is all that is needed.
#[test]
fn the_documents_may_be_gone_when_they_are_asked() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron eats 14 fish a day."]))]);
    desk.index(0);
    fs::remove_dir_all(desk.path("docs")).unwrap();
    assert_eq!(desk.search("heron"), ["a.pdf:1"]);
    assert_eq!(desk.recto(&["page", "a.pdf", "1", "--image", "p.png", "--index", "ix"]).code, 0);
    assert!(fs::read(desk.path("p.png")).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(desk.recto(&["doctor", "--verify", "--index", "ix"]).code, 0);
}

/// The files below a folder.
fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// Whatever files become of each other, each name gives its own content afterwards, and nothing is read a second time.
#[test]
fn files_that_change_places_keep_their_contents() {
    let content = |word: &str| pdf(&[&format!("The {word} is here.")]);
    let table: [(&str, &str); 9] = [
        ("a=heron b=otter", "a=otter b=heron"),
        ("a=heron b=heron", "a=otter b=heron"),
        ("a=heron b=heron c=heron", "a=otter b=heron c=heron"),
        ("a=heron b=otter c=eel", "a=otter b=eel c=heron"),
        ("a=heron", "a=otter b=heron"),
        ("b=heron", "a=heron b=otter"),
        ("a=heron b=otter", "b=heron"),
        ("a=heron b=heron", "b=heron c=otter"),
        ("a=heron b=otter", "a=otter c=heron d=heron"),
    ];
    for (before, after) in table {
        let desk = Desk::new();
        for state in [before, after] {
            fs::remove_dir_all(desk.path("docs")).ok();
            for (name, word) in state.split(' ').filter_map(|file| file.split_once('=')) {
                desk.write(&format!("docs/{name}.pdf"), content(word));
            }
            desk.json(0, &["index", "docs", "--prune"]);
        }
        for (name, word) in after.split(' ').filter_map(|file| file.split_once('=')) {
            let text = desk.recto(&["page", &format!("{name}.pdf"), "1", "--index", "ix"]).out;
            assert_eq!(text, format!("The {word} is here.\n"), "{name} after {before} became {after}");
        }
        let again = desk.index(0);
        assert_eq!(again["unchanged"], json!(after.split(' ').count()), "{before} became {after}: {again}");
        assert_eq!(desk.recto(&["doctor", "--verify", "--index", "ix"]).code, 0);
    }
}

/// Programs that copy files set the time of the copy to that of the original.
#[test]
fn a_change_that_keeps_size_and_time_is_noticed() {
    let [before, after] = ["heron", "eagle"].map(|word| pdf(&[&format!("The {word}.")]));
    assert_eq!(before.len(), after.len());
    let desk = Desk::with(&[("a.pdf", before)]);
    let path = desk.path("docs/a.pdf");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    let set_back = || fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    desk.index(0);
    fs::write(&path, &after).unwrap();
    set_back();
    assert_eq!(desk.index(0)["read"], 1);
    assert_eq!(desk.search("eagle"), ["a.pdf:1"]);
    // Another file in its place.
    desk.write("new.pdf", pdf(&["The stork."]));
    fs::rename(desk.path("new.pdf"), &path).unwrap();
    set_back();
    assert_eq!(desk.index(0)["read"], 1);
    // The same content is not read again.
    fs::copy(&path, desk.path("copy")).unwrap();
    fs::rename(desk.path("copy"), &path).unwrap();
    assert_eq!(desk.index(0)["unchanged"], 1);
}

/// A drive that is away leaves an empty folder where it is mounted.
#[test]
fn a_folder_with_nothing_in_it_takes_nothing_with_it() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron."])), ("b.pdf", pdf(&["The otter."]))]);
    desk.write("more/c.pdf", pdf(&["The stork."]));
    desk.json(0, &["index", "docs", "more"]);
    fs::rename(desk.path("docs"), desk.path("away")).unwrap();
    fs::create_dir(desk.path("docs")).unwrap();
    let told = desk.recto(&["index", "docs", "more", "--prune", "--index", "ix"]);
    let note = format!(
        "nothing was found in {}, where 2 documents came from",
        desk.path("docs").canonicalize().unwrap().display()
    );
    assert!(told.code == 0 && told.err.contains(&note), "{told:?}");
    assert_eq!(desk.search("heron otter stork").len(), 3);
    // It is back, with a file less.
    fs::remove_dir(desk.path("docs")).unwrap();
    fs::rename(desk.path("away"), desk.path("docs")).unwrap();
    fs::remove_file(desk.path("docs/b.pdf")).unwrap();
    assert_eq!(desk.json(0, &["index", "docs", "more", "--prune"])["removed"], 1);
    assert_eq!(desk.search("heron otter stork").len(), 2);
}

/// A limit is for what is to be read.
#[test]
fn a_lower_limit_takes_nothing_out_of_an_index() {
    let file = pdf(&["The heron."]);
    let desk = Desk::with(&[("a.pdf", file.clone())]);
    desk.index(0);
    let lower = ["index", "docs", "--max-bytes", "1"];
    assert_eq!(desk.json(0, &lower)["unchanged"], 1);
    desk.write("docs/a.pdf", file);
    assert_eq!(desk.json(0, &lower)["unchanged"], 1);
    assert_eq!(desk.search("heron"), ["a.pdf:1"]);
    desk.write("docs/b.pdf", pdf(&["The otter."]));
    desk.json(3, &lower);
    assert_eq!(
        (desk.search("heron"), desk.problems()),
        (vec!["a.pdf:1".into()], vec!["b.pdf:-:file_too_large".into()])
    );
}

/// Two folders may hold files of one name; indexing the second must not replace the first's.
#[test]
fn equal_names_in_two_folders_are_two_documents() {
    let desk = Desk::new();
    desk.write("one/a.pdf", pdf(&["The heron."]));
    desk.write("two/a.pdf", pdf(&["The otter."]));
    for folder in ["one", "two", "one"] {
        desk.json(0, &["index", folder]);
    }
    assert_eq!(desk.search("heron"), ["a.pdf:1"]);
    assert_eq!(desk.search("otter"), ["two/a.pdf:1"]);
}

/// A file where a folder now stands is gone; a pipe is no document and is not waited for.
#[test]
fn what_is_no_file_is_no_document() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The heron."])), ("b.pdf", pdf(&["The otter."]))]);
    desk.index(0);
    fs::remove_file(desk.path("docs/a.pdf")).unwrap();
    fs::create_dir(desk.path("docs/a.pdf")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(desk.path("docs/pipe.pdf")).status().unwrap().success());
    assert_eq!(desk.json(3, &["index", "docs", "--prune"])["removed"], 1);
    assert_eq!(desk.search("heron"), Vec::<String>::new());
    assert_eq!(desk.problems(), ["pipe.pdf:-:unreadable"]);
}

/// Files of other kinds are counted, and no failure.
#[test]
fn files_that_are_not_read_are_counted() {
    let file = |name| (name, b"x".to_vec());
    let desk = Desk::with(&[file("a.gif"), file("b.bmp"), file("sub/c.GIF"), ("d.pdf", pdf(&["heron"]))]);
    let told = desk.recto(&["index", "docs", "--index", "ix"]);
    assert_eq!(told.code, 0);
    assert!(told.err.contains("skipped: 3 files of kinds that recto does not read (2 .gif, 1 .bmp)"), "{told:?}");
    assert_eq!(desk.index(0)["skipped"], json!({ "bmp": 1, "gif": 2 }));
    let told = desk.json(0, &["index", "docs", "--ignore", "*.gif"]);
    assert_eq!(told["skipped"], json!({ "bmp": 1, "gif": 1 }));
}
