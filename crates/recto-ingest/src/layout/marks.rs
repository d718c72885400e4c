//! What is drawn on a page beside its letters, as far as the layout needs it: ruling lines, and where drawings are.
//! In points from the top left of the page as displayed. Not how it is drawn.

/// A ruling is at most this thick.
const MOST_THICK: f32 = 3.0;

/// A ruling is at least this long.
const LEAST_LONG: f32 = 4.0;

/// Lists grow no longer: a page with more is a drawing, and its tables are found without rulings.
const MOST_MARKS: usize = 10_000;

/// The lines and drawings of a page; none are known where only its picture was read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Marks {
    /// Thin upright boxes, `[left, top, right, bottom]`.
    pub(crate) rulings: Vec<[f32; 4]>,
    /// Filled boxes that are not thin: bars of charts, shades of rows.
    pub(crate) boxes: Vec<[f32; 4]>,
    /// Boxes around anything else that is drawn: curves, slanted lines, pictures.
    pub(crate) drawings: Vec<[f32; 4]>,
}

impl Marks {
    /// The same, with every box changed.
    pub(crate) fn map(&self, change: impl Fn([f32; 4]) -> [f32; 4]) -> Self {
        let changed = |marks: &[[f32; 4]]| marks.iter().map(|area| change(*area)).collect();
        Self { rulings: changed(&self.rulings), boxes: changed(&self.boxes), drawings: changed(&self.drawings) }
    }

    /// Notes a filled box.
    pub(crate) fn add_box(&mut self, area: [f32; 4]) {
        let [left, top, right, bottom] = area;
        let (width, height) = (right - left, bottom - top);
        if width.min(height) > MOST_THICK {
            push(&mut self.boxes, area);
        } else if width.max(height) >= LEAST_LONG {
            push(&mut self.rulings, area);
        }
    }

    /// Notes what is neither a box nor a straight stroke.
    pub(crate) fn add_drawing(&mut self, area: [f32; 4]) {
        push(&mut self.drawings, area);
    }
}

fn push(marks: &mut Vec<[f32; 4]>, area: [f32; 4]) {
    if marks.len() < MOST_MARKS {
        marks.push(area);
    }
}
