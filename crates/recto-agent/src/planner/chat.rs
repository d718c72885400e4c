//! A language model as planner: one message a turn, with the state of the episode and the pictures that are visible; one
//! that sees none is told the words on them.

use recto_model::{Chat, ChatImage, ChatMessage, ChatRequest, Class, Ledger, ModelError, Part, Role};

use super::{Failure, ModelUsage, Planner, Reply, Shown, Turn};
use crate::fence::Fence;
use crate::handle::ImageHandle;
use crate::prompt;
use crate::toolbox::ToolError;

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
        if self.chat.reach().pictures {
            for shown in turn.images().map_err(|error| error.why)? {
                parts.push(picture(&shown)?);
            }
        } else {
            parts.extend(turn.words().into_iter().map(|(handle, read)| Part::Text(self.in_words(handle, read))));
        }
        let messages = vec![ChatMessage::new(Role::User, parts)];
        Ok(ChatRequest { max_tokens: self.max_tokens, ..ChatRequest::new(messages) })
    }

    fn in_words(&self, handle: ImageHandle, read: Result<String, ToolError>) -> String {
        match read {
            Ok(text) => format!("You see no pictures; the words on {handle}:\n{}", self.fence.around(&text)),
            Err(error) => format!("You see no pictures; of {handle} no words are known: {}", error.why),
        }
    }
}

impl Planner for ChatPlanner<'_> {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        let request = match self.request(turn) {
            Ok(request) => request,
            Err(why) => return Reply::none(Failure::Unavailable(why)),
        };
        let unseen = !self.chat.reach().pictures && !turn.episode.visible.is_empty();
        let note = unseen.then(|| "the model sees no pictures: it was told the words on them".to_owned());
        let reply = asked(self.chat, &request, &self.ledger);
        Reply { notes: note.into_iter().chain(reply.notes).collect(), ..reply }
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
            Reply { said: Ok(reply.text), usage, attempts, notes: reply.notes }
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
