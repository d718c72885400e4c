//! A language model as planner: one message a turn, with the state of the episode and the pictures that are visible.

use recto_model::{Chat, ChatMessage, ChatRequest, ModelError, Role};

use super::{Failure, ModelUsage, Planner, Reply, Turn};
use crate::action::schema;
use crate::fence::Fence;
use crate::prompt;

/// The longest reply, in tokens, as the reference allows it.
pub const MAX_TOKENS: u32 = 3_200;

/// A planner behind a chat.
pub struct ChatPlanner<'a> {
    chat: &'a dyn Chat,
    name: String,
    fence: Fence,
    max_tokens: u32,
}

impl<'a> ChatPlanner<'a> {
    /// A planner that asks this model; `fence` keeps what pages say apart.
    pub fn new(chat: &'a dyn Chat, name: impl Into<String>, fence: Fence, max_tokens: u32) -> Self {
        Self { chat, name: name.into(), fence, max_tokens }
    }
}

impl Planner for ChatPlanner<'_> {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        let images = match turn.images() {
            Ok(images) => images.iter().map(|shown| (*shown.image).clone()).collect(),
            Err(error) => return Reply::none(Failure::Unavailable(error.why)),
        };
        let text = prompt::turn(turn.episode, &self.fence);
        let request = ChatRequest {
            messages: vec![ChatMessage { role: Role::User, text, images }],
            max_tokens: self.max_tokens,
            temperature: 0.0,
            schema: Some(schema(&turn.episode.protocol.tools).to_string()),
        };
        match self.chat.reply(&request) {
            Ok(reply) => {
                let usage = ModelUsage {
                    input_tokens: reply.usage.input_tokens,
                    output_tokens: reply.usage.output_tokens,
                    dollars: reply.usage.dollars,
                };
                Reply { said: Ok(reply.text), usage, attempts: 1 }
            }
            // What can't be read costs a step, as any other reply that can't.
            Err(ModelError::BadReply { why }) => Reply::words(why),
            Err(ModelError::Unavailable { why, .. }) => Reply::none(Failure::Unavailable(why)),
            Err(error) => Reply::none(Failure::Provider(error.to_string())),
        }
    }

    fn name(&self) -> &str {
        &self.name
    }
}
