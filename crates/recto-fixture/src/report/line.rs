//! Text to lines of a width: where lines may break, and how far their words must be spread.

use super::style::Script;

/// One line of a paragraph.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) width: f32,
    /// The paragraph ends here, so that nothing is spread.
    pub(crate) last: bool,
}

/// Characters as wide as the font is high, between which lines may break.
pub(crate) fn is_wide(c: char) -> bool {
    ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{ff00}'..='\u{ffef}').contains(&c)
}

/// Lines of at most `width` points; `hyphenate` breaks English words too.
pub(crate) fn wrap(text: &str, script: &Script, size: f32, width: f32, hyphenate: bool) -> Vec<Line> {
    let mut lines = vec![String::new()];
    for (word, spaced) in words(text) {
        let mut word = word;
        loop {
            let line = lines.last().cloned().unwrap_or_default();
            let space = if spaced && !line.is_empty() { " " } else { "" };
            let fits = |part: &str| script.width(&format!("{line}{space}{part}"), size) <= width;
            if fits(&word) || line.is_empty() {
                push(&mut lines, &format!("{space}{word}"));
                break;
            }
            if let Some((head, tail)) = hyphenate.then(|| break_word(&word, fits)).flatten() {
                push(&mut lines, &format!("{space}{head}"));
                word = tail;
            }
            lines.push(String::new());
        }
    }
    let count = lines.len();
    let measured = |(at, text): (usize, String)| Line { width: script.width(&text, size), text, last: at + 1 == count };
    lines.into_iter().enumerate().map(measured).collect()
}

fn push(lines: &mut [String], text: &str) {
    if let Some(line) = lines.last_mut() {
        line.push_str(text);
    }
}

/// What must stay together, and whether a space stands before it.
fn words(text: &str) -> Vec<(String, bool)> {
    let mut words: Vec<(String, bool)> = Vec::new();
    let mut spaced = false;
    let mut joined = false;
    for c in text.chars() {
        if c == ' ' {
            (spaced, joined) = (true, false);
            continue;
        }
        let closes = "，。、；：！？）》」』”％".contains(c);
        match words.last_mut() {
            Some((word, _)) if !spaced && (closes || (joined && !is_wide(c))) => word.push(c),
            _ => words.push((c.to_string(), spaced)),
        }
        // A wide character ends its word, unless it opens a bracket.
        joined = !is_wide(c) || "（《「『“".contains(c);
        spaced = false;
    }
    words
}

/// The longest beginning of a word that fits, with its hyphen, and the rest.
fn break_word(word: &str, fits: impl Fn(&str) -> bool) -> Option<(String, String)> {
    let mut best = None;
    let mut head = String::new();
    for part in word.split_inclusive('-') {
        let plain = part.chars().all(|c| c.is_ascii_lowercase());
        for syllable in if plain { hypher::hyphenate(part, hypher::Lang::English).collect() } else { vec![part] } {
            head.push_str(syllable);
            let Some(tail) = word.get(head.len()..).filter(|tail| tail.len() > 1) else { break };
            let hyphen = if head.ends_with('-') { "" } else { "-" };
            if (plain || hyphen.is_empty()) && head.len() > 1 && fits(&format!("{head}{hyphen}")) {
                best = Some((format!("{head}{hyphen}"), tail.to_owned()));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::face::Face;

    #[test]
    fn lines() {
        let latin = Script::embedded("F2", Face::Sans);
        let chinese = Script::chinese("F2");
        for (text, script, width, hyphenate, right) in [
            ("one two three", &latin, 45.0, false, vec!["one two", "three"]),
            ("", &latin, 45.0, false, vec![""]),
            ("the information", &latin, 48.0, true, vec!["the infor-", "mation"]),
            ("a long-term plan", &latin, 38.0, true, vec!["a long-", "term", "plan"]),
            ("水库水位，正常", &chinese, 40.0, false, vec!["水库水", "位，正常"]),
            ("见（图 2）", &chinese, 30.0, false, vec!["见（图", "2）"]),
        ] {
            let lines: Vec<String> =
                wrap(text, script, 10.0, width, hyphenate).into_iter().map(|line| line.text).collect();
            assert_eq!(lines, right, "{text}");
        }
    }
}
