//! The outline (bookmarks): from headings with levels to the linked tree of a file.

use crate::file::RawFile;
use crate::object::{Object, string};

/// An entry of the outline: its level (1 is the top), its text, and the 1-based number of the page it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) title: String,
    pub(crate) page: usize,
}

/// Writes the outline; the catalog's entry comes back.
pub(crate) fn write(file: &mut RawFile, headings: &[Heading], pages: &[u32]) -> String {
    if headings.is_empty() {
        return String::new();
    }
    let root = file.reserve();
    let children = write_level(file, headings, pages, root);
    file.set(root, Object::new(format!("<< /Type /Outlines{children} >>")));
    format!(" /Outlines {root} 0 R")
}

/// Writes headings and those under them as children of `parent`; the parent's links to them come back.
fn write_level(file: &mut RawFile, headings: &[Heading], pages: &[u32], parent: u32) -> String {
    let level = headings.iter().map(|heading| heading.level).min().unwrap_or(1);
    let groups: Vec<&[Heading]> = headings.chunk_by(|_, next| next.level > level).collect();
    let numbers: Vec<u32> = groups.iter().map(|_| file.reserve()).collect();
    for (at, group) in groups.iter().enumerate() {
        let (Some(&number), Some((heading, under))) = (numbers.get(at), group.split_first()) else { continue };
        let link = |key: &str, other: Option<&u32>| other.map_or(String::new(), |n| format!(" /{key} {n} 0 R"));
        let previous = link("Prev", at.checked_sub(1).and_then(|at| numbers.get(at)));
        let next = link("Next", numbers.get(at + 1));
        let children = if under.is_empty() { String::new() } else { write_level(file, under, pages, number) };
        let page = pages.get(heading.page.wrapping_sub(1)).copied().unwrap_or(0);
        let title = string(&heading.title);
        file.set(
            number,
            Object::new(format!(
                "<< /Title {title} /Parent {parent} 0 R /Dest [{page} 0 R /Fit]{previous}{next}{children} >>"
            )),
        );
    }
    match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) => format!(" /First {first} 0 R /Last {last} 0 R /Count {}", numbers.len()),
        _ => String::new(),
    }
}
