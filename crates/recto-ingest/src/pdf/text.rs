//! Stand-in: the text layer is written elsewhere.
use hayro::hayro_interpret::{InterpreterCache, InterpreterSettings};
use hayro::hayro_syntax::page::Page;
use recto_page::PageNumber;

use crate::document::PageText;

pub(crate) fn read_text<'a>(
    _: &'a Page<'a>,
    _: PageNumber,
    _: &InterpreterCache<'a>,
    _: &InterpreterSettings,
) -> PageText {
    PageText::default()
}
