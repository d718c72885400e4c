//! What is painted on a page, as far as it tells whether the text on it can be seen: the shapes behind, the clips and
//! groups at work, the pictures. Not what it looks like.

use hayro::hayro_interpret::color::Color;
use hayro::hayro_interpret::{BlendMode, DrawMode, DrawProps, Paint};
use hayro::kurbo::{Affine, BezPath, Point, Rect, Shape as _};

use crate::pictures::meets;

/// Shapes lower or narrower than this many points have no text on them, nor hide any.
const LEAST_SIDE: f64 = 3.0;

/// A page with more shapes than this is a drawing: no text on it is taken for hidden.
const MOST_SHAPES: usize = 3000;

/// Outlines with more points than this are not kept: what is before them can be anything.
const MOST_POINTS: usize = 60;

/// Something that was filled.
struct Shape {
    rect: Rect,
    /// `None` if it can't be told.
    color: Option<Color>,
    /// `None` for rectangles.
    outline: Option<BezPath>,
}

/// The part of the page that a clip leaves, and whether it is a rectangle.
#[derive(Clone, Copy)]
struct Clip {
    window: Rect,
    exact: bool,
}

/// What lies behind a place.
pub(super) enum Behind<'c> {
    /// Nothing: the paper.
    Paper,
    /// One colour.
    Color(&'c Color),
    /// Several colours, a picture, or what can't be told.
    Anything,
}

/// The page in the course of being painted.
pub(super) struct Canvas {
    page: Rect,
    clips: Vec<Clip>,
    /// How much the groups at work let through: 1 is all, `None` if it depends on what is below or on a mask.
    groups: Vec<Option<f32>>,
    shapes: Vec<Shape>,
    /// Around all shapes.
    reach: Rect,
    /// How many points the filled outlines have.
    pub(super) points: usize,
}

impl Canvas {
    /// A blank page.
    pub(super) fn new(page: Rect) -> Self {
        let reach = Rect::new(f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);
        Self { page, clips: Vec::new(), groups: Vec::new(), shapes: Vec::new(), reach, points: 0 }
    }

    /// The page as displayed.
    pub(super) fn page(&self) -> Rect {
        self.page
    }

    /// The part of the page that is not clipped away.
    pub(super) fn window(&self) -> Rect {
        self.clips.last().map_or(self.page, |clip| clip.window)
    }

    /// Clips to the box of a path; `exact` if the path is that box.
    pub(super) fn push_clip(&mut self, rect: Rect, exact: bool) {
        let Clip { window, exact: before } = self.clip();
        let window = if rect.is_finite() { window.intersect(rect) } else { window };
        self.clips.push(Clip { window, exact: exact && before });
    }

    /// Ends a clip.
    pub(super) fn pop_clip(&mut self) {
        self.clips.pop();
    }

    /// Starts a group.
    pub(super) fn push_group(&mut self, opacity: f32, masked: bool, blend: BlendMode) {
        let plain = !masked && blend == BlendMode::Normal;
        let outer = self.groups.last().copied().unwrap_or(Some(1.0));
        self.groups.push(outer.filter(|_| plain).map(|outer| outer * opacity));
    }

    /// Ends a group.
    pub(super) fn pop_group(&mut self) {
        self.groups.pop();
    }

    /// How much of what is painted now shows: 1 is all, `None` if it can't be told.
    pub(super) fn opacity(&self) -> Option<f32> {
        self.groups.last().copied().unwrap_or(Some(1.0))
    }

    /// Notes a path. Gives back the area that it covers for sure, whatever its colour.
    pub(super) fn path(&mut self, path: &BezPath, props: &DrawProps<'_>, mode: &DrawMode) -> Option<Rect> {
        match mode {
            DrawMode::Stroke(stroke) => self.stroke(path, props, stroke.line_width.into()),
            _ => {
                self.points += path.elements().len();
                let rect = props.transform.transform_rect_bbox(path.control_box());
                if !is_large(rect) {
                    return None;
                }
                let outline = (!is_box(path) || is_turned(props.transform)).then_some(path);
                return self.fill(rect, outline, props);
            }
        }
        None
    }

    /// Notes a rectangle. Gives back the area that it covers for sure, whatever its colour.
    pub(super) fn rect(&mut self, rect: &Rect, props: &DrawProps<'_>, mode: &DrawMode) -> Option<Rect> {
        let on_page = props.transform.transform_rect_bbox(*rect);
        match mode {
            DrawMode::Stroke(_) => None,
            _ if is_turned(props.transform) => self.fill(on_page, Some(&rect.to_path(0.1)), props),
            _ => self.fill(on_page, None, props),
        }
    }

    /// Notes a picture. Gives back the area that it takes, and whether it fills all of that.
    pub(super) fn picture(&mut self, size: (u32, u32), transform: Affine) -> (Rect, bool) {
        let own = Rect::new(0.0, 0.0, size.0.into(), size.1.into());
        let Clip { window, exact } = self.clip();
        let rect = transform.transform_rect_bbox(own).intersect(window);
        self.keep(Shape { rect, color: None, outline: None });
        (rect, exact && !is_turned(transform))
    }

    /// What lies behind a place that text takes.
    pub(super) fn behind(&self, place: Rect) -> Behind<'_> {
        if self.shapes.len() >= MOST_SHAPES {
            return Behind::Anything;
        }
        if !meets(self.reach, place) {
            return Behind::Paper;
        }
        for shape in self.shapes.iter().rev().filter(|shape| meets(shape.rect, place)) {
            let corners = || corners(place).into_iter().map(|corner| shape.holds(corner));
            match &shape.color {
                Some(color) if corners().all(|held| held) => return Behind::Color(color),
                Some(_) if shape.outline.is_some() && !corners().any(|held| held) => {}
                _ => return Behind::Anything,
            }
        }
        Behind::Paper
    }

    fn clip(&self) -> Clip {
        self.clips.last().copied().unwrap_or(Clip { window: self.page, exact: true })
    }

    /// A line that is thick enough to have text on it.
    fn stroke(&mut self, path: &BezPath, props: &DrawProps<'_>, width: f64) {
        let width = width * props.transform.determinant().abs().sqrt();
        if width < LEAST_SIDE {
            return;
        }
        let rect = props.transform.transform_rect_bbox(path.control_box());
        let is_line = rect.width().min(rect.height()) < width;
        let rect = rect.inflate(width / 2.0, width / 2.0).intersect(self.clip().window);
        if is_line {
            self.keep(Shape { rect, color: None, outline: None });
        }
    }

    fn fill(&mut self, rect: Rect, outline: Option<&BezPath>, props: &DrawProps<'_>) -> Option<Rect> {
        let Clip { window, exact } = self.clip();
        let rect = rect.intersect(window);
        if !is_large(rect) {
            return None;
        }
        let plain = exact && props.soft_mask.is_none() && props.blend_mode == BlendMode::Normal;
        let plain = plain && self.opacity().is_some_and(is_opaque);
        let known = outline.is_none_or(|path| path.elements().len() <= MOST_POINTS);
        let color = match &props.paint {
            Paint::Color(color) if plain && known => Some(color.clone()),
            _ => None,
        };
        let covers = color.is_some() && outline.is_none();
        let outline = outline.filter(|_| color.is_some()).map(|path| props.transform * path.clone());
        self.keep(Shape { rect, color, outline });
        covers.then_some(rect)
    }

    fn keep(&mut self, shape: Shape) {
        if is_large(shape.rect) && self.shapes.len() < MOST_SHAPES {
            self.reach = self.reach.union(shape.rect);
            self.shapes.push(shape);
        }
    }
}

impl Shape {
    fn holds(&self, point: Point) -> bool {
        let inside = |path: &BezPath| path.winding(point) != 0;
        let Rect { x0, y0, x1, y1 } = self.rect;
        let in_box = (x0..=x1).contains(&point.x) && (y0..=y1).contains(&point.y);
        in_box && self.outline.as_ref().is_none_or(inside)
    }
}

/// True if something of that opacity lets nothing through.
pub(super) fn is_opaque(opacity: f32) -> bool {
    opacity > 0.98
}

/// The corners of a place and its middle, a little inside so that rounded shapes hold them.
fn corners(place: Rect) -> [Point; 5] {
    let inner = place.inset((-0.1 * place.width(), -0.3 * place.height()));
    let Rect { x0, y0, x1, y1 } = inner;
    [Point::new(x0, y0), Point::new(x1, y0), Point::new(x0, y1), Point::new(x1, y1), place.center()]
}

fn is_large(rect: Rect) -> bool {
    rect.width() >= LEAST_SIDE && rect.height() >= LEAST_SIDE
}

/// True if boxes don't stay boxes.
fn is_turned(transform: Affine) -> bool {
    let [a, b, c, d, ..] = transform.as_coeffs().map(f64::abs);
    let near = |small: f64, large: f64| small <= 0.001 * large;
    !(near(b, a) && near(c, d) || near(a, b) && near(d, c))
}

/// True if the path fills the box around it.
pub(super) fn is_box(path: &BezPath) -> bool {
    path.elements().len() <= 6 && path.area().abs() >= 0.99 * path.control_box().area()
}
