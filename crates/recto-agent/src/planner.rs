//! Whoever decides: a model, a program, a person, rules, a recording. Not whoever acts.

mod chat;
mod lines;
mod offline;
mod replay;
mod streams;

use std::sync::Arc;

use recto_page::PageImage;
use serde::{Deserialize, Serialize};

use crate::episode::Episode;
use crate::handle::ImageHandle;
use crate::toolbox::{ToolError, Toolbox, part};

pub(crate) use chat::asked;
pub use chat::{ChatPlanner, MAX_TOKENS};
pub use lines::Lines;
pub use offline::Offline;
pub use replay::Replay;
pub(crate) use streams::Streams;

/// Decides what an episode does next.
pub trait Planner {
    /// The reply to one turn, in words: a JSON object if all is well.
    fn decide(&mut self, turn: &Turn<'_>) -> Reply;

    /// Who decides, such as `offline` or the name of a model.
    fn name(&self) -> &str;
}

/// What a planner sees.
pub struct Turn<'a> {
    /// The episode so far.
    pub episode: &'a Episode,
    /// Draws what is visible.
    pub toolbox: &'a dyn Toolbox,
}

/// A picture that a planner sees.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its name.
    pub handle: ImageHandle,
    /// Its pixels.
    pub image: Arc<PageImage>,
}

/// What a planner said, and what that took.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply {
    /// Its words.
    pub said: Result<String, Failure>,
    /// What it took.
    pub usage: ModelUsage,
    /// How often it was asked until it answered.
    pub attempts: u32,
    /// What it was not shown of what it was to see.
    pub notes: Vec<String>,
}

/// What a call of a model took.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ModelUsage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// US dollars, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

/// Why a planner said nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// It will not answer.
    #[error("{0}")]
    Provider(String),
    /// It can't be reached, also after trying again.
    #[error("{0}")]
    Unavailable(String),
    /// It is too slow.
    #[error("{0}")]
    TimedOut(String),
}

impl Failure {
    /// What happened.
    pub fn why(&self) -> &str {
        match self {
            Self::Provider(why) | Self::Unavailable(why) | Self::TimedOut(why) => why,
        }
    }
}

impl Reply {
    /// Words that took nothing.
    pub fn words(text: impl Into<String>) -> Self {
        Self::of(Ok(text.into()))
    }

    /// No words.
    pub fn none(failure: Failure) -> Self {
        Self::of(Err(failure))
    }

    fn of(said: Result<String, Failure>) -> Self {
        Self { said, usage: ModelUsage::default(), attempts: 1, notes: Vec::new() }
    }
}

impl Turn<'_> {
    /// The pictures that are visible, in the order of their call.
    ///
    /// # Errors
    /// When one can't be drawn any more.
    pub fn images(&self) -> Result<Vec<Shown>, ToolError> {
        let drawn = |handle: &ImageHandle| {
            let image = match handle {
                ImageHandle::Page(page) => self.toolbox.page_image(*page)?,
                ImageHandle::Crop(crop) => {
                    let lost = || ToolError::new(format!("{crop} is not known any more"));
                    Arc::new(part(self.toolbox, self.episode.crops.get(crop).ok_or_else(lost)?)?)
                }
            };
            Ok(Shown { handle: *handle, image })
        };
        self.episode.visible.iter().map(drawn).collect()
    }

    /// The words on the pictures that are visible, for planners that see none; none where the rules take text away.
    pub fn words(&self) -> Vec<(ImageHandle, Result<String, ToolError>)> {
        let tools = &self.episode.protocol.tools;
        let lost = |what: &dyn std::fmt::Display| ToolError::new(format!("{what} is not known any more"));
        let read = |handle: &ImageHandle| match handle {
            _ if !tools.has(tools.text()) => Err(ToolError::new("there is no way to read it here")),
            ImageHandle::Page(page) => self.toolbox.read_image(*page, None),
            ImageHandle::Crop(crop) => {
                let crop = self.episode.crops.get(crop).ok_or_else(|| lost(crop))?;
                self.toolbox.read_image(crop.page, Some(crop.region))
            }
        };
        self.episode.visible.iter().map(|handle| (*handle, read(handle).map(|read| read.text))).collect()
    }
}
