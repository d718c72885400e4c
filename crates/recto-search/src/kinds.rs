//! What a page has or is beside its words, as an index keeps it and a search can be limited to it.

use std::str::FromStr;

/// A set of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Kinds(u8);

impl Kinds {
    /// It has a table.
    pub const TABLE: Self = Self(1);
    /// It has a figure: a chart, a drawing, a picture.
    pub const FIGURE: Self = Self(2);
    /// It is the picture of a sheet of paper.
    pub const SCAN: Self = Self(4);

    const NAMES: [(&'static str, Self); 3] = [("table", Self::TABLE), ("figure", Self::FIGURE), ("scan", Self::SCAN)];

    /// These and those.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of those are among these.
    pub const fn has(self, those: Self) -> bool {
        self.0 & those.0 == those.0
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// As a number that an index keeps.
    pub(crate) const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// What an index keeps; what it does not know is left out.
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self((bits & 7) as u8)
    }
}

/// A name that is no kind's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no kind of page; there are table, figure and scan")]
pub struct UnknownKind(pub String);

impl FromStr for Kinds {
    type Err = UnknownKind;

    /// Names parted by commas; an empty text is none.
    fn from_str(names: &str) -> Result<Self, UnknownKind> {
        let known = |name: &str| Self::NAMES.into_iter().find(|(known, _)| *known == name);
        let kind = |name: &str| known(name).map(|(_, kind)| kind).ok_or_else(|| UnknownKind(name.into()));
        let names = names.split(',').map(str::trim).filter(|_| !names.is_empty());
        names.map(kind).try_fold(Self::default(), |kinds, kind| Ok(kinds.and(kind?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_sets() {
        let both = Kinds::TABLE.and(Kinds::SCAN);
        assert!(both.has(Kinds::TABLE) && both.has(Kinds::default()) && !both.has(Kinds::FIGURE));
        assert_eq!(Kinds::from_bits(both.bits() | 64), both);
        assert_eq!(("scan".parse(), Kinds::default().is_empty()), (Ok(Kinds::SCAN), true));
        for (names, kinds) in
            [("", Ok(Kinds::default())), ("table, scan", Ok(both)), ("table,", Err(UnknownKind("".into())))]
        {
            assert_eq!(names.parse(), kinds, "{names}");
        }
        assert!("Scan".parse::<Kinds>().is_err());
    }
}
