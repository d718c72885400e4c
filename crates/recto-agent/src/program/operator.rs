//! What operators make of two values.

use std::cmp::Ordering;

use super::builtin::set;
use super::machine::{ELEMENTS, Machine, too_large};
use super::value::{Result, Stop, Value};

/// Whether a comparison holds.
pub(super) fn compare(machine: &mut Machine<'_>, a: &Value, sign: &str, b: &Value) -> Result<bool> {
    let ordered = |wanted: fn(Ordering) -> bool| match a.compared(b) {
        Some(order) => Ok(wanted(order)),
        None if matches!((a.as_float(), b.as_float()), (Ok(_), Ok(_))) => Ok(false),
        None => Err(Stop::Fault(format!("TypeError: {} and {} have no order", a.kind(), b.kind()))),
    };
    match sign {
        "==" => Ok(a.equals(b)),
        "!=" => Ok(!a.equals(b)),
        "is" => Ok(a.equals(b)),
        "is not" => Ok(!a.equals(b)),
        "<" => ordered(Ordering::is_lt),
        "<=" => ordered(Ordering::is_le),
        ">" => ordered(Ordering::is_gt),
        ">=" => ordered(Ordering::is_ge),
        _ => {
            let held = holds(machine, b, a)?;
            Ok(if sign == "in" { held } else { !held })
        }
    }
}

fn holds(machine: &mut Machine<'_>, of: &Value, item: &Value) -> Result<bool> {
    match of {
        Value::Text(text) => {
            machine.step(text.text.len() as u64 / 256)?;
            Ok(text.text.contains(item.as_text()?))
        }
        Value::Dict(dict) => Ok(dict.get(item)?.is_some()),
        Value::List(list) => {
            machine.step(list.items.borrow().len() as u64)?;
            Ok(list.items.borrow().iter().any(|held| held.equals(item)))
        }
        other => Err(format!("TypeError: nothing can be in a {}", other.kind()).into()),
    }
}

/// What an operator makes of two values.
pub(super) fn binary(machine: &mut Machine<'_>, a: &Value, sign: &str, b: &Value) -> Result<Value> {
    match (a, sign, b) {
        (Value::Text(x), "+", Value::Text(y)) => {
            machine.step((x.text.len() + y.text.len()) as u64 / 256)?;
            Value::text(&machine.meter, format!("{}{}", x.text, y.text))
        }
        (Value::List(x), "+", Value::List(y)) if x.is_tuple == y.is_tuple => {
            let mut items = x.items.borrow().clone();
            items.extend(y.items.borrow().iter().cloned());
            machine.step(items.len() as u64 / 16)?;
            Value::sequence(&machine.meter, items, x.is_tuple)
        }
        (Value::Text(_) | Value::List(_), "*", Value::Int(n)) => repeated(machine, a, *n),
        (Value::Int(n), "*", Value::Text(_) | Value::List(_)) => repeated(machine, b, *n),
        (Value::Text(_), "%", _) => Err("% does not put values into texts here: use an f-string".into()),
        (Value::Dict(x), "|" | "&" | "-" | "^", Value::Dict(y)) if x.is_set && y.is_set => {
            let mut kept = Vec::new();
            for key in x.keys() {
                let both = y.get(&key)?.is_some();
                kept.extend(matches!((sign, both), ("|", _) | ("&", true) | ("-" | "^", false)).then_some(key));
            }
            for key in y.keys() {
                let both = x.get(&key)?.is_some();
                kept.extend(matches!((sign, both), ("|" | "^", false)).then_some(key));
            }
            machine.step(kept.len() as u64)?;
            set(machine, kept)
        }
        (Value::Int(x), _, Value::Int(y)) if sign != "/" => whole(*x, sign, *y),
        (Value::Bool(_), _, Value::Int(_) | Value::Bool(_)) | (Value::Int(_), _, Value::Bool(_)) if sign != "/" => {
            whole(a.as_int()?, sign, b.as_int()?)
        }
        _ => {
            let fault = |_| Stop::Fault(format!("TypeError: {} {sign} {} makes no sense", a.kind(), b.kind()));
            floats(a.as_float().map_err(fault)?, sign, b.as_float().map_err(fault)?)
        }
    }
}

fn repeated(machine: &mut Machine<'_>, value: &Value, n: i64) -> Result<Value> {
    let n = usize::try_from(n.max(0)).map_err(|_| too_large())?;
    let too_long = || Stop::Limit("the value is too long".into());
    match value {
        Value::Text(text) => {
            let length = text.text.len().checked_mul(n).filter(|length| *length <= 64 << 20).ok_or_else(too_long)?;
            machine.step(length as u64 / 256)?;
            Value::text(&machine.meter, text.text.repeat(n))
        }
        Value::List(list) => {
            let items = list.items.borrow().clone();
            let length = items.len().checked_mul(n).filter(|length| *length <= ELEMENTS).ok_or_else(too_long)?;
            machine.step(length as u64)?;
            let all = items.iter().cycle().take(length).cloned().collect();
            Value::sequence(&machine.meter, all, list.is_tuple)
        }
        other => Err(format!("TypeError: a {} can't be repeated", other.kind()).into()),
    }
}

fn whole(a: i64, sign: &str, b: i64) -> Result<Value> {
    let divisor = || if b == 0 { Err(Stop::Fault("ZeroDivisionError: division by zero".into())) } else { Ok(b) };
    let value = match sign {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "//" => a.checked_div_euclid(divisor()?).map(|q| if b < 0 && a.rem_euclid(b) != 0 { q - 1 } else { q }),
        "%" => a.checked_rem(divisor()?).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }),
        "**" if b < 0 => return floats(a as f64, sign, b as f64),
        "**" => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        "|" => Some(a | b),
        "&" => Some(a & b),
        "^" => Some(a ^ b),
        _ => return Err(format!("{sign} is not known").into()),
    };
    value.map(Value::Int).ok_or_else(too_large)
}

fn floats(a: f64, sign: &str, b: f64) -> Result<Value> {
    if matches!(sign, "/" | "//" | "%") && b == 0.0 {
        return Err("ZeroDivisionError: division by zero".into());
    }
    Ok(Value::Float(match sign {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "//" => (a / b).floor(),
        "%" => a - b * (a / b).floor(),
        "**" => a.powf(b),
        _ => return Err(format!("TypeError: {sign} takes no float").into()),
    }))
}
