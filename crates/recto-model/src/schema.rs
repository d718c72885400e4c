//! The form of a reply: the part of JSON Schema that every server of models takes, checked here whatever a server says.

use serde_json::{Map, Value};

use crate::{ModelError, Result};

/// Schemas nest no deeper.
const DEEPEST: usize = 24;
/// So many faults of a value are told.
const MOST_FAULTS: usize = 5;
/// What a schema may say.
const KEYWORDS: [&str; 8] =
    ["type", "properties", "required", "additionalProperties", "items", "enum", "description", "title"];

/// A schema of objects, strings, integers, numbers, booleans, arrays and enumerations; objects are closed.
#[derive(Clone, PartialEq, Debug)]
pub struct Schema {
    name: String,
    json: Value,
}

impl Schema {
    /// A schema under a name of letters, digits, `_` and `-`. Its root is an object. Every object says
    /// `additionalProperties: false`, every array has `items`.
    ///
    /// # Errors
    /// [`ModelError::BadSchema`] for anything else.
    pub fn new(name: &str, json: Value) -> Result<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let bad = |why: String| ModelError::BadSchema { name: name.into(), why };
        if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
            return Err(bad("its name has other characters than letters, digits, _ and -".into()));
        }
        if json["type"] != "object" {
            return Err(bad("its root is no object".into()));
        }
        well_formed(&json, "", 0).map_err(bad)?;
        Ok(Self { name: name.into(), json })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The schema itself.
    pub const fn json(&self) -> &Value {
        &self.json
    }

    /// Whether every member of every object is required, which strict servers want.
    pub fn is_strict(&self) -> bool {
        all_required(&self.json)
    }

    /// Whether a value obeys.
    ///
    /// # Errors
    /// Where it does not and why, the first few places in a line.
    pub fn check(&self, value: &Value) -> std::result::Result<(), String> {
        let mut faults = Vec::new();
        check(&self.json, value, "", &mut faults);
        if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
    }
}

fn well_formed(schema: &Value, place: &str, depth: usize) -> std::result::Result<(), String> {
    let here = || if place.is_empty() { "/" } else { place };
    let Some(map) = schema.as_object() else { return Err(format!("{} is no object", here())) };
    if depth > DEEPEST {
        return Err(format!("{} is nested too deep", here()));
    }
    if let Some(key) = map.keys().find(|key| !KEYWORDS.contains(&key.as_str())) {
        return Err(format!("{} says {key:?}, which not every server takes", here()));
    }
    if let Some(choices) = map.get("enum") {
        let scalars = choices.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(|one| !is_nested(one)));
        return if scalars { Ok(()) } else { Err(format!("the enum at {} is no list of scalars", here())) };
    }
    match map.get("type").and_then(Value::as_str) {
        Some("string" | "integer" | "number" | "boolean") => Ok(()),
        Some("array") => match map.get("items") {
            Some(items) => well_formed(items, &format!("{place}/items"), depth + 1),
            None => Err(format!("the array at {} has no items", here())),
        },
        Some("object") => well_formed_object(map, place, depth),
        _ => Err(format!("{} has no type of the six", here())),
    }
}

const fn is_nested(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

fn well_formed_object(map: &Map<String, Value>, place: &str, depth: usize) -> std::result::Result<(), String> {
    if map.get("additionalProperties") != Some(&Value::Bool(false)) {
        return Err(format!("the object at {place}/ does not say additionalProperties: false"));
    }
    let members = map.get("properties").and_then(Value::as_object);
    let known = |name: &Value| name.as_str().is_some_and(|name| members.is_some_and(|all| all.contains_key(name)));
    if !required(map).iter().all(known) {
        return Err(format!("the object at {place}/ requires what it does not describe"));
    }
    let mut members = members.into_iter().flatten();
    members.try_for_each(|(name, member)| well_formed(member, &format!("{place}/{name}"), depth + 1))
}

fn required(map: &Map<String, Value>) -> &[Value] {
    map.get("required").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn all_required(schema: &Value) -> bool {
    let members = schema["properties"].as_object();
    let needed = schema.as_object().map_or(0, |map| required(map).len());
    members.is_none_or(|all| all.len() == needed && all.values().all(all_required)) && {
        schema.get("items").is_none_or(all_required)
    }
}

fn check(schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    if faults.len() >= MOST_FAULTS {
        return;
    }
    let here = if place.is_empty() { "the reply" } else { place };
    if let Some(choices) = schema["enum"].as_array() {
        if !choices.contains(value) {
            faults.push(format!("{here} is {}, not one of {}", short(value), Value::from(choices.clone())));
        }
        return;
    }
    let wanted = schema["type"].as_str().unwrap_or_default();
    let fits = match (wanted, value) {
        ("integer", Value::Number(number)) => number.as_f64().is_some_and(|number| number.fract() == 0.0),
        ("string", Value::String(_)) | ("number", Value::Number(_)) | ("boolean", Value::Bool(_)) => true,
        ("array", Value::Array(items)) => {
            let items = items.iter().enumerate();
            items.for_each(|(n, item)| check(&schema["items"], item, &format!("{place}/{n}"), faults));
            true
        }
        ("object", Value::Object(members)) => {
            check_members(schema, members, place, faults);
            true
        }
        _ => false,
    };
    if !fits {
        faults.push(format!("{here} is {}, not of type {wanted}", short(value)));
    }
}

fn check_members(schema: &Value, members: &Map<String, Value>, place: &str, faults: &mut Vec<String>) {
    let known = schema["properties"].as_object();
    for (name, member) in members {
        match known.and_then(|known| known.get(name)) {
            Some(schema) => check(schema, member, &format!("{place}/{name}"), faults),
            None => faults.push(format!("{place}/{name} is not asked for")),
        }
    }
    let needed = schema.as_object().map_or(&[][..], required).iter().filter_map(Value::as_str);
    faults.extend(needed.filter(|name| !members.contains_key(*name)).map(|name| format!("{place}/{name} is missing")));
    faults.truncate(MOST_FAULTS);
}

/// A value as a reader recognises it.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 40 { text.chars().take(40).chain("..".chars()).collect() } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer() -> Schema {
        let pages = json!({"type": "array", "items": {"type": "integer"}});
        let kind = json!({"enum": ["text", "number"], "description": "what it is"});
        let json = json!({"type": "object", "additionalProperties": false, "required": ["answer", "pages"],
            "properties": {"answer": {"type": "string"}, "pages": pages, "kind": kind}});
        Schema::new("answer", json).unwrap()
    }

    #[test]
    fn values_are_checked() {
        let table = [
            (json!({"answer": "x", "pages": [1, 2.0]}), ""),
            (json!({"answer": "x", "pages": [], "kind": "text"}), ""),
            (json!({"answer": 1, "pages": []}), "/answer is 1, not of type string"),
            (json!({"answer": "x", "pages": [1, 1.5, "2"]}), "/pages/1 is 1.5, not of type integer; /pages/2 is \"2\""),
            (json!({"answer": "x"}), "/pages is missing"),
            (json!({"answer": "x", "pages": [], "why": ""}), "/why is not asked for"),
            (json!({"answer": "x", "pages": [], "kind": "date"}), "is \"date\", not one of [\"text\",\"number\"]"),
            (json!([]), "the reply is [], not of type object"),
            (json!({"answer": null, "pages": [1.5, true, {}, [], "", 1]}), "/pages"),
        ];
        for (value, want) in table {
            let found = answer().check(&value).err().unwrap_or_default();
            assert!(if want.is_empty() { found.is_empty() } else { found.contains(want) }, "{value}: {found}");
            assert!(found.matches("; ").count() < MOST_FAULTS, "{found}");
        }
    }

    #[test]
    fn only_what_all_servers_take_is_a_schema() {
        let object = |member: Value| json!({"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": member}});
        let mut deep = json!({"type": "string"});
        (0..30).for_each(|_| deep = json!({"type": "array", "items": deep}));
        let good = [json!({"type": "number"}), json!({"enum": [1, null]}), object(json!({"type": "boolean"}))];
        for member in good {
            assert!(Schema::new("a", object(member.clone())).is_ok(), "{member}");
        }
        let bad = [
            json!({"type": ["string", "null"]}),
            json!({"anyOf": []}),
            json!({"type": "string", "maxLength": 3}),
            json!({"type": "array"}),
            json!({"type": "object", "properties": {}}),
            json!({"type": "object", "additionalProperties": false, "required": ["b"]}),
            json!({"enum": []}),
            json!({"enum": [{}]}),
            json!(true),
            deep,
        ];
        for member in bad {
            assert!(matches!(Schema::new("a", object(member.clone())), Err(ModelError::BadSchema { .. })), "{member}");
        }
        assert!(Schema::new("a", json!({"type": "string"})).is_err());
        assert!(Schema::new("a b", object(json!({"type": "string"}))).is_err());
    }

    #[test]
    fn strict_is_where_all_is_required() {
        assert!(!answer().is_strict());
        let mut json = answer().json().clone();
        json["required"] = json!(["answer", "pages", "kind"]);
        assert!(Schema::new("answer", json).unwrap().is_strict());
    }
}
