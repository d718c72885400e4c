//! Documents without pages of their own (office files, mail, text), laid out on pages that recto makes: as a PDF in
//! memory, so that words, boxes, tables, links and pictures come from the one path that every other document takes.
//!
//! Readers of formats fill a [`Draft`]; [`pdf`] sets it. How the original looked is not kept, what it says is.

mod arabic;
mod draft;
mod face;
mod file;
mod grid;
mod lines;
mod picture;
mod setter;
mod setter_tables;
mod table_builder;
#[cfg(test)]
mod tests;

use recto_page::{Problem, ProblemCode, Stage};

pub(crate) use draft::{Draft, LINE, MOST, Part, Shape, Table, cost};
pub(crate) use table_builder::{MOST_CELLS, MOST_SPANNED, TableBuilder};

/// The draft as a PDF, and what is not in it. Its text can be read back whole, be there a glyph for it or not.
pub(crate) fn pdf(draft: &Draft) -> (Vec<u8>, Vec<Problem>) {
    let setting = setter::set(draft);
    let mut problems = draft.problems();
    if setting.lost_pictures > 0 {
        let detail =
            format!("{} pictures in it could not be read: export it as PDF to have them", setting.lost_pictures);
        problems.push(Problem::of_document(ProblemCode::UnsupportedFormat, Stage::Open, detail));
    }
    (file::write(setting, draft.title.as_deref()), problems)
}
