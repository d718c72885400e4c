//! Text that the file holds and a reader of the page does not see.

use serde::{Deserialize, Serialize};

use crate::Region;

/// A stretch of text that is not visible. It is told to whoever asks for the page, and is no part of what search and
/// answers use.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HiddenText {
    /// Why it can't be seen.
    pub kind: HiddenKind,
    /// The text.
    pub text: String,
    /// Where it would stand; at the page's edge if it stands outside.
    pub region: Region,
}

/// Why a text can't be seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HiddenKind {
    /// Drawn in the invisible mode, and not the text of a scan below it.
    Invisible,
    /// In the colour of what is behind it.
    SameColour,
    /// Too small to be read.
    Tiny,
    /// Outside the page as displayed.
    OffPage,
    /// Something is drawn over it.
    Covered,
}
