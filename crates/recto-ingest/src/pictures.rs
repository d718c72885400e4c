//! The pictures on a page that may hold text which the text layer lacks. What is in them is not looked at.

use hayro::kurbo::{Affine, Rect};
use recto_page::{PageSize, Region, TextLayer};

/// A picture at its place on the page, in points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Picture {
    /// The box around it, as far as it is not clipped away.
    pub(crate) rect: Rect,
    /// Resolution in pixels per point.
    pub(crate) density: f64,
}

/// Smaller ones are logos and icons (`ocr.md`: charts and pasted tables are larger).
const LEAST_SHARE: f64 = 0.08;

/// On a page with this share of pictures all of them may be parts of a scan.
const MOSTLY_PICTURES: f64 = 0.3;

/// Letters need this many pixels per point of the page: 36 dpi.
const LEAST_DENSITY: f64 = 0.5;

/// A text line needs so many pixels, across and along it.
const LEAST_PIXELS: (f64, f64) = (16.0, 48.0);

/// Pictures closer than this many points are parts of one: scanners cut pages in strips.
const SEAM: f64 = 2.0;

/// The box around two parts of a picture is at least this full.
const FULL: f64 = 0.85;

/// More pictures than this are not put together.
const MOST: usize = 1000;

/// Cells along each side of the grids that areas are measured with.
const CELLS: usize = 16;

/// A picture with words in so many cells of a hundred is a background.
const BACKGROUND_PERCENT: usize = 15;

impl Picture {
    /// A picture in the box `rect`; `transform` leads from its pixels to the page.
    pub(crate) fn new(rect: Rect, transform: Affine) -> Self {
        let area = transform.determinant().abs();
        Self { rect, density: if area > 0.0 { 1.0 / area.sqrt() } else { 0.0 } }
    }

    fn may_hold_text(&self) -> bool {
        let sides = (self.rect.width() * self.density, self.rect.height() * self.density);
        let (least, most) = (sides.0.min(sides.1), sides.0.max(sides.1));
        self.density >= LEAST_DENSITY && least >= LEAST_PIXELS.0 && most >= LEAST_PIXELS.1
    }
}

/// Puts the parts of pictures together.
pub(crate) fn merged(pictures: &[Picture]) -> Vec<Picture> {
    let mut whole: Vec<Picture> = Vec::new();
    for picture in pictures.iter().take(MOST).filter(|p| p.rect.width() > 0.0 && p.rect.height() > 0.0) {
        let mut picture = *picture;
        // From the end, since parts are drawn one after the other.
        while let Some(at) = whole.iter().rposition(|other| are_parts(&picture, other)) {
            let other = whole.swap_remove(at);
            picture = Picture { rect: picture.rect.union(other.rect), density: picture.density.max(other.density) };
        }
        whole.push(picture);
    }
    whole
}

/// Those of the merged pictures that are large enough and sharp enough for text and have little text over them.
pub(crate) fn unread(merged: &[Picture], layer: &TextLayer, page: PageSize) -> Vec<Region> {
    let area = f64::from(page.width) * f64::from(page.height);
    let large = |p: &&Picture| p.rect.area() >= LEAST_SHARE * area && p.may_hold_text();
    let is_unread = |p: &&Picture| !is_background(&region(p.rect, page), layer);
    let mut unread: Vec<&Picture> = merged.iter().filter(large).filter(is_unread).collect();
    unread.sort_by(|a, b| b.rect.area().total_cmp(&a.rect.area()));
    let mut outer: Vec<&Picture> = Vec::new();
    for picture in unread {
        if !outer.iter().any(|other| holds(other, picture)) {
            outer.push(picture);
        }
    }
    outer.sort_by(|a, b| a.rect.y0.total_cmp(&b.rect.y0).then(a.rect.x0.total_cmp(&b.rect.x0)));
    outer.iter().map(|p| region(p.rect, page)).filter(|region| !region.is_empty()).collect()
}

/// True if text at the place, which can't be seen, may be a scanner's reading of a picture there.
pub(crate) fn may_be_read_from(merged: &[Picture], place: Rect, page: PageSize) -> bool {
    let area = f64::from(page.width) * f64::from(page.height);
    let all: f64 = merged.iter().map(|p| p.rect.area()).sum();
    let is_large = |p: &&Picture| all >= MOSTLY_PICTURES * area || p.rect.area() >= LEAST_SHARE * area;
    merged.iter().filter(is_large).any(|p| p.rect.contains(place.center()))
}

/// The share of the page that the pictures which may hold text cover, from 0 to 1.
pub(crate) fn share(merged: &[Picture], page: PageSize) -> f32 {
    let mut grid = Grid::new(Region::FULL);
    merged.iter().filter(|p| p.may_hold_text()).for_each(|p| grid.mark(&region(p.rect, page)));
    grid.share()
}

fn region(rect: Rect, page: PageSize) -> Region {
    let (width, height) = (f64::from(page.width), f64::from(page.height));
    Region::new(rect.x0 / width, rect.y0 / height, rect.x1 / width, rect.y1 / height)
}

/// True if the two stand beside each other or on each other, so that they fill the box around them. A smaller one on a
/// larger one is a picture of its own: a chart on a background.
fn are_parts(a: &Picture, b: &Picture) -> bool {
    if !meets(a.rect.inflate(SEAM, SEAM), b.rect.inflate(SEAM, SEAM)) {
        return false;
    }
    let (least, most) = (a.rect.area().min(b.rect.area()), a.rect.area().max(b.rect.area()));
    let is_on = (holds(a, b) || holds(b, a)) && least < FULL * most;
    let both = a.rect.area() + b.rect.area() - a.rect.intersect(b.rect).area();
    !is_on && both >= FULL * a.rect.union(b.rect).area()
}

/// True if the two have a part in common.
pub(crate) fn meets(a: Rect, b: Rect) -> bool {
    a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1
}

/// True if nearly all of the inner one is in the outer one.
fn holds(outer: &Picture, inner: &Picture) -> bool {
    outer.rect.intersect(inner.rect).area() >= FULL * inner.rect.area()
}

/// True if words stand all over it, so that it is what they are written on.
fn is_background(picture: &Region, layer: &TextLayer) -> bool {
    let mut grid = Grid::new(*picture);
    layer.words.iter().for_each(|word| grid.mark(&word.region));
    grid.share() * 100.0 >= BACKGROUND_PERCENT as f32
}

/// A region cut in cells, some of which are marked.
struct Grid {
    of: Region,
    rows: [u16; CELLS],
}

impl Grid {
    fn new(of: Region) -> Self {
        Self { of, rows: [0; CELLS] }
    }

    /// Marks the cells whose middle the region holds, one at least if they meet.
    fn mark(&mut self, region: &Region) {
        if !region.overlaps(&self.of) {
            return;
        }
        let span = |from: f32, to: f32, start: f32, length: f32| {
            let at = |v: f32| ((v - start) / length * CELLS as f32).clamp(0.0, CELLS as f32);
            let (first, end) = (at(from).round() as usize, at(to).round() as usize);
            let first = first.min(CELLS - 1);
            first..end.max(first + 1)
        };
        let columns = span(region.left(), region.right(), self.of.left(), self.of.width());
        let mask = columns.fold(0_u16, |mask, column| mask | 1 << column);
        for row in span(region.top(), region.bottom(), self.of.top(), self.of.height()) {
            self.rows.iter_mut().skip(row).take(1).for_each(|cells| *cells |= mask);
        }
    }

    /// From 0 to 1.
    fn share(&self) -> f32 {
        let marked: u32 = self.rows.iter().map(|row| row.count_ones()).sum();
        marked as f32 / (CELLS * CELLS) as f32
    }
}
