//! The best pages of a segment by the shares of their terms, found without looking at every page that has one of them.
//!
//! Once enough pages are known, those that only have terms that weigh little can't be among the best any more: pages are
//! then looked for in the lists of the other terms alone, and the lists of those that weigh little are asked about them
//! (Turtle and Flood, "Query Evaluation: Strategies and Optimizations", 1995). Bounds are exact, so nothing is lost: the
//! pages and scores are those of a sum over all.

use super::candidate::{Candidate, Spot};
use super::list::List;
use super::segment::Segment;
use super::term::WeightedTerm;
use crate::Result;
use crate::top::Top;

/// So many pages are summed at once: few enough to stay near the processor.
const WINDOW: usize = 2048;

/// The list of a term.
struct Weighed<'a> {
    term: &'a WeightedTerm,
    list: List<'a>,
    /// The most that this term and those before it can add to a score.
    reach: f64,
}

impl Segment {
    /// Offers pages of this segment, the `nth`, that are wanted (all, or those with `true`): all that can be among the best.
    pub(super) fn offer_best(
        &self,
        nth: usize,
        terms: &[WeightedTerm],
        wanted: Option<&[bool]>,
        top: &mut Top<Candidate>,
    ) -> Result<()> {
        let is_wanted = |local: usize| wanted.is_none_or(|wanted| wanted.get(local) == Some(&true));
        let mut lists = self.weighed(nth, terms)?;
        let mut sums = [0.0; WINDOW];
        let mut next = 0;
        loop {
            let least = top.least().map_or(0.0, |candidate| candidate.score);
            let n_light = lists.partition_point(|list| list.reach < least);
            let (light, heavy) = lists.split_at_mut(n_light);
            let nearest = heavy.iter().filter_map(|heavy| heavy.list.page()).min().map(|page| next.max(page as usize));
            let Some(start) = nearest.and_then(|page| (page..self.len()).find(|local| is_wanted(*local))) else {
                return Ok(());
            };
            next = start + WINDOW;
            self.sum(heavy, start, &mut sums);
            // The bound is a sum of rounded numbers as scores are, so the difference is exact.
            let bar = least - light.last().map_or(0.0, |list| list.reach);
            for (local, sum) in (start..).zip(&mut sums) {
                let partial = std::mem::take(sum);
                if partial > 0.0
                    && partial >= bar
                    && is_wanted(local)
                    && let Some(score) = self.completed(partial, light, local, top)
                {
                    top.offer(Candidate { score, at: Spot { place: self.place(local), segment: nth, local } });
                }
            }
        }
    }

    /// The lists of the terms that stand here, those that weigh least first.
    fn weighed<'a>(&self, nth: usize, terms: &'a [WeightedTerm]) -> Result<Vec<Weighed<'a>>> {
        let mut lists = Vec::with_capacity(terms.len());
        for term in terms {
            if let Some(list) = self.list(nth, term)? {
                lists.push(Weighed { term, list, reach: term.bound() });
            }
        }
        lists.sort_by(|a, b| a.reach.total_cmp(&b.reach));
        let mut reach = 0.0;
        for list in &mut lists {
            reach += list.reach;
            list.reach = reach;
        }
        Ok(lists)
    }

    /// Adds what the terms of the lists give to the pages from `start` on.
    fn sum(&self, lists: &mut [Weighed<'_>], start: usize, sums: &mut [f64; WINDOW]) {
        let narrow = |local: usize| u32::try_from(local).unwrap_or(u32::MAX);
        let (first, end) = (narrow(start), narrow(start + WINDOW));
        let norms = self.norms(start);
        for Weighed { term, list, .. } in lists {
            list.seek(first);
            list.each_before(end, |page, tf| {
                let at = page.wrapping_sub(first) as usize;
                if let (Some(sum), Some(norm)) = (sums.get_mut(at), norms.get(at)) {
                    *sum += term.share(tf, *norm);
                }
            });
        }
    }

    /// The score of a page, given what the heavy terms give it; `None` if it can't be among the best.
    fn completed(&self, partial: f64, light: &mut [Weighed<'_>], local: usize, top: &Top<Candidate>) -> Option<f64> {
        let least = top.least().map_or(0.0, |candidate| candidate.score);
        let page = u32::try_from(local).ok()?;
        let mut score = partial;
        for Weighed { term, list, reach } in light.iter_mut().rev() {
            if score + *reach < least {
                return None;
            }
            if let Some(tf) = list.seek(page) {
                score += term.share(tf, self.norm(local));
            }
        }
        (score >= least).then_some(score)
    }
}
