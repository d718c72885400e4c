//! Mail messages: who wrote what to whom and when, the text, the messages that are forwarded in it, and the names of what
//! else is attached, which is not read.

use mail_parser::{Address, Message, MessageParser, MimeHeaders, PartType};

use super::html;
use crate::laid_out::{Draft, Part, Shape};

/// So many messages may lie in each other.
const DEEPEST: u8 = 50;

/// Header fields of which a message has at least two.
const FIELDS: [&str; 11] = [
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "received",
    "mime-version",
    "return-path",
    "delivered-to",
    "content-type",
    "content-transfer-encoding",
];

/// True if the file begins with the header of a message.
pub(super) fn is_mail(bytes: &[u8]) -> bool {
    let mut known = 0;
    for line in bytes.split(|byte| *byte == b'\n').take(200) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        let name = line.split(|byte| *byte == b':').next().unwrap_or_default();
        let is_field = name.len() < line.len() && name.iter().all(|byte| byte.is_ascii_graphic());
        let is_folded = line.starts_with(b" ") || line.starts_with(b"\t");
        if !is_field && !is_folded && !line.starts_with(b"From ") {
            return false;
        }
        known += usize::from(FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes())));
    }
    known >= 2
}

/// Reads a message; `None` if it is none after all.
pub(super) fn read(bytes: &[u8]) -> Option<Draft> {
    let message = MessageParser::default().parse(bytes)?;
    let mut draft = Draft::default();
    draft.title = message.subject().map(str::to_owned);
    draft.start(Shape::Flow);
    append(&message, 1, &mut draft);
    Some(draft)
}

/// Adds a message, which is this many messages deep, and those that it forwards.
fn append(message: &Message<'_>, depth: u8, draft: &mut Draft) {
    if depth > DEEPEST {
        return draft.cut();
    }
    if let Some(subject) = message.subject() {
        draft.push(Part::Heading(depth.min(6), subject.into()));
    }
    draft.push(Part::Text(head(message)));
    for part in message.text_bodies() {
        match &part.body {
            PartType::Text(text) => paragraphs(text, draft),
            PartType::Html(text) => html::append(text, draft),
            _ => {}
        }
    }
    let (forwarded, attached): (Vec<_>, Vec<_>) = message.attachments().partition(|part| part.message().is_some());
    let names: Vec<&str> = attached.iter().map(|part| part.attachment_name().unwrap_or("(no name)")).collect();
    if !names.is_empty() {
        draft.push(Part::Text(format!("Attachments: {}", names.join(", "))));
    }
    forwarded.iter().filter_map(|part| part.message()).for_each(|message| append(message, depth + 1, draft));
}

/// Who wrote to whom, when, about what.
fn head(message: &Message<'_>) -> String {
    let people = [("From", message.from()), ("To", message.to()), ("Cc", message.cc())];
    let mut head: Vec<String> =
        people.into_iter().filter_map(|(name, who)| Some(format!("{name}: {}", all(who?)))).collect();
    head.extend(message.header_raw("Date").map(|date| format!("Date: {}", date.trim())));
    head.extend(message.subject().map(|subject| format!("Subject: {subject}")));
    head.join("\n")
}

fn paragraphs(text: &str, draft: &mut Draft) {
    for paragraph in text.replace("\r\n", "\n").split("\n\n") {
        draft.push(Part::Text(paragraph.trim_matches('\n').to_owned()));
    }
}

/// Everybody in an address field.
fn all(address: &Address<'_>) -> String {
    let one = |name: Option<&str>, mail: Option<&str>| match (name, mail) {
        (Some(name), Some(mail)) => format!("{name} <{mail}>"),
        (name, mail) => name.or(mail).unwrap_or_default().to_owned(),
    };
    address.iter().map(|who| one(who.name(), who.address())).collect::<Vec<_>>().join(", ")
}
