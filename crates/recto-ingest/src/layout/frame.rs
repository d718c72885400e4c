//! The page turned so that text of one direction is upright. Tables are found there whatever their direction.

use recto_page::{PageSize, Region, Turn};

/// How a page is turned, and its size in points before that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    turn: Turn,
    width: f32,
    height: f32,
}

impl Frame {
    /// In which text of this turn is upright.
    pub(super) fn of(turn: Turn, page: PageSize) -> Self {
        Self { turn, width: page.width, height: page.height }
    }

    /// A box on the page, in points of the frame.
    pub(super) fn enter(&self, [l, t, r, b]: [f32; 4]) -> [f32; 4] {
        let (w, h) = (self.width, self.height);
        match self.turn {
            Turn::None => [l, t, r, b],
            Turn::Left => [h - b, l, h - t, r],
            Turn::Right => [t, w - r, b, w - l],
            Turn::Half => [w - r, h - b, w - l, h - t],
        }
    }

    /// A region of the page, in points of the frame.
    pub(super) fn enter_region(&self, region: &Region) -> [f32; 4] {
        let [l, t, r, b] = region.ltrb();
        self.enter([l * self.width, t * self.height, r * self.width, b * self.height])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_upright_in_its_frame() {
        let page = PageSize { width: 100.0, height: 200.0 };
        let table = [
            (Turn::None, [10.0, 20.0, 40.0, 30.0]),
            (Turn::Left, [170.0, 10.0, 180.0, 40.0]),
            (Turn::Right, [20.0, 60.0, 30.0, 90.0]),
            (Turn::Half, [60.0, 170.0, 90.0, 180.0]),
        ];
        for (turn, want) in table {
            assert_eq!(Frame::of(turn, page).enter([10.0, 20.0, 40.0, 30.0]), want, "{turn:?}");
        }
    }
}
