//! A server for tests that gives prepared answers, one a connection, and notes what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;

/// What the server was asked: the head in lower case, and the body.
pub(super) struct Asked {
    pub(super) head: String,
    pub(super) body: Value,
}

/// Starts a server with these answers, byte by byte as given. Its address, and what it will have been asked.
pub(super) fn start(answers: Vec<String>) -> (String, Receiver<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream);
            let lines = reader.by_ref().lines().map(|line| line.unwrap()).take_while(|line| !line.is_empty());
            let head = lines.collect::<Vec<_>>().join("\n").to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            let mut body = vec![0; length.unwrap_or(0)];
            reader.read_exact(&mut body).unwrap();
            reader.into_inner().write_all(answer.as_bytes()).unwrap();
            if sender.send(Asked { head, body: serde_json::from_slice(&body).unwrap() }).is_err() {
                return;
            }
        }
    });
    (url, receiver)
}

/// An answer with a status line, more header lines, and a body.
pub(super) fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

/// A good answer.
pub(super) fn ok(body: &Value) -> String {
    answer("200 OK", "", &body.to_string())
}
