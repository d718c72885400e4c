//! `re`: patterns, without those that look around or back, so that each takes time in proportion to the text.

use std::rc::Rc;

use regex::{Captures, Regex, RegexBuilder};

use super::builtin::Given;
use super::machine::Machine;
use super::value::{LONGEST_TEXT, Match, Meter, Result, Stop, Value, too_long};

pub(super) const IGNORE_CASE: i64 = 2;
pub(super) const MULTI_LINE: i64 = 8;
pub(super) const DOT_ALL: i64 = 16;
pub(super) const VERBOSE: i64 = 64;

/// So many matches are given.
const MATCHES: usize = 100_000;

/// A pattern with the flags of `re`.
pub(super) fn compiled(pattern: &str, flags: i64) -> Result<Regex> {
    let has = |flag: i64| flags & flag != 0;
    let built = RegexBuilder::new(pattern)
        .case_insensitive(has(IGNORE_CASE))
        .multi_line(has(MULTI_LINE))
        .dot_matches_new_line(has(DOT_ALL))
        .ignore_whitespace(has(VERBOSE))
        .size_limit(1 << 20)
        .build();
    built.map_err(|error| {
        let why = error.to_string();
        let last = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        Stop::Fault(format!("re.error: {pattern:?}: {last} (patterns can't look around or back)"))
    })
}

/// Calls a function of `re`.
pub(super) fn call(machine: &mut Machine<'_>, name: &str, given: &Given) -> Result<Value> {
    if name == "escape" {
        let text = regex::escape(given.needed(0, "text")?.as_text()?);
        return Value::text(&machine.meter, text);
    }
    if name == "compile" {
        return Err(
            "re.compile is not there: give the pattern to re.search, re.findall, re.finditer, re.sub or re.split"
                .into(),
        );
    }
    let pattern = given.needed(0, "pattern")?.as_text()?;
    let (text_at, flags_at) = if matches!(name, "sub") { (2, 4) } else { (1, if name == "split" { 3 } else { 2 }) };
    let flags = given.at(flags_at, "flags").map_or(Ok(0), Value::as_int)?;
    let anchored = match name {
        "match" => format!("^(?:{pattern})"),
        "fullmatch" => format!("^(?:{pattern})$"),
        _ => pattern.to_owned(),
    };
    let regex = compiled(&anchored, if name == "match" || name == "fullmatch" { flags & !MULTI_LINE } else { flags })?;
    let value = given.needed(text_at, "string")?;
    let text = value.as_text()?;
    machine.step(text.len() as u64 / 32)?;
    machine.check_time()?;
    let meter = Rc::clone(&machine.meter);
    match name {
        "search" | "match" | "fullmatch" => {
            regex.captures(text).map_or(Ok(Value::None), |captures| found(&meter, &regex, text, &captures))
        }
        "finditer" => {
            let all = regex.captures_iter(text).take(MATCHES).map(|captures| found(&meter, &regex, text, &captures));
            let all = all.collect::<Result<Vec<_>>>()?;
            Value::list(&meter, all)
        }
        "findall" => find_all(machine, &regex, text),
        "split" => {
            let parts =
                regex.split(text).take(MATCHES).map(|part| Value::text(&meter, part)).collect::<Result<Vec<_>>>()?;
            machine.step(parts.len() as u64)?;
            Value::list(&meter, parts)
        }
        "sub" => substituted(machine, &regex, given.needed(1, "repl")?.clone(), text),
        _ => Err(format!("AttributeError: re has no {name:?}").into()),
    }
}

fn found(meter: &Rc<Meter>, regex: &Regex, text: &str, captures: &Captures<'_>) -> Result<Value> {
    let chars = |bytes: usize| text.get(..bytes).unwrap_or_default().chars().count();
    let group = |group: Option<regex::Match<'_>>| match group {
        Some(group) => Ok(Some((Value::text(meter, group.as_str())?, chars(group.start()), chars(group.end())))),
        None => Ok(None),
    };
    let groups = captures.iter().map(group).collect::<Result<Vec<_>>>()?;
    Match::value(meter, groups, regex.capture_names().map(|name| name.map(str::to_owned)).collect())
}

/// The matches; where there are groups, those.
fn find_all(machine: &mut Machine<'_>, regex: &Regex, text: &str) -> Result<Value> {
    let meter = Rc::clone(&machine.meter);
    let one = |captures: Captures<'_>| {
        let texts = |from: usize| {
            let groups =
                captures.iter().skip(from).map(|group| Value::text(&meter, group.map_or("", |group| group.as_str())));
            groups.collect::<Result<Vec<_>>>()
        };
        let mut groups = texts(usize::from(captures.len() > 1))?;
        match groups.len() {
            1 => Ok(groups.pop().unwrap_or(Value::None)),
            _ => Value::tuple(&meter, groups),
        }
    };
    let all = regex.captures_iter(text).take(MATCHES).map(one).collect::<Result<Vec<_>>>()?;
    machine.step(all.len() as u64)?;
    Value::list(&meter, all)
}

fn substituted(machine: &mut Machine<'_>, regex: &Regex, by: Value, text: &str) -> Result<Value> {
    let mut out = String::new();
    let mut last = 0;
    for captures in regex.captures_iter(text) {
        machine.step(1)?;
        let Some(whole) = captures.get(0) else { continue };
        out.push_str(text.get(last..whole.start()).unwrap_or_default());
        last = whole.end();
        match &by {
            Value::Text(form) => out.push_str(&filled(&form.text, &captures)),
            function => {
                let found = found(&machine.meter, regex, text, &captures)?;
                out.push_str(machine.call(function, vec![found], Vec::new())?.as_text()?);
            }
        }
        if out.len() > LONGEST_TEXT {
            return Err(too_long());
        }
    }
    out.push_str(text.get(last..).unwrap_or_default());
    Value::text(&machine.meter, out)
}

/// `\1` stands for a group.
fn filled(form: &str, captures: &Captures<'_>) -> String {
    let mut out = String::new();
    let mut chars = form.chars();
    // What is longer than any text may be is refused where it is put in.
    while let Some(c) = chars.next().filter(|_| out.len() <= LONGEST_TEXT) {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some(d) if d.is_ascii_digit() => {
                    let group = captures.get(d.to_digit(10).unwrap_or(0) as usize);
                    out.push_str(group.map_or("", |group| group.as_str()));
                }
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            (c, false) => out.push(c),
        }
    }
    out
}
