//! Values as Python writes them.

use std::fmt::Write;

use super::{DEEPEST, Value};

/// What a single value is no longer than when it is written out, in bytes.
const LONGEST: usize = 4 << 20;

impl Value {
    /// As `str()` writes it.
    pub(in crate::program) fn told(&self) -> String {
        match self {
            Self::Text(text) => text.text.clone(),
            other => other.repr(),
        }
    }

    /// As `repr()` writes it.
    pub(in crate::program) fn repr(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        if depth > DEEPEST || out.len() > LONGEST {
            out.push_str("...");
            return;
        }
        match self {
            Self::None => out.push_str("None"),
            Self::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
            Self::Int(value) => write!(out, "{value}").unwrap_or_default(),
            Self::Float(value) => out.push_str(&float(*value)),
            Self::Text(text) => quoted(&text.text, out),
            Self::List(list) => {
                let items = list.items.borrow();
                out.push(if list.is_tuple { '(' } else { '[' });
                Self::write_all(items.iter(), out, depth);
                out.push_str(match (list.is_tuple, items.len()) {
                    (true, 1) => ",)",
                    (true, _) => ")",
                    (false, _) => "]",
                });
            }
            Self::Dict(dict) if dict.is_set && dict.len() == 0 => out.push_str("set()"),
            Self::Dict(dict) => {
                out.push('{');
                for (at, (key, value)) in dict.table.borrow().entries.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    key.write(out, depth + 1);
                    if !dict.is_set {
                        out.push_str(": ");
                        value.write(out, depth + 1);
                    }
                    if out.len() > LONGEST {
                        break;
                    }
                }
                out.push('}');
            }
            Self::Function(closure) => write!(out, "<function {}>", closure.name).unwrap_or_default(),
            Self::Builtin(name) | Self::Module(name) => write!(out, "<{name}>").unwrap_or_default(),
            Self::Bound(bound) => write!(out, "<method {}>", bound.1).unwrap_or_default(),
            Self::Match(found) => {
                out.push_str("<match ");
                if let Some(Some((value, ..))) = found.groups.first() {
                    value.write(out, depth + 1);
                }
                out.push('>');
            }
        }
    }

    fn write_all<'v>(items: impl Iterator<Item = &'v Self>, out: &mut String, depth: usize) {
        for (at, item) in items.enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            item.write(out, depth + 1);
            if out.len() > LONGEST {
                return;
            }
        }
    }
}

/// As Python writes it: the shortest form, with a point.
fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e16).contains(&magnitude) {
        let text = format!("{value:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{value:?}")
}

fn quoted(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
}
