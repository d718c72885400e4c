//! A server of language models on this machine that answers as a script says: well, late, with a fault, or half. It counts
//! what it was asked and what it told to have used.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// A longer request is not read.
const MOST_BYTES: usize = 256 << 20;

/// What the server was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The request line and the headers in lower case, in lines.
    pub head: String,
    /// The body; null if it is no JSON.
    pub body: Value,
    /// How many requests came before it.
    pub number: usize,
}

/// What the server was asked and said so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Requests.
    pub requests: u64,
    /// Pictures in them.
    pub images: u64,
    /// Tokens that whole answers told to have read.
    pub input_tokens: u64,
    /// Tokens that whole answers told to have written.
    pub output_tokens: u64,
    /// Most requests at once.
    pub at_once: u64,
    at_work: u64,
}

/// An answer: a status, headers, a body, and how badly it arrives.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
    delay: Duration,
    cut: Option<usize>,
    tokens: (u64, u64),
}

impl Answer {
    /// An answer with a status and a body.
    pub fn new(status: u16, body: impl Into<String>) -> Self {
        let (headers, delay) = (Vec::new(), Duration::ZERO);
        Self { status, headers, body: body.into(), delay, cut: None, tokens: (0, 0) }
    }

    /// A reply as `/chat/completions` gives it.
    pub fn openai(text: &str, input_tokens: u64, output_tokens: u64) -> Self {
        let message = json!({"role": "assistant", "content": text});
        let body = json!({"id": "1", "object": "chat.completion", "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": input_tokens, "completion_tokens": output_tokens}});
        Self { tokens: (input_tokens, output_tokens), ..Self::new(200, body.to_string()) }
    }

    /// A reply as `/messages` gives it.
    pub fn anthropic(text: &str, input_tokens: u64, output_tokens: u64) -> Self {
        let body = json!({"id": "1", "type": "message", "role": "assistant", "model": "scripted",
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
            "usage": {"input_tokens": input_tokens, "output_tokens": output_tokens}});
        Self { tokens: (input_tokens, output_tokens), ..Self::new(200, body.to_string()) }
    }

    /// The same with a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// The same with one place of its JSON changed, such as `/choices/0/finish_reason`. A last name that is not there is
    /// added.
    #[must_use]
    pub fn with(mut self, place: &str, value: impl Into<Value>) -> Self {
        let mut json: Value = serde_json::from_str(&self.body).unwrap_or_default();
        let (above, name) = place.rsplit_once('/').unwrap_or(("", place));
        if let Some(above) = json.pointer_mut(above) {
            above[name] = value.into();
        }
        self.body = json.to_string();
        self
    }

    /// The same, later.
    #[must_use]
    pub const fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The same, broken off after so many bytes of its body.
    #[must_use]
    pub const fn cut(mut self, bytes: usize) -> Self {
        self.cut = Some(bytes);
        self.tokens = (0, 0);
        self
    }

    /// No answer at all: the connection ends.
    pub fn hang_up() -> Self {
        Self::new(0, "")
    }

    fn send(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        thread::sleep(self.delay);
        if self.status == 0 {
            return Ok(());
        }
        let headers: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let (status, length) = (self.status, self.body.len());
        let head =
            format!("HTTP/1.1 {status} Status\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all(head.as_bytes())?;
        let body = self.body.as_bytes();
        stream.write_all(body.get(..self.cut.unwrap_or(length)).unwrap_or(body))
    }
}

/// What a script says to a request.
type Script = dyn Fn(&Asked) -> Answer + Send + Sync;

/// The server, until dropped. Each request has a thread.
pub struct ModelServer {
    address: String,
    shared: Arc<Shared>,
}

struct Shared {
    script: Box<Script>,
    asked: Mutex<Vec<Asked>>,
    count: Mutex<Count>,
    over: AtomicBool,
}

impl ModelServer {
    /// A server that answers by a function.
    ///
    /// # Errors
    /// When this machine has no port for it.
    pub fn start(script: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        let (asked, count, over) = (Mutex::default(), Mutex::default(), AtomicBool::new(false));
        let shared = Arc::new(Shared { script: Box::new(script), asked, count, over });
        let served = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if served.over.load(Ordering::Relaxed) {
                    return;
                }
                let served = Arc::clone(&served);
                // Whom a broken connection hurts is whoever asks: that is what is tried here.
                thread::spawn(move || drop(served.serve(stream)));
            }
        });
        Ok(Self { address, shared })
    }

    /// A server that gives these answers in order, and the last one for ever.
    ///
    /// # Errors
    /// When this machine has no port for it.
    pub fn of(answers: Vec<Answer>) -> std::io::Result<Self> {
        let none = Answer::new(500, "no answer was scripted");
        Self::start(move |asked| answers.get(asked.number).or(answers.last()).unwrap_or(&none).clone())
    }

    /// The base address, such as `http://127.0.0.1:12345/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Every request so far.
    pub fn asked(&self) -> Vec<Asked> {
        locked(&self.shared.asked).clone()
    }

    /// What was counted so far.
    pub fn count(&self) -> Count {
        *locked(&self.shared.count)
    }
}

impl std::fmt::Debug for ModelServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ModelServer at {}", self.address)
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(&self.address));
    }
}

impl Shared {
    fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream);
        let Some((head, body)) = read(&mut reader)? else { return Ok(()) };
        let body = serde_json::from_slice(&body).unwrap_or_default();
        let images = count_images(&body);
        let asked = {
            let mut all = locked(&self.asked);
            let asked = Asked { head, body, number: all.len() };
            all.push(asked.clone());
            asked
        };
        self.note(|count| {
            count.requests += 1;
            count.images += images;
            count.at_work += 1;
            count.at_once = count.at_once.max(count.at_work);
        });
        let answer = (self.script)(&asked);
        // Before the answer is out, so that who has it finds it counted.
        self.note(|count| {
            count.input_tokens += answer.tokens.0;
            count.output_tokens += answer.tokens.1;
        });
        let sent = answer.send(reader.get_mut());
        self.note(|count| count.at_work -= 1);
        sent
    }

    fn note(&self, change: impl FnOnce(&mut Count)) {
        change(&mut locked(&self.count));
    }
}

/// A request's head in lower case, and its body; `None` if nothing came.
fn read(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<(String, Vec<u8>)>> {
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line.trim_end().to_ascii_lowercase());
        head.push('\n');
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    let mut body = vec![0; length.unwrap_or(0).min(MOST_BYTES)];
    reader.read_exact(&mut body)?;
    Ok(Some((head, body)))
}

/// Parts of the type `image_url` or `image`, anywhere.
fn count_images(value: &Value) -> u64 {
    match value {
        Value::Array(items) => items.iter().map(count_images).sum(),
        Value::Object(members) => {
            let is = members.get("type").is_some_and(|kind| kind == "image_url" || kind == "image");
            u64::from(is) + members.values().map(count_images).sum::<u64>()
        }
        _ => 0,
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
