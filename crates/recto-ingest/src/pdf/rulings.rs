//! Ruling lines and drawings among the shapes of a page. Looks at each shape once, and at no more than a few of its parts.

use hayro::hayro_interpret::{DrawMode, DrawProps, Paint};
use hayro::kurbo::{Affine, BezPath, PathEl, Point, Rect, Shape};

use super::glyphs::is_seen;
use crate::layout::Marks;

/// A shape with more parts is a drawing.
const MOST_PARTS: usize = 2000;

/// A straight line may lean by this many points.
const LEAN: f64 = 0.7;

/// A stroke thicker than this is a bar, not a ruling.
const MOST_THICK: f64 = 4.0;

/// Collects what shapes say about the layout.
#[derive(Default)]
pub(super) struct Rulings {
    /// What was found so far.
    pub(super) marks: Marks,
}

impl Rulings {
    /// Looks at a rectangle that is drawn within `window`.
    pub(super) fn add_rect(&mut self, rect: &Rect, props: &DrawProps<'_>, mode: &DrawMode, window: Rect) {
        if !matches!(mode, DrawMode::Fill(_)) {
            return self.add_path(&rect.to_path(0.1), props, mode, window);
        }
        let known = self.marks.rulings.len();
        if let Some(area) = visible(props.transform.transform_rect_bbox(*rect), window) {
            self.marks.add_box(area);
        }
        self.drop_unseen(known, &props.paint);
    }

    /// Looks at a shape that is drawn within `window`.
    pub(super) fn add_path(&mut self, path: &BezPath, props: &DrawProps<'_>, mode: &DrawMode, window: Rect) {
        let (parts, transform) = (path.elements(), props.transform);
        let thickness = match mode {
            DrawMode::Stroke(props) => f64::from(props.line_width) * transform.determinant().abs().sqrt(),
            DrawMode::Fill(_) | DrawMode::FillAndStroke(..) => 0.0,
            DrawMode::Invisible => return,
        };
        let is_straight = |part: &PathEl| !matches!(part, PathEl::QuadTo(..) | PathEl::CurveTo(..));
        if parts.len() > MOST_PARTS || thickness > MOST_THICK || !parts.iter().all(is_straight) {
            return self.add_drawing(path, transform, window);
        }
        let known = self.marks.rulings.len();
        match mode {
            DrawMode::Stroke(_) => self.add_strokes(path, transform, window),
            _ => self.add_fills(parts, transform, window),
        }
        self.drop_unseen(known, &props.paint);
    }

    /// Lines that can't be seen part nothing. Colours are looked at for lines only: the engine takes long to tell them.
    fn drop_unseen(&mut self, known: usize, paint: &Paint<'_>) {
        if self.marks.rulings.len() > known && !is_seen(paint) {
            self.marks.rulings.truncate(known);
        }
    }

    /// Looks at a picture or drawing that fills a box.
    pub(super) fn add_drawing(&mut self, path: &BezPath, transform: Affine, window: Rect) {
        if let Some(area) = visible(transform.transform_rect_bbox(path.control_box()), window) {
            self.marks.add_drawing(area);
        }
    }

    fn add_strokes(&mut self, path: &BezPath, transform: Affine, window: Rect) {
        let (known, mut start, mut at) = (self.marks.rulings.len(), Point::ZERO, Point::ZERO);
        for part in path.elements() {
            let to = match part {
                PathEl::MoveTo(to) => {
                    (start, at) = (transform * *to, transform * *to);
                    continue;
                }
                PathEl::LineTo(to) => transform * *to,
                _ => start,
            };
            if (to.x - at.x).abs() > LEAN && (to.y - at.y).abs() > LEAN {
                self.marks.rulings.truncate(known);
                return self.add_drawing(path, transform, window);
            }
            if let Some(line) = visible(Rect::from_points(at, to), window) {
                self.marks.add_box(line);
            }
            at = to;
        }
    }

    fn add_fills(&mut self, parts: &[PathEl], transform: Affine, window: Rect) {
        for shape in parts.split(|part| matches!(part, PathEl::ClosePath)) {
            let points = shape.iter().filter_map(PathEl::end_point).map(|point| transform * point);
            let area = points.map(|p| Rect::from_points(p, p)).reduce(|a, b| a.union(b));
            if let Some(area) = area.and_then(|area| visible(area, window)) {
                self.marks.add_box(area);
            }
        }
    }
}

/// The part of a box within the window, if there is one; a line has no area and may be seen all the same.
fn visible(area: Rect, window: Rect) -> Option<[f32; 4]> {
    let (l, t) = (area.x0.max(window.x0), area.y0.max(window.y0));
    let (r, b) = (area.x1.min(window.x1), area.y1.min(window.y1));
    (l <= r && t <= b).then_some([l, t, r, b].map(|v| v as f32))
}
