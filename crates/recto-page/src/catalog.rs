//! The catalog (in the making).
/// The catalog.
pub struct Catalog;
