//! Which files are documents, and what they are called. Reads folders, never the files themselves.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use recto_page::catalog::SourceStamp;
use recto_page::{DocId, Problem, ProblemCode, Stage};
use walkdir::{DirEntry, WalkDir};

/// A file that is, by its name, a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The path relative to `root`, or the file's name if `root` is the file.
    pub name: DocId,
    /// The folder or file that was asked for.
    pub root: PathBuf,
    /// The file.
    pub path: PathBuf,
    /// Its state.
    pub stamp: SourceStamp,
}

/// What was found, in a fixed order, and what could not be looked at or read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Discovery {
    /// Documents, by root in the order given, then by path.
    pub found: Vec<Found>,
    /// Files that were named or look like documents but can't be read, with the reason.
    pub problems: Vec<(PathBuf, Problem)>,
    /// Other files in the folders, of kinds that recto does not read.
    pub skipped: Vec<PathBuf>,
}

/// File name endings that recto reads.
pub const SUPPORTED: [&str; 25] = [
    "pdf", "png", "jpg", "jpeg", "tif", "tiff", "webp", "docx", "docm", "pptx", "pptm", "ppsx", "xlsx", "xlsm", "odt",
    "ods", "odp", "csv", "tsv", "html", "htm", "eml", "txt", "md", "markdown",
];

/// Endings of documents that recto does not read, with what it reads instead: worth a problem, where other files are only
/// counted.
const UNSUPPORTED: [(&str, &str); 14] = [
    ("doc", "save it as .docx or PDF"),
    ("rtf", "save it as .docx or PDF"),
    ("ppt", "save it as .pptx or PDF"),
    ("xls", "save it as .xlsx"),
    ("xlsb", "save it as .xlsx"),
    ("msg", "save it as .eml"),
    ("mbox", "export its messages as .eml"),
    ("epub", "export it as PDF"),
    ("djvu", "export it as PDF"),
    ("ps", "export it as PDF"),
    ("xps", "export it as PDF"),
    ("pages", "export it as PDF"),
    ("numbers", "export it as .xlsx"),
    ("key", "export it as PDF"),
];

/// Looks through folders (recursively, without hidden files) and takes the files that are named directly.
pub fn discover(roots: &[PathBuf]) -> Discovery {
    let mut discovery = Discovery::default();
    for root in roots {
        let root = real_path(root);
        let walk = WalkDir::new(&root).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(|e| e.depth() == 0 || !(is_hidden(e) || is_index(e))) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => discovery.take(&root, &entry),
                Err(error) => {
                    let path = error.path().unwrap_or(&root).to_path_buf();
                    discovery.problem(path, ProblemCode::Unreadable, error.to_string());
                }
            }
        }
    }
    discovery
}

impl Discovery {
    fn take(&mut self, root: &Path, entry: &DirEntry) {
        let path = entry.path().to_path_buf();
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if !SUPPORTED.contains(&ending.as_str()) {
            let advice = UNSUPPORTED.iter().find(|(other, _)| *other == ending).map(|(_, advice)| *advice);
            if entry.depth() == 0 || advice.is_some() {
                let advice = advice.unwrap_or("export it as PDF");
                let detail = format!("files with the ending {ending:?} are not read: {advice}");
                self.problem(path, ProblemCode::UnsupportedFormat, detail);
            } else {
                self.skipped.push(path);
            }
            return;
        }
        match entry.metadata() {
            Ok(metadata) if !metadata.is_file() => {
                self.problem(path, ProblemCode::Unreadable, "it is no regular file".into());
            }
            Ok(metadata) => {
                let name = DocId::new(name(root, &path));
                self.found.push(Found { name, root: root.into(), path, stamp: stamp(&metadata) });
            }
            Err(error) => self.problem(path, ProblemCode::Unreadable, error.to_string()),
        }
    }

    fn problem(&mut self, path: PathBuf, code: ProblemCode, detail: String) {
        self.problems.push((path, Problem::of_document(code, Stage::Discover, detail)));
    }
}

/// The path without `..` and links, so that a folder has one name; a file keeps the name by which it was asked for.
pub fn real_path(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.into());
    if absolute.is_dir() {
        return absolute.canonicalize().unwrap_or(absolute);
    }
    match (absolute.parent().and_then(|folder| folder.canonicalize().ok()), absolute.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => absolute,
    }
}

/// The state of a file, by which a change is noticed.
pub fn stamp(metadata: &Metadata) -> SourceStamp {
    let ns = |seconds: i64, ns: i64| seconds.saturating_mul(1_000_000_000).saturating_add(ns);
    SourceStamp {
        size: metadata.len(),
        modified_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
        changed_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
    }
}

fn name(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).ok().filter(|p| !p.as_os_str().is_empty());
    relative.unwrap_or_else(|| Path::new(path.file_name().unwrap_or_default())).to_string_lossy().into_owned()
}

/// True for an index directory: the pictures in its cache are no documents.
fn is_index(entry: &DirEntry) -> bool {
    entry.file_type().is_dir() && entry.path().join("catalog.sqlite").is_file()
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_give_their_documents_by_name_and_say_what_they_cannot_read() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("b/.git")).unwrap();
        for name in ["b/2.PDF", "a.pdf", "b/notes.c", "c.doc", "b/.git/x.pdf", ".hidden.pdf", "scan.TIFF", "d.xlsx"] {
            fs::write(dir.path().join(name), "x").unwrap();
        }
        let Discovery { found, problems, skipped } = discover(&[dir.path().to_path_buf()]);
        assert_eq!(skipped.iter().map(|path| path.file_name().unwrap()).collect::<Vec<_>>(), ["notes.c"]);
        let names: Vec<_> = found.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["a.pdf", "b/2.PDF", "d.xlsx", "scan.TIFF"]);
        assert_eq!(found[0].stamp.size, 1);
        let told: Vec<_> = problems.iter().map(|(_, p)| (p.code, p.detail.as_str())).collect();
        let detail = "files with the ending \"doc\" are not read: save it as .docx or PDF";
        assert_eq!(told, [(ProblemCode::UnsupportedFormat, detail)]);
    }

    #[test]
    fn a_file_named_directly_is_called_by_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let [pdf, text, gone] = ["x.pdf", "x.c", "gone.pdf"].map(|n| dir.path().join(n));
        fs::write(&pdf, "x").unwrap();
        fs::write(&text, "x").unwrap();
        let Discovery { found, problems, .. } = discover(&[pdf, text, gone]);
        assert_eq!(found[0].name.as_str(), "x.pdf");
        let codes: Vec<_> = problems.iter().map(|(_, p)| p.code).collect();
        assert_eq!(codes, [ProblemCode::UnsupportedFormat, ProblemCode::Unreadable]);
    }
}
