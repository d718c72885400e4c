//! A rectangle that may stand askew: around points, grown, cut in pieces. Pixels are the unit, y runs downwards.

/// A point or a direction.
pub(crate) type Point = (f32, f32);

/// A rectangle around a line of text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Slanted {
    /// Its centre.
    pub(crate) center: Point,
    /// A unit vector along its width, in reading direction.
    pub(crate) along: Point,
    /// Its extent in that direction.
    pub(crate) width: f32,
    /// Its extent across.
    pub(crate) height: f32,
}

impl Slanted {
    /// The rectangle of a given direction around points; `None` around none.
    pub(crate) fn around(points: &[Point], along: Point) -> Option<Self> {
        let across = (-along.1, along.0);
        let (u0, u1) = extent(points, along)?;
        let (v0, v1) = extent(points, across)?;
        let (u, v) = ((u0 + u1) / 2.0, (v0 + v1) / 2.0);
        let center = (along.0 * u + across.0 * v, along.1 * u + across.1 * v);
        Some(Self { center, along, width: u1 - u0, height: v1 - v0 })
    }

    /// The smallest rectangle around the corners of a convex shape. One of its sides lies on a side of the shape.
    pub(crate) fn smallest(hull: &[Point]) -> Option<Self> {
        let next = hull.iter().cycle().skip(1);
        let sides = hull.iter().zip(next).map(|(a, b)| (b.0 - a.0, b.1 - a.1));
        let rectangles = sides.filter_map(|side| Self::around(hull, level(side)?));
        rectangles.min_by(|a, b| a.area().total_cmp(&b.area())).or_else(|| Self::around(hull, (1.0, 0.0)))
    }

    /// Its area.
    pub(crate) fn area(&self) -> f32 {
        self.width * self.height
    }

    /// Grown to all sides by `ratio` times area / circumference (the inverse of how the detector was taught to shrink
    /// lines: Liao et al. 2020, "Real-time scene text detection with differentiable binarization").
    pub(crate) fn grown(&self, ratio: f32) -> Self {
        let distance = self.area() * ratio / (2.0 * (self.width + self.height)).max(1.0);
        Self { width: self.width + 2.0 * distance, height: self.height + 2.0 * distance, ..*self }
    }

    /// The part between two fractions of its width.
    pub(crate) fn part(&self, from: f32, to: f32) -> Self {
        let shift = self.width * ((from + to) / 2.0 - 0.5);
        let center = (self.center.0 + self.along.0 * shift, self.center.1 + self.along.1 * shift);
        Self { center, width: self.width * (to - from), ..*self }
    }

    /// The same place, read in a direction a quarter turn further counterclockwise: upwards, if it was read rightwards.
    pub(crate) fn upwards(&self) -> Self {
        let (x, y) = self.along;
        Self { along: (y, -x), width: self.height, height: self.width, ..*self }
    }

    /// The same place, read the other way round.
    pub(crate) fn reversed(&self) -> Self {
        Self { along: (-self.along.0, -self.along.1), ..*self }
    }

    /// The upright rectangle around it: `[left, top, right, bottom]`.
    pub(crate) fn bounds(&self) -> [f32; 4] {
        let (x, y) = self.along;
        let half = |a: f32, b: f32| (a.abs() * self.width + b.abs() * self.height) / 2.0;
        let (dx, dy) = (half(x, y), half(y, x));
        [self.center.0 - dx, self.center.1 - dy, self.center.0 + dx, self.center.1 + dy]
    }
}

fn extent(points: &[Point], direction: Point) -> Option<(f32, f32)> {
    let along = |p: &Point| p.0 * direction.0 + p.1 * direction.1;
    let values = points.iter().map(along).map(|v| (v, v));
    values.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// A unit vector of a side's direction or across it, whichever is less than 45 degrees from the reading direction.
fn level((x, y): Point) -> Option<Point> {
    let (x, y) = if x.abs() >= y.abs() { (x, y) } else { (-y, x) };
    let length = x.hypot(y).copysign(x);
    (length != 0.0).then(|| (x / length, y / length))
}

/// The corners of the smallest convex shape around points (Andrew 1979, monotone chain).
pub(crate) fn convex_hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull = half_hull(points.iter());
    hull.extend(half_hull(points.iter().rev()));
    hull
}

fn half_hull<'p>(points: impl Iterator<Item = &'p Point>) -> Vec<Point> {
    let mut hull: Vec<Point> = Vec::new();
    for &p in points {
        while let [.., a, b] = hull[..] {
            if (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0) > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(p);
    }
    hull.pop();
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_rectangle_follows_its_points() {
        let table: [(&[Point], [f32; 4], f32); 3] = [
            (&[(0.0, 0.0), (10.0, 0.0), (10.0, 2.0), (0.0, 2.0), (5.0, 1.0)], [0.0, 0.0, 10.0, 2.0], 20.0),
            (&[(0.0, 0.0), (8.0, 6.0), (6.8, 7.6), (-1.2, 1.6)], [-1.2, 0.0, 8.0, 7.6], 20.0),
            (&[(3.0, 4.0)], [3.0, 4.0, 3.0, 4.0], 0.0),
        ];
        for (points, bounds, area) in table {
            let rectangle = Slanted::smallest(&convex_hull(points.to_vec())).unwrap();
            let near = rectangle.bounds().iter().zip(bounds).all(|(a, b)| (a - b).abs() < 1e-4);
            assert!(near && (rectangle.area() - area).abs() < 1e-3, "{rectangle:?}");
        }
        assert_eq!(Slanted::smallest(&[]), None);
    }

    #[test]
    fn parts_and_turns_stay_in_place() {
        let line = Slanted { center: (50.0, 20.0), along: (1.0, 0.0), width: 100.0, height: 10.0 };
        assert_eq!(line.part(0.5, 0.7).bounds(), [50.0, 15.0, 70.0, 25.0]);
        assert_eq!(line.upwards().bounds(), line.bounds());
        assert_eq!(line.upwards().along, (0.0, -1.0));
        assert_eq!(line.reversed().part(0.0, 0.1).bounds(), [90.0, 15.0, 100.0, 25.0]);
    }
}
