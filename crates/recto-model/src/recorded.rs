//! Replies kept in files, one for each request: to run again without a model, or not to pay twice.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use recto_page::ContentHash;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::chat::Reach;
use crate::{Chat, ChatReply, ChatRequest, Ledger, ModelError, Part, Result, Usage};

/// What is done with replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordMode {
    /// The model is asked, its replies are kept.
    Record,
    /// Kept replies are given, and booked as if the model had been asked. One that was not kept is an error.
    Replay,
    /// Kept replies are given for nothing; for others the model is asked and they are kept.
    Cache,
}

/// A chat whose replies are kept in a folder: a file for each request, named by its hash.
#[derive(Debug)]
pub struct Recorded<C> {
    chat: C,
    folder: PathBuf,
    mode: RecordMode,
    /// Tells half-written files apart.
    writes: AtomicU64,
}

/// A file of the folder.
#[derive(Serialize, Deserialize)]
struct Record {
    key: String,
    /// The request with the hashes of its pictures.
    request: Value,
    reply: ChatReply,
}

impl<C: Chat> Recorded<C> {
    /// Wraps a chat.
    pub const fn new(chat: C, folder: PathBuf, mode: RecordMode) -> Self {
        Self { chat, folder, mode, writes: AtomicU64::new(0) }
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    fn kept(&self, key: &str) -> Result<Option<ChatReply>> {
        let file = self.file(key);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(bad(&file, error)),
        };
        let record: Record = serde_json::from_slice(&bytes).map_err(|error| bad(&file, error))?;
        Ok(Some(record.reply))
    }

    /// Writes beside the place and moves, so that no reader sees half a record.
    fn keep(&self, key: String, request: Value, reply: &ChatReply) -> Result<()> {
        let file = self.file(&key);
        let n = self.writes.fetch_add(1, Ordering::Relaxed);
        let beside = self.folder.join(format!(".{key}-{}-{n}", std::process::id()));
        let record = Record { key, request, reply: reply.clone() };
        let mut text = serde_json::to_string_pretty(&record).map_err(|error| bad(&file, error))?;
        text.push('\n');
        fs::create_dir_all(&self.folder).map_err(|error| bad(&file, error))?;
        fs::write(&beside, text).and_then(|()| fs::rename(&beside, &file)).map_err(|error| bad(&file, error))
    }
}

fn bad(file: &Path, error: impl ToString) -> ModelError {
    ModelError::BadFile { file: file.into(), why: error.to_string() }
}

impl<C: Chat> Chat for Recorded<C> {
    fn name(&self) -> &str {
        self.chat.name()
    }

    fn fingerprint(&self) -> String {
        self.chat.fingerprint()
    }

    fn reach(&self) -> Reach {
        self.chat.reach()
    }

    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> Result<ChatReply> {
        let (key, canonical) = key(&self.chat.fingerprint(), request);
        let kept = if self.mode == RecordMode::Record { None } else { self.kept(&key)? };
        match (kept, self.mode) {
            (Some(reply), RecordMode::Replay) => {
                ledger.reserve(crate::ledger::Estimate { tokens: 0, nano_dollars: Some(0) })?;
                ledger.book(&reply.usage);
                Ok(reply)
            }
            (Some(reply), _) => Ok(ChatReply { usage: Usage::default(), ..reply }),
            (None, RecordMode::Replay) => Err(ModelError::NotRecorded { key }),
            (None, _) => {
                let reply = self.chat.reply(request, ledger)?;
                self.keep(key, canonical, &reply)?;
                Ok(reply)
            }
        }
    }
}

/// The name of a request's record: the BLAKE3 hash of its canonical form, which is returned with it.
pub fn key(model: &str, request: &ChatRequest) -> (String, Value) {
    let canonical = canonical(model, request);
    (ContentHash::of(canonical.to_string().as_bytes()).as_str().into(), canonical)
}

fn canonical(model: &str, request: &ChatRequest) -> Value {
    let part = |part: &Part| match part {
        Part::Text(text) => json!({"text": text}),
        Part::Image(image) => json!({"image": image.hash().as_str(), "detail": image.detail.as_str()}),
    };
    let messages = request.messages.iter().map(|message| {
        let parts: Vec<Value> = message.parts.iter().map(part).collect();
        json!({"role": message.role.as_str(), "parts": parts})
    });
    let schema = request.schema.as_ref().map(|schema| json!({"name": schema.name(), "schema": schema.json()}));
    json!({"model": model, "messages": messages.collect::<Vec<_>>(), "max_tokens": request.max_tokens,
        "temperature": request.temperature, "stop": request.stop, "schema": schema, "sample": request.sample})
}

#[cfg(test)]
mod tests {
    use recto_page::PageImage;

    use super::*;
    use crate::chat::FakeChat;
    use crate::{ChatImage, ChatMessage, Detail, Limits};

    fn request(text: &str) -> ChatRequest {
        ChatRequest::new(vec![ChatMessage::system("s"), ChatMessage::user(text)])
    }

    fn with_image(grey: u8, detail: Detail) -> ChatRequest {
        let page = PageImage { width: 1, height: 1, dpi: 72, rgb: vec![grey; 3] };
        let mut request = request("a");
        request.messages[1].parts.push(Part::Image(ChatImage::of(&page).unwrap().with_detail(detail)));
        request
    }

    #[test]
    fn keys_tell_requests_apart_and_stay() {
        let hotter = ChatRequest { temperature: 0.7, ..request("a") };
        let again = ChatRequest { sample: 1, ..hotter.clone() };
        let images = [with_image(1, Detail::Auto), with_image(2, Detail::Auto), with_image(2, Detail::High)];
        let requests = [request("a"), request("b"), hotter, again].into_iter().chain(images);
        let mut keys: Vec<String> = requests.map(|request| key("m", &request).0).collect();
        keys.push(key("other", &request("a")).0);
        assert_eq!(key("m", &request("a")).0, keys[0]);
        // A changed canonical form loses every record that people have.
        assert_eq!(keys[0], "df22d1523a069d086b18180a381619f1c25957d32ad650676d0932a75776e37a");
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 8);
    }

    #[test]
    fn replies_are_kept_and_given_again() {
        let folder = tempfile::tempdir().unwrap();
        let chat = |mode, replies: &[&str]| {
            Recorded::new(FakeChat::new(replies.iter().copied()), folder.path().join("recorded"), mode)
        };
        let ledger = Ledger::default();
        let texts = |chat: &Recorded<FakeChat>, text: &str| chat.reply(&request(text), &ledger).map(|reply| reply.text);
        let live = chat(RecordMode::Record, &["one", "two"]);
        assert_eq!(texts(&live, "a"), Ok("one".into()));
        let file = live.file(&key("fake", &request("a")).0);
        let first = fs::read(&file).unwrap();
        assert_eq!(texts(&live, "a"), Ok("two".into()));
        assert_ne!(fs::read(&file).unwrap(), first);

        let again = chat(RecordMode::Record, &["one"]);
        assert_eq!(texts(&again, "a"), Ok("one".into()));
        assert_eq!(fs::read(&file).unwrap(), first, "equal replies are equal bytes");
        let spent = ledger.spent();
        assert_eq!(spent.calls, 3);

        let replay = chat(RecordMode::Replay, &[]);
        assert_eq!(texts(&replay, "a"), Ok("one".into()));
        assert_eq!(ledger.spent().calls, 4);
        let missing = texts(&replay, "b").unwrap_err();
        assert_eq!(missing, ModelError::NotRecorded { key: key("fake", &request("b")).0 });

        let cache = chat(RecordMode::Cache, &["three"]);
        assert_eq!(texts(&cache, "a"), Ok("one".into()));
        assert_eq!(texts(&cache, "b"), Ok("three".into()));
        assert_eq!(texts(&cache, "b"), Ok("three".into()));
        assert_eq!(ledger.spent().calls, 5);
        assert_eq!(fs::read_dir(folder.path().join("recorded")).unwrap().count(), 2);
    }

    #[test]
    fn a_replay_meets_the_same_limits_and_a_broken_record_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let record = Recorded::new(FakeChat::new(["one"]), folder.path().into(), RecordMode::Record);
        record.reply(&request("a"), &Ledger::default()).unwrap();
        let replay = Recorded::new(FakeChat::new([""; 0]), folder.path().into(), RecordMode::Replay);
        let ledger = Ledger::new(Limits { calls: Some(1), ..Limits::default() });
        assert!(replay.reply(&request("a"), &ledger).is_ok());
        assert!(matches!(replay.reply(&request("a"), &ledger), Err(ModelError::Limit { .. })));
        fs::write(record.file(&key("fake", &request("a")).0), "{").unwrap();
        assert!(matches!(replay.reply(&request("a"), &Ledger::default()), Err(ModelError::BadFile { .. })));
    }
}
