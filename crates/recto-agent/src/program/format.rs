//! Values in the forms of f-strings: `{x:>10}`, `{x:,.2f}`, `{x:.1%}`.

use super::value::{Result, Value};

/// The widest form.
const WIDEST: usize = 1_000;

/// A value in a form; as `str()` writes it if that is empty.
pub(super) fn value(value: &Value, form: &str) -> Result<String> {
    if form.is_empty() {
        return Ok(value.told());
    }
    let bad = || format!("ValueError: {form:?} is no form that is known");
    let chars: Vec<char> = form.chars().collect();
    let is_side = |at: usize| chars.get(at).is_some_and(|c| matches!(c, '<' | '>' | '^'));
    let (fill, side, mut at) = match (is_side(1), is_side(0)) {
        (true, _) => (chars.first().copied().unwrap_or(' '), chars.get(1).copied(), 2),
        (_, true) => (' ', chars.first().copied(), 1),
        _ => (' ', None, 0),
    };
    let plus = chars.get(at) == Some(&'+');
    at += usize::from(plus);
    let zero = chars.get(at) == Some(&'0');
    at += usize::from(zero);
    let (width, after) = number(&chars, at);
    at = after;
    let commas = matches!(chars.get(at), Some(',' | '_')).then(|| chars.get(at).copied().unwrap_or(','));
    at += usize::from(commas.is_some());
    let mut places = None;
    if chars.get(at) == Some(&'.') {
        let (read, after) = number(&chars, at + 1);
        places = Some(read.ok_or_else(bad)?);
        at = after;
    }
    let kind = chars.get(at).copied();
    if chars.len() > at + 1 || width.is_some_and(|width| width > WIDEST) || places.is_some_and(|places| places > 100) {
        return Err(bad().into());
    }
    let mut text = body(value, kind, places).map_err(|known| {
        if known {
            bad().into()
        } else {
            super::value::Stop::Fault(format!("TypeError: a {} has no such form", value.kind()))
        }
    })?;
    if let Some(comma) = commas {
        text = grouped(&text, comma);
    }
    if plus && !text.starts_with('-') {
        text.insert(0, '+');
    }
    let numeric = !matches!(value, Value::Text(_));
    let (fill, side) = if zero && side.is_none() { ('0', Some('=')) } else { (fill, side) };
    Ok(padded(text, width.unwrap_or(0), fill, side.unwrap_or(if numeric { '>' } else { '<' })))
}

fn number(chars: &[char], at: usize) -> (Option<usize>, usize) {
    let digits: String = chars.iter().skip(at).take_while(|c| c.is_ascii_digit()).take(6).collect();
    (digits.parse().ok(), at + digits.len())
}

/// The value without width; the error says whether the form is at fault.
fn body(value: &Value, kind: Option<char>, places: Option<usize>) -> std::result::Result<String, bool> {
    let float = || value.as_float().map_err(|_| false);
    Ok(match (kind, value) {
        (Some('d' | 'n'), _) => value.as_int().map_err(|_| false)?.to_string(),
        (Some('f' | 'F'), _) => format!("{:.*}", places.unwrap_or(6), float()?),
        (Some('%'), _) => format!("{:.*}%", places.unwrap_or(6), float()? * 100.0),
        (Some('e'), _) => format!("{:.*e}", places.unwrap_or(6), float()?),
        (Some('g'), _) | (None, Value::Float(_)) if places.is_some() => {
            let value = float()?;
            let digits = places.unwrap_or(6).max(1) as i32;
            let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
            let text = format!("{value:.*}", usize::try_from(digits - 1 - magnitude).unwrap_or(0));
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
        }
        (Some('s') | None, _) => {
            let text = value.told();
            match (places, value) {
                (Some(most), Value::Text(_)) => text.chars().take(most).collect(),
                _ => text,
            }
        }
        (Some('g'), _) => float()?.to_string(),
        (Some('x'), _) => format!("{:x}", value.as_int().map_err(|_| false)?),
        (Some('b'), _) => format!("{:b}", value.as_int().map_err(|_| false)?),
        _ => return Err(true),
    })
}

/// Digits in groups of three.
fn grouped(text: &str, comma: char) -> String {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let (sign, rest) = text.split_at(start);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (whole, part) = rest.split_at(end);
    let mut out = sign.to_owned();
    for (at, c) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(comma);
        }
        out.push(c);
    }
    out + part
}

fn padded(text: String, width: usize, fill: char, side: char) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let some = |n: usize| fill.to_string().repeat(n);
    match side {
        '<' => text + &some(missing),
        '^' => some(missing / 2) + &text + &some(missing - missing / 2),
        '=' => {
            let (sign, digits) = text.split_at(usize::from(text.starts_with(['-', '+'])));
            format!("{sign}{}{digits}", some(missing))
        }
        _ => some(missing) + &text,
    }
}
