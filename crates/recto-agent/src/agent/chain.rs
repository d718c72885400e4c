//! MC-Search's form of a trajectory: sub-questions, how each was looked for, the evidence, the sub-answers.

use recto_page::PageId;
use serde::{Deserialize, Serialize};

use super::call::Arguments;
use super::said::fields;
use super::session::{Session, Step};

/// One hop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Link {
    /// What was to be found.
    pub sub_question: String,
    /// How: `search_text` or `search_pictures`.
    pub action: String,
    /// What was searched for.
    pub query: String,
    /// The page that came first; none if nothing was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<PageId>,
    /// What the next reply takes from it.
    pub sub_answer: String,
}

/// The hops of a session, in order.
pub fn chain(session: &Session) -> Vec<Link> {
    let searched = |at: usize, step: &Step| {
        let call = step.call.as_ref()?;
        let query = call.query()?.to_owned();
        let action = step.action.get("action")?.as_str()?.to_owned();
        let evidence = step.observation.as_ref()?.found.first().cloned();
        let text = |step: &Step, key: &str| Arguments(&fields(&step.action)).text(key);
        let sub_answer = session.steps.get(at + 1).map(|next| text(next, "sub_answer")).unwrap_or_default();
        Some(Link { sub_question: text(step, "sub_question"), action, query, evidence, sub_answer })
    };
    session.steps.iter().enumerate().filter_map(|(at, step)| searched(at, step)).collect()
}
