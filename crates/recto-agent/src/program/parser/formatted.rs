//! f-strings: texts with expressions in braces.

use super::{Parser, Result};
use crate::program::syntax::{Expression, Filled};
use crate::program::token::tokens;

/// The parts of an f-string: what stands before an expression, the expression, whether as `repr`, its form.
pub(super) fn formatted(text: &str, line: usize, depth: usize) -> Result<Expression> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        if let Some(after) = from.strip_prefix("{{").or_else(|| from.strip_prefix("}}")) {
            plain.push_str(from.get(..1).unwrap_or_default());
            rest = after;
            continue;
        }
        let end = closing(from).ok_or_else(|| format!("line {line}: a {{ of an f-string is not closed"))?;
        let inside = from.get(1..end).unwrap_or_default();
        rest = from.get(end + 1..).unwrap_or_default();
        let (inside, form) = match outermost(inside, ':') {
            Some(at) => (inside.get(..at).unwrap_or_default(), inside.get(at + 1..).unwrap_or_default()),
            None => (inside, ""),
        };
        let (inside, repr) = inside.strip_suffix("!r").map_or((inside, false), |inside| (inside, true));
        let inside = inside.strip_suffix("!s").unwrap_or(inside);
        let (inside, shown) = inside
            .strip_suffix('=')
            .filter(|i| !i.ends_with(['=', '!', '<', '>']))
            .map_or((inside, false), |i| (i, true));
        if shown {
            plain.push_str(&format!("{inside}="));
        }
        let tokens = tokens(inside)?;
        let mut parser = Parser { tokens: &tokens, at: 0, depth: depth + 1 };
        let value = parser.expressions()?;
        let filled = Filled { value: Box::new(value), repr: repr || shown, form: form.to_owned() };
        parts.push((std::mem::take(&mut plain), Some(filled)));
    }
    plain.push_str(rest);
    parts.push((plain, None));
    Ok(Expression::Formatted(parts))
}

/// Where the brace that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in outside_texts(text) {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where a sign stands in no bracket and no text.
fn outermost(text: &str, sign: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in outside_texts(text) {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            c if c == sign && depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// The characters that stand in no quotes, with their places; quotes are left out.
fn outside_texts(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut quote = None;
    text.char_indices().filter(move |(_, c)| match quote {
        Some(open) => {
            quote = quote.filter(|_| *c != open);
            false
        }
        None => {
            quote = Some(*c).filter(|c| matches!(c, '"' | '\''));
            quote.is_none()
        }
    })
}
