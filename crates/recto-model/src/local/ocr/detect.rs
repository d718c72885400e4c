//! Where lines of text stand: the detector's probability map, and rectangles around its spots (differentiable
//! binarization, Liao et al. 2020).

use super::components::{Run, spots};
use super::content::Content;
use super::net::{Net, Planes};
use super::picture::Picture;
use super::slanted::{Point, Slanted, convex_hull};
use crate::Result;

/// The network works on multiples of this many pixels.
const MULTIPLE: usize = 32;
/// Pixels above this probability belong to text.
const PIXEL_LIMIT: f32 = 0.3;
/// Rectangles of a lower mean probability are none.
const BOX_LIMIT: f32 = 0.5;
/// How much the detector's spots are smaller than lines.
const GROWTH: f32 = 1.6;
/// Spots of a smaller side, in pixels, are dirt.
const LEAST_SIDE: f32 = 3.0;
/// More lines than this are not read: no page has them.
const MOST_LINES: usize = 4000;

/// Rectangles around the lines of a picture, in its pixels. The network sees at most `most_pixels`.
pub(crate) fn lines(net: &dyn Net, picture: &Picture, most_pixels: usize) -> Result<Vec<Slanted>> {
    let whole = at_most(picture, 2 * most_pixels);
    let content = Content::of(&whole);
    let cut = content.cut(&whole);
    if cut.height == 0 || cut.width == 0 {
        return Ok(Vec::new());
    }
    let small = at_most(&cut, most_pixels);
    let input = planes(&small);
    let map_width = input.width;
    let map = net.run(&input)?.data;
    let scale = |of: &Picture, to: &Picture| (to.width as f32 / of.width as f32, to.height as f32 / of.height as f32);
    let (to_cut, to_picture) = (scale(&small, &cut), scale(&whole, picture));
    let back = |line: Slanted| {
        let line = scaled(line, to_cut);
        let (x, y) = line.center;
        let center = (x + content.columns.0 as f32, y + content.shift(y));
        scaled(Slanted { center, ..line }, to_picture)
    };
    Ok(rectangles(&map, map_width).into_iter().map(back).collect())
}

/// The picture, shrunk to a number of pixels if it has more.
fn at_most<'p>(picture: &'p Picture, pixels: usize) -> Picture<'p> {
    let scale = (pixels as f32 / (picture.height * picture.width).max(1) as f32).sqrt();
    let side = |side: usize| if scale < 1.0 { (side as f32 * scale) as usize } else { side };
    picture.shrunk(side(picture.width), side(picture.height))
}

/// In a picture so many times as wide and high: almost the same number, so that directions stay.
fn scaled(line: Slanted, (x, y): (f32, f32)) -> Slanted {
    let center = (line.center.0 * x, line.center.1 * y);
    let level = line.along.0.abs() > line.along.1.abs();
    let (along, across) = if level { (x, y) } else { (y, x) };
    Slanted { center, width: line.width * along, height: line.height * across, ..line }
}

/// The picture as the network wants it: blue first, -1 to 1, the last row and column repeated up to a full multiple.
fn planes(picture: &Picture) -> Planes {
    let full = |side: usize| side.next_multiple_of(MULTIPLE);
    let (height, width) = (full(picture.height), full(picture.width));
    let mut data = Vec::with_capacity(3 * height * width);
    for channel in [2, 1, 0] {
        for y in 0..height {
            let row = picture.row(y.min(picture.height.saturating_sub(1)));
            let value = |pixel: &[u8; 3]| f32::from(pixel[channel]) / 127.5 - 1.0;
            data.extend(row.iter().map(value));
            let last = row.last().map_or(1.0, value);
            data.extend(std::iter::repeat_n(last, width - row.len()));
        }
    }
    Planes { height, width, data }
}

/// Rectangles around the spots of a map.
fn rectangles(map: &[f32], width: usize) -> Vec<Slanted> {
    let spots = spots(map, width, PIXEL_LIMIT);
    let hulls: Vec<Vec<Point>> = spots.iter().map(|runs| convex_hull(ends(runs))).collect();
    let own: Vec<Slanted> = hulls.iter().filter_map(|hull| Slanted::smallest(hull)).collect();
    let common = common_direction(&own);
    let lines = hulls.iter().zip(own).map(|(hull, own)| settle(hull, own, common));
    let sure = lines.filter(|line| line.width.min(line.height) >= LEAST_SIDE && score(map, width, line) >= BOX_LIMIT);
    sure.take(MOST_LINES).map(|line| line.grown(GROWTH)).collect()
}

/// The centres of the outer pixels.
fn ends(runs: &[Run]) -> Vec<Point> {
    let point = |x: usize, y: usize| (x as f32 + 0.5, y as f32 + 0.5);
    runs.iter().flat_map(|run| [point(run.start, run.y), point(run.end - 1, run.y)]).collect()
}

/// The direction of the long lines: the median over their length.
fn common_direction(lines: &[Slanted]) -> Point {
    let mut long: Vec<&Slanted> = lines.iter().filter(|line| line.width > 8.0 * line.height).collect();
    long.sort_by(|a, b| a.along.1.total_cmp(&b.along.1));
    let half = long.iter().map(|line| line.width).sum::<f32>() / 2.0;
    let mut length = 0.0;
    let middle = long.iter().find(|line| {
        length += line.width;
        length >= half
    });
    middle.map_or((1.0, 0.0), |line| line.along)
}

/// The rectangle of the common direction, unless the line clearly has one of its own: the shape of a short word says
/// little about its direction.
fn settle(hull: &[Point], own: Slanted, common: Point) -> Slanted {
    let level = Slanted::around(hull, common).unwrap_or(own);
    let short = own.width.max(own.height) < 6.0 * own.width.min(own.height);
    let near = level.area() <= own.area() * if short { 1.35 } else { 1.03 } + 1.0;
    if near { level } else { own }
}

/// Mean probability inside a rectangle.
fn score(map: &[f32], width: usize, line: &Slanted) -> f32 {
    let [left, top, right, bottom] = line.bounds();
    let (mut sum, mut count) = (0.0, 0_u32);
    let height = map.len() / width.max(1);
    for y in top.max(0.0) as usize..=(bottom.max(0.0) as usize).min(height.saturating_sub(1)) {
        for x in left.max(0.0) as usize..=(right.max(0.0) as usize).min(width.saturating_sub(1)) {
            let (dx, dy) = (x as f32 + 0.5 - line.center.0, y as f32 + 0.5 - line.center.1);
            let (u, v) = (dx * line.along.0 + dy * line.along.1, dy * line.along.0 - dx * line.along.1);
            if u.abs() * 2.0 <= line.width && v.abs() * 2.0 <= line.height {
                sum += map.get(y * width + x).copied().unwrap_or_default();
                count += 1;
            }
        }
    }
    if count == 0 { 0.0 } else { sum / count as f32 }
}
