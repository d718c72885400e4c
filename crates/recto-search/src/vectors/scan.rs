//! The pages nearest to a query: every vector is looked at, coarse ones first, the best of them again as fine as they are
//! stored. The same result for any number of threads and on any number of files.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::candidate::{Candidate, Spot};
use super::error::{Result, VectorError};
use super::header::{Layout, PageKey, Space};
use super::segment::{Record, Segment};
use crate::kernel::blocks::Element;
use crate::kernel::{Path, maxsim, quantize, rows};
use crate::top::Top;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Query {
    space: Space,
    vectors: Vec<f32>,
    integers: Vec<i8>,
    prepared: maxsim::Query,
}

impl Query {
    /// One vector for rows, any number of them for blocks, one after the other.
    ///
    /// # Errors
    /// [`VectorError::Query`].
    pub fn new(space: Space, vectors: Vec<f32>) -> Result<Self> {
        let wrong = VectorError::Query { numbers: vectors.len(), dim: space.dim() };
        let dim = space.dim() as usize;
        if !vectors.len().is_multiple_of(dim.max(1)) {
            return Err(wrong);
        }
        let Some(prepared) = maxsim::Query::new(&vectors, dim) else { return Err(wrong) };
        let integers = quantize::to_i8(&vectors, prepared.scale());
        Ok(Self { space, vectors, integers, prepared })
    }
}

/// Which pages may be found. Lists are sorted and free of doubles.
#[derive(Clone, Copy, Debug)]
pub enum Restriction<'a> {
    /// All that the segments hold.
    None,
    /// Pages of these document versions.
    Versions(&'a [u64]),
    /// These pages.
    Pages(&'a [PageKey]),
}

/// How a search is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How many pages are wanted.
    pub k: usize,
    /// How many of the best by 8-bit integers are scored again as finely as they are stored; at least `k`.
    pub shortlist: usize,
    /// If not 0, so many of the best by bits alone are looked at further, where all segments have bits. Bits lose much:
    /// of random vectors, a list of 1,000 of a million holds half of the ten nearest.
    pub prefilter: usize,
    /// On how many threads.
    pub threads: usize,
    /// By which instructions.
    pub path: Path,
}

impl Plan {
    /// The best `k` of all, one thread, the processor's best instructions.
    pub fn new(k: usize) -> Self {
        Self { k, shortlist: k.max(200), prefilter: 0, threads: 1, path: Path::best() }
    }
}

/// A page that was found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// The page.
    pub key: PageKey,
    /// The product with its best window, or MaxSim.
    pub score: f32,
    /// Which of its windows that is, from 0; 0 for MaxSim.
    pub window: u32,
}

/// The nearest pages: by score descending, then by key. Pages without vectors are not found. A page is to be in one
/// segment only.
///
/// # Errors
/// [`VectorError::Mixed`] if a segment's vectors are of another kind than the query or lie otherwise than the first
/// segment's, [`VectorError::Query`] for a query of several vectors against rows, [`VectorError::Damaged`].
pub fn search(segments: &[&Segment], query: &Query, restriction: Restriction<'_>, plan: &Plan) -> Result<Vec<Found>> {
    check(segments, query)?;
    // Where nothing finer is stored than what is looked at first, nothing is looked at twice.
    let finer = segments.iter().any(|segment| Scale::Fine.element(segment) != Scale::Coarse.element(segment));
    let keep = if finer { plan.k.max(plan.shortlist) } else { plan.k };
    let has = |element| segments.iter().all(|segment| segment.header().elements.contains(&element));
    let first = if plan.prefilter > 0 && has(Element::Bit) { Scale::Bits } else { Scale::Coarse };
    let work = work(segments, restriction);
    let best = match first {
        Scale::Bits => {
            let best = scan(segments, query, &work, first, plan, keep.max(plan.prefilter))?;
            scan(segments, query, &places(&best), Scale::Coarse, plan, keep)?
        }
        _ => scan(segments, query, &work, first, plan, keep)?,
    };
    let best = if finer { scan(segments, query, &places(&best), Scale::Fine, plan, plan.k)? } else { best };
    Ok(best
        .into_iter()
        .map(|best| Found { key: best.at.key, score: best.score as f32, window: best.at.window })
        .collect())
}

/// How closely vectors are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    Bits,
    /// 8-bit integers where there are any.
    Coarse,
    /// The last element that is stored.
    Fine,
}

impl Scale {
    fn element(self, segment: &Segment) -> Element {
        let elements = &segment.header().elements;
        let coarse = elements.iter().find(|element| **element != Element::Bit);
        let fine = elements.last();
        match self {
            Self::Bits => Some(&Element::Bit),
            Self::Coarse => coarse.or(fine),
            Self::Fine => fine,
        }
        .copied()
        .unwrap_or(Element::F32)
    }
}

fn check(segments: &[&Segment], query: &Query) -> Result<()> {
    for segment in segments {
        query.space.same_as(&segment.header().space)?;
        let (left, right) = (segments[0].header().layout, segment.header().layout);
        if left != right {
            return Err(VectorError::Mixed {
                route: query.space.route.clone(),
                what: "layout",
                left: format!("{left:?}"),
                right: format!("{right:?}"),
            });
        }
        if left == Layout::Rows && query.vectors.len() != query.space.dim() as usize {
            return Err(VectorError::Query { numbers: query.vectors.len(), dim: query.space.dim() });
        }
    }
    Ok(())
}

/// Pages that are looked at together: a segment, and places of its table.
type Work = Vec<(usize, Range<usize>)>;

/// Pages in a piece of work: enough for a thread to be worth it.
const PIECE: usize = 1024;

fn work(segments: &[&Segment], restriction: Restriction<'_>) -> Work {
    let runs = |(at, segment): (usize, &&Segment)| {
        runs(segment, restriction).into_iter().map(move |run| (at, run)).collect::<Vec<_>>()
    };
    let pieces = |(at, run): (usize, Range<usize>)| {
        run.clone().step_by(PIECE).map(move |start| (at, start..run.end.min(start + PIECE)))
    };
    segments.iter().enumerate().flat_map(runs).flat_map(pieces).collect()
}

fn runs(segment: &Segment, restriction: Restriction<'_>) -> Vec<Range<usize>> {
    let all: Vec<Range<usize>> = match restriction {
        Restriction::None => std::iter::once(0..segment.len()).collect(),
        Restriction::Versions(versions) => versions.iter().map(|version| of_version(segment, *version)).collect(),
        Restriction::Pages(pages) => pages.iter().map(|key| of_page(segment, *key)).collect(),
    };
    let mut runs: Vec<Range<usize>> = Vec::new();
    for run in all.into_iter().filter(|run| !run.is_empty()) {
        match runs.last_mut() {
            Some(last) if last.end == run.start => last.end = run.end,
            _ => runs.push(run),
        }
    }
    runs
}

fn of_version(segment: &Segment, version: u64) -> Range<usize> {
    let start = segment.place(PageKey { version, number: 0 });
    let end = version.checked_add(1).map_or(segment.len(), |next| segment.place(PageKey { version: next, number: 0 }));
    start..end
}

fn of_page(segment: &Segment, key: PageKey) -> Range<usize> {
    let at = segment.place(key);
    let there = at < segment.len() && segment.record(at).key == key;
    at..at + usize::from(there)
}

fn places(candidates: &[Candidate]) -> Work {
    candidates.iter().map(|Candidate { at, .. }| (at.segment, at.row..at.row + 1)).collect()
}

/// Threads take the next piece until there is none. What is best does not depend on who looked at what, since no two
/// candidates are equal.
fn scan(
    segments: &[&Segment],
    query: &Query,
    work: &Work,
    scale: Scale,
    plan: &Plan,
    keep: usize,
) -> Result<Vec<Candidate>> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut scan = Scan::new(query, scale, plan.path, keep);
        while let Some((at, rows)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            scan.piece(*at, segments[*at], rows.clone())?;
        }
        Ok(scan.top)
    };
    let threads = plan.threads.clamp(1, work.len().max(1));
    let tops = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut tops = vec![run()];
        tops.extend(others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))));
        tops
    });
    let mut best = Top::new(keep);
    for top in tops {
        top?.into_sorted().into_iter().for_each(|candidate| best.offer(candidate));
    }
    Ok(best.into_sorted())
}

/// What a thread holds.
struct Scan<'q> {
    query: &'q Query,
    scale: Scale,
    path: Path,
    scorer: maxsim::Scorer<'q>,
    floats: Vec<f32>,
    integers: Vec<i32>,
    top: Top<Candidate>,
}

impl<'q> Scan<'q> {
    fn new(query: &'q Query, scale: Scale, path: Path, keep: usize) -> Self {
        let scorer = maxsim::Scorer::new(&query.prepared, path);
        Self { query, scale, path, scorer, floats: Vec::new(), integers: Vec::new(), top: Top::new(keep) }
    }

    fn piece(&mut self, at: usize, segment: &Segment, rows: Range<usize>) -> Result<()> {
        match segment.header().layout {
            Layout::Rows => self.rows(at, segment, rows),
            Layout::Blocks => rows.into_iter().try_for_each(|row| self.page(at, segment, row)),
        }
    }

    /// MaxSim of a page.
    fn page(&mut self, at: usize, segment: &Segment, row: usize) -> Result<()> {
        let record = segment.record(row);
        let element = self.scale.element(segment);
        let patches = record.vectors as usize;
        let data = segment.data(element, record.first, Layout::Blocks.units(u64::from(record.vectors)))?;
        let score = match element {
            Element::Bit => self.scorer.bits(data, patches).map(|steps| steps as f32),
            Element::I8 => self
                .scorer
                .i8(data, patches)
                .map(|steps| steps as f32 * self.query.prepared.scale() * segment.header().scale),
            Element::F16 => self.scorer.f16(data, patches),
            Element::F32 => self.scorer.f32(data, patches),
        };
        self.keep(at, row, record.key, score.map(|score| (score, 0)));
        Ok(())
    }

    /// Products of the pages' vectors, which lie together.
    fn rows(&mut self, at: usize, segment: &Segment, rows: Range<usize>) -> Result<()> {
        let Some((first, last)) = ends(segment, &rows) else { return Ok(()) };
        let end = last.first.saturating_add(u64::from(last.vectors));
        let count = end.saturating_sub(first.first);
        let data = segment.data(self.scale.element(segment), first.first, count)?;
        self.products(segment, data, count as usize);
        for row in rows {
            let record = segment.record(row);
            let start = record.first.saturating_sub(first.first) as usize;
            let windows = self.floats.get(start..).unwrap_or_default().iter().take(record.vectors as usize);
            let best = windows.copied().zip(0..).reduce(|best, next| if next.0 > best.0 { next } else { best });
            self.keep(at, row, record.key, best);
        }
        Ok(())
    }

    fn products(&mut self, segment: &Segment, data: &[u8], count: usize) {
        let (vector, integers) = (&self.query.vectors, &self.query.integers);
        self.floats.clear();
        self.floats.resize(count, f32::NEG_INFINITY);
        self.integers.resize(count, 0);
        let step = match self.scale.element(segment) {
            Element::F32 => return rows::dot_f32(self.path, vector, data, &mut self.floats),
            Element::F16 => return rows::dot_f16(self.path, vector, data, &mut self.floats),
            Element::Bit => {
                rows::dot_bits(self.path, integers, data, &mut self.integers);
                1.0
            }
            Element::I8 => {
                rows::dot_i8(self.path, integers, data, &mut self.integers);
                self.query.prepared.scale() * segment.header().scale
            }
        };
        self.floats.iter_mut().zip(&self.integers).for_each(|(float, steps)| *float = *steps as f32 * step);
    }

    /// A damaged file can hold what is no number: such a page is last.
    fn keep(&mut self, segment: usize, row: usize, key: PageKey, best: Option<(f32, u32)>) {
        if let Some((score, window)) = best {
            let score = if score.is_nan() { f32::NEG_INFINITY } else { score };
            self.top.offer(Candidate { score: score.into(), at: Spot { key, segment, row, window } });
        }
    }
}

fn ends(segment: &Segment, rows: &Range<usize>) -> Option<(Record, Record)> {
    let last = rows.end.checked_sub(1)?;
    Some((segment.record(rows.start), segment.record(last)))
}
