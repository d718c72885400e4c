//! Models that answer in text.

use recto_page::PageImage;

use crate::Result;

/// A model that answers a conversation in text.
pub trait Chat: Send + Sync {
    /// The reply to a request.
    ///
    /// # Errors
    /// When the model gives none.
    fn reply(&self, request: &ChatRequest) -> Result<ChatReply>;
}

/// A conversation that waits for a reply.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ChatRequest {
    /// Who says what, oldest first.
    pub messages: Vec<ChatMessage>,
    /// The longest reply, in tokens.
    pub max_tokens: u32,
    /// 0 for the same reply each time, as far as the model can.
    pub temperature: f32,
    /// A JSON schema that the reply must obey.
    pub schema: Option<String>,
}

/// One message of a conversation.
#[derive(Clone, PartialEq, Debug)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
    /// Pictures shown with it.
    pub images: Vec<PageImage>,
}

/// Who speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Instructions that stand above the conversation.
    System,
    /// The program.
    User,
    /// The model.
    Assistant,
}

/// What a model said and what it cost.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ChatReply {
    /// The text.
    pub text: String,
    /// What it cost.
    pub usage: Usage,
}

/// What a request cost.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Price in US dollars, if known.
    pub dollars: Option<f64>,
}

/// A chat that gives prepared replies, in order, and fails when they are used up.
#[cfg(any(test, feature = "fake"))]
#[derive(Debug, Default)]
pub struct FakeChat {
    replies: std::sync::Mutex<std::collections::VecDeque<String>>,
}

#[cfg(any(test, feature = "fake"))]
impl FakeChat {
    /// A chat with these replies.
    pub fn new(replies: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { replies: std::sync::Mutex::new(replies.into_iter().map(Into::into).collect()) }
    }
}

#[cfg(any(test, feature = "fake"))]
impl Chat for FakeChat {
    fn reply(&self, _: &ChatRequest) -> Result<ChatReply> {
        let next = self.replies.lock().ok().and_then(|mut replies| replies.pop_front());
        let none = || crate::ModelError::Unavailable { why: "no reply is left".into(), retry_after: None };
        next.map(|text| ChatReply { text, usage: Usage::default() }).ok_or_else(none)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelError;

    #[test]
    fn the_fake_gives_its_replies_in_order_and_then_fails() {
        let chat = FakeChat::new(["a", "b"]);
        let next = || chat.reply(&ChatRequest::default()).map(|reply| reply.text);
        assert_eq!(next(), Ok("a".into()));
        assert_eq!(next(), Ok("b".into()));
        assert!(matches!(next(), Err(ModelError::Unavailable { .. })));
    }
}
