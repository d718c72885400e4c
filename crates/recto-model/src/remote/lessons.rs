//! What is learned of a server from its replies, and what is not.

use recto_fixture::{Answer, Asked, ModelServer};
use serde_json::{Value, json};

use super::drills::{asking_json, chat, chat_with, options, request, white};
use super::{ChatOptions, RemoteChat};
use crate::{Chat, ChatRequest, Ledger, Part};

fn value() -> Answer {
    Answer::openai(r#"{"a": "b"}"#, 10, 5)
}

fn prose() -> Answer {
    Answer::openai("It is b.", 10, 5)
}

fn refused(status: u16, why: &str) -> Answer {
    Answer::new(status, json!({"error": {"message": why}}).to_string())
}

/// In which form each of the requests asked for its reply.
fn forms(server: &ModelServer) -> Vec<String> {
    let form = |asked: &Asked| asked.body["response_format"]["type"].as_str().unwrap_or("text").to_owned();
    server.asked().iter().map(form).collect()
}

/// The same question so often, to a server that answers so, last answer for ever.
#[track_caller]
fn check_forms(calls: usize, answers: Vec<Answer>, want: &[&str]) {
    let server = ModelServer::of(answers).unwrap();
    let chat = chat("vllm:m", &server);
    for _ in 0..calls {
        let reply = chat.reply(&asking_json(), &Ledger::default());
        assert_eq!(reply.unwrap().json, Some(json!({"a": "b"})));
    }
    assert_eq!(forms(&server), want);
}

#[test]
fn one_reply_in_prose_teaches_nothing() {
    let [schema, text] = ["json_schema", "text"];
    check_forms(3, vec![prose(), value()], &[schema, text, schema, schema]);
    let often = [prose(), value(), prose(), value(), value(), prose(), value()];
    check_forms(4, often.to_vec(), &[schema, text, schema, text, schema, schema, text]);
    // Three in a row do: the schema is for nothing there.
    let ignored = [prose(), value(), prose(), value(), prose(), value(), value()];
    check_forms(4, ignored.to_vec(), &[schema, text, schema, text, schema, text, "json_object"]);
}

#[test]
fn a_server_that_could_not_make_json_is_not_one_that_takes_no_schema() {
    let body = json!({"error": {"message": "Failed to generate JSON. See 'failed_generation'", "type": "invalid_request_error",
        "code": "json_validate_failed", "failed_generation": "{\"a\": "}});
    let failed = Answer::new(400, body.to_string());
    check_forms(2, vec![failed, value()], &["json_schema", "text", "json_schema"]);
    let no = refused(400, "'response_format' of type 'json_schema' is not supported with this model");
    check_forms(2, vec![no, value()], &["json_schema", "json_object", "json_object"]);
}

/// Pictures in a request.
fn pictures(asked: &Asked) -> usize {
    asked.body.to_string().matches("data:image").count()
}

fn showing() -> ChatRequest {
    let mut request = request("What is this?");
    request.messages[1].parts.push(Part::Image(white()));
    request
}

#[test]
fn a_model_that_sees_no_pictures_is_shown_none_from_then_on() {
    for (status, why) in [
        (404, "No endpoints found that support image input"),
        (422, "unknown variant `image_url`, expected `text`"),
        (500, "image input is not supported - hint: you may need to provide the mmproj"),
    ] {
        let server = ModelServer::start(move |asked| match pictures(asked) {
            0 => Answer::openai("A page.", 10, 5),
            _ => refused(status, why),
        });
        let server = server.unwrap();
        let chat = chat("openrouter:m", &server);
        assert!(chat.reach().pictures);
        for _ in 0..2 {
            let reply = chat.reply(&showing(), &Ledger::default()).unwrap();
            assert_eq!((reply.text.as_str(), reply.notes.len()), ("A page.", 1), "{why}");
        }
        assert!(!chat.reach().pictures);
        assert_eq!(server.asked().iter().map(pictures).collect::<Vec<_>>(), [1, 0, 0], "{why}");
    }
}

#[test]
fn a_model_that_is_said_to_see_none_is_never_shown_one() {
    let server = ModelServer::of(vec![Answer::openai("A page.", 10, 5)]).unwrap();
    let (_, options) = options(&server);
    let chat = chat_with("openai:m", ChatOptions { sees: false, ..options });
    let ledger = Ledger::default();
    let reply = chat.reply(&showing(), &ledger).unwrap();
    assert_eq!((reply.notes.len(), ledger.spent().images, pictures(&server.asked()[0])), (1, 0, 0));
    assert!(!chat.reach().pictures && chat.fingerprint() == "openai:m vision=false");
}

/// A server of a model that takes in so many bytes, and complains of more.
fn narrow(bytes: usize, error: Value) -> ModelServer {
    let start = ModelServer::start(move |asked| match asked.body["messages"].to_string().len() {
        length if length > bytes => Answer::new(400, json!({"error": error}).to_string()),
        _ => Answer::openai("Well.", 10, 5),
    });
    start.unwrap()
}

fn long(pages: usize) -> ChatRequest {
    let mut request = request("Question");
    request.messages[1].parts.extend((0..pages).map(|n| Part::Text(format!("{n} {}", "word ".repeat(600)))));
    request
}

#[test]
fn a_request_that_is_too_long_is_made_to_fit() {
    let told = "This model's maximum context length is 2048 tokens. However, you requested 9000 tokens";
    let of_llama = json!({"message": "the request exceeds the available context size", "n_ctx": 2048});
    let table = [(json!({"message": told}), 2), (of_llama, 2), (json!({"message": "the request is too long"}), 5)];
    for (said, most) in table {
        let server = narrow(6_500, said.clone());
        let chat = chat("vllm:m", &server);
        let reply = chat.reply(&long(6), &Ledger::default()).unwrap();
        assert!(reply.notes[0].contains("tokens of text were left out"), "{:?}", reply.notes);
        assert!(server.count().requests <= most, "{} requests: {said}", server.count().requests);
        assert!(chat.reach().tokens.is_some_and(|tokens| tokens <= 2_100), "{:?}", chat.reach());
        let before = server.count().requests;
        assert!(chat.reply(&long(6), &Ledger::default()).is_ok());
        assert_eq!(server.count().requests, before + 1, "what was learned is kept");
        let text = &server.asked().last().unwrap().body["messages"].to_string();
        assert!(text.contains("cut here") && text.contains("Be brief.") && text.contains("5 word"), "{text}");
    }
}

#[test]
fn a_context_that_is_known_is_never_passed() {
    let server = narrow(6_200, json!({"message": "too long"}));
    let (_, options) = options(&server);
    let chat: RemoteChat = chat_with("vllm:m", ChatOptions { context: Some(2_048), ..options });
    assert_eq!(chat.reach().tokens, Some(1_536));
    for pages in 0..12 {
        assert!(chat.reply(&long(pages), &Ledger::default()).is_ok(), "{pages}");
    }
    assert_eq!(server.count().requests, 12);
    let most = |asked: &Asked| asked.body["max_tokens"].as_u64();
    assert!(server.asked().iter().all(|asked| most(asked) == Some(50)), "a short reply stays as it is");
    let longer = ChatRequest { max_tokens: 4_096, ..long(1) };
    let _ = chat.reply(&longer, &Ledger::default()).unwrap();
    assert!(server.asked().last().and_then(most).is_some_and(|most| most < 1_100));
    assert_ne!(server.asked()[11].body["messages"], Value::Null);
}
