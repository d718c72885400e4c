//! How an episode ended.

use serde::{Deserialize, Serialize};

use super::submission::Submission;
use crate::budget::Stop;

/// How an episode ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct End {
    /// In the reference's words.
    pub status: Status,
    /// What ended it.
    pub stop: Stop,
    /// The ranking; empty where there is none.
    pub submission: Submission,
}

/// How an episode ended, in the reference's words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// With a ranking within its steps.
    Submitted,
    /// With a ranking that was asked for at the end.
    ForcedSubmitAfterMaxSteps,
    /// A second fault, of a submission.
    InvalidSubmission,
    /// A second fault, of an action.
    InvalidAction,
    /// The planner's provider refused.
    ProviderError,
    /// The planner could not be reached.
    PlannerRetryExhausted,
    /// The planner was too slow.
    StepWallTimeout,
    /// The same at the end.
    ForcedSubmitTimeout,
    /// The reply at the end could not be read.
    ForcedSubmitFormatError,
    /// The reply at the end was no submission.
    ForcedSubmitInvalidAction,
    /// The submission at the end was wrong.
    ForcedSubmitInvalidSubmission,
    /// The planner could not be reached at the end.
    ForcedSubmitRetryExhausted,
    /// A fault of the program or of the index.
    WorkerException,
}

impl Status {
    /// True if the last decision was not what may be done.
    pub const fn is_refusal(self) -> bool {
        use Status::{ForcedSubmitInvalidAction, ForcedSubmitInvalidSubmission, InvalidAction, InvalidSubmission};
        matches!(self, InvalidAction | InvalidSubmission | ForcedSubmitInvalidAction | ForcedSubmitInvalidSubmission)
    }

    /// True if the same step can be tried again later.
    pub const fn is_recoverable(self) -> bool {
        use Status::{ForcedSubmitRetryExhausted, ForcedSubmitTimeout, PlannerRetryExhausted, StepWallTimeout};
        matches!(self, PlannerRetryExhausted | StepWallTimeout | ForcedSubmitRetryExhausted | ForcedSubmitTimeout)
    }
}
