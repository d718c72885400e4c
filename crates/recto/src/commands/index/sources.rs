//! What is to be in an index: files found in folders, or records of a corpus.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use recto_ingest::discover::Discovery;
use recto_page::catalog::{Origin, SourceStamp};
use recto_page::{Catalog, ContentHash, DocId, IndexDir, PageError, PageNumber, Problem};

/// Raised whenever the same file would give another page record, so that older indexes are brought up to date.
const PIPELINE: &str = "3";

/// A document to index.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) id: DocId,
    /// What the user named, under which the file was found.
    pub(crate) root: Option<PathBuf>,
    /// The file; none for a record of text only.
    pub(crate) path: Option<PathBuf>,
    pub(crate) stamp: Option<SourceStamp>,
    /// Texts of pages 1, 2, ... that came beside the file.
    pub(crate) given: Vec<String>,
    /// What is wrong with it before it is opened. A source that has a path but no stamp is not opened.
    pub(crate) problems: Vec<Problem>,
    /// Everything beside the file's content that the result depends on.
    pub(crate) fingerprint: String,
    /// The file is there for this update only, as one that was uploaded: the index notes no path.
    pub(crate) is_passing: bool,
}

impl Source {
    /// True if a text of the page came beside the file: its picture need not be read.
    pub(crate) fn gives_text_of(&self, page: PageNumber) -> bool {
        self.given.get(page.index()).is_some_and(|text| !text.trim().is_empty())
    }

    pub(crate) fn origin<'a>(&'a self, hash: Option<&'a ContentHash>) -> Origin<'a> {
        Origin {
            path: self.path.as_deref().filter(|_| !self.is_passing),
            stamp: self.stamp,
            hash,
            fingerprint: &self.fingerprint,
        }
    }
}

/// Documents that were found, and as failed ones those that can't be read. A file that the index knows keeps its name;
/// names that several files would have are told apart by the root's name, then by the whole path.
pub(crate) fn from_discovery(discovery: Discovery, pages: Option<&str>, held: &Held) -> Vec<Source> {
    let fingerprint = fingerprint(pages, &[]);
    let found = discovery.found.into_iter().map(|file| Source {
        id: file.name,
        root: Some(file.root),
        path: Some(file.path),
        stamp: Some(file.stamp),
        given: Vec::new(),
        problems: Vec::new(),
        fingerprint: fingerprint.clone(),
        is_passing: false,
    });
    let failed = discovery.problems.into_iter().map(|(path, problem)| Source {
        id: DocId::new(path.file_name().unwrap_or_default().to_string_lossy()),
        root: path.parent().map(Path::to_path_buf),
        path: Some(path),
        stamp: None,
        given: Vec::new(),
        problems: vec![problem],
        fingerprint: fingerprint.clone(),
        is_passing: false,
    });
    let mut sources: Vec<Source> = found.chain(failed).collect();
    tell_apart(&mut sources, held);
    sources
}

/// Files that were uploaded, each under the name that it is to have. What can't be looked at is left out.
pub(crate) fn uploaded(files: Vec<(DocId, PathBuf)>) -> Vec<Source> {
    let source = |(id, path): (DocId, PathBuf)| {
        let stamp = std::fs::metadata(&path).ok().map(|metadata| recto_ingest::discover::stamp(&metadata));
        let (given, problems, fingerprint) = (Vec::new(), Vec::new(), fingerprint(None, &[]));
        Source { id, root: None, path: Some(path), stamp, given, problems, fingerprint, is_passing: true }
    };
    files.into_iter().map(source).collect()
}

/// The fingerprint of the pipeline with the pages that are wanted and the texts that came beside the file.
pub(crate) fn fingerprint(pages: Option<&str>, given: &[String]) -> String {
    let given =
        if given.is_empty() { String::new() } else { ContentHash::of(given.join("\u{c}").as_bytes()).as_str().into() };
    format!("{PIPELINE}|pages={}|given={given}", pages.unwrap_or("all"))
}

/// Names that an index has given, by path.
pub(crate) type Held = BTreeMap<PathBuf, DocId>;

/// The names that an index has given to files that are still there.
pub(crate) fn held(dir: &IndexDir) -> anyhow::Result<Held> {
    let documents = match Catalog::open(dir) {
        Ok(catalog) => catalog.documents()?,
        Err(PageError::NoIndex(_)) => return Ok(Held::new()),
        Err(other) => return Err(other.into()),
    };
    let held = documents.into_iter().filter_map(|document| Some((document.path?, document.id)));
    Ok(held.filter(|(path, _)| path.is_file()).collect())
}

fn tell_apart(sources: &mut [Source], held: &Held) {
    let mut taken: BTreeMap<String, PathBuf> = held.iter().map(|(path, id)| (id.to_string(), path.clone())).collect();
    for source in sources {
        let path = source.path.clone().unwrap_or_default();
        if let Some(id) = held.get(&path) {
            source.id = id.clone();
            continue;
        }
        let root = source.root.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let hash = ContentHash::of(path.as_os_str().as_encoded_bytes());
        let names = [
            source.id.to_string(),
            format!("{root}/{}", source.id),
            path.to_string_lossy().into_owned(),
            format!("{}~{}", source.id, hash.as_str().get(..8).unwrap_or_default()),
        ];
        for name in names {
            if *taken.entry(name.clone()).or_insert_with(|| path.clone()) == path {
                source.id = DocId::new(name);
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use recto_ingest::discover::Found;

    use super::*;

    #[test]
    fn equal_names_under_two_roots_are_told_apart() {
        let found = |root: &str| Found {
            name: DocId::new("a.pdf"),
            root: root.into(),
            path: Path::new(root).join("a.pdf"),
            stamp: SourceStamp { size: 1, ..SourceStamp::default() },
        };
        let roots = ["/x/one", "/x/two", "/y/two", "/x/one"];
        let sources =
            from_discovery(Discovery { found: roots.map(found).into(), ..Discovery::default() }, None, &Held::new());
        let names: Vec<_> = sources.iter().map(|s| s.id.as_str()).collect();
        assert_eq!(names, ["a.pdf", "two/a.pdf", "/y/two/a.pdf", "a.pdf"]);
        let held = Held::from([("/x/two/a.pdf".into(), DocId::new("a.pdf"))]);
        let sources = from_discovery(Discovery { found: roots.map(found).into(), ..Discovery::default() }, None, &held);
        let names: Vec<_> = sources.iter().map(|s| s.id.as_str()).collect();
        assert_eq!(names, ["one/a.pdf", "a.pdf", "two/a.pdf", "one/a.pdf"]);
    }
}
