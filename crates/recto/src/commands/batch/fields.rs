//! Reads rows of JSON whose fields go by several names.

use serde_json::{Map, Value};

/// A row of a JSONL file with its 1-based line.
pub(super) type Numbered<T> = (usize, T);

/// Parses each line that is not empty; a line that is no JSON object gives its error.
pub(super) fn rows(text: &str) -> impl Iterator<Item = Numbered<Result<Map<String, Value>, String>>> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    lines.filter(|(_, line)| !line.trim().is_empty()).map(|(index, line)| {
        let row = match serde_json::from_str(line) {
            Ok(Value::Object(row)) => Ok(row),
            Ok(_) => Err("expected a JSON object".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        (index + 1, row)
    })
}

/// The first of the named fields that holds text or a number, as text.
pub(super) fn text(row: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match row.get(*name)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// The first of the named fields that holds a whole number.
pub(super) fn whole_number(row: &Map<String, Value>, names: &[&str]) -> Option<usize> {
    names.iter().find_map(|name| usize::try_from(row.get(*name)?.as_u64()?).ok())
}
