//! XML as a stream of elements and text. Namespaces are passed over: elements go by their local names. Knows no DTD:
//! entities but the five of XML stay as they are written, so that none can expand.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use recto_page::ProblemCode;

use super::refuse;
use crate::Result;

/// Elements nested deeper than this are an attack.
const MAX_DEPTH: usize = 2000;

/// Takes what a walk through XML meets.
pub(super) trait Visit {
    /// An element begins.
    fn open(&mut self, _tag: &Tag<'_>) {}

    /// The element of this name ends.
    fn close(&mut self, _name: &str) {}

    /// Text, perhaps in several pieces.
    fn text(&mut self, _text: &str) {}

    /// True once what follows is of no use.
    fn is_full(&self) -> bool {
        false
    }
}

/// The start of an element.
pub(super) struct Tag<'x>(BytesStart<'x>);

impl Tag<'_> {
    /// The name without its prefix.
    pub(super) fn name(&self) -> &str {
        local(self.0.name().0)
    }

    /// The value of the attribute of this local name; one without a prefix goes first.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        let attributes = attributes.with_checks(false);
        let mut found = None;
        for attribute in attributes.flatten() {
            let key = attribute.key.0;
            if key == name || found.is_none() && local(key) == name {
                found = Some(unescaped(&attribute.value));
            }
            if key == name {
                break;
            }
        }
        found
    }

    /// The value as a number.
    pub(super) fn number<N: std::str::FromStr>(&self, name: &str) -> Option<N> {
        self.get(name)?.parse().ok()
    }

    /// The relationship that the element names: an attribute `id` with a prefix, which may stand beside one without.
    pub(super) fn relation(&self) -> Option<String> {
        let mut attributes = self.0.attributes();
        let mut ids = attributes.with_checks(false).flatten().filter(|a| a.key.0.ends_with(":id"));
        ids.next().map(|attribute| unescaped(&attribute.value))
    }

    /// What a switch says (`<w:b/>`, `<w:b w:val="0"/>`).
    pub(super) fn is_on(&self) -> bool {
        !matches!(self.get("val").as_deref(), Some("0" | "false" | "off" | "none"))
    }
}

/// Walks through a whole document.
///
/// # Errors
/// [`crate::IngestError::Open`] with the code `damaged`.
pub(super) fn walk(xml: &str, visit: &mut dyn Visit) -> Result<()> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    reader.config_mut().allow_dangling_amp = true;
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return refuse(ProblemCode::Damaged, "its XML is nested too deep");
                }
                if visit.is_full() {
                    return Ok(());
                }
                visit.open(&Tag(start));
            }
            Ok(Event::End(end)) => {
                depth = depth.saturating_sub(1);
                visit.close(local(end.name().0));
            }
            Ok(Event::Text(text)) => visit.text(&text.xml10_content()),
            Ok(Event::CData(text)) => visit.text(&text.xml10_content()),
            Ok(Event::GeneralRef(reference)) => visit.text(&referred(&reference)),
            Ok(Event::Eof) if depth == 0 => return Ok(()),
            Ok(Event::Eof) => return refuse(ProblemCode::Damaged, "its XML is cut off"),
            Ok(_) => {}
            Err(error) => return refuse(ProblemCode::Damaged, &format!("its XML is damaged: {error}")),
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn unescaped(value: &str) -> String {
    quick_xml::escape::unescape(value).map_or_else(|_| value.to_owned(), Cow::into_owned)
}

fn referred(reference: &BytesRef<'_>) -> String {
    let name = reference.xml10_content();
    let named = || resolve_xml_entity(&name).map(str::to_owned);
    let char = reference.resolve_char_ref().ok().flatten().map(String::from);
    char.or_else(named).unwrap_or_else(|| format!("&{name};"))
}
