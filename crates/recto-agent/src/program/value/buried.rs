//! What values hold is dropped one after the other: a list in a list in a list may be deeper than the stack.

use std::cell::{Cell, RefCell};

use super::{Closure, Dict, List, Value};

thread_local! {
    static LEFT: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
    static IS_DROPPING: Cell<bool> = const { Cell::new(false) };
}

/// Drops values after those that are being dropped now.
fn bury(values: impl IntoIterator<Item = Value>) {
    LEFT.with_borrow_mut(|left| left.extend(values));
    if IS_DROPPING.replace(true) {
        return;
    }
    while let Some(value) = LEFT.with_borrow_mut(Vec::pop) {
        drop(value);
    }
    IS_DROPPING.set(false);
}

impl Drop for List {
    fn drop(&mut self) {
        bury(self.items.take());
    }
}

impl Drop for Dict {
    fn drop(&mut self) {
        bury(self.table.take().entries.into_iter().flat_map(|(key, value)| [key, value]).chain(self.default.take()));
    }
}

impl Drop for Closure {
    fn drop(&mut self) {
        bury(std::mem::take(&mut self.around).into_values());
    }
}
