//! The pages of a document in the order of its page tree, as viewers show them: one that the tree names twice is there
//! twice. The engine lists each page object once.

use std::collections::BTreeMap;
use std::ops::Range;

use hayro::hayro_syntax::Pdf;
use hayro::hayro_syntax::object::array::ArrayIter;
use hayro::hayro_syntax::object::dict::keys::{KIDS, PAGES, TYPE};
use hayro::hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjectIdentifier};
use hayro::hayro_syntax::page::Page;
use recto_page::PageNumber;

/// A document gets no longer than this by pages that are there again.
const MOST_BY_REPETITION: usize = 100_000;

/// Which of the engine's pages is where in the document.
pub(crate) struct PageList {
    order: Vec<usize>,
    /// How many pages the tree names that are not in the file.
    pub(super) missing: usize,
    /// True if there is no usable page tree: all objects that look like pages, as they lie in the file.
    pub(super) is_guessed: bool,
}

impl PageList {
    /// Goes through the page tree as the engine does.
    pub(crate) fn of(pdf: &Pdf) -> Self {
        let pages = pdf.pages();
        let found = walk(pdf).filter(|walk| walk.next == pages.len());
        let is_guessed = found.is_none();
        let (order, missing) = found.map_or_else(|| ((0..pages.len()).collect(), 0), |walk| (walk.order, walk.missing));
        Self { order, missing, is_guessed }
    }

    /// Number of pages.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// A page, as an index into the pages of the engine.
    pub(crate) fn get(&self, number: PageNumber) -> Option<usize> {
        self.order.get(number.index()).copied()
    }

    /// All pages, as indices into the pages of the engine.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.order.iter().copied()
    }
}

/// The way through the tree.
struct Walk<'a> {
    pdf: &'a Pdf,
    order: Vec<usize>,
    /// The engine's page that comes next.
    next: usize,
    missing: usize,
    /// The pages below each node that was met. A node that is open has none yet, so that a loop adds nothing.
    known: BTreeMap<ObjectIdentifier, Range<usize>>,
    open: Vec<Node<'a>>,
}

/// A node of the tree whose kids are gone through.
struct Node<'a> {
    id: Option<ObjectIdentifier>,
    kids: ArrayIter<'a>,
    start: usize,
}

fn walk(pdf: &Pdf) -> Option<Walk<'_>> {
    let root: Dict<'_> = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?.get(PAGES)?;
    let mut walk = Walk { pdf, order: Vec::new(), next: 0, missing: 0, known: BTreeMap::new(), open: Vec::new() };
    walk.known.extend(root.obj_id().map(|id| (id, 0..0)));
    walk.enter(&root, root.obj_id());
    while let Some(node) = walk.open.last_mut() {
        match node.kids.next() {
            Some(MaybeRef::Ref(id)) => walk.meet(id.into()),
            Some(MaybeRef::NotRef(kid)) => kid.into_dict().into_iter().for_each(|kid| walk.add(&kid, None)),
            None => walk.leave(),
        }
    }
    Some(walk)
}

impl<'a> Walk<'a> {
    fn meet(&mut self, id: ObjectIdentifier) {
        let here = self.order.len();
        if let Some(again) = self.known.get(&id) {
            if here + again.len() <= MOST_BY_REPETITION {
                self.order.extend_from_within(again.clone());
            }
            return;
        }
        self.known.insert(id, here..here);
        if self.pdf.pages().get(self.next).is_some_and(|page: &Page<'_>| page.raw().obj_id() == Some(id)) {
            return self.add_page(Some(id));
        }
        match self.pdf.xref().get::<Dict<'_>>(id) {
            Some(dict) => self.add(&dict, Some(id)),
            None => self.missing += 1,
        }
    }

    fn add(&mut self, dict: &Dict<'a>, id: Option<ObjectIdentifier>) {
        if dict.get::<Name<'_>>(TYPE).as_deref() == Some(PAGES) {
            self.enter(dict, id);
        } else {
            self.add_page(id);
        }
    }

    fn add_page(&mut self, id: Option<ObjectIdentifier>) {
        let here = self.order.len();
        self.order.push(self.next);
        self.next += 1;
        self.known.extend(id.map(|id| (id, here..here + 1)));
    }

    fn enter(&mut self, dict: &Dict<'a>, id: Option<ObjectIdentifier>) {
        let start = self.order.len();
        self.open.extend(dict.get::<Array<'_>>(KIDS).map(|kids| Node { id, kids: kids.raw_iter(), start }));
    }

    fn leave(&mut self) {
        if let Some(Node { id: Some(id), start, .. }) = self.open.pop() {
            self.known.insert(id, start..self.order.len());
        }
    }
}
