//! A language model as planner: one message a turn, with the state of the episode and the pictures that are visible.

use recto_model::{Chat, ChatImage, ChatMessage, ChatRequest, Class, Ledger, ModelError, Part, Role};

use super::{Failure, ModelUsage, Planner, Reply, Shown, Turn};
use crate::fence::Fence;
use crate::prompt;

/// The longest reply, in tokens, as the reference allows it.
pub const MAX_TOKENS: u32 = 3_200;

/// A planner behind a chat.
pub struct ChatPlanner<'a> {
    chat: &'a dyn Chat,
    ledger: Ledger,
    fence: Fence,
    max_tokens: u32,
}

impl<'a> ChatPlanner<'a> {
    /// A planner that asks this model at the cost of the ledger; `fence` keeps what pages say apart.
    pub const fn new(chat: &'a dyn Chat, ledger: Ledger, fence: Fence, max_tokens: u32) -> Self {
        Self { chat, ledger, fence, max_tokens }
    }

    /// What is asked in a turn. No form is asked for: by the rules, a reply that can't be read costs a step, and is not
    /// mended.
    fn request(&self, turn: &Turn<'_>) -> Result<ChatRequest, String> {
        let mut parts = vec![Part::Text(prompt::turn(turn.episode, &self.fence))];
        for shown in turn.images().map_err(|error| error.why)? {
            parts.push(picture(&shown)?);
        }
        let messages = vec![ChatMessage::new(Role::User, parts)];
        Ok(ChatRequest { max_tokens: self.max_tokens, ..ChatRequest::new(messages) })
    }
}

impl Planner for ChatPlanner<'_> {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        let request = match self.request(turn) {
            Ok(request) => request,
            Err(why) => return Reply::none(Failure::Unavailable(why)),
        };
        asked(self.chat, &request, &self.ledger)
    }

    fn name(&self) -> &str {
        self.chat.name()
    }
}

/// What a model replies, and what that took.
pub(crate) fn asked(chat: &dyn Chat, request: &ChatRequest, ledger: &Ledger) -> Reply {
    match chat.reply(request, ledger) {
        Ok(reply) => {
            let usage = ModelUsage {
                input_tokens: reply.usage.input_tokens,
                output_tokens: reply.usage.output_tokens,
                dollars: (reply.usage.unpriced == 0).then(|| reply.usage.dollars()),
            };
            let attempts = u32::try_from(reply.usage.requests()).unwrap_or(u32::MAX).max(1);
            Reply { said: Ok(reply.text), usage, attempts }
        }
        Err(error) => failed(&error),
    }
}

fn picture(shown: &Shown) -> Result<Part, String> {
    ChatImage::of(&shown.image).map(Part::Image).map_err(|error| error.to_string())
}

/// What is no use as a reply costs a step, as any other reply that can't be read; the rest ends the episode.
fn failed(error: &ModelError) -> Reply {
    let why = error.to_string();
    let failure = match error {
        ModelError::BadReply { .. } => return Reply::words(""),
        ModelError::Chat(failure) => {
            let reply = match failure.class {
                Class::Empty | Class::OutOfTokens | Class::Schema => Reply::words(failure.raw.clone()),
                Class::Timeout => Reply::none(Failure::TimedOut(why)),
                class if class.is_passing() => Reply::none(Failure::Unavailable(why)),
                _ => Reply::none(Failure::Provider(why)),
            };
            return Reply { attempts: failure.attempts.max(1), ..reply };
        }
        ModelError::Unavailable { .. } => Failure::Unavailable(why),
        _ => Failure::Provider(why),
    };
    Reply::none(failure)
}
