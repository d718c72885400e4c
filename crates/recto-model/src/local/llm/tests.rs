//! What the small model of `scripts/get-models.sh --llm smollm2` says: it knows little, but its form, its limits and its
//! errors are those of any other.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step fails the test")]

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::{LocalChat, LocalSpec};
use crate::{
    Chat, ChatImage, ChatMessage, ChatRequest, Class, Clock, Ledger, Limit, Limits, ModelError, Part, Role, Schema,
    SystemClock, Usage, VirtualClock,
};

/// The small model's file; says so if it is not there.
fn file() -> Option<PathBuf> {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/llm/SmolLM2-135M-Instruct.Q4_1.gguf"));
    if file.is_file() {
        return Some(file);
    }
    // Past what the test runner keeps to itself.
    let told = format!("SKIPPED: {} is missing; scripts/get-models.sh --llm smollm2\n", file.display());
    std::io::stderr().write_all(told.as_bytes()).unwrap();
    None
}

fn open(change: impl FnOnce(&mut LocalSpec)) -> Option<LocalChat> {
    let mut spec = LocalSpec::new(file()?);
    change(&mut spec);
    Some(LocalChat::open(&spec, 1, Arc::new(SystemClock::default())).unwrap())
}

fn request(text: &str) -> ChatRequest {
    let messages = vec![ChatMessage::system("You answer in a few words."), ChatMessage::user(text)];
    ChatRequest { max_tokens: 48, ..ChatRequest::new(messages) }
}

fn action() -> Schema {
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let handles = json!({"type": "array", "items": text});
    let json = json!({"type": "object", "additionalProperties": false, "required": ["tool", "query", "top_k", "pages"],
        "properties": {"tool": {"type": "string", "enum": ["text_search", "inspect_pages", "submit_answer"]},
            "query": text, "top_k": number, "pages": handles}});
    Schema::new("action", json).unwrap()
}

#[test]
fn twenty_actions_obey_their_form() {
    let Some(chat) = open(|spec| spec.reply = 120) else { return };
    let tasks = ["the toll of 1898", "who built the bridge?", "\"quoted\" { words", "表の値", "a list of all ports"];
    let ledger = Ledger::default();
    let mut said = Vec::new();
    for (n, task) in tasks.iter().cycle().take(20).enumerate() {
        let temperature = if n < 5 { 0.0 } else { 0.9 };
        let text = format!("Task: {task}\nReply with one JSON object: the next action of a search for pages.");
        let request =
            ChatRequest { schema: Some(action()), temperature, sample: n as u32, max_tokens: 2048, ..request(&text) };
        let reply = chat.reply(&request, &ledger).unwrap();
        assert!(reply.complete, "{}", reply.text);
        assert_eq!(action().check(reply.json.as_ref().unwrap()), Ok(()));
        said.push(reply.text);
    }
    assert!(said[5..].iter().collect::<std::collections::BTreeSet<_>>().len() > 5, "chance draws different actions");
    let spent = ledger.spent();
    assert_eq!((spent.calls, spent.nano_dollars, spent.unpriced), (20, 0, 0));
    assert!(spent.cached_tokens == 0 || spent.cached_tokens < spent.input_tokens);
}

#[test]
fn the_same_request_has_the_same_reply_whatever_was_asked_before() {
    let Some(chat) = open(|_| ()) else { return };
    let ledger = Ledger::default();
    let long = "The canal board met in May and set the toll of a barge at four shillings. ".repeat(12);
    let ask = |chat: &LocalChat, text: &str| {
        let reply = chat.reply(&request(text), &ledger).unwrap();
        assert!(!reply.text.is_empty() && reply.usage.output_tokens > 0);
        (reply.text, reply.usage)
    };
    let question = format!("{long}What is the toll?");
    let (first, cold) = ask(&chat, &question);
    let (second, warm) = ask(&chat, &question);
    ask(&chat, &format!("{long}Who met?"));
    let (third, shared) = ask(&chat, &question);
    ask(&chat, "Hello");
    let (fourth, _) = ask(&chat, &question);
    assert_eq!([&second, &third, &fourth], [&first; 3]);
    assert_eq!(cold.cached_tokens, 0);
    assert!(warm.cached_tokens >= 128 && shared.cached_tokens >= 128, "{warm:?} {shared:?}");
    assert_eq!(cold.input_tokens, warm.input_tokens);
    let again = open(|_| ()).unwrap();
    assert_eq!(ask(&again, &question).0, first);
    let two = open(|spec| spec.threads = Some(2)).unwrap();
    assert_eq!(ask(&two, &question).0, first, "threads decide nothing");
}

#[test]
fn replies_end_where_they_are_told_to() {
    let Some(chat) = open(|_| ()) else { return };
    let ledger = Ledger::default();
    let few = ChatRequest { max_tokens: 5, ..request("Write a long story about a canal.") };
    let reply = chat.reply(&few, &ledger).unwrap();
    assert_eq!((reply.complete, reply.usage.output_tokens), (false, 5));
    let whole = chat.reply(&request("Write a long story about a canal."), &ledger).unwrap().text;
    let stop = whole.split(' ').nth(3).unwrap().to_owned();
    let stopped =
        ChatRequest { stop: vec![String::new(), stop.clone()], ..request("Write a long story about a canal.") };
    let reply = chat.reply(&stopped, &ledger).unwrap();
    assert!(reply.complete && whole.starts_with(&reply.text) && !reply.text.contains(&stop), "{}", reply.text);
    let cut = ChatRequest { schema: Some(action()), max_tokens: 3, ..request("Search.") };
    assert_eq!(class(&chat.reply(&cut, &ledger).unwrap_err()), Some(Class::OutOfTokens));
}

#[test]
fn what_has_no_room_is_cut_before_its_end() {
    let Some(chat) = open(|spec| (spec.context, spec.reply) = (512, 32)) else { return };
    let ledger = Ledger::default();
    let page = "The canal board met in May and set the toll of a barge at four shillings. ".repeat(200);
    let parts = vec![Part::Text(page), Part::Text("What is the toll?".into())];
    let long = ChatRequest { max_tokens: 32, ..ChatRequest::new(vec![ChatMessage::new(Role::User, parts)]) };
    let reply = chat.reply(&long, &ledger).unwrap();
    assert!(reply.usage.input_tokens <= 480, "{:?}", reply.usage);
    assert!(reply.notes.iter().any(|note| note.contains("tokens of text were left out")), "{:?}", reply.notes);
    let parts = (0..60).map(|n| Part::Text(format!("{n} {}", "word ".repeat(100)))).collect();
    let many = ChatRequest::new(vec![ChatMessage::new(Role::User, parts)]);
    assert_eq!(class(&chat.reply(&many, &ledger).unwrap_err()), Some(Class::TooLong));
    assert!(chat.reply(&request("Hello"), &ledger).is_ok(), "it goes on");
}

#[test]
fn marks_of_the_template_in_a_page_are_words() {
    let Some(chat) = open(|_| ()) else { return };
    let tokens = |text: &str| chat.reply(&request(text), &Ledger::default()).unwrap().usage.input_tokens;
    // As a mark it would be one token.
    assert!(tokens("a<|im_end|>") > tokens("a") + 3);
}

#[test]
fn time_and_limits_hold() {
    let Some(file) = file() else { return };
    let clock = Arc::new(VirtualClock::default());
    let chat = LocalChat::open(&LocalSpec::new(file), 1, clock.clone()).unwrap();
    clock.sleep(Duration::from_secs(10));
    let limited = |limits| chat.reply(&request("Hello"), &Ledger::new(limits)).unwrap_err();
    let late = limited(Limits { deadline: Some(Duration::from_secs(9)), ..Limits::default() });
    assert!(matches!(late, ModelError::Limit { limit: Limit::Time, .. }), "{late:?}");
    let calls = limited(Limits { calls: Some(0), ..Limits::default() });
    assert!(matches!(calls, ModelError::Limit { limit: Limit::Calls, .. }), "{calls:?}");
    let free = Ledger::new(Limits { nano_dollars: Some(0), ..Limits::default() });
    assert!(chat.reply(&request("Hello"), &free).is_ok(), "it costs nothing");
    assert_ne!(free.spent(), Usage::default());
}

#[test]
fn files_that_are_no_model_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        folder.path().join(name)
    };
    let (text, broken) = (write("a.gguf", b"not a model"), write("b.gguf", b"GGUF\x03\0\0\0and then nothing"));
    let none = folder.path().join("none.gguf");
    let table = [(none.clone(), "no such file"), (text.clone(), "no GGUF file"), (broken.clone(), "can't load it")];
    let why = |spec: &LocalSpec| match LocalChat::open(spec, 1, Arc::new(SystemClock::default())) {
        Err(ModelError::BadFile { file, why }) => (file, why),
        other => panic!("{other:?}"),
    };
    for (file, want) in table {
        let (named, why) = why(&LocalSpec::new(&file));
        assert!(named == file && why.contains(want), "{why}");
    }
    let Some(model) = self::file() else { return };
    for (mmproj, want) in
        [(none, "no such file"), (text, "no GGUF file"), (broken, "no projector"), (model.clone(), "no projector")]
    {
        let (named, why) = why(&LocalSpec { mmproj: Some(mmproj.clone()), ..LocalSpec::new(&model) });
        assert!(named == mmproj && why.contains(want), "{why}");
    }
    let eyes = write("eyes.gguf", &projector());
    assert!(why(&LocalSpec::new(&eyes)).1.contains("for #mmproj=FILE"));
    let (_, fault) = why(&LocalSpec { mmproj: Some(eyes), ..LocalSpec::new(&model) });
    assert!(fault.contains("does not fit the model"), "{fault}");
    let half = write("half.gguf", &std::fs::read(&model).unwrap()[..9_000_000]);
    assert!(why(&LocalSpec::new(half)).1.contains("can't load it"));
}

/// A GGUF file that says it turns pictures into tokens, and holds nothing.
fn projector() -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
    let (no_tensors, one_key, is_text) = (0_u64.to_le_bytes(), 1_u64.to_le_bytes(), 8_u32.to_le_bytes());
    let head = [&b"GGUF\x03\0\0\0"[..], &no_tensors, &one_key].concat();
    [head, text("general.architecture"), is_text.to_vec(), text("clip")].concat()
}

#[test]
fn a_model_without_eyes_is_shown_no_picture() {
    let Some(chat) = open(|_| ()) else { return };
    assert!(!chat.reach().pictures);
    let page = recto_page::PageImage { width: 2, height: 2, dpi: 72, rgb: vec![0; 12] };
    let mut request = request("What is this?");
    request.messages[1].parts.push(Part::Image(ChatImage::of(&page).unwrap()));
    let error = chat.reply(&request, &Ledger::default()).unwrap_err();
    assert_eq!(class(&error), Some(Class::Request));
    assert!(error.to_string().contains("#mmproj=FILE"), "{error}");
}

fn class(error: &ModelError) -> Option<Class> {
    if let ModelError::Chat(failure) = error { Some(failure.class) } else { None }
}
