//! Text to lines: where they break, and in which order their characters stand.

use std::borrow::Cow;

use unicode_bidi::BidiInfo;

use super::arabic;
use super::face::Face;
use crate::{bidi, letters};

/// A tab is drawn as so many spaces.
const TAB: &str = "    ";

/// Signs that begin no line.
const NOT_FIRST: &str = "、。，．！？：；）］｝」』】〉》・ー";
/// Signs that end no line.
const NOT_LAST: &str = "（［｛「『【〈《";

/// Breaks a text into lines of at most this width: at its line breaks, at white space, between ideographs, and within
/// words that are too long. Has at least one line.
pub(super) fn broken(text: &str, face: &mut Face, size: f32, width: f32) -> Vec<String> {
    let room = width.max(size) / size;
    let clean: String = text.replace('\t', TAB).replace("\r\n", "\n");
    let mut lines = Vec::new();
    for line in clean.split(['\n', '\r', '\u{b}', '\u{2028}', '\u{2029}']) {
        break_line(line, face, room, &mut lines);
    }
    lines
}

fn break_line(line: &str, face: &mut Face, room: f32, lines: &mut Vec<String>) {
    let (mut start, mut opening, mut x) = (0, 0, 0.0);
    let mut before = ' ';
    for (at, char) in line.char_indices().filter(|(_, char)| !char.is_control()) {
        if may_break(before, char) && at > start {
            opening = at;
        }
        let advance = face.advance(char);
        if x + advance > room && !char.is_whitespace() && at > start {
            let end = if opening > start { opening } else { at };
            lines.push(shown(line.get(start..end)));
            x = face.width(line.get(end..at).unwrap_or_default());
            start = end;
        }
        x += advance;
        before = char;
    }
    lines.push(shown(line.get(start..)));
}

/// What of a part of a line is drawn.
fn shown(part: Option<&str>) -> String {
    part.unwrap_or_default().trim_end().chars().filter(|char| !char.is_control()).collect()
}

fn may_break(before: char, char: char) -> bool {
    let is_space = |c: char| c.is_whitespace() && c != '\u{a0}';
    let are_ideographs = letters::is_ideographic(before) && letters::is_ideographic(char);
    is_space(before) && !is_space(char) || are_ideographs && !NOT_FIRST.contains(char) && !NOT_LAST.contains(before)
}

/// A line in the order in which its characters stand from left to right, and whether it is read from the right.
pub(super) fn visual(line: &str) -> (Cow<'_, str>, bool) {
    if !line.chars().any(bidi::is_rtl) {
        return (Cow::Borrowed(line), false);
    }
    let shaped = arabic::shaped(line);
    let info = BidiInfo::new(&shaped, None);
    let Some(paragraph) = info.paragraphs.first() else { return (Cow::Borrowed(line), false) };
    let visual = info.reorder_line(paragraph, paragraph.range.clone()).into_owned();
    (Cow::Owned(visual), paragraph.level.is_rtl())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::FALLBACK_FONT;

    #[test]
    fn lines_break_where_text_may() {
        let mut face = Face::new(FALLBACK_FONT);
        let mut check = |text: &str, like: &str, want: &[&str]| {
            let width = face.width(like) * 10.0 + 0.1;
            assert_eq!(broken(text, &mut face, 10.0, width), want, "{text}");
        };
        check("one two three", "one two", &["one two", "three"]);
        check("one two", "one twos", &["one two"]);
        check("a\r\nb\n\nc", "aaaa", &["a", "b", "", "c"]);
        check("aaaaaaaa", "aaa", &["aaa", "aaa", "aa"]);
        check("state-of-the-art ok", "state-of-the-art", &["state-of-the-art", "ok"]);
        check("  indented line", "  indented", &["  indented", "line"]);
        check("青色の灯火", "青色の", &["青色の", "灯火"]);
        check("青色の。灯火", "青色の", &["青色", "の。灯", "火"]);
        check("a\tb\u{7}c", "a    bc", &["a    bc"]);
        check("", "a", &[""]);
    }
}
