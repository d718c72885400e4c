//! Characters as a reader would type them, from what fonts say their glyphs are.

use unicode_normalization::UnicodeNormalization;

/// So that a small raised 2 after 10 does not make 102.
pub(crate) fn superscript(char: char) -> char {
    match char {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => char::from_u32(char as u32 - '4' as u32 + '⁴' as u32).unwrap_or(char),
        other => other,
    }
}

/// Adds a character as the letters a reader would type: ligatures and other presentation forms taken apart, soft
/// hyphens (which are visible when drawn) as hyphens, characters that show nothing left out.
pub(crate) fn push(text: &mut String, char: char) {
    match char {
        ' '..='~' => text.push(char),
        '\u{ad}' => text.push('-'),
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
        '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{2e80}'..='\u{2fdf}' => text.extend(char.nfkc()),
        control if control.is_control() => {}
        other => text.push(other),
    }
}

/// True for characters of scripts that write no spaces and may run downwards: Chinese and Japanese.
pub(crate) fn is_ideographic(char: char) -> bool {
    matches!(char, '\u{3001}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}')
}
