//! Mail messages: who wrote what to whom and when, the text, and the names of what is attached. Attachments are not read.

use mail_parser::{Address, MessageParser, MimeHeaders, PartType};

use super::html;
use crate::laid_out::{Draft, Part, Shape};

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
    if let Some(subject) = message.subject() {
        draft.push(Part::Heading(1, subject.into()));
    }
    let people = [("From", message.from()), ("To", message.to()), ("Cc", message.cc())];
    let mut head: Vec<String> =
        people.into_iter().filter_map(|(name, who)| Some(format!("{name}: {}", all(who?)))).collect();
    head.extend(message.header_raw("Date").map(|date| format!("Date: {}", date.trim())));
    head.extend(message.subject().map(|subject| format!("Subject: {subject}")));
    draft.push(Part::Text(head.join("\n")));
    let names: Vec<&str> = message.attachments().map(|part| part.attachment_name().unwrap_or("(no name)")).collect();
    for part in message.text_bodies() {
        match &part.body {
            PartType::Text(text) => paragraphs(text, &mut draft),
            PartType::Html(text) => html::append(text, &mut draft),
            _ => {}
        }
    }
    if !names.is_empty() {
        draft.push(Part::Text(format!("Attachments: {}", names.join(", "))));
    }
    Some(draft)
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
