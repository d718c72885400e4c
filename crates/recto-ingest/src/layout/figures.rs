//! Where drawings are: curves and bars that stand near each other are one figure.

use recto_page::{PageSize, Region};

use super::marks::Marks;

/// The page is looked at in so many parts each way.
const PARTS: usize = 64;

/// Marks over a larger share of the page are its background.
const BACKGROUND: f32 = 0.5;

/// A figure covers at least this share of the page.
const MIN_AREA: f32 = 0.01;

/// Only so many marks are looked at.
const MOST_MARKS: usize = 3000;

/// The figures of a page.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Figures(Vec<Region>);

impl Figures {
    /// Drawings that touch, or nearly so.
    pub(super) fn of(marks: &Marks, page: PageSize) -> Self {
        if marks.drawings.is_empty() {
            return Self::default();
        }
        let mut drawn = vec![false; PARTS * PARTS];
        let to_region = |[l, t, r, b]: &[f32; 4]| {
            let [w, h] = [page.width, page.height].map(f64::from);
            Region::new(f64::from(*l) / w, f64::from(*t) / h, f64::from(*r) / w, f64::from(*b) / h)
        };
        for region in marks.drawings.iter().take(MOST_MARKS).map(to_region) {
            if region.width() * region.height() < BACKGROUND {
                fill(&mut drawn, region);
            }
        }
        let regions = clusters(drawn).into_iter().filter(|region| region.width() * region.height() > MIN_AREA);
        Self(regions.collect())
    }

    /// True if the middle of the region is within a figure.
    pub(super) fn holds(&self, region: Region) -> bool {
        let (x, y) = region.center();
        self.0.iter().any(|f| (f.left()..f.right()).contains(&x) && (f.top()..f.bottom()).contains(&y))
    }
}

fn fill(drawn: &mut [bool], region: Region) {
    let part = |v: f32| ((v * PARTS as f32) as usize).min(PARTS - 1);
    for y in part(region.top())..=part(region.bottom()) {
        let row = drawn.iter_mut().skip(y * PARTS + part(region.left()));
        row.take(part(region.right()) - part(region.left()) + 1).for_each(|place| *place = true);
    }
}

/// The boxes around parts that touch each other.
fn clusters(mut drawn: Vec<bool>) -> Vec<Region> {
    let mut regions = Vec::new();
    for start in 0..drawn.len() {
        if !drawn.get_mut(start).is_some_and(std::mem::take) {
            continue;
        }
        let mut waiting = vec![start];
        let mut found: Option<[usize; 4]> = None;
        while let Some(i) = waiting.pop() {
            let (x, y) = (i % PARTS, i / PARTS);
            let [l, t, r, b] = found.unwrap_or([x, y, x, y]);
            found = Some([l.min(x), t.min(y), r.max(x), b.max(y)]);
            for (nx, ny) in
                (x.saturating_sub(2)..=x + 2).flat_map(|nx| (y.saturating_sub(2)..=y + 2).map(move |ny| (nx, ny)))
            {
                if nx < PARTS && drawn.get_mut(ny * PARTS + nx).is_some_and(std::mem::take) {
                    waiting.push(ny * PARTS + nx);
                }
            }
        }
        let side = |part: usize| part as f64 / PARTS as f64;
        regions.extend(found.map(|[l, t, r, b]| Region::new(side(l), side(t), side(r + 1), side(b + 1))));
    }
    regions
}
