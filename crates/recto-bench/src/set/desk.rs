//! Folders of small made-up files, for tests of readers.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::evaluation::evaluate;
use crate::item::BenchmarkSet;
use crate::predictions;
use crate::row::Row;

/// A folder with these files.
pub(crate) fn desk(files: &[(&str, &str)]) -> TempDir {
    let desk = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(&desk, name, text);
    }
    desk
}

/// A file in a folder.
pub(crate) fn write(desk: &TempDir, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let file = desk.path().join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    file
}

/// The benchmark of these files, and that they look like it.
#[track_caller]
pub(crate) fn read(name: &str, files: &[(&str, &str)]) -> BenchmarkSet {
    let desk = desk(files);
    let path = if let [(file, _)] = files { desk.path().join(file) } else { desk.path().to_owned() };
    let set = super::open(None, &path).unwrap();
    assert_eq!(set.name, name);
    set
}

/// Why these files are not the benchmark; the folder's own name is left out.
#[track_caller]
pub(crate) fn fault(name: &str, files: &[(&str, &str)]) -> String {
    let desk = desk(files);
    let why = super::open(Some(name), desk.path()).unwrap_err().to_string();
    why.replace(&format!("{}/", desk.path().display()), "")
}

/// The rows of a file of predictions.
pub(crate) fn rows(set: &BenchmarkSet, name: &str, text: &str) -> Result<Vec<Row>, String> {
    let desk = tempfile::tempdir().unwrap();
    let rows = predictions::read(&write(&desk, name, text), set);
    rows.map_err(|error| error.to_string().replace(&format!("{}/", desk.path().display()), ""))
}

/// What measures say of rows.
pub(crate) fn values(set: &BenchmarkSet, rows: &[Row], measures: &[&str]) -> Vec<Option<f64>> {
    let measures: Vec<_> = measures.iter().map(|text| text.parse().unwrap()).collect();
    let evaluation = evaluate(set, rows, &Default::default(), &measures);
    evaluation.measures.iter().map(|scores| scores.value).collect()
}

/// The names of an item's slice.
pub(crate) fn slice<'a>(set: &'a BenchmarkSet, item: usize, kind: &str) -> Vec<&'a str> {
    set.items[item].slices.get(kind).into_iter().flatten().map(String::as_str).collect()
}

/// Document and page of every gold page of an item.
pub(crate) fn gold(set: &BenchmarkSet, item: usize) -> Vec<(&str, u32)> {
    let pages = set.items[item].gold.pages.iter();
    pages.map(|graded| (graded.page.doc.as_str(), graded.page.page.get())).collect()
}
