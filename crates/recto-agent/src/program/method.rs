//! What values can do: methods, places, parts.

mod text;

use super::builtin::{self, Given};
use super::machine::Machine;
use super::operator;
use super::pattern;
use super::value::{Dict, List, Match, Result, Stop, Value};

/// Calls a method of a value, or a function of a module.
pub(super) fn call(
    machine: &mut Machine<'_>,
    of: &Value,
    name: &str,
    values: Vec<Value>,
    named: Vec<(String, Value)>,
) -> Result<Value> {
    machine.step(1)?;
    let given = Given { values, named };
    match of {
        Value::Text(text) => text::call(machine, text, name, &given),
        Value::List(list) => of_list(machine, list, name, &given),
        Value::Dict(dict) if dict.is_set => of_set(machine, dict, name, &given),
        Value::Dict(dict) => of_dict(machine, dict, name, &given),
        Value::Match(found) => of_match(machine, found, name, &given),
        Value::Module("re") => pattern::call(machine, name, &given),
        Value::Module("math") => math(name, &given),
        Value::Module("json") => json(machine, name, &given),
        Value::Module(_) => builtin::call(machine, name, given.values, given.named),
        // `str.lower` and the like, given what they are a method of.
        Value::Builtin("str" | "list" | "dict" | "set") => {
            let mut values = given.values.into_iter();
            let of = values.next().ok_or("TypeError: a method of nothing")?;
            call(machine, &of, name, values.collect(), given.named)
        }
        other => Err(unknown(other.kind(), name)),
    }
}

fn unknown(kind: &str, name: &str) -> Stop {
    format!("AttributeError: {kind} has no {name:?}").into()
}

const fn from_end(at: i64, length: usize) -> i64 {
    if at < 0 { at.saturating_add(length as i64) } else { at }
}

fn of_list(machine: &mut Machine<'_>, list: &List, name: &str, given: &Given) -> Result<Value> {
    let length = list.items.borrow().len();
    machine.step(length as u64 / 16)?;
    match name {
        "append" => list.push(given.needed(0, "value").cloned().unwrap_or(Value::None)).map(|()| Value::None),
        "extend" => {
            for item in machine.items(given.needed(0, "values")?)? {
                list.push(item)?;
            }
            Ok(Value::None)
        }
        "insert" => {
            let at = from_end(given.needed(0, "index")?.as_int()?, length).clamp(0, length as i64) as usize;
            list.push(Value::None)?;
            let mut items = list.items.borrow_mut();
            items.pop();
            items.insert(at, given.values.get(1).cloned().unwrap_or(Value::None));
            Ok(Value::None)
        }
        "pop" | "remove" | "clear" | "reverse" | "sort" => change_list(machine, list, name, given),
        "index" | "count" => {
            let wanted = given.needed(0, "value")?;
            let items = list.items.borrow();
            if name == "count" {
                return Ok(Value::Int(items.iter().filter(|item| item.equals(wanted)).count() as i64));
            }
            let at = items.iter().position(|item| item.equals(wanted));
            at.map(|at| Value::Int(at as i64)).ok_or_else(|| "ValueError: the value is not in the list".into())
        }
        "copy" => {
            let items = list.items.borrow().clone();
            Value::list(&machine.meter, items)
        }
        _ => Err(unknown(if list.is_tuple { "tuple" } else { "list" }, name)),
    }
}

fn change_list(machine: &mut Machine<'_>, list: &List, name: &str, given: &Given) -> Result<Value> {
    list.changeable()?;
    let length = list.items.borrow().len();
    match name {
        "pop" => {
            let at = from_end(given.values.first().map_or(Ok(-1), Value::as_int)?, length);
            let at = usize::try_from(at).ok().filter(|at| *at < length).ok_or("IndexError: there is no such place")?;
            return Ok(list.items.borrow_mut().remove(at));
        }
        "remove" => {
            let wanted = given.needed(0, "value")?;
            let at = list.items.borrow().iter().position(|item| item.equals(wanted));
            list.items.borrow_mut().remove(at.ok_or("ValueError: the value is not in the list")?);
        }
        "clear" => list.items.borrow_mut().clear(),
        "reverse" => list.items.borrow_mut().reverse(),
        _ => {
            let items = list.items.take();
            let sorted = builtin::sorted(machine, items, given)?;
            list.items.replace(sorted);
        }
    }
    Ok(Value::None)
}

fn of_set(machine: &mut Machine<'_>, set: &std::rc::Rc<Dict>, name: &str, given: &Given) -> Result<Value> {
    let other = |machine: &mut Machine<'_>| {
        let items = machine.items(given.needed(0, "values")?)?;
        builtin::set(machine, items)
    };
    let it = Value::Dict(std::rc::Rc::clone(set));
    match name {
        "add" => set.set(given.needed(0, "value")?.clone(), Value::None).map(|()| Value::None),
        "discard" | "remove" => set.remove(given.needed(0, "value")?).map(|_| Value::None),
        "update" => {
            let items = machine.items(given.needed(0, "values")?)?;
            items.into_iter().try_for_each(|item| set.set(item, Value::None)).map(|()| Value::None)
        }
        "union" | "intersection" | "difference" => {
            let sign = match name {
                "union" => "|",
                "intersection" => "&",
                _ => "-",
            };
            let other = other(machine)?;
            operator::binary(machine, &it, sign, &other)
        }
        "issubset" => {
            let other = other(machine)?;
            let rest = operator::binary(machine, &it, "-", &other)?;
            Ok(Value::Bool(!rest.is_true()))
        }
        "copy" => builtin::set(machine, set.keys()),
        "clear" => {
            set.clear();
            Ok(Value::None)
        }
        _ => Err(unknown("set", name)),
    }
}

fn of_dict(machine: &mut Machine<'_>, dict: &Dict, name: &str, given: &Given) -> Result<Value> {
    let meter = std::rc::Rc::clone(&machine.meter);
    let pair = |(key, value): (Value, Value)| Value::tuple(&meter, vec![key, value]);
    let default = || given.values.get(1).cloned().unwrap_or(Value::None);
    machine.step(dict.len() as u64 / 16)?;
    match name {
        "get" => Ok(dict.get(given.values.first().unwrap_or(&Value::None))?.unwrap_or_else(default)),
        "keys" => Value::list(&meter, dict.keys()),
        "values" => Value::list(&meter, dict.entries().into_iter().map(|(_, value)| value).collect()),
        "items" => {
            let pairs = dict.entries().into_iter().map(pair).collect::<Result<_>>()?;
            Value::list(&meter, pairs)
        }
        "setdefault" => {
            let key = given.needed(0, "key")?.clone();
            if let Some(held) = dict.get(&key)? {
                return Ok(held);
            }
            dict.set(key, default())?;
            Ok(default())
        }
        "pop" => {
            let key = given.needed(0, "key")?;
            match (dict.remove(key)?, given.values.get(1)) {
                (Some(value), _) => Ok(value),
                (None, Some(default)) => Ok(default.clone()),
                (None, None) => Err(format!("KeyError: {}", key.repr()).into()),
            }
        }
        "update" => {
            if let Some(Value::Dict(other)) = given.values.first() {
                other.entries().into_iter().try_for_each(|(key, value)| dict.set(key, value))?;
            }
            for (name, value) in &given.named {
                dict.set(Value::text(&meter, name.as_str())?, value.clone())?;
            }
            Ok(Value::None)
        }
        "most_common" => {
            let most = given.values.first().map(Value::as_int).transpose()?.and_then(|n| usize::try_from(n).ok());
            let mut entries = dict.entries();
            entries.sort_by(|(_, a), (_, b)| b.compared(a).unwrap_or(std::cmp::Ordering::Equal));
            let pairs = entries.into_iter().take(most.unwrap_or(usize::MAX)).map(pair).collect::<Result<_>>()?;
            Value::list(&meter, pairs)
        }
        "copy" => {
            let copy = Value::dict(&meter, false, dict.default.clone())?;
            dict.entries().into_iter().try_for_each(|(key, value)| copy.set(key, value))?;
            Ok(Value::Dict(copy))
        }
        "clear" => {
            dict.clear();
            Ok(Value::None)
        }
        _ => Err(unknown("dict", name)),
    }
}

fn of_match(machine: &mut Machine<'_>, found: &Match, name: &str, given: &Given) -> Result<Value> {
    let at = match given.values.first() {
        None => 0,
        Some(Value::Text(wanted)) => {
            let at = found.names.iter().position(|name| name.as_deref() == Some(&wanted.text));
            at.ok_or_else(|| Stop::Fault(format!("IndexError: there is no group {:?}", wanted.text)))?
        }
        Some(at) => usize::try_from(at.as_int()?).unwrap_or(usize::MAX),
    };
    let group = found.groups.get(at).ok_or("IndexError: there is no such group")?;
    let number = |n: usize| Value::Int(n as i64);
    match name {
        "group" => Ok(group.as_ref().map_or(Value::None, |(value, ..)| value.clone())),
        "start" => Ok(group.as_ref().map_or(Value::Int(-1), |(_, start, _)| number(*start))),
        "end" => Ok(group.as_ref().map_or(Value::Int(-1), |(.., end)| number(*end))),
        "span" => {
            let span = group.as_ref().map_or([-1, -1], |(_, start, end)| [*start as i64, *end as i64]);
            Value::tuple(&machine.meter, span.map(Value::Int).to_vec())
        }
        "groups" => {
            let groups = found
                .groups
                .iter()
                .skip(1)
                .map(|group| group.as_ref().map_or(Value::None, |(value, ..)| value.clone()));
            Value::tuple(&machine.meter, groups.collect())
        }
        _ => Err(unknown("match", name)),
    }
}

fn math(name: &str, given: &Given) -> Result<Value> {
    let x = given.needed(0, "x")?.as_float()?;
    let whole =
        |value: f64| if value.abs() < 9e15 { Ok(Value::Int(value as i64)) } else { Err(super::machine::too_large()) };
    match name {
        "sqrt" if x >= 0.0 => Ok(Value::Float(x.sqrt())),
        "floor" => whole(x.floor()),
        "ceil" => whole(x.ceil()),
        "trunc" => whole(x.trunc()),
        "log" if x > 0.0 => match given.values.get(1) {
            Some(base) => Ok(Value::Float(x.ln() / base.as_float()?.ln())),
            None => Ok(Value::Float(x.ln())),
        },
        "log10" if x > 0.0 => Ok(Value::Float(x.log10())),
        "log2" if x > 0.0 => Ok(Value::Float(x.log2())),
        "exp" => Ok(Value::Float(x.exp())),
        "fabs" => Ok(Value::Float(x.abs())),
        "pow" => Ok(Value::Float(x.powf(given.needed(1, "y")?.as_float()?))),
        "isnan" => Ok(Value::Bool(x.is_nan())),
        "sqrt" | "log" | "log10" | "log2" => Err("ValueError: there is no such value".into()),
        _ => Err(unknown("math", name)),
    }
}

/// `json.dumps` is for looking at values; nothing is read.
fn json(machine: &mut Machine<'_>, name: &str, given: &Given) -> Result<Value> {
    match name {
        "dumps" => {
            let text = given.needed(0, "value")?.repr();
            Value::text(&machine.meter, text)
        }
        _ => Err(unknown("json", name)),
    }
}

/// `of[at]`.
pub(super) fn at(machine: &mut Machine<'_>, of: &Value, at: &Value) -> Result<Value> {
    let place = |length: usize| {
        let at = from_end(at.as_int()?, length);
        usize::try_from(at)
            .ok()
            .filter(|at| *at < length)
            .ok_or_else(|| Stop::Fault("IndexError: there is no such place".into()))
    };
    match of {
        Value::List(list) => {
            let items = list.items.borrow();
            Ok(items.get(place(items.len())?).cloned().unwrap_or(Value::None))
        }
        Value::Text(text) => {
            let length = if text.ascii { text.text.len() } else { text.text.chars().count() };
            let at = place(length)?;
            let c = if text.ascii {
                text.text.as_bytes().get(at).map(|byte| char::from(*byte))
            } else {
                text.text.chars().nth(at)
            };
            Value::text(&machine.meter, c.unwrap_or_default())
        }
        Value::Dict(dict) if !dict.is_set => match (dict.get(at)?, &dict.default) {
            (Some(value), _) => Ok(value),
            (None, Some(default)) => {
                let made = machine.call(&default.clone(), Vec::new(), Vec::new())?;
                dict.set(at.clone(), made.clone())?;
                Ok(made)
            }
            (None, None) => Err(format!("KeyError: {}", at.repr()).into()),
        },
        Value::Match(found) => {
            let given = Given { values: vec![at.clone()], named: Vec::new() };
            of_match(machine, found, "group", &given)
        }
        other => Err(format!("TypeError: a {} has no places", other.kind()).into()),
    }
}

/// `of[at] = value`.
pub(super) fn set_at(of: &Value, at: Value, value: Value) -> Result<()> {
    match of {
        Value::List(list) => {
            list.changeable()?;
            let mut items = list.items.borrow_mut();
            let place = from_end(at.as_int()?, items.len());
            let place = usize::try_from(place).ok().and_then(|at| items.get_mut(at));
            *place.ok_or("IndexError: there is no such place")? = value;
            Ok(())
        }
        Value::Dict(dict) if !dict.is_set => dict.set(at, value),
        other => Err(format!("TypeError: nothing can be put into a {}", other.kind()).into()),
    }
}

/// `del of[at]`.
pub(super) fn remove_at(of: &Value, at: &Value) -> Result<()> {
    match of {
        Value::List(list) => {
            list.changeable()?;
            let mut items = list.items.borrow_mut();
            let place = usize::try_from(from_end(at.as_int()?, items.len())).ok().filter(|at| *at < items.len());
            items.remove(place.ok_or("IndexError: there is no such place")?);
            Ok(())
        }
        Value::Dict(dict) => dict.remove(at)?.map(drop).ok_or_else(|| format!("KeyError: {}", at.repr()).into()),
        other => Err(format!("TypeError: nothing can be taken out of a {}", other.kind()).into()),
    }
}

/// `of[start:stop:step]`.
pub(super) fn slice(machine: &mut Machine<'_>, of: &Value, [start, stop, step]: [Option<i64>; 3]) -> Result<Value> {
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err("ValueError: the step of a slice is 0".into());
    }
    let length = match of {
        Value::Text(text) if text.ascii => text.text.len(),
        Value::Text(text) => text.text.chars().count(),
        Value::List(list) => list.items.borrow().len(),
        other => return Err(format!("TypeError: a {} has no parts", other.kind()).into()),
    };
    let n = length as i64;
    let bound = |at: Option<i64>, default: i64| {
        let (least, most) = if step > 0 { (0, n) } else { (-1, n - 1) };
        at.map_or(default, |at| from_end(at, length).clamp(least, most))
    };
    let (first, last) =
        if step > 0 { (bound(start, 0), bound(stop, n)) } else { (bound(start, n - 1), bound(stop, -1)) };
    machine.step((last - first).unsigned_abs() / 64)?;
    if let (Value::Text(text), 1) = (of, step) {
        let (first, count) = (first as usize, (last - first).max(0) as usize);
        let part = match text.ascii {
            true => text.text.get(first..first + count).unwrap_or_default().to_owned(),
            false => text.text.chars().skip(first).take(count).collect(),
        };
        return Value::text(&machine.meter, part);
    }
    let mut places = Vec::new();
    let mut at = first;
    while (step > 0 && at < last) || (step < 0 && at > last) {
        places.push(at as usize);
        at = at.saturating_add(step);
    }
    match of {
        Value::Text(text) => {
            let chars: Vec<char> = text.text.chars().collect();
            Value::text(&machine.meter, places.iter().filter_map(|at| chars.get(*at)).collect::<String>())
        }
        Value::List(list) => {
            let items = list.items.borrow();
            let part = places.iter().filter_map(|at| items.get(*at).cloned()).collect();
            Value::sequence(&machine.meter, part, list.is_tuple)
        }
        _ => Ok(Value::None),
    }
}
