//! Which way up a page is, seen from afar.

use super::net::{Net, Planes};
use super::picture::Picture;
use crate::Result;

/// The network sees the middle of the page in this many pixels, of a picture whose shorter side has [`SHORT`].
const SIDE: usize = 224;
const SHORT: usize = 256;
/// Mean and deviation of the pictures that the network was taught with, red first.
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
const DEVIATION: [f32; 3] = [0.229, 0.224, 0.225];

/// By how many quarter turns clockwise a picture must be turned to stand upright, and how sure that is.
pub(crate) fn turns(net: &dyn Net, picture: &Picture) -> Result<(u8, f32)> {
    let output = net.run(&planes(picture))?.data;
    let best = output.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    Ok(best.map_or((0, 0.0), |(class, sure)| ((4 - class.min(3) as u8) % 4, sure)))
}

fn planes(picture: &Picture) -> Planes {
    let scale = picture.width.min(picture.height) as f32 / SHORT as f32;
    let small = picture.shrunk((picture.width as f32 / scale) as usize, (picture.height as f32 / scale) as usize);
    let (left, top) = (small.width.saturating_sub(SIDE) / 2, small.height.saturating_sub(SIDE) / 2);
    let mut data = Vec::with_capacity(3 * SIDE * SIDE);
    // The network was taught with blue first but red's mean.
    for channel in 0..3 {
        for y in 0..SIDE {
            let value = |x: usize| f32::from(small.pixel(left + x, top + y)[2 - channel]) / 255.0;
            data.extend((0..SIDE).map(|x| (value(x) - MEAN[channel]) / DEVIATION[channel]));
        }
    }
    Planes { height: SIDE, width: SIDE, data }
}
