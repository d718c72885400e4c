//! How much a document may cost.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Limits on what reading a document may cost. What goes beyond them is a recorded problem of the page or document.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Address space of a worker process, in bytes.
    pub memory: u64,
    /// Size of a file, in bytes.
    pub file_bytes: u64,
    /// Number of pages of a document.
    pub pages: u32,
    /// Pixels of a page picture.
    pub pixels: u64,
    /// Time to open a document, and to read or draw one page.
    pub page_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 2 << 30,
            file_bytes: 1 << 30,
            pages: 50_000,
            pixels: 40_000_000,
            page_time: Duration::from_secs(8),
        }
    }
}
