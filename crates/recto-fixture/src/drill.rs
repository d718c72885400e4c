//! A scripted model that answers whatever it is asked, rightly in form if not in substance, and the faults that servers of
//! models have, one after the other. For drills of whoever asks models.

use std::time::Duration;

use serde_json::{Value, json};

use crate::model_server::{Answer, Asked};

/// How many different things a faulty server does before it begins again.
pub const FAULTS: usize = 16;

/// Answers in the form that is asked for, with a quote of the first page that it is shown; every seventh question is not to
/// be answered.
pub fn reader(asked: &Asked) -> Answer {
    let texts = texts(&asked.body["messages"]);
    let tokens = texts.len() as u64 / 4 + 1_000 * count(&texts, "\u{0}picture");
    // The words tell what is asked for; a schema may come, be quoted, or not.
    let reply = if texts.contains("{\"things\":") {
        json!({"things": [], "told": []})
    } else if texts.contains("{\"pages\":") {
        json!({"pages": []})
    } else {
        answer(&texts)
    };
    Answer::openai(&reply.to_string(), tokens, 60)
}

/// What a server does wrong, by the number of the request; half of the requests go well.
pub fn faulty(asked: &Asked, good: impl Fn() -> Answer) -> Answer {
    match asked.number % FAULTS {
        0 => Answer::new(429, r#"{"error": {"message": "slow down"}}"#).header("Retry-After", "0"),
        2 => Answer::new(529, r#"{"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}"#),
        4 => match asked.number / FAULTS % 5 {
            0 => Answer::new(502, "<html><body>Bad gateway</body></html>"),
            1 => Answer::new(200, "<!DOCTYPE html><html><body>Please log in</body></html>"),
            2 => Answer::new(504, "upstream timed out").after(Duration::from_millis(50)),
            3 => Answer::new(408, ""),
            _ => Answer::hang_up(),
        },
        6 => good().cut(40),
        8 => match asked.number / FAULTS % 4 {
            0 => Answer::openai("I would say that it is a matter of taste.", 900, 9),
            1 => Answer::openai(r#"{"status": "perhaps", "answer": 3}"#, 900, 9),
            2 => Answer::openai(r#"{"status": "answered", "answer": "#, 900, 9),
            _ => Answer::openai(r#"["answered"]"#, 900, 9),
        },
        10 => Answer::openai("", 900, 0),
        12 => Answer::openai("", 900, 9).with("/choices/0/message/refusal", "I can't help with that."),
        14 => good().with("/unknown", json!({"fields": [1, 2]})).with("/usage/more", 3),
        _ => good(),
    }
}

/// All texts of a conversation; a sign for each picture.
fn texts(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(texts).collect(),
        Value::Object(members) if members.contains_key("image_url") => "\u{0}picture".into(),
        Value::Object(members) => {
            members.iter().filter(|(name, _)| *name != "role").map(|(_, member)| texts(member)).collect()
        }
        Value::String(text) => text.clone() + "\n",
        _ => String::new(),
    }
}

fn count(text: &str, part: &str) -> u64 {
    text.matches(part).count() as u64
}

fn answer(texts: &str) -> Value {
    let question = texts.rsplit("Question: ").next().unwrap_or_default().lines().next().unwrap_or_default();
    let answers = question.bytes().map(usize::from).sum::<usize>() % 7 != 0;
    let evidence = first_page(texts).filter(|_| answers).map(|(page, quote)| json!({"page": page, "quote": quote}));
    let status = if evidence.is_some() { "answered" } else { "not_in_documents" };
    let text = if evidence.is_some() { "forty-two" } else { "" };
    let mut reply = json!({"status": status, "answer": text, "items": [], "evidence": Vec::from_iter(evidence)});
    if texts.contains("\n- formula:") {
        reply["operands"] = json!([]);
        reply["formula"] = json!("");
    }
    reply
}

/// The number of the first page that is shown, and its first words.
fn first_page(texts: &str) -> Option<(u64, String)> {
    let mut lines = texts.lines().skip_while(|line| !line.starts_with("Page "));
    let number = lines.next()?.strip_prefix("Page ")?.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    let words = lines.skip(1).take_while(|line| !line.starts_with("[end of page text"));
    let quote: Vec<&str> = words.flat_map(str::split_whitespace).filter(|word| *word != "|").take(8).collect();
    Some((number, quote.join(" ")))
}
