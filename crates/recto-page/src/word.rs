//! A word on a page and where it stands.

use serde::{Deserialize, Serialize};

use crate::Region;

/// A run of characters without white space, as a reader sees it. Scripts that write no spaces give one word a line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Word {
    /// The characters in reading order (right-to-left scripts in logical order).
    pub text: String,
    /// Where the word is drawn; its height is the font's ascent plus descent.
    pub region: Region,
}
