//! Runs of glyphs that are drawn in one go, and whether a reader of the page sees them.

use hayro::hayro_interpret::color::Color;
use hayro::kurbo::{BezPath, Rect};
use recto_page::HiddenKind;

use super::canvas::{Behind, Canvas, is_box};
use super::ink::{looks_alike, looks_white};
use crate::glyph::{Glyph, union};

/// Text lower than this many points can't be read, if its page is not a small one.
const TINY: f32 = 1.5;

/// Text higher than this share of its page can be read when the page fills a screen.
const TINY_SHARE: f64 = 0.002;

/// How many comparisons with a run a page is worth, of covers and of white text each: enough for any but drawings of thousands
/// of shapes. Thousands of white runs are a scanner's, and the picture that covers them is still to come.
const MOST_COMPARISONS: usize = 500_000;

/// What a run is drawn with.
#[derive(Clone, Copy)]
pub(super) enum Ink<'c> {
    /// Nothing: it is not drawn, or lets everything through.
    None,
    /// A colour.
    Color(&'c Color),
    /// A pattern, or what can't be told.
    Anything,
}

/// Whether the glyphs of a run can be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    /// Yes.
    Seen,
    /// No.
    Hidden(HiddenKind),
    /// No, as the text that scanners add to their pictures: not drawn, or under a picture.
    Veiled(HiddenKind),
}

/// Glyphs drawn in one go.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The first of its glyphs; the last is the one before the first of the next run.
    first: usize,
    /// The box around them.
    rect: Rect,
    sight: Sight,
}

/// The runs of a page, in the order of drawing.
pub(super) struct Runs {
    runs: Vec<Run>,
    /// Around all of them.
    reach: Rect,
    /// Runs from here on may turn out to be a clip, through which something is seen.
    clipping: Option<usize>,
    comparisons_of_covers: usize,
    comparisons_of_white: usize,
}

impl Runs {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { runs: Vec::new(), reach: NOWHERE, clipping: None, comparisons_of_covers: 0, comparisons_of_white: 0 }
    }

    /// Ends a run: that of the glyphs from `first` on.
    pub(super) fn push(&mut self, glyphs: &[Glyph], first: usize, ink: Ink<'_>, canvas: &Canvas) {
        let Some(run) = glyphs.get(first..) else { return };
        let (Some(start), Some(end)) = (run.first(), run.last()) else { return };
        let [x0, y0, x1, y1] = union(start.rect(), end.rect()).map(f64::from);
        let rect = Rect::new(x0, y0, x1, y1);
        if matches!(ink, Ink::None) {
            self.clipping.get_or_insert(self.runs.len());
        }
        let tiny = start.size < TINY && f64::from(start.size) < TINY_SHARE * canvas.page().height();
        let sight = if tiny { Sight::Hidden(HiddenKind::Tiny) } else { sight(ink, rect, canvas) };
        let sight = if sight == Sight::Hidden(HiddenKind::SameColour) && self.is_on_large_glyph(rect) {
            Sight::Seen
        } else {
            sight
        };
        self.reach = self.reach.union(rect);
        self.runs.push(Run { first, rect, sight });
    }

    /// Notes that something other than text is drawn.
    pub(super) fn interrupt(&mut self) {
        self.clipping = None;
    }

    /// Notes a clip. If text made it, that text is seen.
    pub(super) fn clip(&mut self, path: &BezPath) {
        let Some(from) = self.clipping.take() else { return };
        let bounds = path.control_box();
        if is_box(path) {
            return;
        }
        for run in self.runs.iter_mut().skip(from) {
            let middle = run.rect.center();
            if matches!(run.sight, Sight::Veiled(_)) && bounds.contains(middle) {
                run.sight = Sight::Seen;
            }
        }
    }

    /// Notes that the area is painted over, with a colour or a picture.
    pub(super) fn cover(&mut self, area: Rect, sight: Sight) {
        if !self.any_under(area) {
            return;
        }
        let covered = |run: &&mut Run| !matches!(run.sight, Sight::Veiled(_)) && is_under(area, run.rect);
        self.runs.iter_mut().filter(covered).for_each(|run| run.sight = sight);
    }

    /// True if text would be covered by painting over the area.
    pub(super) fn any_under(&mut self, area: Rect) -> bool {
        if area.intersect(self.reach).is_zero_area() || self.comparisons_of_covers > MOST_COMPARISONS {
            return false;
        }
        self.comparisons_of_covers += self.runs.len();
        self.runs.iter().any(|run| !matches!(run.sight, Sight::Veiled(_)) && is_under(area, run.rect))
    }

    /// Makes one run of those that begin at `first` or later. It is seen if one of them is.
    pub(super) fn join(&mut self, first: usize) {
        let at = self.runs.partition_point(|run| run.first < first);
        let Some(mut joined) = self.runs.get(at).copied() else { return };
        for run in self.runs.drain(at..) {
            joined.rect = joined.rect.union(run.rect);
            joined.sight = if run.sight == Sight::Seen { run.sight } else { joined.sight };
        }
        self.runs.push(Run { first, ..joined });
    }

    /// True if all glyphs can be seen.
    pub(super) fn all_seen(&self) -> bool {
        self.runs.iter().all(|run| run.sight == Sight::Seen)
    }

    /// The glyphs run by run, with how each is seen and the box around it.
    pub(super) fn parts<'g>(&self, glyphs: &'g [Glyph]) -> impl Iterator<Item = (Sight, Rect, &'g [Glyph])> {
        let ends = self.runs.iter().skip(1).map(|run| run.first).chain([glyphs.len()]);
        let runs = self.runs.iter().zip(ends);
        runs.map(|(run, end)| (run.sight, run.rect, glyphs.get(run.first..end).unwrap_or_default()))
    }

    /// White figures stand on discs that are glyphs themselves.
    fn is_on_large_glyph(&mut self, place: Rect) -> bool {
        if self.comparisons_of_white > MOST_COMPARISONS {
            return false;
        }
        self.comparisons_of_white += self.runs.len();
        self.runs.iter().any(|run| run.sight == Sight::Seen && is_under(run.rect, place))
    }
}

/// The box around nothing.
const NOWHERE: Rect = Rect::new(f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);

fn sight(ink: Ink<'_>, rect: Rect, canvas: &Canvas) -> Sight {
    let unseen = match ink {
        Ink::None => return Sight::Veiled(HiddenKind::Invisible),
        Ink::Anything => false,
        Ink::Color(color) => match canvas.behind(rect) {
            Behind::Paper => looks_white(color),
            Behind::Color(behind) => looks_alike(color, behind),
            Behind::Anything => false,
        },
    };
    if unseen { Sight::Hidden(HiddenKind::SameColour) } else { Sight::Seen }
}

/// True if the area covers the letters of a run: their boxes reach beyond what they show.
fn is_under(area: Rect, run: Rect) -> bool {
    let slack = 0.25 * run.width().min(run.height());
    let run = run.inset(-slack);
    area.x0 <= run.x0 && run.x1 <= area.x1 && area.y0 <= run.y0 && run.y1 <= area.y1
}
