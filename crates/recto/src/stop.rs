//! Ctrl-C: the first one lets the program stop in good order, the second one ends it.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::output;

static STOP: AtomicBool = AtomicBool::new(false);

/// Set once the user wants the program to stop. Whoever works long calls this before, and looks at it now and then.
///
/// # Errors
/// When the system lets no handler be set.
pub(crate) fn requested() -> anyhow::Result<&'static AtomicBool> {
    match ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
        output::note(format_args!("stopping; press Ctrl-C again to stop at once"));
    }) {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(&STOP),
        Err(error) => Err(error.into()),
    }
}
