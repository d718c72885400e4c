//! Methods of texts.

use std::rc::Rc;

use super::{from_end, unknown};
use crate::program::builtin::Given;
use crate::program::format;
use crate::program::machine::Machine;
use crate::program::value::{Result, Stop, Text, Value};

pub(super) fn call(machine: &mut Machine<'_>, text: &Text, name: &str, given: &Given) -> Result<Value> {
    let meter = Rc::clone(&machine.meter);
    machine.step(text.text.len() as u64 / 256)?;
    let it = text.text.as_str();
    let new = |text: String| Value::text(&meter, text);
    let argument = |at: usize| given.values.get(at).map(Value::as_text).transpose();
    let any = |test: &dyn Fn(&str) -> bool| match given.values.first() {
        Some(Value::List(list)) => {
            let tests = list.items.borrow().iter().map(|one| one.as_text().map(test)).collect::<Result<Vec<_>>>()?;
            Ok(Value::Bool(tests.into_iter().any(|fits| fits)))
        }
        Some(one) => one.as_text().map(|one| Value::Bool(test(one))),
        None => Err(Stop::Fault(format!("TypeError: {name}() needs a text"))),
    };
    let every = |test: fn(char) -> bool| Ok(Value::Bool(!it.is_empty() && it.chars().all(test)));
    match name {
        "lower" | "casefold" => new(it.to_lowercase()),
        "upper" => new(it.to_uppercase()),
        "title" | "capitalize" => new(capitals(it, name == "title")),
        "strip" | "lstrip" | "rstrip" => new(stripped(it, name, argument(0)?).to_owned()),
        "startswith" => any(&|start| it.starts_with(start)),
        "endswith" => any(&|end| it.ends_with(end)),
        "isdigit" | "isnumeric" | "isdecimal" => every(char::is_numeric),
        "isalpha" => every(char::is_alphabetic),
        "isalnum" => every(char::is_alphanumeric),
        "isspace" => every(char::is_whitespace),
        "isupper" => Ok(Value::Bool(it.chars().any(char::is_uppercase) && !it.chars().any(char::is_lowercase))),
        "islower" => Ok(Value::Bool(it.chars().any(char::is_lowercase) && !it.chars().any(char::is_uppercase))),
        "replace" => {
            let (from, to) = (given.needed(0, "old")?.as_text()?, given.needed(1, "new")?.as_text()?);
            let most = given.values.get(2).map(Value::as_int).transpose()?.and_then(|n| usize::try_from(n).ok());
            // A longer text could come of it than there is room for.
            let grows = to.len().saturating_sub(from.len()).saturating_mul(it.len() / from.len().max(1) + 1);
            if grows > 64 << 20 {
                return Err(Stop::Limit("the text is too long".into()));
            }
            new(it.replacen(from, to, most.unwrap_or(usize::MAX)))
        }
        "split" | "rsplit" | "splitlines" | "partition" | "rpartition" => split(machine, it, name, given),
        "join" => {
            let items = machine.items(given.needed(0, "values")?)?;
            let texts = items.iter().map(Value::as_text).collect::<Result<Vec<_>>>()?;
            new(texts.join(it))
        }
        "find" | "rfind" | "index" | "rindex" | "count" => place(text, name, given),
        "format" => Err("format() is not there: use an f-string".into()),
        "zfill" | "ljust" | "rjust" | "center" => {
            let side = match name {
                "ljust" => "<",
                "center" => "^",
                _ => ">",
            };
            let fill = if name == "zfill" { "0" } else { "" };
            let width = given.needed(0, "width")?.as_int()?;
            new(format::value(&new(it.to_owned())?, &format!("{fill}{side}{width}"))?)
        }
        "removeprefix" => new(it.strip_prefix(argument(0)?.unwrap_or_default()).unwrap_or(it).to_owned()),
        "removesuffix" => new(it.strip_suffix(argument(0)?.unwrap_or_default()).unwrap_or(it).to_owned()),
        _ => Err(unknown("str", name)),
    }
}

fn capitals(text: &str, each: bool) -> String {
    let mut begins = true;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if begins && c.is_alphabetic() {
            out.extend(c.to_uppercase());
            begins = false;
        } else {
            out.extend(c.to_lowercase());
        }
        if each && !c.is_alphabetic() {
            begins = true;
        }
    }
    out
}

fn stripped<'t>(text: &'t str, name: &str, chars: Option<&str>) -> &'t str {
    let gone = |c: char| chars.map_or(c.is_whitespace(), |chars| chars.contains(c));
    let text = if name == "rstrip" { text } else { text.trim_start_matches(gone) };
    if name == "lstrip" { text } else { text.trim_end_matches(gone) }
}

fn split(machine: &mut Machine<'_>, text: &str, name: &str, given: &Given) -> Result<Value> {
    let meter = Rc::clone(&machine.meter);
    let sign = given.at(0, "sep").map(Value::as_text).transpose()?;
    let most = given.at(1, "maxsplit").map(Value::as_int).transpose()?.and_then(|n| usize::try_from(n).ok());
    let most = most.map_or(usize::MAX, |most| most.saturating_add(1));
    if sign == Some("") {
        return Err("ValueError: the separator is empty".into());
    }
    let parts: Vec<&str> = match (name, sign) {
        ("splitlines", _) => text.lines().collect(),
        ("partition", Some(sign)) => text.split_once(sign).map_or(vec![text, "", ""], |(a, b)| vec![a, sign, b]),
        ("rpartition", Some(sign)) => text.rsplit_once(sign).map_or(vec!["", "", text], |(a, b)| vec![a, sign, b]),
        ("rsplit", Some(sign)) => {
            let mut parts: Vec<&str> = text.rsplitn(most, sign).collect();
            parts.reverse();
            parts
        }
        (_, Some(sign)) => text.splitn(most, sign).collect(),
        (_, None) => text.split_whitespace().collect(),
    };
    machine.step(parts.len() as u64)?;
    let parts = parts.into_iter().map(|part| Value::text(&meter, part)).collect::<Result<Vec<_>>>()?;
    if name.ends_with("partition") { Value::tuple(&meter, parts) } else { Value::list(&meter, parts) }
}

/// Places are counted in characters.
fn place(text: &Text, name: &str, given: &Given) -> Result<Value> {
    let wanted = given.needed(0, "text")?.as_text()?;
    let (it, chars) = (text.text.as_str(), |bytes: usize| {
        if text.ascii { bytes } else { text.text.get(..bytes).unwrap_or_default().chars().count() }
    });
    let byte = |at: usize| {
        if text.ascii { at.min(it.len()) } else { it.char_indices().nth(at).map_or(it.len(), |(byte, _)| byte) }
    };
    let length = chars(it.len());
    let bound = |at: usize, default: usize| -> Result<usize> {
        let Some(value) = given.values.get(at).filter(|value| !matches!(value, Value::None)) else {
            return Ok(default);
        };
        Ok(from_end(value.as_int()?, length).clamp(0, length as i64) as usize)
    };
    let (start, end) = (byte(bound(1, 0)?), byte(bound(2, length)?));
    let part = it.get(start..end.max(start)).unwrap_or_default();
    if name == "count" {
        return Ok(Value::Int(if wanted.is_empty() {
            part.chars().count() as i64 + 1
        } else {
            part.matches(wanted).count() as i64
        }));
    }
    let found = if name.starts_with('r') { part.rfind(wanted) } else { part.find(wanted) };
    match found {
        Some(at) => Ok(Value::Int(chars(start + at) as i64)),
        None if name.ends_with("index") => Err("ValueError: the text is not there".into()),
        None => Ok(Value::Int(-1)),
    }
}
