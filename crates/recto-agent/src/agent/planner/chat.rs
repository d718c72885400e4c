//! A language model as planner: a conversation that only grows, so that servers can keep what they have read.

use std::collections::BTreeMap;

use recto_model::{Chat, ChatImage, ChatMessage, ChatRequest, Ledger, Part, Role};

use super::{Planner, Turn};
use crate::agent::prompt;
use crate::agent::session::Last;
use crate::fence::Fence;
use crate::planner::Reply;

/// A planner behind a chat.
pub struct ChatPlanner<'a> {
    chat: &'a dyn Chat,
    ledger: &'a Ledger,
    fence: Fence,
    max_tokens: u32,
    /// Pictures that were shown, by step and place in it.
    drawn: BTreeMap<(usize, usize), Option<ChatImage>>,
}

impl<'a> ChatPlanner<'a> {
    /// A planner that asks this model at the cost of the ledger; `fence` keeps what pages say apart.
    pub const fn new(chat: &'a dyn Chat, ledger: &'a Ledger, fence: Fence, max_tokens: u32) -> Self {
        Self { chat, ledger, fence, max_tokens, drawn: BTreeMap::new() }
    }

    fn request(&mut self, turn: &Turn<'_>) -> ChatRequest {
        let session = turn.session;
        let mut system = ChatMessage::system(prompt::instructions(&session.rules, &self.fence));
        system.stable = true;
        let mut messages = vec![system];
        if let Some(Last::Form(_)) = turn.last {
            // What was found is all that is to be put into form.
            return self.to_send(vec![ChatMessage::user(prompt::status(session, turn.last))]);
        }
        let mut said = vec![Part::Text(prompt::opening(session))];
        for (at, step) in session.steps.iter().enumerate() {
            messages.push(ChatMessage::new(Role::User, std::mem::take(&mut said)));
            let reply = if step.reply.trim().is_empty() { "(no reply)" } else { &step.reply };
            messages.push(ChatMessage::assistant(reply));
            said = self.outcome(turn, at);
        }
        said.push(Part::Text(prompt::status(session, turn.last)));
        messages.push(ChatMessage::new(Role::User, said));
        self.to_send(messages)
    }

    fn to_send(&self, messages: Vec<ChatMessage>) -> ChatRequest {
        ChatRequest { max_tokens: self.max_tokens, ..ChatRequest::new(messages) }
    }

    /// What came of a step: words, then pictures, each with its name.
    fn outcome(&mut self, turn: &Turn<'_>, at: usize) -> Vec<Part> {
        let session = turn.session;
        let mut text = prompt::outcome(session, at, &self.fence);
        if let Some(fault) = session.steps.get(at).and_then(|step| step.fault.as_ref()) {
            text.push_str(&format!("\nThat was not carried out: {fault}."));
        }
        let mut parts = vec![Part::Text(if text.trim().is_empty() { "Nothing came of that.".into() } else { text })];
        let visible: Vec<_> = prompt::visible(session).filter(|(step, _)| *step == at).map(|(_, shot)| shot).collect();
        let all = session.steps.get(at).and_then(|step| step.observation.as_ref()).map_or(0, |told| told.shown.len());
        let gone = all - visible.len().min(all);
        if gone > 0 {
            parts.push(Part::Text(format!(
                "[{gone} earlier pictures of this step are not shown any more; ask for them again]"
            )));
        }
        for (place, shot) in visible.into_iter().enumerate() {
            let draw = || turn.draw(shot).ok().and_then(|image| ChatImage::of(&image).ok());
            let image = self.drawn.entry((at, gone + place)).or_insert_with(draw).clone();
            parts.push(Part::Text(format!("[picture of {}]", shot.name)));
            parts.extend(image.map(Part::Image));
        }
        parts
    }
}

impl Planner for ChatPlanner<'_> {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        let request = self.request(turn);
        crate::planner::asked(self.chat, &request, self.ledger)
    }

    fn name(&self) -> &str {
        self.chat.name()
    }
}
