//! What the document says of itself as a whole: its title.

use super::package::Package;
use super::xml::{Tag, Visit};
use crate::Result;

/// The title, if there is one.
///
/// # Errors
/// When the part that holds it is damaged.
pub(super) fn title(package: &mut Package<'_>) -> Result<Option<String>> {
    let relations = package.relations("")?;
    let Some(core) = relations.into_iter().find(|relation| relation.kind == "core-properties") else { return Ok(None) };
    title_in(package, &core.target)
}

/// The title in a part of metadata.
///
/// # Errors
/// When the part is damaged.
pub(super) fn title_in(package: &mut Package<'_>, part: &str) -> Result<Option<String>> {
    let mut title = Title::default();
    package.walk(part, &mut title)?;
    let text = title.text.trim();
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

#[derive(Default)]
struct Title {
    is_open: bool,
    text: String,
}

impl Visit for Title {
    fn open(&mut self, tag: &Tag<'_>) {
        self.is_open = tag.name() == "title";
    }

    fn close(&mut self, _name: &str) {
        self.is_open = false;
    }

    fn text(&mut self, text: &str) {
        if self.is_open {
            self.text.push_str(text);
        }
    }
}
