//! Parts of pages that could not be drawn, each with the reason. For a while that is the answer at once: a further try would
//! take as long as the first, and keep others waiting.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use recto_page::{ContentHash, PageNumber, Region};

/// Reasons that are kept.
const MOST: usize = 10_000;
/// So long they hold: a machine that was too busy is not so for ever.
const LASTS: Duration = Duration::from_secs(300);

/// What could not be drawn, and when and why.
#[derive(Default)]
pub(crate) struct Undrawn(Mutex<BTreeMap<Part, (Instant, String)>>);

/// A part of a page of the file with this content, at so many dots per inch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Part {
    hash: ContentHash,
    page: PageNumber,
    region: [u32; 4],
    dpi: u32,
}

impl Part {
    pub(crate) fn new(hash: &ContentHash, page: PageNumber, region: Region, dpi: u32) -> Self {
        Self { hash: hash.clone(), page, region: region.ltrb().map(f32::to_bits), dpi }
    }
}

impl Undrawn {
    /// Draws, unless that failed a short while ago.
    pub(crate) fn unless_known<T>(&self, part: Part, draw: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
        if let Some(why) = self.why(&part, Instant::now()) {
            return Err(why);
        }
        draw().inspect_err(|why| self.note(part, why, Instant::now()))
    }

    fn why(&self, part: &Part, now: Instant) -> Option<String> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, why) = held.get(part)?;
        (now.duration_since(*since) < LASTS).then(|| why.clone())
    }

    fn note(&self, part: Part, why: &str, now: Instant) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() >= MOST {
            held.clear();
        }
        held.insert(part, (now, why.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_given_at_once_until_it_is_old() {
        let undrawn = Undrawn::default();
        let part = |dpi| Part::new(&ContentHash::of(b"a"), PageNumber::FIRST, Region::FULL, dpi);
        let drawn = |dpi, outcome: Result<u8, &str>| {
            undrawn.unless_known(part(dpi), || outcome.map_err(str::to_owned)).map_err(|why| why.len())
        };
        assert_eq!(drawn(72, Err("slow")), Err(4));
        assert_eq!(drawn(72, Ok(1)), Err(4), "it is not tried again");
        assert_eq!(drawn(144, Ok(1)), Ok(1), "another resolution is another picture");
        assert_eq!(undrawn.why(&part(72), Instant::now() + LASTS), None);
        (0..2 * MOST as u32).for_each(|dpi| undrawn.note(part(dpi), "full", Instant::now()));
        assert!(undrawn.0.lock().unwrap().len() <= MOST);
    }
}
