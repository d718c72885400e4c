//! Files that are left out by their names.

use globset::{Glob, GlobSet, GlobSetBuilder};
use recto_ingest::discover::Discovery;

use crate::exit::usage;

/// Patterns of names: of a file, or of its path below the folder in which it was found.
pub(crate) struct Ignored(GlobSet);

impl Ignored {
    /// # Errors
    /// A [usage error](crate::exit::Usage) naming the pattern that is none.
    pub(crate) fn parse(patterns: &[String]) -> anyhow::Result<Self> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            set.add(Glob::new(pattern).map_err(|e| usage(format!("--ignore {pattern:?}: {e}")))?);
        }
        Ok(Self(set.build()?))
    }

    pub(crate) fn applied(&self, mut discovery: Discovery) -> Discovery {
        discovery.found.retain(|file| {
            let names = [Some(file.name.as_str().as_ref()), file.path.file_name()];
            !names.into_iter().flatten().any(|name: &std::ffi::OsStr| self.0.is_match(name))
        });
        discovery.problems.retain(|(path, _)| !self.0.is_match(path.file_name().unwrap_or_default()));
        discovery.skipped.retain(|path| !self.0.is_match(path.file_name().unwrap_or_default()));
        discovery
    }
}
