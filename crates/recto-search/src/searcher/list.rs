//! The pages of a segment that have a term, walked in order, block by block.

use tantivy::postings::BlockSegmentPostings;

use super::term::Occurrences;

/// Stands at a page that has the term, or behind the last one.
pub(super) struct List<'a> {
    source: Source<'a>,
    /// Where in the block.
    at: usize,
}

enum Source<'a> {
    /// Of the index.
    Stored(Box<BlockSegmentPostings>),
    /// Found by its words: one block.
    Found(&'a Occurrences),
}

impl<'a> List<'a> {
    pub(super) fn stored(blocks: BlockSegmentPostings) -> Self {
        Self { source: Source::Stored(Box::new(blocks)), at: 0 }
    }

    pub(super) const fn found(occurrences: &'a Occurrences) -> Self {
        Self { source: Source::Found(occurrences), at: 0 }
    }

    /// The page that it stands at; `None` behind the last one.
    pub(super) fn page(&self) -> Option<u32> {
        self.block().0.first().copied()
    }

    /// Goes on to the first page that is not before `target`; how often the term stands on `target`.
    pub(super) fn seek(&mut self, target: u32) -> Option<u32> {
        match &mut self.source {
            Source::Stored(blocks) => self.at = blocks.seek(target),
            Source::Found(all) => {
                let rest = all.pages.get(self.at..).unwrap_or_default();
                self.at += rest.partition_point(|page| *page < target);
            }
        }
        let (pages, counts) = self.block();
        pages.first().filter(|page| **page == target).and(counts.first()).copied()
    }

    /// Gives the pages before `end` with how often each has the term, and goes on to the next.
    pub(super) fn each_before(&mut self, end: u32, mut give: impl FnMut(u32, u32)) {
        loop {
            let (pages, counts) = self.block();
            let n = pages.partition_point(|page| *page < end);
            pages.iter().zip(counts).take(n).for_each(|(page, count)| give(*page, *count));
            if n < pages.len() || pages.is_empty() {
                self.at += n;
                return;
            }
            match &mut self.source {
                Source::Stored(blocks) => {
                    blocks.advance();
                    self.at = 0;
                }
                Source::Found(_) => self.at += n,
            }
        }
    }

    /// What is left of the block that it stands in.
    fn block(&self) -> (&[u32], &[u32]) {
        let (pages, counts) = match &self.source {
            Source::Stored(blocks) => (blocks.docs(), blocks.freqs()),
            Source::Found(all) => (all.pages.as_slice(), all.counts.as_slice()),
        };
        (pages.get(self.at..).unwrap_or_default(), counts.get(self.at..).unwrap_or_default())
    }
}
