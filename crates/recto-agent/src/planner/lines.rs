//! A person or any program as planner: what is known goes out, an action comes in, one JSON value a line. Pictures are
//! files. The streams come in as arguments.

use std::io::{BufRead, Write};

use serde_json::{Value, json};

use super::{Failure, Planner, Reply, Shown, Streams, Turn};
use crate::episode::{Episode, TraceRow};
use crate::fence::Fence;
use crate::prompt;

/// A planner at the other end of two streams.
pub struct Lines<R, W, S> {
    streams: Streams<R, W>,
    /// Saves a picture and says where.
    save: S,
    fence: Fence,
    /// Rows of the trace that were told.
    told: usize,
    greeted: bool,
}

impl<R: BufRead, W: Write, S: FnMut(&Shown) -> Result<String, String>> Lines<R, W, S> {
    /// A planner that reads turns from `output` and writes its actions to `input`.
    pub const fn new(input: R, output: W, fence: Fence, save: S) -> Self {
        Self { streams: Streams { input, output }, save, fence, told: 0, greeted: false }
    }

    fn tell(&mut self, turn: &Turn<'_>) -> Result<(), String> {
        let images = turn.images().map_err(|error| error.why)?;
        let files = images.iter().map(|shown| self.file(shown)).collect::<Result<Vec<_>, _>>()?;
        let line = self.line(turn.episode, files);
        self.told = turn.episode.trace.len();
        self.greeted = true;
        self.streams.tell(&line)
    }

    fn file(&mut self, shown: &Shown) -> Result<Value, String> {
        let file = (self.save)(shown)?;
        Ok(json!({"handle": shown.handle, "file": file, "width": shown.image.width, "height": shown.image.height}))
    }

    fn line(&self, episode: &Episode, images: Vec<Value>) -> Value {
        let last = episode.reached();
        let steps = episode.protocol.budget.steps;
        let mut line = json!({"step": episode.step, "steps_left": (steps + 1).saturating_sub(episode.step)});
        if !self.greeted {
            line["task"] = json!(episode.task);
            line["instructions"] = json!(prompt::instructions(&episode.protocol, &self.fence, false));
        }
        let rows = episode.trace.get(self.told..).unwrap_or_default();
        if !rows.is_empty() {
            line["observations"] = rows.iter().map(|row| self.row(row)).collect();
        }
        if let Some(feedback) = &episode.feedback {
            line["your_last_reply"] = json!(feedback.text);
        }
        let notes = crate::episode::guard::notes(episode);
        if !notes.is_empty() && last.is_none() {
            line["notes"] = json!(notes);
        }
        if !images.is_empty() {
            line["visible_images"] = json!(images);
        }
        if let Some(stop) = last {
            line["last_call"] = json!(prompt::instructions(&episode.protocol, &self.fence, true));
            line["stopped_by"] = json!(stop);
            line["eligible_answer_page_handles"] = json!(episode.eligible());
            line["eligible_evidence_page_handles"] = json!(episode.seen);
        }
        line
    }

    fn row(&self, row: &TraceRow) -> Value {
        json!({"tool": row.tool_name, "observation": row.observation.told(&self.fence)})
    }
}

impl<R: BufRead, W: Write, S: FnMut(&Shown) -> Result<String, String>> Planner for Lines<R, W, S> {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        match self.tell(turn).and_then(|()| self.streams.hear()) {
            Ok(line) => Reply::words(line),
            Err(why) => Reply::none(Failure::Unavailable(why)),
        }
    }

    fn name(&self) -> &'static str {
        "stdio"
    }
}
