//! Name trees and number trees: sorted pairs of key and value, spread over nodes. Hostile ones are cut short.

use std::collections::BTreeSet;

use hayro::hayro_syntax::object::dict::keys::KIDS;
use hayro::hayro_syntax::object::{Array, Dict, MaybeRef, ObjRef, Object, ObjectIdentifier};
use hayro::hayro_syntax::xref::XRef;

/// More nodes or entries than this are no table of anything.
const MAX_ENTRIES: usize = 200_000;

/// The key-value pairs below `root`, in file order; `key` is `Names` or `Nums`.
pub(crate) fn entries<'a>(root: Dict<'a>, key: &[u8], xref: &'a XRef) -> Vec<(Object<'a>, Object<'a>)> {
    let mut found = Vec::new();
    let mut seen = Seen::default();
    let mut nodes = vec![root];
    while let Some(node) = nodes.pop() {
        if let Some(pairs) = node.get::<Array<'_>>(key) {
            let mut items = items(&pairs, xref);
            while let (Some(key), Some(Some(value))) = (items.next(), items.next()) {
                found.extend(key.map(|key| (key, value)));
                if found.len() >= MAX_ENTRIES {
                    return found;
                }
            }
        }
        if let Some(kids) = node.get::<Array<'_>>(KIDS) {
            let kids = kids.raw_iter().filter(|kid| kid.as_obj_ref().is_none_or(|id| seen.is_new(id)));
            let mut kids: Vec<_> = kids.take(MAX_ENTRIES).filter_map(|kid| resolve(kid, xref)?.into_dict()).collect();
            kids.reverse();
            nodes.append(&mut kids);
        }
    }
    found
}

/// The items of an array with references followed; `None` for one that leads nowhere.
pub(crate) fn items<'a>(array: &Array<'a>, xref: &'a XRef) -> impl Iterator<Item = Option<Object<'a>>> + use<'a> {
    array.raw_iter().map(move |item| resolve(item, xref))
}

fn resolve<'a>(item: MaybeRef<Object<'a>>, xref: &'a XRef) -> Option<Object<'a>> {
    match item {
        MaybeRef::Ref(id) => xref.get(id.into()),
        MaybeRef::NotRef(object) => Some(object),
    }
}

/// References that were followed already, to leave cycles. Bounded: when it is full, nothing is new.
#[derive(Default)]
pub(crate) struct Seen(BTreeSet<ObjectIdentifier>);

impl Seen {
    /// True the first time it is asked about `id`.
    pub(crate) fn is_new(&mut self, id: ObjRef) -> bool {
        self.0.len() < MAX_ENTRIES && self.0.insert(id.into())
    }
}
