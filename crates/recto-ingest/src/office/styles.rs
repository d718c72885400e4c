//! Paragraph styles of a Word document: which of them are headings or belong to lists.

use std::collections::BTreeMap;

use super::xml::{Tag, Visit};

/// A style may inherit from so many others.
const MAX_CHAIN: usize = 20;

/// The styles by their names in the file.
#[derive(Default)]
pub(super) struct Styles {
    styles: BTreeMap<String, Style>,
    current: String,
}

#[derive(Default)]
struct Style {
    based_on: Option<String>,
    level: Option<u8>,
    list: Option<String>,
    list_level: Option<u8>,
}

impl Styles {
    /// The level of a heading from 1 on.
    pub(super) fn heading(&self, style: &str) -> Option<u8> {
        self.inherited(style, |style| style.level).filter(|level| *level <= 9)
    }

    /// The list that paragraphs of a style belong to, and the level in it.
    pub(super) fn list(&self, style: &str) -> Option<(String, u8)> {
        let list = self.inherited(style, |style| style.list.clone())?;
        Some((list, self.inherited(style, |style| style.list_level).unwrap_or(0)))
    }

    fn inherited<T>(&self, style: &str, get: impl Fn(&Style) -> Option<T>) -> Option<T> {
        let mut next = self.styles.get(style);
        for _ in 0..MAX_CHAIN {
            let style = next?;
            if let Some(value) = get(style) {
                return Some(value);
            }
            next = self.styles.get(style.based_on.as_deref()?);
        }
        None
    }
}

impl Visit for Styles {
    fn open(&mut self, tag: &Tag<'_>) {
        if tag.name() == "style" {
            self.current = tag.get("styleId").unwrap_or_default();
        }
        let value = || tag.get("val");
        let style = self.styles.entry(self.current.clone()).or_default();
        match tag.name() {
            "name" if value().is_some_and(|name| name.eq_ignore_ascii_case("title")) => style.level = Some(1),
            "basedOn" => style.based_on = value(),
            // Levels count from 0; 9 stands for body text.
            "outlineLvl" => style.level = tag.number::<u8>("val").map(|level| level.saturating_add(1)),
            "numId" => style.list = value(),
            "ilvl" => style.list_level = tag.number("val"),
            _ => {}
        }
    }
}
