//! Models that answer in text: what is asked, what is said. What it costs is told to a [`Ledger`].

use serde::{Deserialize, Serialize};

use crate::{ChatImage, Class, Failure, Ledger, ModelError, Result, Schema, Usage};

/// A model that answers a conversation in text.
pub trait Chat: Send + Sync {
    /// Which model it is, such as `openrouter:google/gemini-2.5-flash`.
    fn name(&self) -> &str;

    /// All that decides its replies besides the request; the name, if nothing more does.
    fn fingerprint(&self) -> String {
        self.name().into()
    }

    /// What it takes in.
    fn reach(&self) -> Reach {
        Reach::default()
    }

    /// The reply to a request. What it costs is reserved and booked in the ledger, also if it fails.
    ///
    /// # Errors
    /// [`ModelError::Chat`] when the model gives none, [`ModelError::Limit`]
    /// when the ledger does not allow the call.
    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> Result<ChatReply>;
}

impl<C: Chat + ?Sized> Chat for &C {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn fingerprint(&self) -> String {
        (**self).fingerprint()
    }

    fn reach(&self) -> Reach {
        (**self).reach()
    }

    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> Result<ChatReply> {
        (**self).reply(request, ledger)
    }
}

impl<C: Chat + ?Sized> Chat for Box<C> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn fingerprint(&self) -> String {
        (**self).fingerprint()
    }

    fn reach(&self) -> Reach {
        (**self).reach()
    }

    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> Result<ChatReply> {
        (**self).reply(request, ledger)
    }
}

/// What a model takes in at once, and how easily.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Whether it sees pictures.
    pub pictures: bool,
    /// Tokens of a request, at most, if that is known.
    pub tokens: Option<u64>,
    /// Whether it reads thousands of tokens in seconds rather than minutes.
    pub is_quick: bool,
}

/// That of models behind servers: all that is asked for.
impl Default for Reach {
    fn default() -> Self {
        Self { pictures: true, tokens: None, is_quick: true }
    }
}

/// A conversation that waits for a reply. Clones share their pictures.
#[derive(Clone, PartialEq, Debug)]
pub struct ChatRequest {
    /// Who says what, oldest first; the last is the user's.
    pub messages: Vec<ChatMessage>,
    /// The longest reply, in tokens, reasoning included.
    pub max_tokens: u32,
    /// 0 for the same reply each time, as far as the model can. Models that know no temperature are not told.
    pub temperature: f32,
    /// Texts before which the reply ends.
    pub stop: Vec<String>,
    /// The form of a reply in JSON.
    pub schema: Option<Schema>,
    /// Tells several replies to one request apart, for records of them.
    pub sample: u32,
}

impl ChatRequest {
    /// A request with temperature 0 and up to 4,096 tokens of reply.
    pub const fn new(messages: Vec<ChatMessage>) -> Self {
        Self { messages, max_tokens: 4096, temperature: 0.0, stop: Vec::new(), schema: None, sample: 0 }
    }

    /// How many tokens the model will read: an estimate on the high side (three bytes a token, 750 pixels a token).
    pub fn tokens(&self) -> u64 {
        let schema = self.schema.as_ref().map_or(0, |schema| schema.json().to_string().len() as u64 / 3);
        schema + self.messages.iter().flat_map(|message| &message.parts).map(Part::tokens).sum::<u64>()
    }

    /// Whether it is a request.
    ///
    /// # Errors
    /// [`ModelError::Chat`] if it says nothing to reply to, or if others than the user show pictures.
    pub(crate) fn check(&self) -> Result<()> {
        let shows = |part: &Part| matches!(part, Part::Image(_));
        let others = self.messages.iter().filter(|message| message.role != Role::User);
        let why = if self.messages.iter().all(|message| message.role == Role::System) {
            "it has nothing to reply to"
        } else if others.flat_map(|message| &message.parts).any(shows) {
            "only the user shows pictures"
        } else {
            return Ok(());
        };
        Err(ModelError::Chat(Box::new(Failure::new(Class::Request, why, ""))))
    }

    /// How many pictures it shows.
    pub fn images(&self) -> u64 {
        let parts = self.messages.iter().flat_map(|message| &message.parts);
        parts.filter(|part| matches!(part, Part::Image(_))).count() as u64
    }
}

/// One message of a conversation.
#[derive(Clone, PartialEq, Debug)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said and shown, in order. Only the user shows pictures.
    pub parts: Vec<Part>,
    /// Everything up to the end of this message will be sent again: servers that want to be told keep it.
    pub stable: bool,
}

impl ChatMessage {
    /// A message of parts.
    pub const fn new(role: Role, parts: Vec<Part>) -> Self {
        Self { role, parts, stable: false }
    }

    /// Instructions that stand above the conversation.
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, vec![Part::Text(text.into())])
    }

    /// What the program says.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, vec![Part::Text(text.into())])
    }

    /// What the model said.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, vec![Part::Text(text.into())])
    }

    /// Its texts, each on lines of its own.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(Part::text).collect::<Vec<_>>().join("\n")
    }
}

/// A part of a message.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// Words.
    Text(String),
    /// A picture.
    Image(ChatImage),
}

impl Part {
    /// How many tokens it takes: an estimate on the high side.
    pub(crate) fn tokens(&self) -> u64 {
        match self {
            Self::Text(text) => text.len() as u64 / 3 + 4,
            Self::Image(image) => (u64::from(image.width) * u64::from(image.height) / 750).max(258),
        }
    }

    /// Its words, if it has any.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(crate) const fn text_mut(&mut self) -> Option<&mut String> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
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

impl Role {
    /// As servers call it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// What a model said and what it cost.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ChatReply {
    /// The text, without what the model thought aloud before it.
    pub text: String,
    /// The value that was asked for by a schema, and obeys it.
    pub json: Option<serde_json::Value>,
    /// Whether the model came to its end, rather than to the limit of tokens.
    pub complete: bool,
    /// The model that the server says it was.
    pub model: String,
    /// What the call cost, with failed requests and the one to mend the form.
    pub usage: Usage,
    /// What the server said, its first 4,096 bytes.
    pub raw: String,
    /// What was left out of the request, since the model takes no more in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// What a fake says to a request.
#[cfg(any(test, feature = "fake"))]
type Say = dyn Fn(&ChatRequest) -> Result<String> + Send + Sync;

/// A chat that says what it was told to say, at no cost; a reply that does not obey the schema is an error at once.
#[cfg(any(test, feature = "fake"))]
pub struct FakeChat {
    say: Box<Say>,
    reach: Reach,
}

#[cfg(any(test, feature = "fake"))]
impl FakeChat {
    /// Gives these replies, in order, and fails when they are used up.
    pub fn new(replies: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let replies: std::collections::VecDeque<String> = replies.into_iter().map(Into::into).collect();
        let replies = std::sync::Mutex::new(replies);
        let none = || ModelError::Unavailable { why: "no reply is left".into(), retry_after: None };
        Self::by(move |_| replies.lock().ok().and_then(|mut replies| replies.pop_front()).ok_or_else(none))
    }

    /// Replies by a function.
    pub fn by(say: impl Fn(&ChatRequest) -> Result<String> + Send + Sync + 'static) -> Self {
        Self { say: Box::new(say), reach: Reach::default() }
    }

    /// The same, as a model that takes in no more than this. What it is asked is not cut.
    #[must_use]
    pub fn with_reach(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }
}

#[cfg(any(test, feature = "fake"))]
impl std::fmt::Debug for FakeChat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FakeChat")
    }
}

#[cfg(any(test, feature = "fake"))]
impl Chat for FakeChat {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn reach(&self) -> Reach {
        self.reach
    }

    /// Books the call with estimated tokens and the price 0.
    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> Result<ChatReply> {
        let input_tokens = request.tokens();
        let booked = ledger.reserve(crate::ledger::Estimate { tokens: input_tokens, nano_dollars: Some(0) })?;
        let said = (self.say)(request);
        let output_tokens = said.as_ref().map_or(0, |text| text.len() as u64 / 4 + 1);
        let usage = Usage { calls: 1, images: request.images(), input_tokens, output_tokens, ..Usage::default() };
        if let Some(booked) = booked {
            booked.settle(&usage);
        }
        let text = said?;
        let json = request.schema.as_ref().map(|schema| crate::json_text::find(&text, schema)).transpose();
        let bad = |why: String| ModelError::Chat(Box::new(Failure::new(Class::Schema, why, &text)));
        let json = json.map_err(bad)?;
        Ok(ChatReply { raw: text.clone(), text, json, complete: true, model: "fake".into(), usage, notes: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_gives_its_replies_in_order_and_then_fails() {
        let chat = FakeChat::new(["a", "b"]);
        let ledger = Ledger::default();
        let next = || chat.reply(&ChatRequest::new(vec![ChatMessage::user("x")]), &ledger).map(|reply| reply.text);
        assert_eq!(next(), Ok("a".into()));
        assert_eq!(next(), Ok("b".into()));
        assert!(matches!(next(), Err(ModelError::Unavailable { .. })));
        assert_eq!(ledger.spent().calls, 3);
    }
}
