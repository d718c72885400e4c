//! A server for tests that embeds as OpenAI, vLLM's chat embeddings and `/pooling` do, as often as it is asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

/// What it wants to be told.
pub(crate) const KEY: &str = "open-sesame-4471";

pub(crate) struct Server {
    pub(crate) url: String,
}

/// Starts it, for as long as the test runs.
pub(crate) fn start() -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        listener.incoming().flatten().for_each(|stream| drop(std::thread::spawn(|| answer(stream))));
    });
    Server { url }
}

fn answer(stream: TcpStream) {
    let mut reader = BufReader::new(stream);
    let lines = reader.by_ref().lines().map(|line| line.unwrap()).take_while(|line| !line.is_empty());
    let head = lines.collect::<Vec<_>>().join("\n").to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    let (status, reply) = if head.contains(&format!("authorization: bearer {KEY}")) {
        ("200 OK", embedded(&serde_json::from_slice(&body).unwrap(), head.starts_with("post /pooling")))
    } else {
        ("401 Unauthorized", json!({ "error": "no key" }))
    };
    let text = reply.to_string();
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", text.len());
    reader.into_inner().write_all((head + &text).as_bytes()).unwrap();
}

fn embedded(asked: &Value, tokens: bool) -> Value {
    let inputs: Vec<Value> = match asked["input"].as_array() {
        Some(inputs) => inputs.clone(),
        None => vec![asked["messages"][0]["content"][0].clone()],
    };
    let item = |(index, input): (usize, &Value)| {
        let vector = vector(input);
        if tokens {
            json!({ "index": index, "data": [vector, vector] })
        } else {
            json!({ "index": index, "embedding": vector })
        }
    };
    json!({ "data": inputs.iter().enumerate().map(item).collect::<Vec<_>>() })
}

/// How often `red` and `fox` are said. Pictures are alike, so that the first is the first.
fn vector(input: &Value) -> [f32; 3] {
    let text = input.as_str().or_else(|| input["text"].as_str());
    let count = |word: &str| text.map_or(0.0, |text| text.matches(word).count() as f32);
    [count("red"), count("fox"), 1.0]
}
