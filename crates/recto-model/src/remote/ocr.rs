//! An OCR server: `POST` of a form with `file` (PNG) and `language`, answered by
//! `{"results": [{"text": .., "bbox": [left, top, right, bottom], "confidence": ..}]}` in pixels.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use recto_page::{PageImage, Region, Word};
use serde::Deserialize;
use ureq::http::{HeaderMap, StatusCode, Uri};
use ureq::{Agent, Error};

use super::multipart;
use super::picture::png;
use crate::{ModelError, Recognized, RecognizedLine, Recognizer, Result, Stop};

/// A longer answer is refused: no page has that much text.
const MOST_BYTES: u64 = 16 << 20;

/// A server that has not answered for so many pictures in a row is not asked any more.
const MOST_FAILURES: u32 = 3;

/// A server that is there takes a connection in this time.
const TIME_TO_CONNECT: Duration = Duration::from_secs(10);

/// A server that reads pictures. Its text is taken to stand upright.
#[derive(Debug)]
pub struct RemoteRecognizer {
    agent: Agent,
    url: String,
    language: String,
    name: String,
    /// Pictures without an answer since the last answer.
    failures: AtomicU32,
}

impl RemoteRecognizer {
    /// A server at an `http://` address; each picture may take `timeout`. No proxy is used. After three pictures in a row
    /// without an answer it is given up: further ones are [`ModelError::Unavailable`] at once.
    ///
    /// # Errors
    /// [`ModelError::Refused`] for any other kind of address.
    pub fn new(url: &str, language: &str, timeout: Duration) -> Result<Self> {
        let clean = |text: &str| text.chars().all(|c| c.is_ascii_graphic());
        let address = url.parse::<Uri>().ok().filter(|uri| uri.host().is_some_and(|host| !host.is_empty()));
        if address.is_none() || !url.starts_with("http://") || !clean(url) || !clean(language) {
            return Err(ModelError::Refused { why: format!("not the http:// address of an OCR server: {url}") });
        }
        let config = Agent::config_builder().timeout_global(Some(timeout)).timeout_connect(Some(TIME_TO_CONNECT));
        let config = config.proxy(None).max_redirects(0);
        let agent = config.http_status_as_error(false).build().new_agent();
        Ok(Self {
            agent,
            url: url.into(),
            language: language.into(),
            name: format!("server {url}"),
            failures: 0.into(),
        })
    }

    fn ask(&self, image: &PageImage) -> Result<Recognized> {
        let body = multipart::form(&self.language, &png(image)?);
        let request = self.agent.post(&self.url).header("Content-Type", multipart::content_type());
        let mut response = request.send(&body).map_err(no_answer)?;
        check_status(response.status(), response.headers())?;
        let body = response.body_mut().with_config().limit(MOST_BYTES).read_to_vec().map_err(no_answer)?;
        let reply: Reply = serde_json::from_slice(&body).map_err(|error| bad_reply(error.to_string()))?;
        let lines = reply.results.iter().filter_map(|result| result.line(image)).collect();
        Ok(Recognized { lines, ..Recognized::default() })
    }
}

impl Recognizer for RemoteRecognizer {
    /// Its time is the server's.
    fn recognize(&self, image: &PageImage, _: &Stop) -> Result<Recognized> {
        if self.failures.load(Ordering::Relaxed) >= MOST_FAILURES {
            let why = format!("no answer for {MOST_FAILURES} pictures in a row from {}", self.url);
            return Err(ModelError::Unavailable { why, retry_after: None });
        }
        let read = self.ask(image);
        match read {
            Err(ModelError::Unavailable { .. }) => self.failures.fetch_add(1, Ordering::Relaxed),
            _ => self.failures.swap(0, Ordering::Relaxed),
        };
        read
    }

    fn name(&self) -> &str {
        &self.name
    }
}

#[derive(Deserialize)]
struct Reply {
    results: Vec<Read>,
}

#[derive(Deserialize)]
struct Read {
    text: String,
    bbox: [f64; 4],
    #[serde(default = "sure")]
    confidence: f32,
}

fn sure() -> f32 {
    1.0
}

impl Read {
    /// The line with its words, which share its width by their number of characters; `None` without any.
    fn line(&self, image: &PageImage) -> Option<RecognizedLine> {
        let printable = self.text.replace(|c: char| c.is_control(), " ");
        let count = printable.trim().chars().count().max(1) as f64;
        let [left, top, right, bottom] = self.bbox;
        let (w, h) = (f64::from(image.width.max(1)), f64::from(image.height.max(1)));
        let mut at = 0;
        let mut words = Vec::new();
        for part in printable.trim().split(char::is_whitespace) {
            let end = at + part.chars().count();
            let x = |place: usize| (left + (right - left) * place as f64 / count) / w;
            if !part.is_empty() {
                words.push(Word { text: part.into(), region: Region::new(x(at), top / h, x(end), bottom / h) });
            }
            at = end + 1;
        }
        let confidence = self.confidence.clamp(0.0, 1.0);
        (!words.is_empty()).then_some(RecognizedLine { words, confidence, turned: 0 })
    }
}

fn check_status(status: StatusCode, headers: &HeaderMap) -> Result<()> {
    let why = format!("the OCR server says {status}");
    let seconds = headers.get("Retry-After").and_then(|value| value.to_str().ok()?.parse().ok());
    match status.as_u16() {
        200..=299 => Ok(()),
        408 | 429 | 500..=599 => Err(ModelError::Unavailable { why, retry_after: seconds.map(Duration::from_secs) }),
        _ => Err(ModelError::Refused { why }),
    }
}

fn no_answer(error: Error) -> ModelError {
    match error {
        Error::BodyExceedsLimit(limit) => bad_reply(format!("more than {limit} bytes")),
        Error::Protocol(error) => bad_reply(error.to_string()),
        other => ModelError::Unavailable { why: format!("OCR server: {other}"), retry_after: None },
    }
}

fn bad_reply(why: String) -> ModelError {
    ModelError::BadReply { why }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read as _, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// A server that gives one answer, byte by byte as given, and hands over the body that it was sent.
    fn server(answer: &'static str) -> (String, Receiver<Vec<u8>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/ocr", listener.local_addr().unwrap());
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            sender.send(body(&stream)).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
        });
        (url, receiver)
    }

    /// The body of a request.
    fn body(stream: &TcpStream) -> Vec<u8> {
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        for line in reader.by_ref().lines().map(|line| line.unwrap()).take_while(|line| !line.is_empty()) {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        body
    }

    fn ask(answer: &'static str) -> crate::Result<Recognized> {
        let (url, body) = server(answer);
        let image = PageImage { width: 100, height: 50, dpi: 144, rgb: vec![255; 15_000] };
        let read = RemoteRecognizer::new(&url, "en", Duration::from_secs(20)).unwrap().recognize(&image, &|| false);
        let body = String::from_utf8_lossy(&body.recv().unwrap()).into_owned();
        assert!(body.contains("name=\"language\"\r\n\r\nen\r\n"), "{body}");
        assert!(body.contains("name=\"file\"; filename=\"page.png\"\r\nContent-Type: image/png\r\n\r\n\u{fffd}PNG"));
        read
    }

    #[test]
    fn what_the_server_read_becomes_words_with_places() {
        let answer = r#"{"results": [{"text": "ab\u0007cd e", "bbox": [10, 5, 80, 10], "confidence": 0.5, "more": 1},
            {"text": " ", "bbox": [0, 0, 9, 9]}]}"#;
        let answer: &str =
            Box::leak(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{answer}", answer.len()).into());
        let word = |text: &str, left, right| Word { text: text.into(), region: Region::new(left, 0.1, right, 0.2) };
        let words = vec![word("ab", 0.1, 0.3), word("cd", 0.4, 0.6), word("e", 0.7, 0.8)];
        let line = RecognizedLine { words, confidence: 0.5, turned: 0 };
        assert_eq!(ask(answer), Ok(Recognized { lines: vec![line], ..Recognized::default() }));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let table = [
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "refused"),
            ("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", "refused"),
            ("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", "7"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnull", "bad"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n{\"results\": [{\"text\": 1}]}", "bad"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", "none"),
            ("SMTP", "bad"),
            ("", "none"),
        ];
        for (answer, want) in table {
            let got = match ask(answer) {
                Err(ModelError::Refused { .. }) => "refused".into(),
                Err(ModelError::Unavailable { retry_after: Some(wait), .. }) => wait.as_secs().to_string(),
                Err(ModelError::Unavailable { .. }) => "none".into(),
                Err(ModelError::BadReply { .. }) => "bad".into(),
                other => format!("{other:?}"),
            };
            assert_eq!(got, want, "{answer}");
        }
    }

    #[test]
    fn no_server_and_no_picture_are_errors() {
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let server = RemoteRecognizer::new(&format!("http://{closed}/"), "en", Duration::from_secs(20)).unwrap();
        let image = |bytes: usize| PageImage { width: 2, height: 2, dpi: 72, rgb: vec![0; bytes] };
        assert!(matches!(server.recognize(&image(12), &|| false), Err(ModelError::Unavailable { .. })));
        assert!(matches!(server.recognize(&image(11), &|| false), Err(ModelError::BadPicture { bytes: 11, .. })));
        for url in
            ["https://example.org", "ftp://x", "http://a b", "", "localhost:8080", "http://", "http://:80", "http://[x"]
        {
            assert!(matches!(RemoteRecognizer::new(url, "en", Duration::ZERO), Err(ModelError::Refused { .. })));
        }
    }

    /// As many answers as there are; who asks more often waits for nothing.
    #[test]
    fn a_server_that_does_not_answer_is_given_up_until_then() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let busy = "HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        let good = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 15\r\n\r\n{\"results\": []}";
        let answers = [busy, busy, good, busy, busy, busy];
        let serving = std::thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                body(&stream);
                stream.write_all(answer.as_bytes()).unwrap();
            }
        });
        let server = RemoteRecognizer::new(&url, "en", Duration::from_secs(20)).unwrap();
        let image = PageImage { width: 1, height: 1, dpi: 72, rgb: vec![0; 3] };
        let asked: Vec<bool> = answers.iter().map(|_| server.recognize(&image, &|| false).is_ok()).collect();
        assert_eq!(asked, [false, false, true, false, false, false]);
        serving.join().unwrap();
        let Err(ModelError::Unavailable { why, .. }) = server.recognize(&image, &|| false) else { panic!() };
        assert!(why.starts_with("no answer for 3 pictures in a row"), "{why}");
    }
}
