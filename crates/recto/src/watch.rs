//! Watching an answer being found: what is searched, read, drawn and asked is told as it happens, and none of it happens any
//! more once nobody waits. The answerers know nothing of it: they get their means with an ear at each.

use std::collections::BTreeSet;
use std::io::{Error, ErrorKind};

use recto_agent::pipeline::Pictures;
use recto_model::{Chat, ChatImage, ChatReply, ChatRequest, Ledger, Limit, ModelError, Usage};
use recto_page::{DocId, Page, PageError, PageId, Pages, Region};
use recto_search::{Ranking, Scope, Search, SearchError};

/// What happens on the way to an answer.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Pages were searched for.
    Searched { query: String, pages: Vec<PageId> },
    /// The record of a page was read.
    Read { page: PageId },
    /// A page, or a part of it, was drawn.
    Drawn { page: PageId, region: Region, dpi: u32 },
    /// A language model replied, or did not; with all that it has used for this answer so far.
    Asked { model: String, failed: bool, spent: Usage },
}

/// Who watches.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'a> {
    /// Hears of every step.
    pub(crate) tell: &'a (dyn Fn(Step) + Sync),
    /// Whether nobody waits any more.
    pub(crate) is_over: &'a (dyn Fn() -> bool + Sync),
}

impl Watch<'_> {
    /// Nobody.
    pub(crate) const NOBODY: Self = Self { tell: &|_| {}, is_over: &|| false };
}

/// Means with an ear.
pub(crate) struct Heard<'a, T: ?Sized> {
    pub(crate) of: &'a T,
    pub(crate) watch: Watch<'a>,
}

fn stopped() -> Error {
    Error::new(ErrorKind::Interrupted, "stopped")
}

impl Search for Heard<'_, dyn Search + '_> {
    fn search(&self, text: &str, scope: &Scope, k: usize) -> recto_search::Result<Ranking> {
        if (self.watch.is_over)() {
            return Err(SearchError::Io(stopped()));
        }
        let ranking = self.of.search(text, scope, k)?;
        let pages = ranking.0.iter().map(|hit| hit.page.clone()).collect();
        (self.watch.tell)(Step::Searched { query: text.into(), pages });
        Ok(ranking)
    }

    fn named(&self, text: &str, scope: &Scope) -> recto_search::Result<BTreeSet<PageId>> {
        self.of.named(text, scope)
    }
}

impl Pages for Heard<'_, dyn Pages + '_> {
    fn page(&self, id: &PageId) -> recto_page::Result<Option<Page>> {
        if (self.watch.is_over)() {
            return Err(PageError::io("")(stopped()));
        }
        let page = self.of.page(id)?;
        if page.is_some() {
            (self.watch.tell)(Step::Read { page: id.clone() });
        }
        Ok(page)
    }

    fn n_pages(&self, doc: &DocId) -> recto_page::Result<Option<u32>> {
        self.of.n_pages(doc)
    }

    fn doc_ids(&self) -> recto_page::Result<Vec<DocId>> {
        self.of.doc_ids()
    }
}

impl Pictures for Heard<'_, dyn Pictures + '_> {
    fn picture(&self, page: &PageId, region: Region, dpi: u32) -> Option<ChatImage> {
        if (self.watch.is_over)() {
            return None;
        }
        let picture = self.of.picture(page, region, dpi)?;
        (self.watch.tell)(Step::Drawn { page: page.clone(), region, dpi });
        Some(picture)
    }
}

impl Chat for Heard<'_, dyn Chat + '_> {
    fn name(&self) -> &str {
        self.of.name()
    }

    fn fingerprint(&self) -> String {
        self.of.fingerprint()
    }

    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> recto_model::Result<ChatReply> {
        if (self.watch.is_over)() {
            return Err(ModelError::Limit { limit: Limit::Time, why: "stopped".into() });
        }
        let reply = self.of.reply(request, ledger);
        let model = self.of.name().into();
        (self.watch.tell)(Step::Asked { model, failed: reply.is_err(), spent: ledger.spent() });
        reply
    }
}
