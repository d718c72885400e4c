//! `recto serve` started for a test, and a client that speaks as much HTTP as it takes.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::desk::Desk;

/// A server that ends with the test.
pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Serving {
    /// Starts it on a free port with these arguments and this environment.
    pub(crate) fn start(desk: &Desk, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = desk.command(&[&["serve", "--port", "0"], arguments].concat());
        let mut child = command.envs(environment.iter().copied()).stderr(Stdio::piped()).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("http://") {
            line.clear();
            assert!(errors.read_line(&mut line).unwrap() > 0, "the server has ended: {:?}", child.wait());
        }
        // What it says later must find a reader.
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        Self { child, address }
    }

    /// An open connection.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// What is answered to a request with these headers and this body.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut stream = self.connect();
        stream.write_all(&self.request(method, path, headers, body)).ok();
        Reply::read(&mut BufReader::new(stream))
    }

    /// A request as it is sent.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        [head.as_bytes(), b"\r\n", body].concat()
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, &[("Content-Type", "application/json")], body.to_string().as_bytes())
    }

    /// JSON that must be answered with 200.
    #[track_caller]
    pub(crate) fn json(&self, path: &str) -> Value {
        let reply = self.get(path);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    }

    /// The result of the job that a reply tells of.
    #[track_caller]
    pub(crate) fn result(&self, reply: &Reply) -> Reply {
        assert_eq!(reply.status, 202, "{}", reply.text());
        let job = reply.json();
        let url = job["url"].as_str().unwrap();
        for _ in 0..10 {
            let now = self.json(&format!("{url}?wait=30"));
            if !["waiting", "running"].contains(&now["state"].as_str().unwrap()) {
                break;
            }
        }
        self.get(job["result"].as_str().unwrap())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Reply {
    /// Reads a response to its end.
    pub(crate) fn read(reader: &mut impl BufRead) -> Self {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).is_ok_and(|n| n > 0) {}
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let mut reply = Self { status, head, body: Vec::new() };
        if reply.header("transfer-encoding") == Some("chunked") {
            while let Some(piece) = chunk(reader) {
                reply.body.extend(piece);
            }
        } else {
            reader.read_to_end(&mut reply.body).ok();
        }
        reply
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.into_iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {} {}", self.head, self.text()))
    }

    /// The code of an error.
    #[track_caller]
    pub(crate) fn code(&self) -> String {
        let body = self.json();
        let error = &body["error"];
        assert!(error["message"].is_string() && error["next_step"].is_string(), "{body}");
        error["code"].as_str().unwrap().to_owned()
    }

    /// Server-sent events by name and data.
    pub(crate) fn events(&self) -> Vec<(String, Value)> {
        let text = self.text();
        let event = |block: &str| {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            let data = field("data:")?;
            Some((field("event:").unwrap_or("").to_owned(), serde_json::from_str(data).unwrap_or(Value::Null)))
        };
        text.split("\n\n").filter_map(event).collect()
    }
}

/// The next piece of a body that comes in pieces.
pub(crate) fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok().filter(|length| *length > 0)?;
    let mut piece = vec![0; length + 2];
    reader.read_exact(&mut piece).ok()?;
    piece.truncate(length);
    Some(piece)
}
