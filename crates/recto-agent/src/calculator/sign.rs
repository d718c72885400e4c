//! An expression as signs: numbers, words, operators.

/// A part of an expression as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// Digits with at most one point; separators of thousands are gone.
    Number(String),
    /// `2024-03-01`.
    Day(String),
    /// Letters.
    Word(String),
    /// Anything else, one character; `^` for `**` too.
    Other(char),
}

/// Cuts an expression into signs.
pub(super) fn signs(text: &str) -> Vec<Sign> {
    let chars: Vec<char> = text.chars().collect();
    let mut signs = Vec::new();
    let mut at = 0;
    while let Some(c) = chars.get(at).copied() {
        let rest = chars.get(at..).unwrap_or_default();
        let (sign, len) = match c {
            _ if c.is_whitespace() => (None, 1),
            '0'..='9' | '.' => number(rest),
            '*' if rest.get(1) == Some(&'*') => (Some(Sign::Other('^')), 2),
            _ if is_letter(c) => word(rest),
            _ => (Some(Sign::Other(plain(c))), 1),
        };
        signs.extend(sign);
        at += len;
    }
    signs
}

/// One sign for each operator, however it is written.
const fn plain(c: char) -> char {
    match c {
        '×' | '·' | '∙' => '*',
        '÷' | '∕' => '/',
        '−' | '–' => '-',
        '％' => '%',
        '{' | '[' => '(',
        '}' | ']' => ')',
        _ => c,
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | 'µ' | '²' | '³' | '°')
}

fn word(rest: &[char]) -> (Option<Sign>, usize) {
    // A unit such as m2 ends in its power.
    let letters = rest.iter().take_while(|c| is_letter(**c)).count();
    let power = rest.get(letters).is_some_and(|c| matches!(c, '2' | '3'))
        && !rest.get(letters + 1).is_some_and(|c| c.is_alphanumeric() || *c == '.');
    let named = rest.get(letters) == Some(&'1') && rest.get(letters + 1) == Some(&'0');
    let len = letters + if named { 2 } else { usize::from(power) };
    (Some(Sign::Word(rest.iter().take(len).collect())), len)
}

fn number(rest: &[char]) -> (Option<Sign>, usize) {
    let day = rest.iter().take_while(|c| c.is_ascii_digit() || matches!(c, '-' | '/')).count();
    let text: String = rest.iter().take(day).collect();
    if super::date::Date::iso(&text).is_some() {
        return (Some(Sign::Day(text)), day);
    }
    let (mut digits, mut at, mut point) = (String::new(), 0, false);
    while let Some(c) = rest.get(at) {
        match c {
            '0'..='9' => digits.push(*c),
            '.' if !point && rest.get(at + 1).is_some_and(char::is_ascii_digit) => {
                point = true;
                digits.push('.');
            }
            ',' | '\u{a0}' | '\u{202f}' if !point && groups(&digits, rest.get(at + 1..).unwrap_or_default()) => {}
            '_' => {}
            _ => break,
        }
        at += 1;
    }
    // A point that is no decimal point is left over.
    if at == 0 { (Some(Sign::Other('.')), 1) } else { (Some(Sign::Number(digits)), at) }
}

/// Whether what follows a comma is a group of thousands.
fn groups(digits: &str, after: &[char]) -> bool {
    let n = after.iter().take_while(|c| c.is_ascii_digit()).count();
    n == 3 && !digits.is_empty()
}
