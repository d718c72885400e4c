//! Messages as lines of JSON. What is no message is answered with an error, as JSON-RPC 2.0 has it, and the next line is read;
//! rmcp's own transport passes over such lines, and whoever sent one waits for ever. Not what messages mean: that is rmcp's.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// Bytes of a line at most.
const LONGEST: usize = 16 << 20;
const NO_JSON: (i32, &str) = (-32700, "the line is not JSON");
const TOO_LONG: (i32, &str) = (-32700, "the line is longer than 16 MiB");
const NO_MESSAGE: (i32, &str) = (-32600, "the line is no request of JSON-RPC 2.0");

/// A client at the other end of a stream that is read and one that is written.
pub(super) struct Lines<R, W> {
    read: BufReader<R>,
    /// What came of the line so far: a wait for the rest of it may be given up and taken up again.
    line: Vec<u8>,
    /// Whether the rest of the line is passed over.
    is_too_long: bool,
    write: Arc<Mutex<W>>,
    /// An error that is being written.
    refusing: Option<JoinHandle<io::Result<()>>>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin + Send + 'static> Lines<R, W> {
    pub(super) fn new((read, write): (R, W)) -> Self {
        let write = Arc::new(Mutex::new(write));
        Self { read: BufReader::new(read), line: Vec::new(), is_too_long: false, write, refusing: None }
    }

    /// Reads on to the end of a line. False at the end of the stream, where half a line counts for nothing.
    async fn next_line(&mut self) -> io::Result<bool> {
        loop {
            let room = (LONGEST + 1).saturating_sub(self.line.len()) as u64;
            if (&mut self.read).take(room).read_until(b'\n', &mut self.line).await? == 0 {
                return Ok(false);
            }
            if self.line.ends_with(b"\n") {
                return Ok(true);
            }
            if self.line.len() > LONGEST {
                self.line.clear();
                self.is_too_long = true;
            }
        }
    }

    /// The message that the line is, or what is wrong with it, and whose request it was; nothing where no reply is due.
    fn message(&mut self) -> Option<Result<RxJsonRpcMessage<RoleServer>, Value>> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) {
            return Some(Err(refusal(TOO_LONG, &Value::Null)));
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            return None;
        }
        if let Ok(message) = serde_json::from_slice(line) {
            return Some(Ok(message));
        }
        match serde_json::from_slice::<Value>(line) {
            Err(_) => Some(Err(refusal(NO_JSON, &Value::Null))),
            Ok(value) if is_reply(&value) || is_notification(&value) => None,
            Ok(value) => Some(Err(refusal(NO_MESSAGE, value.get("id").unwrap_or(&Value::Null)))),
        }
    }

    fn write(&self, message: Vec<u8>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let write = Arc::clone(&self.write);
        async move {
            let mut write = write.lock().await;
            write.write_all(&message).await?;
            write.flush().await
        }
    }
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let line = line(&message);
        let written = line.map(|line| self.write(line));
        async move { written?.await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(refusing) = &mut self.refusing {
                let written = refusing.await;
                self.refusing = None;
                written.ok()?.ok()?;
            }
            if !self.next_line().await.ok()? {
                return None;
            }
            match self.message() {
                Some(Ok(message)) => return Some(message),
                // On its own, so that it is written whole if this wait is given up.
                Some(Err(refusal)) => self.refusing = Some(tokio::spawn(self.write(line(&refusal).ok()?))),
                None => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.write.lock().await.flush().await
    }
}

fn line(message: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

fn refusal((code, message): (i32, &str), id: &Value) -> Value {
    let id = if id.is_string() || id.is_number() { id } else { &Value::Null };
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// Whoever answers replies never comes to an end.
fn is_reply(value: &Value) -> bool {
    value.get("error").is_some() || value.get("result").is_some()
}

fn is_notification(value: &Value) -> bool {
    value.get("method").is_some() && value.get("id").is_none()
}
