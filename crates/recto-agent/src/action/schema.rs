//! The JSON schema of what a planner may say, in the subset that every host of models takes: closed objects, and nothing
//! that may be one thing or another. So the arguments of all tools stand side by side; which go together, the
//! [actions](super::Action) know.

use serde_json::{Map, Value, json};

use super::{MAX_TOP_K, SUBMIT, Shape, ToolSet};

/// The schema of one turn.
pub fn schema(tools: &ToolSet) -> Value {
    let mut actions: Vec<&str> = tools.tools().map(super::Tool::name).collect();
    actions.push(SUBMIT);
    let arguments = tools.tools().flat_map(super::Tool::arguments);
    let text = || json!({"type": "string"});
    let members = [
        ("action", json!({"type": "string", "enum": actions})),
        ("arguments", closed(arguments.map(|argument| (argument.name, shape(argument.shape))), &[])),
        ("reason", text()),
        ("ranked_answers", ranking()),
        ("overall_rationale", text()),
    ];
    closed(members, &["action"])
}

fn ranking() -> Value {
    let text = || json!({"type": "string"});
    let members = [("page_handle", text()), ("evidence_page_handles", list(text())), ("rationale", text())];
    list(closed(members, &["page_handle", "evidence_page_handles", "rationale"]))
}

fn shape(shape: Shape) -> Value {
    let text = || json!({"type": "string"});
    match shape {
        Shape::Text => text(),
        Shape::Count => json!({"type": "integer", "description": format!("1 to {MAX_TOP_K}")}),
        Shape::Handles => list(text()),
        Shape::Crops => {
            let region = list(json!({"type": "number"}));
            let members = [("page_handle", text()), ("region", region), ("purpose", text())];
            list(closed(members, &["page_handle", "region", "purpose"]))
        }
    }
}

fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

fn closed<'a>(members: impl IntoIterator<Item = (&'a str, Value)>, required: &[&str]) -> Value {
    let members: Map<String, Value> = members.into_iter().map(|(name, of)| (name.to_owned(), of)).collect();
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": members})
}

#[cfg(test)]
mod tests {
    use recto_model::Schema;

    use super::*;
    use crate::action::{Ablation, Route};

    #[test]
    fn every_host_takes_it_and_it_takes_what_planners_say() {
        for route in [Route::Visual, Route::Text] {
            for ablation in Ablation::ALL {
                let schema = Schema::new("action", schema(&ToolSet::new(route, &[ablation]))).unwrap();
                let ranked = json!([{"page_handle": "page_000001", "evidence_page_handles": [], "rationale": ""}]);
                assert_eq!(schema.check(&json!({"action": SUBMIT, "ranked_answers": ranked})), Ok(()));
                assert!(schema.check(&json!({"action": "web_search"})).is_err());
            }
        }
        let schema = Schema::new("action", schema(&ToolSet::new(Route::Visual, &[]))).unwrap();
        let crops = json!([{"page_handle": "page_000001", "region": [0, 0.5, 1, 1], "purpose": "axis"}]);
        for (action, arguments) in [
            ("visual_search", json!({"query": "a", "top_k": 5})),
            ("inspect_pages", json!({"page_handles": ["page_000001"]})),
            ("crop_pages", json!({ "crops": crops })),
            ("ocr_image", json!({"target_handle": "crop_000001_000001"})),
        ] {
            assert_eq!(schema.check(&json!({"action": action, "arguments": arguments, "reason": "r"})), Ok(()));
        }
    }
}
