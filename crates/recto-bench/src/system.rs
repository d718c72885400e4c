//! Whoever can be measured. The program supplies the systems: a route, an answerer, an agent, rows from elsewhere.

use crate::item::Item;
use crate::row::{Fault, FaultClass, Row};

/// A system that makes a row of an item. It sees the question and the documents in scope; looking at the gold is cheating.
pub trait System: Send + Sync {
    /// The row of an item; its `id` is set by the caller.
    ///
    /// # Errors
    /// When there is none, with whether trying again can help.
    fn row(&self, item: &Item) -> Result<Row, Fault>;
}

impl Fault {
    /// A fault of this class.
    pub fn new(class: FaultClass, why: impl ToString) -> Self {
        Self { class, why: why.to_string() }
    }
}
