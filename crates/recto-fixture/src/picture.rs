//! Scanned pages: text as grey pixels, a little askew and speckled. Positions are in points from the upper left corner.

use crate::face::{Face, Step};
use crate::image::grey;
use crate::object::Object;

/// A page as a scanner sees it.
///
/// ```
/// # use recto_fixture::{Face, Page, Pdf, Picture};
/// let scan = Picture::new([595.0, 842.0], 100.0).tilt(0.01).text(Face::Serif, 72.0, 90.0, 12.0, "Dear Sir").noise(7);
/// let bytes = Pdf::new().page(Page::new().image(scan.object(), 0.0, 0.0, 595.0, 842.0)).to_bytes();
/// ```
#[derive(Debug, Clone)]
pub struct Picture {
    width: usize,
    height: usize,
    scale: f32,
    tilt: f32,
    /// How much of each pixel is inked, from 0 to 1.
    ink: Vec<f32>,
    /// What noise adds to each pixel.
    dirt: Vec<f32>,
}

type Point = [f32; 2];

impl Picture {
    /// A white page of this size in points, at `dpi` pixels to the inch.
    pub fn new(size: [f32; 2], dpi: f32) -> Self {
        let scale = dpi / 72.0;
        let [width, height] = size.map(|side| (side * scale) as usize);
        Self { width, height, scale, tilt: 0.0, ink: vec![0.0; width * height], dirt: vec![0.0; width * height] }
    }

    /// What comes after is turned by the angle of this tangent, clockwise.
    #[must_use]
    pub fn tilt(self, tilt: f32) -> Self {
        Self { tilt, ..self }
    }

    /// Text whose baseline begins at `x`, `y`.
    #[must_use]
    pub fn text(mut self, face: Face, x: f32, y: f32, size: f32, text: &str) -> Self {
        let mut pen = x;
        for c in text.chars() {
            let place = |px: f32, py: f32| self.pixel([pen + px * size / 1000.0, y - py * size / 1000.0]);
            let outline = flatten(&face.outline(c), place);
            self.ink_polygons(&outline);
            pen += face.width(&c.to_string(), size);
        }
        self
    }

    /// A straight stroke.
    #[must_use]
    pub fn stroke(mut self, from: Point, to: Point, width: f32) -> Self {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let half = width / 2.0 / (dx * dx + dy * dy).sqrt().max(0.001);
        let (nx, ny) = (-dy * half, dx * half);
        let corners = [
            [from[0] + nx, from[1] + ny],
            [to[0] + nx, to[1] + ny],
            [to[0] - nx, to[1] - ny],
            [from[0] - nx, from[1] - ny],
        ];
        let corners = corners.map(|corner| self.pixel(corner));
        self.ink_polygons(&[corners.to_vec()]);
        self
    }

    /// Specks and uneven ink; the same for the same seed.
    #[must_use]
    pub fn noise(mut self, seed: u32) -> Self {
        let mut random = Random(seed.max(1));
        for dirt in &mut self.dirt {
            *dirt = random.next() * 0.3 - 0.15;
        }
        for _ in 0..self.ink.len() / 6000 {
            let at = (random.next() * self.ink.len() as f32) as usize;
            let dark = random.next() * 0.7;
            for at in [at, at + 1, at + self.width] {
                if let Some(ink) = self.ink.get_mut(at) {
                    *ink = ink.max(dark);
                }
            }
        }
        self
    }

    /// Width, height, and one byte a pixel: 0 is black.
    pub fn grey(&self) -> (usize, usize, Vec<u8>) {
        // Scanners clip paper to white; so noise shows where there is ink.
        let value =
            |(ink, dirt): (&f32, &f32)| if *ink < 0.04 { 255 } else { ((1.0 - ink * (0.85 + dirt)) * 255.0) as u8 };
        (self.width, self.height, self.ink.iter().zip(&self.dirt).map(value).collect())
    }

    /// The picture as an XObject of 16 greys.
    pub fn object(&self) -> Object {
        let (width, height, data) = self.grey();
        let packed: Vec<u8> = data
            .chunks(width.max(1))
            .flat_map(|row| row.chunks(2).map(|pair| (pair[0] & 0xf0) | (pair.get(1).unwrap_or(&0) >> 4)))
            .collect();
        grey(width as u32, height as u32, 4, &packed)
    }

    fn pixel(&self, [x, y]: Point) -> Point {
        let (cx, cy) = (self.width as f32 / 2.0, self.height as f32 / 2.0);
        let (x, y) = (x * self.scale - cx, y * self.scale - cy);
        [cx + x - y * self.tilt, cy + y + x * self.tilt]
    }

    /// Inks what lies inside closed polygons by the non-zero rule, four scan lines to a pixel.
    fn ink_polygons(&mut self, polygons: &[Vec<Point>]) {
        let edges: Vec<(Point, Point)> =
            polygons.iter().flat_map(|p| p.iter().copied().zip(p.iter().copied().cycle().skip(1))).collect();
        let ys = || edges.iter().map(|edge| edge.0[1]);
        let (top, bottom) = (ys().fold(f32::MAX, f32::min), ys().fold(0.0, f32::max));
        for row in top.max(0.0) as usize..(bottom as usize + 1).min(self.height) {
            let pixels = self.ink.get_mut(row * self.width..(row + 1) * self.width).unwrap_or_default();
            for part in 0..4 {
                let y = row as f32 + (part as f32 + 0.5) / 4.0;
                ink_spans(pixels, &crossings(&edges, y));
            }
        }
    }
}

/// Where edges cross a scan line, in order, each with its direction.
fn crossings(edges: &[(Point, Point)], y: f32) -> Vec<(f32, i32)> {
    let cross = |&([x0, y0], [x1, y1]): &(Point, Point)| {
        ((y0 <= y) != (y1 <= y)).then(|| (x0 + (x1 - x0) * (y - y0) / (y1 - y0), if y1 > y0 { 1 } else { -1 }))
    };
    let mut found: Vec<(f32, i32)> = edges.iter().filter_map(cross).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

fn ink_spans(pixels: &mut [f32], crossings: &[(f32, i32)]) {
    let mut winding = 0;
    for pair in crossings.windows(2) {
        winding += pair[0].1;
        let (from, to) = (pair[0].0.max(0.0), pair[1].0);
        if winding == 0 {
            continue;
        }
        for (x, ink) in pixels.iter_mut().enumerate().skip(from as usize).take_while(|(x, _)| (*x as f32) < to) {
            let covered = to.min(x as f32 + 1.0) - from.max(x as f32);
            *ink = (*ink + covered / 4.0).min(1.0);
        }
    }
}

/// Contours as polygons, each curve in eight pieces.
fn flatten(outline: &[Step], place: impl Fn(f32, f32) -> Point) -> Vec<Vec<Point>> {
    let mut polygons: Vec<Vec<Point>> = Vec::new();
    let mut at = [0.0; 2];
    for step in outline {
        match *step {
            Step::Move(p) => {
                polygons.push(Vec::new());
                at = p;
            }
            Step::Line(p) => at = p,
            Step::Curve([x1, y1, x2, y2, x, y]) => {
                for n in 1..8 {
                    let p = [bezier(at[0], x1, x2, x, n as f32 / 8.0), bezier(at[1], y1, y2, y, n as f32 / 8.0)];
                    if let Some(polygon) = polygons.last_mut() {
                        polygon.push(place(p[0], p[1]));
                    }
                }
                at = [x, y];
            }
            Step::Close => continue,
        }
        if let Some(polygon) = polygons.last_mut() {
            polygon.push(place(at[0], at[1]));
        }
    }
    polygons
}

fn bezier(a: f32, b: f32, c: f32, d: f32, t: f32) -> f32 {
    let s = 1.0 - t;
    s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
}

/// The xorshift generator of 32 bits (Marsaglia 2003); from 0 up to 1.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 8) as f32 / 16_777_216.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_lies_where_it_should() {
        let (width, height, grey) = Picture::new([72.0, 72.0], 72.0).stroke([10.0, 20.5], [30.0, 20.5], 1.0).grey();
        assert_eq!((width, height), (72, 72));
        for (x, y, right) in [(20, 20, 38), (20, 19, 255), (20, 21, 255), (9, 20, 255), (30, 20, 255)] {
            assert_eq!(grey[y * width + x], right, "{x} {y}");
        }
    }
}
