//! What is to be in an index: files found in folders, or records of a corpus.

use std::path::{Path, PathBuf};

use recto_ingest::discover::Discovery;
use recto_page::catalog::{Origin, SourceStamp};
use recto_page::{ContentHash, DocId, Problem};

/// Raised whenever the same file would give another page record, so that older indexes are brought up to date.
const PIPELINE: &str = "1";

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
}

impl Source {
    pub(crate) fn origin<'a>(&'a self, hash: Option<&'a ContentHash>) -> Origin<'a> {
        Origin {
            root: self.root.as_deref(),
            path: self.path.as_deref(),
            stamp: self.stamp,
            hash,
            fingerprint: &self.fingerprint,
        }
    }
}

/// Documents that were found, and as failed ones those that can't be read. Names that several roots share are told
/// apart by the root's name, then by the whole path.
pub(crate) fn from_discovery(discovery: Discovery, pages: Option<&str>) -> Vec<Source> {
    let fingerprint = fingerprint(pages, &[]);
    let found = discovery.found.into_iter().map(|file| Source {
        id: file.name,
        root: Some(file.root),
        path: Some(file.path),
        stamp: Some(file.stamp),
        given: Vec::new(),
        problems: Vec::new(),
        fingerprint: fingerprint.clone(),
    });
    let failed = discovery.problems.into_iter().map(|(path, problem)| Source {
        id: DocId::new(path.file_name().unwrap_or_default().to_string_lossy()),
        root: path.parent().map(Path::to_path_buf),
        path: Some(path),
        stamp: None,
        given: Vec::new(),
        problems: vec![problem],
        fingerprint: fingerprint.clone(),
    });
    let mut sources: Vec<Source> = found.chain(failed).collect();
    tell_apart(&mut sources);
    sources
}

/// The fingerprint of the pipeline with the pages that are wanted and the texts that came beside the file.
pub(crate) fn fingerprint(pages: Option<&str>, given: &[String]) -> String {
    let given =
        if given.is_empty() { String::new() } else { ContentHash::of(given.join("\u{c}").as_bytes()).as_str().into() };
    format!("{PIPELINE}|pages={}|given={given}", pages.unwrap_or("all"))
}

fn tell_apart(sources: &mut [Source]) {
    let mut taken = std::collections::BTreeMap::new();
    for source in sources {
        let path = source.path.clone().unwrap_or_default();
        let root = source.root.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let names = [source.id.to_string(), format!("{root}/{}", source.id), path.to_string_lossy().into_owned()];
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
            stamp: SourceStamp { size: 1, modified_ns: 1 },
        };
        let roots = ["/x/one", "/x/two", "/y/two", "/x/one"];
        let sources = from_discovery(Discovery { found: roots.map(found).into(), problems: vec![] }, None);
        let names: Vec<_> = sources.iter().map(|s| s.id.as_str()).collect();
        assert_eq!(names, ["a.pdf", "two/a.pdf", "/y/two/a.pdf", "a.pdf"]);
    }
}
