//! What the vectors of a file are: their kind, how they are stored, and of how many pages. Not the vectors themselves.

use std::fmt;

use recto_model::Identity;
use serde::{Deserialize, Serialize};

use super::error::{Result, VectorError};
use crate::kernel::blocks::Element;

/// A page of a version of a document, as the catalog numbers them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PageKey {
    /// The document version.
    pub version: u64,
    /// The page number, from 1.
    pub number: u32,
}

impl fmt::Display for PageKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of document version {}", self.number, self.version)
    }
}

/// All that must agree before two vectors may be compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Space {
    /// The route that the vectors serve, such as `dense`.
    pub route: String,
    /// What made them.
    pub encoder: Identity,
    /// How many patches were made one; 1 for none.
    pub merged: u32,
}

impl Space {
    /// Numbers in a vector.
    pub const fn dim(&self) -> u32 {
        self.encoder.dim
    }

    /// Refuses another space than this.
    ///
    /// # Errors
    /// [`VectorError::Mixed`], with the first property that differs.
    pub fn same_as(&self, other: &Self) -> Result<()> {
        let properties = |space: &Self| {
            let Identity { model, revision, dim, normalised, prefix, dpi, pooling } = space.encoder.clone();
            [
                ("route", space.route.clone()),
                ("model", model),
                ("revision", revision),
                ("width", dim.to_string()),
                ("normalisation", normalised.to_string()),
                ("prefix of queries", format!("{:?}", prefix.query)),
                ("prefix of pages", format!("{:?}", prefix.page)),
                ("dpi", dpi.map_or_else(|| "none".into(), |dpi| dpi.to_string())),
                ("pooling", format!("{pooling:?}")),
                ("merging of patches", space.merged.to_string()),
            ]
        };
        let pairs = properties(self).into_iter().zip(properties(other));
        match pairs.into_iter().find(|(left, right)| left.1 != right.1) {
            None => Ok(()),
            Some(((what, left), (_, right))) => {
                Err(VectorError::Mixed { route: self.route.clone(), what, left, right })
            }
        }
    }
}

/// How the vectors of a page lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// One after the other, for queries of one vector: a page of several windows scores as its best.
    Rows,
    /// In blocks of 16, for queries of many vectors: a page scores by MaxSim.
    Blocks,
}

impl Layout {
    /// Rows, or blocks of 16, that so many vectors take.
    pub(super) fn units(self, vectors: u64) -> u64 {
        match self {
            Self::Rows => vectors,
            Self::Blocks => vectors.div_ceil(16),
        }
    }

    /// Bytes of a row or block.
    pub(super) fn unit_bytes(self, element: Element, dim: u32) -> usize {
        match self {
            Self::Rows => element.row_bytes(dim as usize),
            Self::Blocks => element.block_bytes(dim as usize),
        }
    }
}

/// The readable part of a file: JSON after the first 64 bytes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// What the vectors are.
    pub space: Space,
    /// How they lie.
    pub layout: Layout,
    /// As what they are stored, side by side, coarse to fine.
    pub elements: Vec<Element>,
    /// What a step of the 8-bit integers is worth.
    pub scale: f32,
    /// How many pages there are.
    pub pages: u64,
    /// How many rows or blocks they take together.
    pub units: u64,
}
