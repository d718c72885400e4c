//! A line cut out of the picture, laid flat at the height that the reader wants.

use super::net::Planes;
use super::picture::{Picture, luma};
use super::slanted::Slanted;

/// Height of a strip in pixels: the reader was taught with it.
pub(crate) const HEIGHT: usize = 48;
/// A longer line is squeezed: about 80 times as long as high.
const MOST_WIDTH: usize = 4096;
/// The reader works on multiples of this many pixels.
const MULTIPLE: usize = 8;

/// Pixels of a line, [`HEIGHT`] rows of `width`.
pub(crate) struct Strip {
    pub(crate) width: usize,
    rgb: Vec<[u8; 3]>,
}

impl Strip {
    /// The line in that place of the picture.
    pub(crate) fn cut(picture: &Picture, line: &Slanted) -> Self {
        let scale = line.height.max(1.0) / HEIGHT as f32;
        let width = ((line.width / scale).round() as usize).clamp(MULTIPLE, MOST_WIDTH);
        let across = (-line.along.1, line.along.0);
        let (step_x, step_y) = (line.width / width as f32, line.height / HEIGHT as f32);
        let sampler = Sampler::new(picture, step_x.max(step_y));
        let mut rgb = Vec::with_capacity(width * HEIGHT);
        for row in 0..HEIGHT {
            let v = (row as f32 + 0.5) * step_y - line.height / 2.0;
            for column in 0..width {
                let u = (column as f32 + 0.5) * step_x - line.width / 2.0;
                let x = line.center.0 + line.along.0 * u + across.0 * v;
                let y = line.center.1 + line.along.1 * u + across.1 * v;
                rgb.push(sampler.at(x, y));
            }
        }
        Self { width, rgb }
    }

    /// The strip as the reader wants it: blue first, -1 to 1.
    pub(crate) fn planes(&self) -> Planes {
        let width = self.width.next_multiple_of(MULTIPLE);
        let mut data = Vec::with_capacity(3 * HEIGHT * width);
        for channel in [2, 1, 0] {
            for row in self.rgb.chunks_exact(self.width) {
                let value = |pixel: &[u8; 3]| f32::from(pixel[channel]) / 127.5 - 1.0;
                data.extend(row.iter().map(value));
                data.extend(std::iter::repeat_n(row.last().map_or(0.0, value), width - self.width));
            }
        }
        Planes { height: HEIGHT, width, data }
    }

    /// How bright the pixels of a column are, without those at top and bottom that may belong to other lines.
    pub(crate) fn bright(&self, x: usize) -> Vec<u8> {
        let pixels = self.rgb.iter().skip(x + self.width * INNER).step_by(self.width).take(HEIGHT - 2 * INNER);
        pixels.map(|pixel| luma(*pixel)).collect()
    }

    /// Gives a column the colours of another.
    pub(crate) fn copy_column(&mut self, from: usize, to: usize) {
        for row in self.rgb.chunks_exact_mut(self.width) {
            if let Some(pixel) = row.get(from).copied() {
                row.iter_mut().skip(to).take(1).for_each(|other| *other = pixel);
            }
        }
    }

    /// For each column, whether something stands in it: some pixel differs clearly from the ground.
    pub(crate) fn ink(&self) -> Vec<bool> {
        let bright: Vec<u8> = self.rgb.iter().map(|pixel| luma(*pixel)).collect();
        let (least, most) = bright.iter().fold((255, 0), |(a, b): (u8, u8), v| (a.min(*v), b.max(*v)));
        let limit = (most - least) / 3;
        let range = |x: usize| {
            let column = bright.iter().skip(x + self.width * INNER).step_by(self.width).take(HEIGHT - 2 * INNER);
            column.fold((255, 0), |(a, b): (u8, u8), v| (a.min(*v), b.max(*v)))
        };
        (0..self.width).map(range).map(|(a, b)| b.saturating_sub(a) > limit).collect()
    }
}

/// Rows at top and bottom that may hold parts of other lines.
const INNER: usize = 5;

/// Takes colours off a picture between its pixels.
struct Sampler<'p> {
    picture: &'p Picture<'p>,
    /// Samples in each direction, so that none of the picture's pixels is skipped.
    taps: usize,
    step: f32,
}

impl<'p> Sampler<'p> {
    fn new(picture: &'p Picture, step: f32) -> Self {
        Self { picture, taps: (step.ceil() as usize).clamp(1, 8), step }
    }

    fn at(&self, x: f32, y: f32) -> [u8; 3] {
        if self.taps == 1 {
            return self.between(x, y).map(|v| v as u8);
        }
        let offset = |tap: usize| ((tap as f32 + 0.5) / self.taps as f32 - 0.5) * self.step;
        let mut sum = [0.0; 3];
        for dy in 0..self.taps {
            for dx in 0..self.taps {
                let pixel = self.between(x + offset(dx), y + offset(dy));
                sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += value);
            }
        }
        sum.map(|sum| (sum / (self.taps * self.taps) as f32) as u8)
    }

    /// Bilinear; half added, to be rounded by cutting off.
    fn between(&self, x: f32, y: f32) -> [f32; 3] {
        let (x, y) = ((x - 0.5).max(0.0), (y - 0.5).max(0.0));
        let (left, top) = (x as usize, y as usize);
        let (fx, fy) = (x - left as f32, y - top as f32);
        let [a, b] = [top, top + 1].map(|row| [left, left + 1].map(|column| self.picture.pixel(column, row)));
        std::array::from_fn(|c| {
            let mix = |pair: &[[u8; 3]; 2]| f32::from(pair[0][c]) * (1.0 - fx) + f32::from(pair[1][c]) * fx;
            mix(&a) * (1.0 - fy) + mix(&b) * fy + 0.5
        })
    }
}
