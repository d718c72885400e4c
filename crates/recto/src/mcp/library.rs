//! The index that the tools read: opened at the first call, and again when a commit came since.

use recto_agent::fence::{Fence, clean};
use recto_page::{Catalog, Document, IndexDir};
use recto_search::Scope;

use crate::config::Config;
use crate::corpus::{Corpus, Pictures, fingerprint};
use crate::encoders::Encoders;

/// An index, opened when it is needed.
pub(super) struct Library {
    dir: IndexDir,
    encoders: Encoders,
    pictures: Pictures,
    open: Option<Open>,
}

/// A commit of the index.
struct Open {
    generation: u64,
    corpus: Corpus,
    fence: Fence,
}

/// What the tools look at: one commit.
pub(super) struct Shelf<'a> {
    pub(super) dir: &'a IndexDir,
    pub(super) encoders: &'a Encoders,
    pub(super) pictures: &'a Pictures,
    pub(super) corpus: &'a Corpus,
    /// Around what pages say.
    pub(super) fence: &'a Fence,
}

impl Library {
    pub(super) fn new(dir: IndexDir, config: &Config) -> anyhow::Result<Self> {
        let pictures = Pictures::new(&dir, config, None)?;
        Ok(Self { dir, encoders: Encoders::new(config), pictures, open: None })
    }

    /// The last commit.
    ///
    /// # Errors
    /// When there is no index, or it can't be read.
    pub(super) fn shelf(&mut self) -> anyhow::Result<Shelf<'_>> {
        let generation = Catalog::open(&self.dir)?.generation()?;
        let open = match self.open.take().filter(|open| open.generation == generation) {
            Some(open) => open,
            None => Open::last(&self.dir)?,
        };
        let Open { corpus, fence, .. } = &*self.open.insert(open);
        Ok(Shelf { dir: &self.dir, encoders: &self.encoders, pictures: &self.pictures, corpus, fence })
    }
}

impl Shelf<'_> {
    /// The one document meant by a name or pattern.
    pub(super) fn document(&self, name: &str) -> anyhow::Result<Document> {
        self.corpus.document(&self.full_name(name)?)
    }

    /// The documents meant by a name or pattern; everything if it is empty.
    pub(super) fn scope(&self, name: &str) -> anyhow::Result<Scope> {
        let names = if name.is_empty() { Vec::new() } else { vec![self.full_name(name)?] };
        self.corpus.scope(&names)
    }

    /// Clients are told names without characters that hide or reorder text; this finds those again.
    fn full_name(&self, told: &str) -> anyhow::Result<String> {
        let documents = self.corpus.catalog.documents()?;
        let meant = documents.iter().find(|document| clean(document.id.as_str()) == told);
        Ok(meant.map_or(told, |document| document.id.as_str()).to_owned())
    }
}

impl Open {
    fn last(dir: &IndexDir) -> anyhow::Result<Self> {
        let corpus = Corpus::open(dir)?;
        let secret = format!("{}\0{}", dir.root().display(), fingerprint(&corpus.catalog)?);
        Ok(Self { generation: corpus.catalog.generation()?, corpus, fence: Fence::new(&secret) })
    }
}
