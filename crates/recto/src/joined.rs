//! Several indexes searched as if they were one: the same statistics, so the same ranking as if all documents were in one
//! index. And what a search needs of an index, be it one or several.

use std::collections::{BTreeMap, BTreeSet};

use recto_page::{
    Catalog, ContentHash, DocId, Document, DocumentState, IndexDir, Page, PageError, PageId, PageNumber, Pages,
};
use recto_search::{Query, Ranker, Route, Routes, Scope, Searcher, VectorStore};

use crate::corpus::{Commit, Corpus, Stores, matching, routes, stores};
use crate::encoders::Encoders;

/// What a search needs of an index.
pub(crate) trait Searched: Pages {
    /// The words.
    fn searcher(&self) -> &Searcher;

    /// What a ranker needs, with the encoders that made the vectors.
    fn routes(&self, ranker: &Ranker, encoders: &Encoders) -> anyhow::Result<Routes<'_>>;

    /// The documents that can be found.
    fn documents(&self) -> anyhow::Result<Vec<DocId>>;

    /// The printed labels of a document's pages.
    fn labels(&self, doc: &DocId) -> recto_page::Result<Vec<(PageNumber, String)>>;

    /// Which of several indexes holds the document.
    fn index_of(&self, _: &DocId) -> Option<&str> {
        None
    }

    /// All documents as the only one that there is, if so: what is said of its pages is then as clear as if it were named.
    fn narrowed(&self, scope: &Scope) -> anyhow::Result<Scope> {
        if *scope != Scope::All {
            return Ok(scope.clone());
        }
        let documents = self.documents()?;
        Ok(if let [one] = documents.as_slice() { Scope::Documents(BTreeSet::from([one.clone()])) } else { Scope::All })
    }

    /// The pages that a query about documents means by their printed labels.
    fn labelled(&self, query: &Query, scope: &Scope) -> anyhow::Result<BTreeSet<PageId>> {
        let (named, Scope::Documents(documents)) = (query.page_labels(), scope) else { return Ok(BTreeSet::new()) };
        let mut pages = BTreeSet::new();
        if named.is_empty() {
            return Ok(pages);
        }
        for doc in documents {
            let labels = self.labels(doc)?.into_iter().filter(|(_, label)| named.contains(&label.to_lowercase()));
            pages.extend(labels.map(|(number, _)| PageId::new(doc.clone(), number)));
        }
        Ok(pages)
    }
}

impl Pages for Corpus {
    fn page(&self, id: &PageId) -> recto_page::Result<Option<Page>> {
        self.catalog.page(id)
    }

    fn n_pages(&self, doc: &DocId) -> recto_page::Result<Option<u32>> {
        self.catalog.n_pages(doc)
    }

    fn doc_ids(&self) -> recto_page::Result<Vec<DocId>> {
        self.catalog.doc_ids()
    }
}

impl Searched for Corpus {
    fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    fn routes(&self, ranker: &Ranker, encoders: &Encoders) -> anyhow::Result<Routes<'_>> {
        Self::routes(self, ranker, encoders)
    }

    fn documents(&self) -> anyhow::Result<Vec<DocId>> {
        Ok(self.catalog.live()?.into_values().collect())
    }

    fn labels(&self, doc: &DocId) -> recto_page::Result<Vec<(PageNumber, String)>> {
        self.catalog.labels(doc)
    }
}

/// Several indexes.
pub(crate) struct Joined {
    indexes: Vec<(String, Catalog)>,
    searcher: Searcher,
    /// The routes of vectors that all of them hold.
    vectors: Stores,
    /// Every document by the name that it has here, and where it comes from.
    origins: BTreeMap<DocId, Origin>,
}

/// A document in its index.
struct Origin {
    index: usize,
    document: Document,
}

impl Joined {
    /// Opens the last commit of each. A name that several indexes give is, from the second on, preceded by the index's; a
    /// file that several hold is found in the first.
    pub(crate) fn open(dirs: &[IndexDir]) -> anyhow::Result<Self> {
        let (mut commits, mut vectors, mut origins) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut known = BTreeMap::new();
        for (at, dir) in dirs.iter().enumerate() {
            let name = index_name(dir, &dirs[..at]);
            let renamed = |commit: &Commit| renamed(commit, &name, &origins, &known);
            let (mut commit, (names, held)) = Commit::open(dir, |commit| {
                let names = renamed(commit)?;
                let held = stores(dir, &commit.catalog, &live(commit, &names))?;
                Ok((names, held))
            })?;
            commit.live = live(&commit, &names);
            for (document, own) in names {
                if let (Some(hash), true) = (&document.hash, commit.live.values().any(|doc| *doc == own)) {
                    known.entry(hash.clone()).or_insert_with(|| own.clone());
                }
                origins.insert(own, Origin { index: at, document });
            }
            vectors.push(held);
            commits.push((name, commit));
        }
        let words: Vec<_> = commits.iter().map(|(_, commit)| (&commit.lexical, &commit.live)).collect();
        let searcher = Searcher::over(&words)?;
        let indexes = commits.into_iter().map(|(name, commit)| (name, commit.catalog)).collect();
        Ok(Self { indexes, searcher, vectors: joined(vectors), origins })
    }

    /// The documents meant by names or patterns; everything if there are none.
    ///
    /// # Errors
    /// A [usage error](crate::exit::Usage) if a pattern matches no document.
    pub(crate) fn scope(&self, patterns: &[String]) -> anyhow::Result<Scope> {
        if patterns.is_empty() {
            return Ok(Scope::All);
        }
        let named = |(own, origin): (&DocId, &Origin)| Document { id: own.clone(), ..origin.document.clone() };
        let documents: Vec<Document> = self.origins.iter().map(named).collect();
        let mut meant = BTreeSet::new();
        for pattern in patterns {
            for document in matching(&documents, pattern)? {
                meant.insert(match &document.state {
                    DocumentState::DuplicateOf(first) => first.clone(),
                    _ => document.id.clone(),
                });
            }
        }
        Ok(Scope::Documents(meant))
    }

    fn origin(&self, doc: &DocId) -> Option<(&Catalog, &DocId)> {
        let origin = self.origins.get(doc)?;
        Some((&self.indexes.get(origin.index)?.1, &origin.document.id))
    }
}

/// The documents of a commit, each with the name that it has among those of the indexes before. One whose bytes are known
/// from there is a copy.
fn renamed(
    commit: &Commit,
    index: &str,
    origins: &BTreeMap<DocId, Origin>,
    known: &BTreeMap<ContentHash, DocId>,
) -> anyhow::Result<Vec<(Document, DocId)>> {
    let documents = commit.catalog.documents()?;
    let mut taken: BTreeSet<DocId> = origins.keys().cloned().collect();
    let mut own = BTreeMap::new();
    for document in &documents {
        let mut name = document.id.clone();
        while taken.contains(&name) {
            name = DocId::new(format!("{index}/{name}"));
        }
        taken.insert(name.clone());
        own.insert(document.id.clone(), name);
    }
    let with_name = |mut document: Document| {
        let first = match &document.state {
            DocumentState::DuplicateOf(first) => own.get(first).cloned(),
            _ => None,
        };
        let elsewhere = document.hash.as_ref().and_then(|hash| known.get(hash)).cloned();
        if let Some(first) = elsewhere.or(first) {
            document.state = DocumentState::DuplicateOf(first);
        }
        let name = own.get(&document.id).cloned().unwrap_or_else(|| document.id.clone());
        (document, name)
    };
    Ok(documents.into_iter().map(with_name).collect())
}

/// The documents of a commit that are found there, by version and by the names that they have here.
fn live(commit: &Commit, names: &[(Document, DocId)]) -> BTreeMap<u64, DocId> {
    let found = names.iter().filter(|(document, _)| document.state == DocumentState::Indexed);
    let own: BTreeMap<&DocId, &DocId> = found.map(|(document, own)| (&document.id, own)).collect();
    let named = commit.live.iter().filter_map(|(version, doc)| Some((*version, (*own.get(doc)?).clone())));
    named.collect()
}

/// The name of an index's folder; its whole path if an index before has that name.
fn index_name(dir: &IndexDir, before: &[IndexDir]) -> String {
    let name = |dir: &IndexDir| dir.root().file_name().map(|name| name.to_string_lossy().into_owned());
    let own = name(dir).filter(|own| !before.iter().any(|other| name(other).as_ref() == Some(own)));
    own.unwrap_or_else(|| dir.root().display().to_string())
}

/// The routes that every index holds, as one.
fn joined(held: Vec<Stores>) -> Stores {
    let n = held.len();
    let mut by_route: BTreeMap<Route, Vec<_>> = BTreeMap::new();
    held.into_iter().flatten().for_each(|(route, store)| by_route.entry(route).or_default().push(store));
    let join = |stores: Vec<(String, Result<VectorStore, _>)>| {
        let encoder = stores.first().map(|(encoder, _)| encoder.clone()).unwrap_or_default();
        let stores = stores.into_iter().map(|(_, store)| store).collect::<Result<Vec<_>, _>>();
        (encoder, stores.map(VectorStore::joined))
    };
    by_route.into_iter().filter(|(_, stores)| stores.len() == n).map(|(route, stores)| (route, join(stores))).collect()
}

impl Pages for Joined {
    fn page(&self, id: &PageId) -> recto_page::Result<Option<Page>> {
        let Some((catalog, doc)) = self.origin(&id.doc) else { return Ok(None) };
        catalog.page(&PageId::new(doc.clone(), id.page))
    }

    fn n_pages(&self, doc: &DocId) -> recto_page::Result<Option<u32>> {
        self.origin(doc).map_or(Ok(None), |(catalog, doc)| catalog.n_pages(doc))
    }

    fn doc_ids(&self) -> recto_page::Result<Vec<DocId>> {
        Ok(self.origins.keys().cloned().collect())
    }
}

impl Searched for Joined {
    fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    fn routes(&self, ranker: &Ranker, encoders: &Encoders) -> anyhow::Result<Routes<'_>> {
        routes(&self.searcher, &self.vectors, ranker, encoders)
    }

    fn documents(&self) -> anyhow::Result<Vec<DocId>> {
        let found = self.origins.iter().filter(|(_, origin)| origin.document.state == DocumentState::Indexed);
        Ok(found.map(|(own, _)| own.clone()).collect())
    }

    fn labels(&self, doc: &DocId) -> recto_page::Result<Vec<(PageNumber, String)>> {
        let (catalog, doc) = self.origin(doc).ok_or_else(|| PageError::NoDocument(doc.clone()))?;
        catalog.labels(doc)
    }

    fn index_of(&self, doc: &DocId) -> Option<&str> {
        Some(&self.indexes.get(self.origins.get(doc)?.index)?.0)
    }
}
