//! What people think of questions. Each reviewer's scores are kept apart.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::log::Log;

/// From this score on a question is good, as VisDocAgentBench selects: by every reviewer.
pub(crate) const GOOD: u8 = 60;

/// A line of `reviews.jsonl`; the last one of an item counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Review {
    /// The item's id.
    pub(crate) id: String,
    /// 0 to 100.
    pub(crate) score: u8,
    pub(crate) reason: String,
}

/// All reviews, by reviewer and item.
pub(crate) struct Reviews {
    out: PathBuf,
    of: BTreeMap<String, (Log, BTreeMap<String, Review>)>,
}

impl Reviews {
    pub(super) fn open(out: &Path) -> anyhow::Result<Self> {
        let mut reviews = Self { out: out.into(), of: BTreeMap::new() };
        for entry in fs::read_dir(out).with_context(|| out.display().to_string())? {
            let entry = entry?;
            if let Some(name) = entry.file_name().to_str().filter(|name| super::is_name(name))
                && entry.path().join(FILE).is_file()
            {
                reviews.reviewer(name)?;
            }
        }
        Ok(reviews)
    }

    /// What a person thinks of an item.
    pub(crate) fn of(&self, name: &str, item: &str) -> Option<&Review> {
        self.of.get(name)?.1.get(item)
    }

    /// What everybody thinks of an item.
    pub(crate) fn all(&self, item: &str) -> impl Iterator<Item = (&str, &Review)> {
        self.of.iter().filter_map(move |(name, (_, reviews))| Some((name.as_str(), reviews.get(item)?)))
    }

    /// Keeps what a person thinks.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn give(&mut self, name: &str, review: Review) -> anyhow::Result<()> {
        let (log, reviews) = self.reviewer(name)?;
        log.add(&review)?;
        reviews.insert(review.id.clone(), review);
        Ok(())
    }

    fn reviewer(&mut self, name: &str) -> anyhow::Result<&mut (Log, BTreeMap<String, Review>)> {
        let opened = match self.of.remove(name) {
            Some(opened) => opened,
            None => {
                let dir = self.out.join(name);
                fs::create_dir_all(&dir).with_context(|| dir.display().to_string())?;
                let (log, lines) = Log::open::<Review>(&dir.join(FILE))?;
                (log, lines.into_iter().map(|review| (review.id.clone(), review)).collect())
            }
        };
        Ok(self.of.entry(name.into()).or_insert(opened))
    }
}

const FILE: &str = "reviews.jsonl";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reviewers_are_kept_apart_and_may_change_their_minds() {
        let folder = tempfile::tempdir().unwrap();
        let review = |score, reason: &str| Review { id: "q".into(), score, reason: reason.into() };
        let mut reviews = Reviews::open(folder.path()).unwrap();
        reviews.give("ann", review(40, "vague")).unwrap();
        reviews.give("bob", review(90, "")).unwrap();
        reviews.give("ann", review(70, "clear now")).unwrap();
        let reviews = Reviews::open(folder.path()).unwrap();
        let all: Vec<_> = reviews.all("q").map(|(name, review)| (name, review.score)).collect();
        assert_eq!(all, [("ann", 70), ("bob", 90)]);
        assert_eq!(reviews.of("ann", "q"), Some(&review(70, "clear now")));
        assert_eq!(reviews.of("ann", "other"), None);
    }
}
