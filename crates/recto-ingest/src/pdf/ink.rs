//! How colours look, as far as it tells text from what is behind it.
//!
//! The engine takes 11 ms to learn how printing inks look, which is more than reading ten pages. So inks are taken for
//! what they are called here, and only those colours are asked of it which it knows at once.

use std::fmt::{self, Write as _};

use hayro::hayro_interpret::color::{Color, ColorSpace};

/// A channel of two colours that look the same differs by no more than this (of 255).
const SAME: u8 = 8;

/// What has this opacity (of 255) lets nothing through.
const OPAQUE: u8 = 250;

/// How paper looks.
const PAPER: [u8; 3] = [u8::MAX; 3];

/// As much of an ink can't be seen on paper.
const TRACE: f32 = 0.03;

/// True unless the colour is white or see-through, which shows nothing on paper. Inks are not taken for see-through: only
/// the engine could tell.
pub(super) fn shows(color: &Color) -> bool {
    match named(color) {
        Some(rgb) => rgb != Some(PAPER),
        None => !matches!(color.to_rgba().to_rgba8(), [255, 255, 255, _] | [_, _, _, 0]),
    }
}

/// True if the colour lets nothing through.
pub(super) fn hides(color: &Color) -> bool {
    opacity(color) >= OPAQUE
}

/// True if text of the one colour can't be seen on the other.
pub(super) fn looks_alike(text: &Color, behind: &Color) -> bool {
    let alike = match (rgb(text), rgb(behind)) {
        (Some(text), Some(behind)) => text.iter().zip(behind).all(|(a, b)| a.abs_diff(b) <= SAME),
        (None, None) => text.components() == behind.components(),
        _ => false,
    };
    alike && hides(behind)
}

/// True if text of that colour can't be seen on white paper.
pub(super) fn looks_white(text: &Color) -> bool {
    let is_dark = matches!(text.components(), [r, g, b] if r.min(*g).min(*b) < 0.9);
    !is_dark && rgb(text).is_some_and(|rgb| rgb.iter().all(|v| *v >= u8::MAX - SAME))
}

fn opacity(color: &Color) -> u8 {
    let is_ink = matches!(color.components(), [_, _, _, _]) && !is_named_ink(color.color_space());
    let written = if is_ink { written_opacity(color) } else { None };
    written.map_or_else(|| color.to_rgba().to_rgba8()[3], |opacity| (opacity * 255.0 + 0.5) as u8)
}

/// What the engine writes at the end of all that it knows of a colour.
fn written_opacity(color: &Color) -> Option<f32> {
    let written = format!("{color:?}");
    written.rsplit_once("opacity: ")?.1.trim_end_matches([' ', '}']).parse().ok()
}

/// `None` for inks of which only the name is known.
fn rgb(color: &Color) -> Option<[u8; 3]> {
    named(color).unwrap_or_else(|| {
        let [r, g, b, _] = color.to_rgba().to_rgba8();
        Some([r, g, b])
    })
}

/// How inks look by what they are called, if that is known of them; `None` if the colour is no ink.
fn named(color: &Color) -> Option<Option<[u8; 3]>> {
    if let [c, m, y, k] = *color.components() {
        return Some(Some([c, m, y].map(|ink| ((1.0 - ink) * (1.0 - k) * 255.0 + 0.5) as u8)));
    }
    is_named_ink(color.color_space()).then(|| color.components().iter().all(|ink| *ink < TRACE).then_some(PAPER))
}

/// The engine says of what kind a colour space is only when it is asked to write all of it down.
fn is_named_ink(space: &ColorSpace) -> bool {
    let mut head = Head { letters: [0; 24], length: 0 };
    // It fails as soon as enough is written.
    let _ = write!(head, "{space:?}");
    let kind = head.letters.split(|letter| *letter == b'(').nth(1).unwrap_or_default();
    kind.starts_with(b"Separation") || kind.starts_with(b"DeviceN")
}

/// The first letters of what is written.
struct Head {
    letters: [u8; 24],
    length: usize,
}

impl fmt::Write for Head {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        self.letters.get_mut(self.length..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}
