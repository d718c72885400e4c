//! HTML pages: headings, paragraphs, lists and tables. Scripts, styles and what the page hides are left out; pictures are
//! their alternative text.

use encoding_rs::Encoding;
use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use super::html_tables::Tables;
use super::prose;
use crate::laid_out::{Draft, Part, Shape};

/// Elements whose text is not that of the page.
const SKIPPED: [&str; 8] = ["script", "style", "noscript", "template", "svg", "select", "iframe", "object"];

/// Elements that a further one of their kind may end.
const ENDED_BY_NEXT: [&str; 7] = ["p", "li", "td", "th", "tr", "dt", "dd"];

/// Elements whose hiding means nothing: those without an end, and the page as a whole, which a script shows.
const SHOWN: [&str; 10] = ["html", "body", "br", "img", "hr", "input", "meta", "link", "wbr", "area"];

/// Styles of what a page hides.
const HIDING: [&str; 3] = ["display:none", "visibility:hidden", "mso-hide:all"];

/// Elements that stand within a line of text. All others start a new one.
const INLINE: [&str; 34] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "button", "cite", "code", "data", "del", "dfn", "em", "font",
    "i", "img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
    "time", "u", "var", "wbr",
];

/// Some that do, with which a part of a page may begin.
const BLOCKS: [&str; 24] = [
    "address",
    "article",
    "blockquote",
    "br",
    "caption",
    "center",
    "dl",
    "fieldset",
    "footer",
    "form",
    "header",
    "hr",
    "li",
    "link",
    "main",
    "meta",
    "nav",
    "ol",
    "p",
    "pre",
    "script",
    "section",
    "style",
    "ul",
];

/// True if the text begins as an HTML page does.
pub(super) fn is_html(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(1024).collect::<String>().to_ascii_lowercase();
    let is_xhtml = start.starts_with("<?xml") && start.contains("<html");
    let begins = ["<!doctype html", "<html", "<head", "<body", "<title", "<table", "<div", "<p>", "<h1"];
    let is_page =
        begins.iter().any(|tag| start.starts_with(tag)) || start.starts_with("<!--") && start.contains("<html");
    is_xhtml || is_page || is_fragment(text)
}

/// True if the text begins with an element of a page, maybe after comments, and is not Markdown, which may begin so too.
fn is_fragment(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some((_, after)) = rest.strip_prefix("<!--").and_then(|comment| comment.split_once("-->")) {
        rest = after.trim_start();
    }
    let Some(tag) = rest.strip_prefix('<') else { return false };
    let name = tag.split(|char: char| !char.is_ascii_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase();
    let ends = tag.get(name.len()..).is_some_and(|rest| rest.starts_with([' ', '\t', '\r', '\n', '>', '/']));
    let is_known = INLINE.contains(&name.as_str()) || BLOCKS.contains(&name.as_str()) || level(&name).is_some();
    let is_closed = SHOWN.contains(&name.as_str()) || tag.to_ascii_lowercase().contains(&format!("</{name}"));
    ends && is_known && is_closed && !prose::is_markdown(text)
}

/// The encoding that a page names in its head.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(bytes.get(..1024).unwrap_or(bytes)).to_ascii_lowercase();
    let (_, label) = head.split_once("charset=").or_else(|| head.split_once("encoding="))?;
    let label = label.trim_start_matches(['"', '\'', ' ']);
    Encoding::for_label(label.split(['"', '\'', ' ', '>', ';', '/', '?']).next()?.as_bytes())
}

/// Reads a page.
pub(super) fn read(text: &str) -> Draft {
    let mut draft = Draft::default();
    draft.start(Shape::Flow);
    draft.title = append_page(text, &mut draft);
    draft
}

/// Reads a page into the last section.
pub(super) fn append(text: &str, draft: &mut Draft) {
    append_page(text, draft);
}

fn append_page(text: &str, draft: &mut Draft) -> Option<String> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let mut page = Page::new(draft);
    for token in Tokenizer::new_with_emitter(text, emitter) {
        match token {
            Ok(Token::StartTag(tag)) => page.open(&tag),
            Ok(Token::EndTag(tag)) => page.close(&String::from_utf8_lossy(&tag.name)),
            Ok(Token::String(text)) => page.text(&String::from_utf8_lossy(&text.value)),
            _ => {}
        }
    }
    page.end();
    let title = page.title.split_whitespace().collect::<Vec<_>>().join(" ");
    (!title.is_empty()).then_some(title)
}

/// A page as far as it has been read.
struct Page<'d> {
    draft: &'d mut Draft,
    title: String,
    in_title: bool,
    /// The element that is left out, and how many of its name are open.
    skipped: Option<(String, usize)>,
    /// The text of the block at hand.
    block: String,
    heading: Option<u8>,
    /// The open lists: the number of the last item, if they count.
    lists: Vec<Option<u32>>,
    /// The bullet or number of the item that begins.
    marker: Option<String>,
    /// Depth within elements whose white space counts.
    in_pre: usize,
    tables: Tables,
}

impl<'d> Page<'d> {
    fn new(draft: &'d mut Draft) -> Self {
        Self {
            draft,
            title: String::new(),
            in_title: false,
            skipped: None,
            block: String::new(),
            heading: None,
            lists: Vec::new(),
            marker: None,
            in_pre: 0,
            tables: Tables::default(),
        }
    }

    fn open(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name);
        let name = name.as_ref();
        match &mut self.skipped {
            Some((skipped, _)) if skipped == name && ENDED_BY_NEXT.contains(&name) => self.skipped = None,
            Some((skipped, depth)) => {
                *depth += usize::from(skipped == name);
                return;
            }
            None => {}
        }
        let is_skipped = SKIPPED.contains(&name);
        if !is_skipped && !INLINE.contains(&name) && name != "br" {
            self.end_block();
        }
        if !tag.self_closing && (is_skipped || !SHOWN.contains(&name) && is_hidden(tag)) {
            self.skipped = Some((name.to_owned(), 1));
            return;
        }
        match name {
            "title" => self.in_title = true,
            "br" => self.block.push('\n'),
            "img" => self.text(&attribute(tag, "alt").unwrap_or_default()),
            "pre" => self.in_pre += 1,
            "ul" | "menu" => self.lists.push(None),
            "ol" => self.lists.push(Some(attribute(tag, "start").and_then(|n| n.parse().ok()).unwrap_or(1).max(1) - 1)),
            "li" => self.marker = Some(self.next_marker()),
            "table" => self.tables.open(self.draft),
            "tr" => self.tables.start_row(),
            "td" | "th" => {
                let span = |name| attribute(tag, name).and_then(|n| n.parse().ok()).unwrap_or(1);
                self.tables.start_cell(span("colspan"), span("rowspan"), name == "th");
            }
            _ => self.heading = level(name).or(self.heading),
        }
    }

    fn close(&mut self, name: &str) {
        if let Some((skipped, depth)) = &mut self.skipped {
            *depth -= usize::from(skipped == name);
            if *depth == 0 {
                self.skipped = None;
            }
            return;
        }
        if !INLINE.contains(&name) && name != "br" {
            self.end_block();
        }
        match name {
            "title" => self.in_title = false,
            "pre" => self.in_pre = self.in_pre.saturating_sub(1),
            "ul" | "ol" | "menu" => drop(self.lists.pop()),
            "td" | "th" => self.tables.end_cell(),
            "tr" => self.tables.end_row(),
            "table" => self.tables.close(self.draft),
            _ if level(name).is_some() => self.heading = None,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped.is_some() {
            return;
        }
        if self.in_title {
            return self.title.push_str(text);
        }
        if self.in_pre > 0 {
            return self.block.push_str(text);
        }
        for char in text.chars() {
            if !char.is_ascii_whitespace() {
                self.block.push(char);
            } else if !self.block.is_empty() && !self.block.ends_with([' ', '\n']) {
                self.block.push(' ');
            }
        }
    }

    /// The page ends, and with it what is still open.
    fn end(&mut self) {
        self.end_block();
        while self.tables.is_open() {
            self.tables.close(self.draft);
        }
    }

    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        let text = if self.in_pre > 0 { block.trim_matches('\n') } else { block.trim() };
        if text.trim().is_empty() {
            return;
        }
        let marker = self.marker.take();
        let text = marker.as_ref().map_or_else(|| text.to_owned(), |marker| format!("{marker} {text}"));
        if self.tables.in_cell() {
            return self.tables.line(&text);
        }
        let depth = u8::try_from(self.lists.len().saturating_sub(1)).unwrap_or(u8::MAX);
        self.draft.push(match self.heading {
            Some(level) => Part::Heading(level, text),
            None if self.lists.is_empty() => Part::Text(text),
            None => Part::Item(depth, text),
        });
    }

    fn next_marker(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number = number.saturating_add(1);
                format!("{number}.")
            }
            _ => "•".into(),
        }
    }
}

fn level(name: &str) -> Option<u8> {
    let level = name.strip_prefix('h')?.parse().ok()?;
    (1..=6).contains(&level).then_some(level)
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    let value = tag.attributes.get(name.as_bytes())?;
    Some(String::from_utf8_lossy(&value.value).into_owned())
}

fn is_hidden(tag: &StartTag<()>) -> bool {
    let style = attribute(tag, "style").unwrap_or_default().to_ascii_lowercase().replace(' ', "");
    HIDING.iter().any(|hiding| style.contains(hiding)) || tag.attributes.contains_key(b"hidden".as_slice())
}
