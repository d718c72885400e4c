//! What programs look through: files, pages, all of it as one text; and the model that they can ask.

use std::rc::Rc;

use super::builtin::Given;
use super::machine::Machine;
use super::pattern::{self, IGNORE_CASE};
use super::value::{Result, Stop, Value};

/// The longest corpus that is one text, in bytes.
const WHOLE: usize = 16 << 20;
/// Characters of what a model is asked.
const ASKED: usize = 100_000;

/// Calls a function over the corpus.
pub(super) fn call(machine: &mut Machine<'_>, name: &str, given: &Given) -> Result<Value> {
    match name {
        "files" => {
            let pair = |(name, n): (String, u32)| {
                Value::tuple(&machine.meter, vec![Value::text(&machine.meter, name)?, Value::Int(n.into())])
            };
            let files = machine.library.files().into_iter().map(pair).collect::<Result<Vec<_>>>()?;
            Value::list(&machine.meter, files)
        }
        "page" => {
            let (file, page) = (given.needed(0, "name")?.as_text()?, given.needed(1, "page")?.as_int()?);
            let text = u32::try_from(page).ok().and_then(|page| machine.library.page(file, page));
            let none = || Stop::Fault(format!("there is no page {page} of {file:?}; files() tells what there is"));
            machine.check_time()?;
            Value::text(&machine.meter, text.ok_or_else(none)?)
        }
        "document" => {
            let wanted = given.needed(0, "name")?.as_text()?;
            let found = machine.library.files().into_iter().find(|(name, _)| name == wanted);
            let (name, n) = found
                .ok_or_else(|| Stop::Fault(format!("there is no file {wanted:?}; files() tells what there is")))?;
            let mut text = String::new();
            add(machine, &mut text, &name, n)?;
            Value::text(&machine.meter, text)
        }
        "grep" => grep(machine, given),
        "search" => {
            let k = given.at(1, "k").map_or(Ok(10), Value::as_int)?.clamp(1, 100);
            let query = given.needed(0, "query")?.as_text()?.to_owned();
            let found = machine.wait(|library| library.search(&query, k as usize));
            let row = |(file, page, score): (String, u32, f64)| {
                let file = Value::text(&machine.meter, file)?;
                Value::tuple(
                    &machine.meter,
                    vec![file, Value::Int(page.into()), Value::Float((score * 1e4).round() / 1e4)],
                )
            };
            let rows = found?.into_iter().map(row).collect::<Result<Vec<_>>>()?;
            Value::list(&machine.meter, rows)
        }
        "llm" => {
            let prompt = given.needed(0, "prompt")?.as_text()?;
            if prompt.chars().count() > ASKED {
                return Err(format!("llm() takes {ASKED} characters at most: cut what you ask about").into());
            }
            let prompt = prompt.to_owned();
            let said = machine.wait(|library| library.ask(&prompt))?;
            Value::text(&machine.meter, said)
        }
        _ => Err(format!("NameError: {name} is not defined").into()),
    }
}

/// The whole corpus as one text with marks, as MADQA's baseline has it.
pub(super) fn whole(machine: &mut Machine<'_>) -> Result<Value> {
    let mut text = String::new();
    for (name, n) in machine.library.files() {
        add(machine, &mut text, &name, n)?;
        if text.len() > WHOLE {
            return Err(
                "the corpus is too long for one text: use files(), document(), page(), grep() or search()".into()
            );
        }
    }
    Value::text(&machine.meter, text)
}

fn add(machine: &mut Machine<'_>, text: &mut String, name: &str, n: u32) -> Result<()> {
    text.push_str(&format!("[FILE: {name} | TOTAL PAGES: {n}]\n"));
    for page in 1..=n {
        machine.step(10)?;
        machine.check_time()?;
        let body = machine.library.page(name, page).unwrap_or_default();
        text.push_str(&format!("[PAGE {page}]\n{}\n[END PAGE {page}]\n", body.trim()));
        if text.len() > 4 * WHOLE {
            return Err("the file is too long for one text: use page(), grep() or search()".into());
        }
    }
    text.push_str(&format!("[END FILE: {name}]\n\n"));
    Ok(())
}

fn grep(machine: &mut Machine<'_>, given: &Given) -> Result<Value> {
    let regex = pattern::compiled(given.needed(0, "pattern")?.as_text()?, IGNORE_CASE)?;
    let only = given.at(1, "file").map(Value::as_text).transpose()?.map(str::to_owned);
    let number = |at: usize, name: &str, default: i64| -> Result<usize> {
        Ok(given.at(at, name).map_or(Ok(default), Value::as_int)?.clamp(0, 10_000) as usize)
    };
    let (context, most) = (number(2, "context", 80)?, number(3, "most", 50)?);
    let meter = Rc::clone(&machine.meter);
    let mut found = Vec::new();
    'files: for (name, n) in machine.library.files() {
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        for page in 1..=n {
            machine.step(10)?;
            machine.check_time()?;
            let Some(text) = machine.library.page(&name, page) else { continue };
            for hit in regex.find_iter(&text) {
                if found.len() >= most {
                    break 'files;
                }
                let around = around(&text, hit.range(), context);
                let row =
                    vec![Value::text(&meter, name.as_str())?, Value::Int(page.into()), Value::text(&meter, around)?];
                found.push(Value::tuple(&meter, row)?);
            }
        }
    }
    Value::list(&meter, found)
}

/// A match with so many characters before and after it, on one line.
fn around(text: &str, hit: std::ops::Range<usize>, context: usize) -> String {
    let before = text.get(..hit.start).unwrap_or_default();
    let start = before.char_indices().rev().nth(context.saturating_sub(1)).map_or(0, |(at, _)| at);
    let start = if context == 0 { hit.start } else { start };
    let after = text.get(hit.end..).unwrap_or_default();
    let end = after.char_indices().nth(context).map_or(text.len(), |(at, _)| hit.end + at);
    text.get(start..end).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}
