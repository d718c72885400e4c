//! What an episode may take, what it took, and what ended it.

use serde::{Deserialize, Serialize};

/// Steps of VisDocAgentBench.
pub const STEPS: u32 = 12;

/// Limits of an episode. Once one is reached, a last call asks for the ranking.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Budget {
    /// Turns of the planner.
    pub steps: u32,
    /// Tokens read by the planner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens written by the planner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// Pictures shown, each time anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<u64>,
    /// Milliseconds of planner and tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub millis: Option<u64>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: STEPS, input_tokens: None, output_tokens: None, dollars: None, images: None, millis: None }
    }
}

/// What an episode took.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Spent {
    /// Calls of the planner.
    pub calls: u32,
    /// Tokens read by it.
    pub input_tokens: u64,
    /// Tokens written by it.
    pub output_tokens: u64,
    /// US dollars, as far as prices are known.
    pub dollars: f64,
    /// Pictures shown, each time anew.
    pub images: u64,
    /// Milliseconds of planner and tools.
    pub millis: u64,
}

/// What ended an episode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The planner submitted.
    Submitted,
    /// The steps were used up.
    Steps,
    /// A limit of tokens read.
    InputTokens,
    /// A limit of tokens written.
    OutputTokens,
    /// A limit of cost.
    Dollars,
    /// A limit of pictures.
    Images,
    /// A limit of time.
    Time,
    /// The planner did what is not allowed, twice.
    Invalid,
    /// The planner's provider refused.
    Provider,
    /// The planner could not be reached, or was too slow.
    Transport,
    /// A fault of the program or of the index.
    Internal,
}

impl Budget {
    /// The limit that is reached before step `step`, counted from 1.
    pub fn reached(&self, step: u32, spent: &Spent) -> Option<Stop> {
        let over = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
        let limits = [
            (step > self.steps, Stop::Steps),
            (over(self.input_tokens, spent.input_tokens), Stop::InputTokens),
            (over(self.output_tokens, spent.output_tokens), Stop::OutputTokens),
            (self.dollars.is_some_and(|limit| spent.dollars >= limit), Stop::Dollars),
            (over(self.images, spent.images), Stop::Images),
            (over(self.millis, spent.millis), Stop::Time),
        ];
        limits.into_iter().find(|(reached, _)| *reached).map(|(_, stop)| stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_stops_for_its_own_reason() {
        let open = Budget::default();
        let spent = Spent { calls: 3, input_tokens: 100, output_tokens: 10, dollars: 0.5, images: 4, millis: 900 };
        assert_eq!(open.reached(12, &spent), None);
        assert_eq!(open.reached(13, &spent), Some(Stop::Steps));
        for (budget, stop) in [
            (Budget { input_tokens: Some(100), ..open }, Stop::InputTokens),
            (Budget { output_tokens: Some(10), ..open }, Stop::OutputTokens),
            (Budget { dollars: Some(0.5), ..open }, Stop::Dollars),
            (Budget { images: Some(4), ..open }, Stop::Images),
            (Budget { millis: Some(900), ..open }, Stop::Time),
        ] {
            assert_eq!(budget.reached(1, &spent), Some(stop));
            assert_eq!(budget.reached(1, &Spent::default()), None);
        }
    }
}
