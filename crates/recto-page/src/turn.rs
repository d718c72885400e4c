//! Which way up text stands on a page.

use serde::{Deserialize, Serialize};

/// Quarter turns, clockwise, that text makes on the page as displayed. Upright text reads from left to right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// Upright.
    #[default]
    None,
    /// Reads from top to bottom.
    Right,
    /// Upside down.
    Half,
    /// Reads from bottom to top.
    Left,
}

impl Turn {
    /// The turn nearest to a direction of reading, given as a vector on the page (y downwards).
    pub fn of_direction([x, y]: [f32; 2]) -> Self {
        match (x.abs() >= y.abs(), x >= 0.0, y >= 0.0) {
            (true, true, _) => Self::None,
            (true, false, _) => Self::Half,
            (false, _, true) => Self::Right,
            (false, _, false) => Self::Left,
        }
    }

    /// The unit vector in which text that is turned so reads, y downwards.
    pub const fn direction(self) -> [f32; 2] {
        match self {
            Self::None => [1.0, 0.0],
            Self::Right => [0.0, 1.0],
            Self::Half => [-1.0, 0.0],
            Self::Left => [0.0, -1.0],
        }
    }

    /// True for upright text.
    pub fn is_upright(&self) -> bool {
        *self == Self::None
    }
}
