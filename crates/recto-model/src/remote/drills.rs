//! What becomes of a call when a server fails in every way that servers do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use recto_fixture::{Answer, ModelServer};
use recto_page::PageImage;
use serde_json::{Value, json};

use super::{ChatOptions, Keys, RemoteChat, chat_from_spec};
use crate::ledger::{Limits, nano_dollars};
use crate::{
    Chat, ChatImage, ChatMessage, ChatReply, ChatRequest, Class, Clock, Detail, Failure, Ledger, Limit, ModelError,
    Part, Price, RecordMode, Recorded, Result, Schema, Secret, VirtualClock,
};

/// A key that must not be seen anywhere.
const KEY: &str = "sk-or-v1-0123456789abcdef";

fn good() -> Answer {
    Answer::openai("Paris", 100, 10)
}

fn status(status: u16) -> Answer {
    Answer::new(status, r#"{"error": {"message": "no"}}"#)
}

pub(super) fn options(server: &ModelServer) -> (VirtualClock, ChatOptions) {
    let clock = VirtualClock::default();
    let shared: Arc<dyn Clock> = Arc::new(clock.clone());
    let (timeout, attempts) = (Duration::from_secs(20), 4);
    (clock, ChatOptions { base_url: Some(server.url()), clock: shared, timeout, attempts, ..ChatOptions::default() })
}

pub(super) fn chat_with(spec: &str, options: ChatOptions) -> RemoteChat {
    let keys = Keys { any: Some(Secret::new(KEY)), ..Keys::default() };
    chat_from_spec(&spec.parse().unwrap(), &keys, options).unwrap()
}

pub(super) fn chat(spec: &str, server: &ModelServer) -> RemoteChat {
    chat_with(spec, options(server).1)
}

pub(super) fn request(text: &str) -> ChatRequest {
    ChatRequest { max_tokens: 50, ..ChatRequest::new(vec![ChatMessage::system("Be brief."), ChatMessage::user(text)]) }
}

pub(super) fn asking_json() -> ChatRequest {
    let schema = json!({"type": "object", "additionalProperties": false, "required": ["a"],
        "properties": {"a": {"type": "string"}}});
    ChatRequest { schema: Some(Schema::new("answer", schema).unwrap()), ..request("x") }
}

pub(super) fn white() -> ChatImage {
    ChatImage::of(&PageImage { width: 2, height: 1, dpi: 72, rgb: vec![255; 6] }).unwrap()
}

fn failure(result: Result<ChatReply>) -> Failure {
    match result {
        Err(ModelError::Chat(failure)) => *failure,
        other => panic!("{other:?}"),
    }
}

/// The requests that a fault costs, and its class unless the call ends well all the same.
fn check(name: &str, answers: Vec<Answer>, want: std::result::Result<u64, (Class, u64)>) {
    let server = ModelServer::of(answers).unwrap();
    let (_, options) = options(&server);
    let chat = chat_with("openrouter:m", ChatOptions { timeout: Duration::from_millis(400), ..options });
    let ledger = Ledger::default();
    let result = chat.reply(&request("x"), &ledger);
    let requests = server.count().requests;
    match want {
        Ok(asked) => {
            assert_eq!(result.map(|reply| reply.text), Ok("Paris".into()), "{name}");
            assert_eq!(requests, asked, "{name}");
        }
        Err((class, asked)) => {
            let failure = failure(result);
            assert_eq!((failure.class, u64::from(failure.attempts), requests), (class, asked, asked), "{name}");
            assert!(failure.raw.len() <= 4096, "{name}");
        }
    }
    assert_eq!(ledger.spent().requests(), requests, "{name}");
}

#[test]
fn what_passes_is_asked_again() {
    let late = || good().after(Duration::from_secs(2));
    let table = [
        ("hang up", Answer::hang_up()),
        ("late", late()),
        ("408", status(408)),
        ("429", status(429)),
        ("500", status(500)),
        ("502 web page", Answer::new(502, "<html><title>Bad Gateway</title>")),
        ("503", status(503)),
        ("504", status(504)),
        ("529", status(529)),
        ("cut", good().cut(30)),
        ("cut without a length", Answer::new(200, &good_body()[..40])),
        ("web page", Answer::new(200, "\n<!DOCTYPE html>")),
        ("prose in place of JSON", Answer::new(200, "upstream gave up")),
        ("nothing", Answer::new(200, "")),
        ("empty text", Answer::openai("  ", 5, 0)),
        ("no text", good().with("/choices/0/message/content", Value::Null)),
        ("error inside", Answer::new(200, r#"{"error": {"code": 502, "message": "provider down"}}"#)),
        ("error in the choice", good().with("/choices/0/error", json!({"code": 429, "message": "slow"}))),
    ];
    for (name, answer) in table {
        check(name, vec![answer.clone(), answer, good()], Ok(3));
    }
}

fn good_body() -> String {
    let server = ModelServer::of(vec![good()]).unwrap();
    chat("openrouter:m", &server).reply(&request("x"), &Ledger::default()).unwrap().raw
}

#[test]
fn what_does_not_pass_is_said_in_its_class() {
    let refusal = good().with("/choices/0/message/refusal", "I won't").with("/choices/0/message/content", Value::Null);
    let long = Answer::new(400, r#"{"error": {"message": "maximum context length is 10 tokens"}}"#);
    let table = [
        ("400", status(400), Class::Request, 1),
        ("401", status(401), Class::Key, 1),
        ("402", status(402), Class::NoCredit, 1),
        ("403", status(403), Class::Key, 1),
        ("404", status(404), Class::NoModel, 1),
        ("413", status(413), Class::TooLong, 1),
        ("too long", long, Class::TooLong, 1),
        ("422", status(422), Class::Request, 1),
        ("redirect", Answer::new(302, "").header("Location", "/x"), Class::Request, 1),
        ("refusal", refusal, Class::Declined, 1),
        ("filter", good().with("/choices/0/finish_reason", "content_filter"), Class::Declined, 1),
        ("other JSON", Answer::new(200, r#"{"detail": "hello"}"#), Class::NotChat, 1),
        ("a list", Answer::new(200, "[1]"), Class::NotChat, 1),
        ("reasoning only", Answer::openai("", 5, 9).with("/choices/0/finish_reason", "length"), Class::OutOfTokens, 1),
        ("key inside", Answer::new(200, r#"{"error": {"code": 401, "message": "no"}}"#), Class::Key, 1),
        ("429 for ever", status(429), Class::RateLimit, 4),
        ("529 for ever", status(529), Class::Overloaded, 4),
        ("502 for ever", status(502), Class::Server, 4),
        ("cut for ever", good().cut(30), Class::Cut, 4),
        ("late for ever", good().after(Duration::from_secs(1)), Class::Timeout, 4),
        ("web page for ever", Answer::new(200, "<html>".repeat(2000)), Class::ErrorPage, 4),
        ("prose for ever", Answer::new(200, "no"), Class::NotJson, 4),
        ("empty for ever", Answer::openai("", 5, 0), Class::Empty, 4),
        ("hang up for ever", Answer::hang_up(), Class::Connection, 4),
    ];
    for (name, answer, class, requests) in table {
        check(name, vec![answer], Err((class, requests)));
    }
}

#[test]
fn unknown_fields_are_nothing_to_mind() {
    let message = json!({"content": [{"type": "text", "text": "<think>well"}, {"type": "text", "text": "</think>Paris"}],
        "reasoning_content": "x", "novel": {"a": 1}});
    let answer = good().with("/choices/0/message", message).with("/novel", json!([1])).with("/usage/novel", 1);
    check("unknown fields", vec![answer], Ok(1));
}

#[test]
fn a_dead_address_is_no_connection() {
    let server = ModelServer::of(vec![good()]).unwrap();
    let url = server.url();
    drop(server);
    std::thread::sleep(Duration::from_millis(50));
    let clock: Arc<dyn Clock> = Arc::new(VirtualClock::default());
    let chat = chat_with("ollama:m", ChatOptions { base_url: Some(url), clock, attempts: 2, ..ChatOptions::default() });
    let ledger = Ledger::default();
    let failure = failure(chat.reply(&request("x"), &ledger));
    assert_eq!((failure.class, failure.attempts, ledger.spent().requests()), (Class::Connection, 2, 2));
}

#[test]
fn waits_are_as_long_as_the_server_asks_and_end_at_the_deadline() {
    let second = |answer: Answer| answer.header("Retry-After", "30");
    let date = status(503).header("Date", "Sun, 06 Nov 1994 08:49:37 GMT");
    let date = date.header("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT");
    let google = Answer::new(429, r#"[{"error": {"message": "no", "details": [{"retryDelay": "45s"}]}}]"#);
    let table = [
        (second(status(429)), 30, 30),
        (second(status(429)).header("retry-after-ms", "1500"), 1, 2),
        (date, 60, 60),
        (google, 45, 45),
        (status(500), 0, 1),
    ];
    for (answer, least, most) in table {
        let server = ModelServer::of(vec![answer.clone(), good()]).unwrap();
        let (clock, options) = options(&server);
        assert!(chat_with("openai:m", options).reply(&request("x"), &Ledger::default()).is_ok());
        let waited = clock.now();
        assert!(
            waited >= Duration::from_secs(least) && waited <= Duration::from_secs(most),
            "{waited:?} for {answer:?}"
        );
    }
    let server = ModelServer::of(vec![second(status(429))]).unwrap();
    let (clock, options) = options(&server);
    let chat = chat_with("openai:m", options);
    let ledger = Ledger::new(Limits { deadline: Some(Duration::from_secs(70)), ..Limits::default() });
    assert_eq!(failure(chat.reply(&request("x"), &ledger)).attempts, 3);
    assert_eq!(clock.now(), Duration::from_secs(60));
    clock.sleep(Duration::from_secs(30));
    let late = chat.reply(&request("x"), &ledger);
    assert!(matches!(late, Err(ModelError::Limit { limit: Limit::Time, .. })), "{late:?}");
    assert_eq!(server.count().requests, 3);
}

#[test]
fn an_outage_of_ten_minutes_is_waited_out() {
    let clock = VirtualClock::default();
    let servers = clock.clone();
    let down = Duration::from_secs(600);
    let server = ModelServer::start(move |_| if servers.now() < down { status(502) } else { good() }).unwrap();
    let shared: Arc<dyn Clock> = Arc::new(clock.clone());
    let base_url = Some(server.url());
    let chat = chat_with("openai:m", ChatOptions { base_url, clock: shared, attempts: 30, ..ChatOptions::default() });
    let reply = chat.reply(&request("x"), &Ledger::default()).unwrap();
    assert!(clock.now() >= down && clock.now() < down + Duration::from_secs(61), "{:?}", clock.now());
    assert!(reply.usage.retries < 25, "{:?}", reply.usage);
}

#[test]
fn requests_have_the_shape_that_servers_of_openai_s_kind_want() {
    let server = ModelServer::of(vec![good()]).unwrap();
    let mut asked = asking_json();
    asked.temperature = 0.7;
    asked.stop = vec!["END".into()];
    asked.messages[0].stable = true;
    asked.messages[1].parts.push(Part::Image(white().with_detail(Detail::High)));
    asked.messages[1].parts.push(Part::Image(white()));
    let extra = json!({"reasoning_effort": "low"}).as_object().unwrap().clone();
    let send = |spec: &str| {
        let chat = chat_with(spec, ChatOptions { extra: extra.clone(), ..options(&server).1 });
        let _ = chat.reply(&ChatRequest { schema: None, ..asked.clone() }, &Ledger::default()).unwrap();
        let _ = chat.reply(&asked, &Ledger::default());
        server.asked()
    };
    let all = send("openai:m");
    assert!(all[0].head.starts_with("post /v1/chat/completions http/1.1\n"), "{}", all[0].head);
    assert!(all[0].head.contains(&format!("authorization: bearer {KEY}\n")), "{}", all[0].head);
    let (first, second) = (&all[0].body, &all[1].body);
    let image = first["messages"][1]["content"][1]["image_url"]["url"].as_str().unwrap();
    assert!(image.starts_with("data:image/png;base64,iVBORw0KGgo"), "{image}");
    let content = json!([{"type": "text", "text": "x"},
        {"type": "image_url", "image_url": {"url": image, "detail": "high"}},
        {"type": "image_url", "image_url": {"url": image}}]);
    let want = json!({"model": "m", "messages": [{"role": "system", "content": "Be brief."},
        {"role": "user", "content": content}], "max_tokens": 50, "temperature": 0.7, "stop": ["END"],
        "reasoning_effort": "low"});
    assert_eq!(first, &want);
    let schema = asked.schema.as_ref().unwrap().json();
    let format = json!({"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": schema}});
    assert_eq!(second["response_format"], format);
    let all = send("openrouter:m");
    let third = &all.iter().rfind(|asked| asked.body.get("response_format").is_none()).unwrap().body;
    assert_eq!(third["max_tokens"], 50);
    let system = json!([{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]);
    assert_eq!(third["messages"][0]["content"], system);
}

#[test]
fn anthropic_is_spoken_to_in_its_own_way() {
    let refused = Answer::new(400, r#"{"error": {"message": "output_config: Extra inputs are not permitted"}}"#);
    let usage = json!({"input_tokens": 5, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 3,
        "output_tokens": 7});
    let value = Answer::anthropic(r#"{"a": "b"}"#, 0, 0).with("/usage", usage);
    let declined = Answer::anthropic("", 5, 0).with("/stop_reason", "refusal");
    let server = ModelServer::of(vec![refused, value, declined, Answer::new(529, "{}"), Answer::anthropic("Hi", 1, 1)]);
    let server = server.unwrap();
    let chat = chat("anthropic:claude", &server);
    let mut asked = asking_json();
    asked.messages[0].stable = true;
    asked.messages[1].parts.push(Part::Image(white()));
    asked.stop = vec!["END".into()];
    let ledger = Ledger::default();
    let reply = chat.reply(&asked, &ledger).unwrap();
    assert_eq!(reply.json, Some(json!({"a": "b"})));
    let usage = reply.usage;
    assert_eq!((usage.input_tokens, usage.cached_tokens, usage.output_tokens, usage.images), (28, 20, 7, 2));
    assert_eq!(failure(chat.reply(&request("x"), &ledger)).class, Class::Declined);
    assert_eq!(chat.reply(&request("x"), &ledger).unwrap().text, "Hi");

    let all = server.asked();
    let head = &all[0].head;
    let headers = [&format!("x-api-key: {KEY}\n"), "anthropic-version: 2023-06-01\n", "post /v1/messages http/1.1\n"];
    assert!(headers.iter().all(|header| head.contains(*header)) && !head.contains("authorization"), "{head}");
    let body = &all[0].body;
    let data = body["messages"][0]["content"][1]["source"]["data"].as_str().unwrap();
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}});
    let schema = asked.schema.as_ref().unwrap().json();
    let want = json!({"model": "claude", "max_tokens": 50,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "x"}, image]}],
        "temperature": 0.0, "stop_sequences": ["END"],
        "output_config": {"format": {"type": "json_schema", "schema": schema}}});
    assert_eq!(body, &want);
    assert!(all[1].body.get("output_config").is_none());
    assert!(all[1].body["messages"][0]["content"][2]["text"].as_str().unwrap().contains("obeys this schema"));
}

/// A server that knows neither schemas, nor JSON mode, nor the common name of the limit, nor temperatures.
fn plain_server() -> ModelServer {
    let no = |why: &str| Answer::new(400, json!({"error": {"message": why}}).to_string());
    let start = ModelServer::start(move |asked| {
        let has = |name: &str| asked.body.get(name).is_some();
        match asked.body["response_format"]["type"].as_str() {
            Some("json_schema") => no("'response_format' of type 'json_schema' is not supported with this model"),
            Some(_) => no("This response_format type is unavailable now"),
            None if has("max_tokens") => {
                no("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
            }
            None if has("temperature") => no("'temperature' does not support 0 with this model."),
            None => Answer::openai("Sure:\n```json\n{\"a\": \"b\"}\n```", 10, 5),
        }
    });
    start.unwrap()
}

#[test]
fn what_a_server_can_do_is_learned_once() {
    let server = plain_server();
    let chat = chat("vllm:m", &server);
    let ledger = Ledger::default();
    for requests in [5, 6, 7] {
        let reply = chat.reply(&asking_json(), &ledger).unwrap();
        assert_eq!(reply.json, Some(json!({"a": "b"})));
        assert_eq!(server.count().requests, requests);
    }
    let body = &server.asked()[6].body;
    let quoted = body["messages"][1]["content"].as_str().unwrap();
    assert!(quoted.contains(r#""required":["a"]"#), "{quoted}");
    assert_eq!((ledger.spent().calls, ledger.spent().retries), (3, 4));
    // Another kind of complaint is not taken for one about what can be left out.
    let server = ModelServer::of(vec![Answer::new(400, r#"{"error": {"message": "image too small"}}"#)]).unwrap();
    let failed = failure(super::drills::chat("vllm:m", &server).reply(&asking_json(), &ledger));
    assert_eq!((failed.class, server.count().requests), (Class::Request, 1));
}

#[test]
fn a_reply_that_does_not_obey_is_asked_for_once_more() {
    let say = |text: &str| Answer::openai(text, 10, 5);
    let value = say(r#"{"a": "b"}"#);
    let cut = say(r#"{"a": "b"#).with("/choices/0/finish_reason", "length");
    let table = [
        ("at once", vec![value.clone()], Ok(()), 1),
        ("prose first", vec![say("It is b."), value.clone()], Ok(()), 2),
        ("another type", vec![say(r#"{"a": 1}"#), value.clone()], Ok(()), 2),
        ("unknown member, left out", vec![say(r#"{"a": "b", "c": 1}"#)], Ok(()), 1),
        ("prose twice", vec![say("It is b.")], Err(Class::Schema), 2),
        ("too long", vec![cut], Err(Class::OutOfTokens), 1),
        ("declined at last", vec![say("no"), value.with("/choices/0/message/refusal", "no")], Err(Class::Declined), 2),
    ];
    for (name, answers, want, requests) in table {
        let server = ModelServer::of(answers).unwrap();
        let ledger = Ledger::default();
        let result = chat("openrouter:m", &server).reply(&asking_json(), &ledger);
        match want {
            Ok(()) => assert_eq!(result.unwrap().json, Some(json!({"a": "b"})), "{name}"),
            Err(class) => assert_eq!(failure(result).class, class, "{name}"),
        }
        assert_eq!((server.count().requests, ledger.spent().requests()), (requests, requests), "{name}");
        if requests == 2 {
            let messages = server.asked()[1].body["messages"].clone();
            assert_eq!(messages[2]["role"], "assistant", "{name}");
            assert!(messages[3]["content"].as_str().unwrap().contains("does not obey"), "{name}: {messages}");
        }
    }
}

/// A server where every third request fails in one of many ways.
fn shaky_server() -> ModelServer {
    let start = ModelServer::start(|asked| match asked.number % 18 {
        2 => status(429).header("Retry-After", "1"),
        5 => Answer::hang_up(),
        8 => Answer::new(502, "<html>"),
        11 => good().cut(20),
        14 => Answer::openai("", 3, 1),
        17 => status(529),
        n => Answer::openai("Paris", 100 + n as u64, 10).after(Duration::from_millis(2)),
    });
    start.unwrap()
}

#[test]
fn eight_threads_and_the_server_count_the_same() {
    let server = shaky_server();
    let (clock, options) = options(&server);
    let price = Some(Price { input: 1.0, output: 10.0, cached: None });
    let chat = chat_with("vllm:m", ChatOptions { price, attempts: 20, concurrency: 6, ..options });
    let run = Ledger::default();
    let workers: Vec<_> = (0..8).map(|_| clock.worker()).collect();
    std::thread::scope(|scope| {
        for worker in workers {
            let (chat, run) = (&chat, &run);
            scope.spawn(move || {
                for n in 0..25 {
                    let question = run.child(Limits::default());
                    let mut asked = request(&format!("question {n}"));
                    asked.messages[1].parts.push(Part::Image(white()));
                    let reply = chat.reply(&asked, &question).unwrap();
                    assert_eq!(reply.usage, question.spent());
                }
                drop(worker);
            });
        }
    });
    let (spent, count) = (run.spent(), server.count());
    assert_eq!((spent.calls, spent.requests()), (200, count.requests));
    assert_eq!((spent.input_tokens, spent.output_tokens), (count.input_tokens, count.output_tokens));
    assert_eq!(spent.images, count.images);
    assert_eq!(spent.nano_dollars, spent.input_tokens * 1_000 + spent.output_tokens * 10_000);
    assert!(count.at_once <= 6 && spent.retries > 50, "{count:?} {spent:?}");
}

#[test]
fn a_limit_of_cost_stops_within_one_call() {
    let told = Answer::openai("Paris", 100, 10).with("/usage/cost", 0.01);
    let configured = Some(Price { input: 50.0, output: 500.0, cached: None });
    for (name, price, answer) in [("told", None, told), ("configured", configured, good())] {
        let server = ModelServer::of(vec![answer.after(Duration::from_millis(5))]).unwrap();
        let (clock, options) = options(&server);
        let chat = chat_with("openrouter:m", ChatOptions { price, concurrency: 8, ..options });
        let limit = nano_dollars(0.095);
        let run = Ledger::new(Limits { nano_dollars: Some(limit), ..Limits::default() });
        let workers: Vec<_> = (0..8).map(|_| clock.worker()).collect();
        std::thread::scope(|scope| {
            for worker in workers {
                let (chat, run) = (&chat, &run);
                scope.spawn(move || {
                    let last = (0..20).find_map(|_| chat.reply(&request("x"), run).err());
                    assert!(matches!(last, Some(ModelError::Limit { limit: Limit::Cost, .. })), "{last:?}");
                    drop(worker);
                });
            }
        });
        let spent = run.spent();
        assert!(spent.nano_dollars <= limit, "{name}: {spent:?}");
        assert!(spent.nano_dollars + nano_dollars(0.05) >= limit, "{name}: {spent:?}");
        assert_eq!(spent.requests(), server.count().requests, "{name}");
    }
}

#[test]
fn a_price_that_nobody_tells_is_not_taken_for_none() {
    let server = ModelServer::of(vec![good()]).unwrap();
    let chat = chat("openrouter:m", &server);
    let run = Ledger::new(Limits { nano_dollars: Some(1_000_000_000), ..Limits::default() });
    assert_eq!(chat.reply(&request("x"), &run).unwrap().usage.unpriced, 1);
    assert!(matches!(chat.reply(&request("x"), &run), Err(ModelError::Limit { limit: Limit::Cost, .. })));
    let nothing = ModelServer::of(vec![good().with("/usage/cost", 0.0)]).unwrap();
    let told = super::drills::chat("openrouter:free", &nothing).reply(&request("x"), &Ledger::default()).unwrap();
    assert_eq!((told.usage.unpriced, told.usage.nano_dollars), (0, 0));
    let free = super::drills::chat("ollama:m", &server).reply(&request("x"), &run).unwrap();
    assert_eq!((free.usage.unpriced, free.usage.nano_dollars), (0, 0));
}

#[test]
fn a_server_that_takes_few_at_once_is_not_overrun() {
    let now = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&now);
    let server = ModelServer::start(move |_| {
        let others = counted.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(10));
        counted.fetch_sub(1, Ordering::SeqCst);
        if others < 2 { good() } else { status(429) }
    });
    let server = server.unwrap();
    let (clock, options) = options(&server);
    let chat = chat_with("openai:m", ChatOptions { concurrency: 8, attempts: 30, ..options });
    let workers: Vec<_> = (0..8).map(|_| clock.worker()).collect();
    std::thread::scope(|scope| {
        for worker in workers {
            let chat = &chat;
            scope.spawn(move || {
                for _ in 0..20 {
                    assert!(chat.reply(&request("x"), &Ledger::default()).is_ok());
                }
                drop(worker);
            });
        }
    });
    let refused = server.count().requests - 160;
    assert!(refused < 80, "{refused} of 160 requests were sent in vain");
}

#[test]
fn the_key_is_nowhere() {
    let echo = |status: u16| Answer::new(status, json!({"error": {"message": format!("bad key {KEY}")}}).to_string());
    let said = format!("your key is {KEY}");
    let answers = [
        echo(400),
        echo(401),
        echo(429),
        echo(500),
        Answer::new(200, format!("<html>{KEY}")),
        Answer::new(200, format!("{KEY} is no JSON")),
        Answer::new(200, json!({"error": {"code": 401, "message": KEY}}).to_string()),
        Answer::new(200, json!({"detail": KEY}).to_string()),
        Answer::openai(&said, 1, 1).cut(120),
        Answer::openai(&said, 1, 1),
        Answer::openai(&said, 1, 1).with("/choices/0/message/refusal", KEY),
        Answer::openai("x", 1, 1).with("/model", KEY),
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut seen = String::new();
    for answer in answers {
        let server = ModelServer::of(vec![answer]).unwrap();
        let keys = Keys { any: Some(Secret::new(KEY)), ..Keys::default() };
        let (_, options) = options(&server);
        seen += &format!("{keys:?} {options:?}");
        let chat = chat_with("openrouter:m", options);
        let chat = Recorded::new(chat, folder.path().into(), RecordMode::Record);
        for request in [request("x"), asking_json()] {
            let result = chat.reply(&request, &Ledger::default());
            seen +=
                &format!("{chat:?} {result:?} {}", result.as_ref().err().map_or_else(String::new, ToString::to_string));
        }
        assert!(server.asked()[0].head.contains(KEY));
    }
    let records: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!records.is_empty());
    records.iter().for_each(|record| seen += &std::fs::read_to_string(record).unwrap());
    assert!(seen.contains("***") && !seen.contains(KEY), "{seen}");
    assert!(!seen.contains(&KEY[9..]), "{seen}");
}

#[test]
fn replies_are_the_same_from_a_record_without_any_server() {
    let server = ModelServer::of(vec![Answer::openai(r#"{"a": "b"}"#, 10, 5)]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let record = Recorded::new(chat("vllm:m", &server), folder.path().into(), RecordMode::Record);
    let live = record.reply(&asking_json(), &Ledger::default()).unwrap();
    let (_, options) = options(&server);
    drop(server);
    let replay = Recorded::new(chat_with("vllm:m", options), folder.path().into(), RecordMode::Replay);
    let ledger = Ledger::default();
    assert_eq!(replay.reply(&asking_json(), &ledger).unwrap(), live);
    assert_eq!(ledger.spent(), live.usage);
}

#[test]
fn what_a_server_does_not_count_is_estimated() {
    let server = ModelServer::of(vec![good().with("/usage", Value::Null)]).unwrap();
    let ledger = Ledger::default();
    let asked = request("x");
    chat("ollama:m", &server).reply(&asked, &ledger).unwrap();
    assert_eq!((ledger.spent().input_tokens, ledger.spent().output_tokens), (asked.tokens(), 1));
}

/// Nobody here speaks TLS; that it is tried is all that can be seen.
#[test]
fn a_plain_server_is_not_spoken_to_where_tls_was_asked_for() {
    let server = ModelServer::of(vec![good()]).unwrap();
    let (_, options) = options(&server);
    let base_url = Some(server.url().replace("http:", "https:"));
    let failure = failure(
        chat_with("openai:m", ChatOptions { base_url, attempts: 1, ..options })
            .reply(&request("x"), &Ledger::default()),
    );
    assert_eq!(failure.class, Class::Connection, "{failure}");
    assert!(server.asked().iter().all(|asked| !asked.head.contains(KEY)));
}

#[test]
fn odd_requests_are_not_sent() {
    let server = ModelServer::of(vec![good()]).unwrap();
    let chat = chat("openai:m", &server);
    let mut shown = request("x");
    shown.messages[0].parts.push(Part::Image(white()));
    for request in [ChatRequest::new(vec![]), ChatRequest::new(vec![ChatMessage::system("x")]), shown] {
        let failure = failure(chat.reply(&request, &Ledger::default()));
        assert_eq!((failure.class, failure.attempts), (Class::Request, 0));
    }
    assert_eq!(server.count().requests, 0);
}
