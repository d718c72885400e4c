//! What agents work at: an index behind it, or a fake in tests. Everything here reads; nothing writes, runs or fetches.

use recto_page::{Page, PageId, PageImage, Region};
use recto_search::{Boolean, Scope};

use super::call::By;
use crate::toolbox::ToolError;

/// What agents work at. A scope of all documents is all that the desk has.
pub trait Desk {
    /// The best `k` pages for a text, best first.
    ///
    /// # Errors
    /// When nothing can be searched for, or the index can't be read.
    fn search(&self, by: By, query: &str, scope: &Scope, k: usize) -> Result<Vec<Hit>, ToolError>;

    /// The best `k` of the pages that a query means.
    ///
    /// # Errors
    /// When the index can't be read.
    fn find(&self, query: &Boolean, scope: &Scope, k: usize) -> Result<Vec<Hit>, ToolError>;

    /// Every page that a query means, and how many pages in scope have no text, so that nobody knows of them.
    ///
    /// # Errors
    /// When the index can't be read.
    fn count(&self, query: &Boolean, scope: &Scope) -> Result<(Vec<PageId>, u64), ToolError>;

    /// The record of a page.
    ///
    /// # Errors
    /// When there is none.
    fn page(&self, page: &PageId) -> Result<Page, ToolError>;

    /// The picture of a part of a page.
    ///
    /// # Errors
    /// When it can't be drawn.
    fn picture(&self, page: &PageId, region: Region, dpi: u32) -> Result<PageImage, ToolError>;

    /// What stands in a part of a page of which the record tells nothing, read off its picture.
    ///
    /// # Errors
    /// When there is nothing that reads, or nothing to be read.
    fn read_picture(&self, _page: &PageId, _region: Region) -> Result<String, ToolError> {
        Err(ToolError::new("there is no text of this page on record, and nothing here that reads pictures"))
    }

    /// What a picture shows, in words, for planners that see none.
    ///
    /// # Errors
    /// When no model that sees is configured, or it fails.
    fn describe(&self, _picture: &PageImage, _question: &str) -> Result<String, ToolError> {
        Err(ToolError::new("no model that sees pictures is configured"))
    }

    /// What a program over the corpus prints.
    ///
    /// # Errors
    /// What is wrong with the program, or which limit it reached.
    fn run(&self, _program: &str) -> Result<String, ToolError> {
        Err(ToolError::new("programs can't be run here"))
    }
}

/// A page that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Hit {
    /// The page.
    pub page: PageId,
    /// Comparable within one search only.
    pub score: f64,
    /// The part of its text that shows why.
    pub snippet: String,
}
