//! What is there from the beginning: functions and modules.

use std::cmp::Ordering;

use super::machine::{ELEMENTS, Machine, too_large};
use super::operator::binary;
use super::value::{Result, Stop, Value};
use super::{corpus, pattern};

const FUNCTIONS: [&str; 44] = [
    "print",
    "len",
    "range",
    "str",
    "int",
    "float",
    "bool",
    "list",
    "tuple",
    "dict",
    "set",
    "sorted",
    "reversed",
    "enumerate",
    "zip",
    "map",
    "filter",
    "sum",
    "min",
    "max",
    "any",
    "all",
    "abs",
    "round",
    "type",
    "isinstance",
    "repr",
    "ord",
    "chr",
    "Counter",
    "defaultdict",
    "files",
    "page",
    "document",
    "grep",
    "search",
    "llm",
    "Exception",
    "ValueError",
    "KeyError",
    "divmod",
    "pow",
    "next",
    "iter",
];
const MODULES: [&str; 4] = ["re", "math", "json", "collections"];

type Named = Vec<(String, Value)>;

/// What a name stands for that the program has not given a value.
pub(super) fn named(name: &str) -> Option<Value> {
    let function = FUNCTIONS.into_iter().find(|known| *known == name).map(Value::Builtin);
    function.or_else(|| MODULES.into_iter().find(|known| *known == name).map(Value::Module))
}

/// A member that is not called at once: a function of a module, or a method.
pub(super) fn member(of: &Value, name: &str) -> Result<Value> {
    match (of, name) {
        (_, hidden) if hidden.starts_with('_') => Err(format!("AttributeError: {} has no {name:?}", of.kind()).into()),
        (Value::Module("math"), "pi") => Ok(Value::Float(std::f64::consts::PI)),
        (Value::Module("math"), "e") => Ok(Value::Float(std::f64::consts::E)),
        (Value::Module("math"), "inf") => Ok(Value::Float(f64::INFINITY)),
        (Value::Module("re"), "I" | "IGNORECASE") => Ok(Value::Int(pattern::IGNORE_CASE)),
        (Value::Module("re"), "S" | "DOTALL") => Ok(Value::Int(pattern::DOT_ALL)),
        (Value::Module("re"), "M" | "MULTILINE") => Ok(Value::Int(pattern::MULTI_LINE)),
        (Value::Module("re"), "X" | "VERBOSE") => Ok(Value::Int(pattern::VERBOSE)),
        (Value::Module("collections"), "Counter") => Ok(Value::Builtin("Counter")),
        (Value::Module("collections"), "defaultdict") => Ok(Value::Builtin("defaultdict")),
        _ => Ok(Value::Bound(std::rc::Rc::new((of.clone(), name.to_owned())))),
    }
}

/// What is given to a function, by place or by name.
pub(super) struct Given {
    pub(super) values: Vec<Value>,
    pub(super) named: Named,
}

impl Given {
    pub(super) fn at(&self, at: usize, name: &str) -> Option<&Value> {
        let named = || self.named.iter().find(|(given, _)| given == name).map(|(_, value)| value);
        self.values.get(at).or_else(named).filter(|value| !matches!(value, Value::None))
    }

    pub(super) fn needed(&self, at: usize, name: &str) -> Result<&Value> {
        self.at(at, name).ok_or_else(|| format!("TypeError: {name:?} is missing").into())
    }
}

/// Calls a function that is there from the beginning.
pub(super) fn call(machine: &mut Machine<'_>, name: &str, values: Vec<Value>, named: Named) -> Result<Value> {
    let given = Given { values, named };
    match name {
        "print" => print(machine, &given),
        "len" => length(given.needed(0, "value")?),
        "range" => range(machine, &given),
        "str" | "repr" | "int" | "float" | "bool" | "type" | "ord" | "chr" => convert(machine, name, &given),
        "list" | "tuple" | "set" | "dict" | "Counter" | "defaultdict" => collection(machine, name, &given),
        "sorted" | "reversed" | "enumerate" | "zip" | "map" | "filter" | "iter" => over_items(machine, name, &given),
        "sum" | "min" | "max" | "any" | "all" => reduce(machine, name, &given),
        "abs" | "round" | "divmod" | "pow" => arithmetic(machine, name, &given),
        "next" => {
            let items = machine.items(given.needed(0, "values")?)?;
            let first = items.into_iter().next().or_else(|| given.values.get(1).cloned());
            first.ok_or_else(|| "StopIteration".into())
        }
        "isinstance" => is_instance(machine, &given),
        "Exception" | "ValueError" | "KeyError" => Ok(given.values.first().cloned().unwrap_or(Value::None)),
        _ => corpus::call(machine, name, &given),
    }
}

fn print(machine: &mut Machine<'_>, given: &Given) -> Result<Value> {
    let text = |name: &str, default: &str| match given.named.iter().find(|(given, _)| given == name) {
        Some((_, value)) => value.told(),
        None => default.to_owned(),
    };
    let told: Vec<String> = given.values.iter().map(Value::told).collect();
    let line = told.join(&text("sep", " ")) + &text("end", "\n");
    machine.step(line.len() as u64 / 64)?;
    machine.print(&line);
    Ok(Value::None)
}

fn length(value: &Value) -> Result<Value> {
    let n = match value {
        Value::Text(text) if text.ascii => text.text.len(),
        Value::Text(text) => text.text.chars().count(),
        Value::List(list) => list.items.borrow().len(),
        Value::Dict(dict) => dict.len(),
        other => return Err(format!("TypeError: a {} has no length", other.kind()).into()),
    };
    Ok(Value::Int(i64::try_from(n).map_err(|_| too_large())?))
}

fn range(machine: &mut Machine<'_>, given: &Given) -> Result<Value> {
    let bounds = given.values.iter().map(Value::as_int).collect::<Result<Vec<_>>>()?;
    let (start, stop, step) = match bounds.as_slice() {
        [stop] => (0, *stop, 1),
        [start, stop] => (*start, *stop, 1),
        [start, stop, step] => (*start, *stop, *step),
        _ => return Err("TypeError: range() takes one to three numbers".into()),
    };
    if step == 0 {
        return Err("ValueError: the step of a range is 0".into());
    }
    let distance = if step > 0 { stop.saturating_sub(start) } else { start.saturating_sub(stop) };
    let n = distance.max(0).unsigned_abs().div_ceil(step.unsigned_abs());
    if n > ELEMENTS as u64 {
        return Err(Stop::Limit("the range is too long".into()));
    }
    machine.step(n / 8)?;
    let items = (0..n as i64).map(|at| Value::Int(start + at * step)).collect();
    Value::list(&machine.meter, items)
}

fn convert(machine: &mut Machine<'_>, name: &str, given: &Given) -> Result<Value> {
    let value = given.values.first().cloned();
    let needed = || given.needed(0, "value");
    let bad = |text: &str| -> Stop { format!("ValueError: {text:?} is no {name}").into() };
    match name {
        "str" => Value::text(&machine.meter, value.map_or_else(String::new, |value| value.told())),
        "repr" => Value::text(&machine.meter, needed()?.repr()),
        "type" => Value::text(&machine.meter, needed()?.kind()),
        "bool" => Ok(Value::Bool(value.is_some_and(|value| value.is_true()))),
        "int" => match value {
            Some(Value::Text(text)) => {
                let digits: String = text.text.trim().chars().filter(|c| *c != '_').collect();
                digits.parse().map(Value::Int).map_err(|_| bad(&text.text))
            }
            Some(value) => {
                let float = value.as_float()?.trunc();
                if let Value::Int(_) = value {
                    return Ok(value);
                }
                if float.abs() < 9e15 { Ok(Value::Int(float as i64)) } else { Err(too_large()) }
            }
            None => Ok(Value::Int(0)),
        },
        "float" => match value {
            Some(Value::Text(text)) => text.text.trim().parse().map(Value::Float).map_err(|_| bad(&text.text)),
            Some(value) => value.as_float().map(Value::Float),
            None => Ok(Value::Float(0.0)),
        },
        "ord" => {
            let mut chars = needed()?.as_text()?.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => Ok(Value::Int(u32::from(c).into())),
                _ => Err("TypeError: ord() takes one character".into()),
            }
        }
        _ => {
            let c = u32::try_from(needed()?.as_int()?).ok().and_then(char::from_u32);
            Value::text(&machine.meter, c.ok_or("ValueError: there is no such character")?)
        }
    }
}

/// A set of these, each once.
pub(super) fn set(machine: &mut Machine<'_>, items: Vec<Value>) -> Result<Value> {
    let set = Value::dict(&machine.meter, true, None)?;
    items.into_iter().try_for_each(|item| set.set(item, Value::None))?;
    Ok(Value::Dict(set))
}

fn collection(machine: &mut Machine<'_>, name: &str, given: &Given) -> Result<Value> {
    if name == "defaultdict" {
        return Ok(Value::Dict(Value::dict(&machine.meter, false, given.values.first().cloned())?));
    }
    let items = match given.values.first() {
        Some(Value::Dict(dict)) if name == "dict" && !dict.is_set => dict
            .entries()
            .into_iter()
            .map(|(key, value)| Value::tuple(&machine.meter, vec![key, value]))
            .collect::<Result<_>>()?,
        Some(value) => machine.items(value)?,
        None => Vec::new(),
    };
    match name {
        "list" => Value::list(&machine.meter, items),
        "tuple" => Value::tuple(&machine.meter, items),
        "set" => set(machine, items),
        "Counter" => {
            let counts = Value::dict(&machine.meter, false, Some(Value::Builtin("int")))?;
            for item in items {
                let n = counts.get(&item)?.map_or(Ok(0), |n| n.as_int())?;
                counts.set(item, Value::Int(n + 1))?;
            }
            Ok(Value::Dict(counts))
        }
        _ => {
            let dict = Value::dict(&machine.meter, false, None)?;
            for item in items {
                match machine.items(&item)?.as_slice() {
                    [key, value] => dict.set(key.clone(), value.clone())?,
                    _ => return Err("ValueError: dict() takes pairs".into()),
                }
            }
            for (name, value) in &given.named {
                dict.set(Value::text(&machine.meter, name.as_str())?, value.clone())?;
            }
            Ok(Value::Dict(dict))
        }
    }
}

fn over_items(machine: &mut Machine<'_>, name: &str, given: &Given) -> Result<Value> {
    let missing = || Stop::Fault(format!("TypeError: {name}() needs something to go over"));
    let first = given.values.first().cloned().ok_or_else(missing)?;
    let items = match name {
        "map" | "filter" => Vec::new(),
        _ => machine.items(&first)?,
    };
    let items = match name {
        "sorted" => sorted(machine, items, given)?,
        "reversed" => items.into_iter().rev().collect(),
        "enumerate" => {
            let start = given.at(1, "start").map_or(Ok(0), Value::as_int)?;
            let pair = |(at, item): (i64, Value)| Value::tuple(&machine.meter, vec![Value::Int(at), item]);
            (start..).zip(items).map(pair).collect::<Result<_>>()?
        }
        "zip" => {
            let mut all = vec![items];
            for value in given.values.iter().skip(1) {
                all.push(machine.items(value)?);
            }
            let n = all.iter().map(Vec::len).min().unwrap_or(0);
            let row = |at: usize| {
                Value::tuple(&machine.meter, all.iter().filter_map(|items| items.get(at).cloned()).collect())
            };
            (0..n).map(row).collect::<Result<_>>()?
        }
        "map" | "filter" => {
            let mut kept = Vec::new();
            for item in machine.items(given.needed(1, "values")?)? {
                let value = match first {
                    Value::None => item.clone(),
                    _ => machine.call(&first, vec![item.clone()], Vec::new())?,
                };
                match name {
                    "map" => kept.push(value),
                    _ => kept.extend(value.is_true().then_some(item)),
                }
            }
            kept
        }
        _ => items,
    };
    Value::list(&machine.meter, items)
}

/// In order, by `key` and `reverse` if they are given.
pub(super) fn sorted(machine: &mut Machine<'_>, items: Vec<Value>, given: &Given) -> Result<Vec<Value>> {
    let named = |name: &str| given.named.iter().find(|(given, _)| given == name).map(|(_, value)| value.clone());
    let key = named("key").filter(|key| !matches!(key, Value::None));
    let reverse = named("reverse").is_some_and(|reverse| reverse.is_true());
    machine.step(items.len() as u64)?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items {
        let key =
            key.as_ref().map_or_else(|| Ok(item.clone()), |key| machine.call(key, vec![item.clone()], Vec::new()))?;
        keyed.push((key, item));
    }
    let mut unordered = None;
    keyed.sort_by(|(a, _), (b, _)| {
        let order = a.compared(b).unwrap_or_else(|| {
            unordered.get_or_insert_with(|| (a.kind(), b.kind()));
            Ordering::Equal
        });
        if reverse { order.reverse() } else { order }
    });
    match unordered {
        Some((a, b)) => Err(format!("TypeError: {a} and {b} have no order").into()),
        None => Ok(keyed.into_iter().map(|(_, item)| item).collect()),
    }
}

fn reduce(machine: &mut Machine<'_>, name: &str, given: &Given) -> Result<Value> {
    let items = match (name, given.values.len()) {
        ("min" | "max", 2..) => given.values.clone(),
        _ => machine.items(given.needed(0, "values")?)?,
    };
    machine.step(items.len() as u64)?;
    match name {
        "any" => Ok(Value::Bool(items.iter().any(Value::is_true))),
        "all" => Ok(Value::Bool(items.iter().all(Value::is_true))),
        "sum" => {
            let start = given.at(1, "start").cloned().unwrap_or(Value::Int(0));
            items.iter().try_fold(start, |sum, item| binary(machine, &sum, "+", item))
        }
        _ => {
            if items.is_empty() {
                let default = given.named.iter().find(|(given, _)| given == "default").map(|(_, value)| value.clone());
                return default.ok_or_else(|| format!("ValueError: {name}() of nothing").into());
            }
            let named: Named = given.named.iter().filter(|(name, _)| name == "key").cloned().collect();
            let sorted = sorted(machine, items, &Given { values: Vec::new(), named })?;
            let found = if name == "min" { sorted.first() } else { sorted.last() };
            Ok(found.cloned().unwrap_or(Value::None))
        }
    }
}

fn arithmetic(machine: &mut Machine<'_>, name: &str, given: &Given) -> Result<Value> {
    let value = given.needed(0, "value")?.clone();
    match name {
        "abs" => match value {
            Value::Int(value) => value.checked_abs().map(Value::Int).ok_or_else(too_large),
            other => Ok(Value::Float(other.as_float()?.abs())),
        },
        "pow" => binary(machine, &value, "**", given.needed(1, "exponent")?),
        "divmod" => {
            let by = given.needed(1, "divisor")?.clone();
            let parts = vec![binary(machine, &value, "//", &by)?, binary(machine, &value, "%", &by)?];
            Value::tuple(&machine.meter, parts)
        }
        _ => {
            let places = given.at(1, "ndigits").map(Value::as_int).transpose()?;
            let float = value.as_float()?;
            match (places, &value) {
                (None, Value::Int(_)) => Ok(value),
                (None, _) if float.abs() < 9e15 => Ok(Value::Int(float.round_ties_even() as i64)),
                (None, _) => Err(too_large()),
                (Some(places), _) => {
                    let places = usize::try_from(places.clamp(0, 17)).unwrap_or(0);
                    // Digits as they are printed, so that 2.675 is rounded as Python does.
                    let rounded = format!("{float:.places$}").parse().unwrap_or(float);
                    Ok(if matches!(value, Value::Int(_)) { value } else { Value::Float(rounded) })
                }
            }
        }
    }
}

fn is_instance(machine: &mut Machine<'_>, given: &Given) -> Result<Value> {
    let (value, kinds) = (given.needed(0, "value")?, given.needed(1, "kind")?);
    let kinds = match kinds {
        Value::List(_) => machine.items(kinds)?,
        one => vec![one.clone()],
    };
    let fits = |kind: &Value| matches!(kind, Value::Builtin(name) if *name == value.kind() || *name == "int" && value.kind() == "bool");
    Ok(Value::Bool(kinds.iter().any(fits)))
}
