//! The numbers and bullets of lists and headings in a Word document, which the file leaves for the reader to count.

use std::collections::BTreeMap;

use super::xml::{Tag, Visit};
use crate::numerals::{letters, roman};

/// Lists have so many levels.
const LEVELS: usize = 9;

/// Numbers above this are not spelt with letters or in Roman.
const MOST_SPELT: u32 = 3999;

/// The lists of a document, and how far each has been counted.
#[derive(Default)]
pub(super) struct Numbering {
    /// Levels of each definition.
    definitions: BTreeMap<String, Vec<Level>>,
    /// The definition that each list uses.
    lists: BTreeMap<String, String>,
    counts: BTreeMap<String, [u32; LEVELS]>,
    definition: String,
    list: String,
}

#[derive(Clone)]
struct Level {
    start: u32,
    format: String,
    text: String,
}

impl Numbering {
    /// Counts on in a list; the number or bullet of the next paragraph at this level. Empty if it has none.
    pub(super) fn next(&mut self, list: &str, level: u8) -> String {
        let level = usize::from(level).min(LEVELS - 1);
        let Some(definition) = self.lists.get(list) else { return String::new() };
        let Some(levels) = self.definitions.get(definition) else { return String::new() };
        let Some(own) = levels.get(level) else { return String::new() };
        let counts = self.counts.entry(definition.clone()).or_default();
        for (index, count) in counts.iter_mut().enumerate() {
            *count = match index.cmp(&level) {
                std::cmp::Ordering::Less => (*count).max(1),
                std::cmp::Ordering::Equal => count.saturating_add(1),
                std::cmp::Ordering::Greater => 0,
            };
        }
        match own.format.as_str() {
            "bullet" => "•".into(),
            "none" => String::new(),
            _ => numbered(&own.text, levels, counts),
        }
    }
}

/// The text of a level, `%1.%2` for instance, with the numbers in it.
fn numbered(text: &str, levels: &[Level], counts: &[u32; LEVELS]) -> String {
    let mut result = text.to_owned();
    for (index, (level, count)) in levels.iter().zip(counts).enumerate() {
        let number = level.start.saturating_add(*count).saturating_sub(1);
        result = result.replace(&format!("%{}", index + 1), &spelt(number, &level.format));
    }
    result
}

fn spelt(number: u32, format: &str) -> String {
    match format {
        _ if number == 0 || number > MOST_SPELT => number.to_string(),
        "lowerLetter" => letters(number, MOST_SPELT),
        "upperLetter" => letters(number, MOST_SPELT).to_uppercase(),
        "lowerRoman" => roman(number),
        "upperRoman" => roman(number).to_uppercase(),
        "decimalZero" => format!("{number:02}"),
        _ => number.to_string(),
    }
}

impl Visit for Numbering {
    fn open(&mut self, tag: &Tag<'_>) {
        let value = || tag.get("val").unwrap_or_default();
        let levels = self.definitions.entry(self.definition.clone()).or_default();
        match tag.name() {
            "abstractNum" => self.definition = tag.get("abstractNumId").unwrap_or_default(),
            // What a list changes of its definition is passed over.
            "num" => (self.definition, self.list) = (String::new(), tag.get("numId").unwrap_or_default()),
            "abstractNumId" => drop(self.lists.insert(self.list.clone(), value())),
            "lvl" if levels.len() < LEVELS => {
                levels.push(Level { start: 1, format: "decimal".into(), text: String::new() });
            }
            "start" => levels.last_mut().into_iter().for_each(|level| level.start = tag.number("val").unwrap_or(1)),
            "numFmt" => levels.last_mut().into_iter().for_each(|level| level.format = value()),
            "lvlText" => levels.last_mut().into_iter().for_each(|level| level.text = value()),
            _ => {}
        }
    }
}
