//! What a benchmark calls its documents, and what the index calls them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use recto_bench::Item;
use recto_page::{Catalog, DocId, PageId};
use recto_search::Scope;

/// Documents of a benchmark beside those of an index.
#[derive(Debug, Default)]
pub(crate) struct Names {
    to_index: BTreeMap<DocId, DocId>,
    to_set: BTreeMap<DocId, DocId>,
    /// Documents that the index does not have.
    pub(crate) absent: BTreeSet<DocId>,
}

impl Names {
    /// Finds the documents that `items` name: by their whole name, else by the file's name, else by that without its
    /// ending, if only one document has it.
    pub(crate) fn new(items: &[&Item], catalog: &Catalog) -> anyhow::Result<Self> {
        let mut known = BTreeMap::new();
        for document in catalog.documents()? {
            let original = catalog.original(&document.id)?.id;
            for key in keys(document.id.as_str()) {
                known.entry(key).or_insert_with(BTreeSet::new).insert(original.clone());
            }
        }
        let mut names = Self::default();
        for doc in items.iter().flat_map(|item| named(item)) {
            let found = keys(doc.as_str()).into_iter().find_map(|key| known.get(&key));
            match found.into_iter().flatten().collect::<Vec<_>>().as_slice() {
                [one] => {
                    names.to_index.insert(doc.clone(), (*one).clone());
                    names.to_set.entry((*one).clone()).or_insert_with(|| doc.clone());
                }
                _ => drop(names.absent.insert(doc.clone())),
            }
        }
        Ok(names)
    }

    /// Where an item is looked for. The documents that are lacking are the error.
    pub(crate) fn scope(&self, item: &Item) -> Result<Scope, String> {
        if item.docs.is_empty() {
            return Ok(Scope::All);
        }
        let in_index = |doc: &DocId| self.to_index.get(doc).cloned().ok_or_else(|| format!("the index has no {doc}"));
        item.docs.iter().map(in_index).collect::<Result<_, _>>().map(Scope::Documents)
    }

    /// A page of the benchmark, as the index names it; `None` if it lacks the document.
    pub(crate) fn in_index(&self, page: &PageId) -> Option<PageId> {
        self.to_index.get(&page.doc).map(|doc| PageId::new(doc.clone(), page.page))
    }

    /// A page of the index, as the item names it, else as the benchmark does elsewhere.
    pub(crate) fn page(&self, item: &Item, page: &PageId) -> PageId {
        let own = named(item).find(|doc| self.to_index.get(doc) == Some(&page.doc));
        PageId::new(own.or_else(|| self.to_set.get(&page.doc)).unwrap_or(&page.doc).clone(), page.page)
    }
}

/// Every document that an item names.
fn named(item: &Item) -> impl Iterator<Item = &DocId> {
    let pages = item.gold.pages.iter().map(|graded| &graded.page.doc);
    item.docs.iter().chain(pages).chain(item.gold.path.iter().map(|page| &page.doc))
}

/// What a document may be called, the surest first.
fn keys(name: &str) -> Vec<String> {
    let path = Path::new(name);
    let part = |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let mut keys = vec![name.to_owned()];
    keys.extend(part(path.file_name()));
    keys.extend(part(path.file_stem()));
    keys.dedup();
    keys
}
