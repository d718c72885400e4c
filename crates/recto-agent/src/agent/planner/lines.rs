//! A person or any program as planner: what is known goes out, an action comes in, one JSON value a line. Pictures are
//! files. The streams come in as arguments.

use std::io::{BufRead, Write};

use recto_page::PageImage;
use serde_json::{Value, json};

use super::{Planner, Turn};
use crate::agent::observation::Shot;
use crate::agent::prompt;
use crate::fence::Fence;
use crate::planner::{Failure, Reply, Streams};

/// A planner at the other end of two streams.
pub struct Lines<R, W, S> {
    streams: Streams<R, W>,
    /// Saves a picture and says where.
    save: S,
    fence: Fence,
    /// Steps that were told.
    told: usize,
    greeted: bool,
}

impl<R: BufRead, W: Write, S: FnMut(&Shot, &PageImage) -> Result<String, String>> Lines<R, W, S> {
    /// A planner that reads turns from `output` and writes its actions to `input`.
    pub const fn new(input: R, output: W, fence: Fence, save: S) -> Self {
        Self { streams: Streams { input, output }, save, fence, told: 0, greeted: false }
    }

    fn tell(&mut self, turn: &Turn<'_>) -> Result<(), String> {
        let session = turn.session;
        let mut line = json!({"step": session.step, "steps_left": session.steps_left()});
        if !self.greeted {
            line["instructions"] = json!(prompt::instructions(&session.rules, &self.fence));
            line["task"] = json!(prompt::opening(session));
        }
        let told: Vec<String> = (self.told..session.steps.len())
            .map(|at| prompt::outcome(session, at, &self.fence))
            .filter(|text| !text.is_empty())
            .collect();
        if !told.is_empty() {
            line["observation"] = json!(told.join("\n\n"));
        }
        let pictures = self.pictures(turn)?;
        if !pictures.is_empty() {
            line["pictures"] = json!(pictures);
        }
        let notices = session.notices();
        if !notices.is_empty() {
            line["notes"] = json!(notices);
        }
        if turn.last.is_some() {
            line["last"] = json!(prompt::status(session, turn.last));
        }
        self.told = session.steps.len();
        self.greeted = true;
        self.streams.tell(&line)
    }

    fn pictures(&mut self, turn: &Turn<'_>) -> Result<Vec<Value>, String> {
        let mut pictures = Vec::new();
        for (_, shot) in prompt::visible(turn.session).filter(|(at, _)| *at >= self.told) {
            let image = turn.draw(shot).map_err(|error| error.why)?;
            let file = (self.save)(shot, &image)?;
            pictures.push(json!({"page": shot.name, "file": file, "width": image.width, "height": image.height}));
        }
        Ok(pictures)
    }

    fn hear(&mut self) -> Result<String, String> {
        let line = self.streams.hear()?;
        // A text in quotes can have several lines, as programs do.
        Ok(match serde_json::from_str(&line) {
            Ok(Value::String(text)) => text,
            _ => line,
        })
    }
}

impl<R: BufRead, W: Write, S: FnMut(&Shot, &PageImage) -> Result<String, String>> Planner for Lines<R, W, S> {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        match self.tell(turn).and_then(|()| self.hear()) {
            Ok(line) => Reply::words(line),
            Err(why) => Reply::none(Failure::Unavailable(why)),
        }
    }

    fn name(&self) -> &'static str {
        "stdio"
    }
}
