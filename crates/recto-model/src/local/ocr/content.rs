//! Where on a picture there is anything at all: margins and blank bands are not shown to the detector.

use super::picture::{Picture, luma};

/// Blank rows kept on either side of what is cut out, so that lines stay apart.
const MARGIN: usize = 24;

/// Rows of a picture, as pieces of those that are not blank, and the columns that are not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Content {
    /// Ranges of rows, from top to bottom.
    pub(crate) bands: Vec<(usize, usize)>,
    /// First column and the one after the last.
    pub(crate) columns: (usize, usize),
}

impl Content {
    /// What of a picture is not blank; nothing of a blank one.
    pub(crate) fn of(picture: &Picture) -> Self {
        let (mut rows, mut columns) = (vec![false; picture.height], vec![false; picture.width]);
        let limit = contrast_limit(picture);
        let mut bright = Vec::with_capacity(picture.width);
        for (y, inked) in rows.iter_mut().enumerate() {
            bright.clear();
            bright.extend(picture.row(y).iter().map(|pixel| luma(*pixel)));
            *inked = mark(&bright, limit, &mut columns);
        }
        let bands = pieces(&rows, MARGIN);
        let columns = pieces(&columns, MARGIN);
        let ends = columns.first().zip(columns.last()).map_or((0, 0), |(a, b)| (a.0, b.1));
        Self { bands, columns: ends }
    }

    /// Height and width of the pieces put together.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.bands.iter().map(|(start, end)| end - start).sum(), self.columns.1 - self.columns.0)
    }

    /// The picture with only its content.
    pub(crate) fn cut(&self, picture: &Picture) -> Picture<'static> {
        let (height, width) = self.size();
        let mut rgb = Vec::with_capacity(height * width * 3);
        for y in self.bands.iter().flat_map(|(start, end)| *start..*end) {
            let row = picture.row(y).get(self.columns.0..self.columns.1).unwrap_or_default();
            rgb.extend_from_slice(row.as_flattened());
        }
        Picture { width, height, rgb: rgb.into() }
    }

    /// By how many rows what stands at `y` of the cut picture stands lower in the whole one.
    pub(crate) fn shift(&self, y: f32) -> f32 {
        let mut before = 0;
        for &(start, end) in &self.bands {
            if y < (before + end - start) as f32 {
                return (start - before) as f32;
            }
            before += end - start;
        }
        self.bands.last().map_or(0.0, |(_, end)| (end - before) as f32)
    }
}

/// True if a row has ink: pixels that differ from its most common brightness. Marks their columns.
fn mark(bright: &[u8], limit: u8, columns: &mut [bool]) -> bool {
    let (least, most) = bright.iter().fold((255, 0), |(a, b), v| (v.min(&a).to_owned(), v.max(&b).to_owned()));
    if most.saturating_sub(least) <= limit {
        return false;
    }
    let ground = commonest(bright);
    for (column, value) in columns.iter_mut().zip(bright) {
        *column |= value.abs_diff(ground) > limit;
    }
    true
}

fn commonest(bright: &[u8]) -> u8 {
    let mut counts = [0_u32; 256];
    bright.iter().for_each(|value| counts[usize::from(*value)] += 1);
    (0..=255).max_by_key(|value| counts[usize::from(*value)]).unwrap_or_default()
}

/// What differs less from the ground is taken for noise: a fixed amount, and what neighbours commonly differ by.
fn contrast_limit(picture: &Picture) -> u8 {
    let mut counts = [0_u32; 256];
    for y in (0..picture.height).step_by(8) {
        for pair in picture.row(y).windows(2) {
            if let [a, b] = pair {
                counts[usize::from(luma(*a).abs_diff(luma(*b)))] += 1;
            }
        }
    }
    let half = counts.iter().sum::<u32>() / 2;
    let mut seen = 0;
    let median = counts
        .iter()
        .position(|count| {
            seen += count;
            seen > half
        })
        .unwrap_or_default();
    (16 + 6 * median).min(96) as u8
}

/// Ranges of marked places, with a margin on either side; those that then meet are one.
fn pieces(marked: &[bool], margin: usize) -> Vec<(usize, usize)> {
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    for at in (0..marked.len()).filter(|&at| marked[at]) {
        let (start, end) = (at.saturating_sub(margin), (at + 1 + margin).min(marked.len()));
        match pieces.last_mut() {
            Some(last) if start <= last.1 => last.1 = end,
            _ => pieces.push((start, end)),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A white picture with black pixels.
    fn picture(width: usize, height: usize, black: &[(usize, usize)]) -> Picture<'static> {
        let mut rgb = vec![255; width * height * 3];
        black.iter().for_each(|(x, y)| rgb[(y * width + x) * 3..][..3].fill(0));
        Picture { width, height, rgb: rgb.into() }
    }

    fn check(black: &[(usize, usize)], bands: &[(usize, usize)], columns: (usize, usize)) {
        let picture = picture(100, 300, black);
        let content = Content::of(&picture);
        assert_eq!(content, Content { bands: bands.to_vec(), columns });
        let (height, width) = content.size();
        assert_eq!(content.cut(&picture).rgb.len(), height * width * 3);
    }

    #[test]
    fn what_is_blank_is_cut_out() {
        check(&[], &[], (0, 0));
        check(&[(50, 100)], &[(76, 125)], (26, 75));
        check(&[(50, 100), (60, 110)], &[(76, 135)], (26, 85));
        check(&[(0, 0), (99, 299)], &[(0, 25), (275, 300)], (0, 100));
    }

    #[test]
    fn rows_find_back_to_their_place() {
        let content = Content { bands: vec![(10, 20), (100, 130)], columns: (0, 1) };
        for (y, shift) in [(0.0, 10.0), (9.9, 10.0), (10.0, 90.0), (39.0, 90.0), (99.0, 90.0)] {
            assert_eq!(content.shift(y), shift, "{y}");
        }
    }
}
