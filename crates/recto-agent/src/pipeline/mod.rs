//! A question and the pages in scope to an answer by a language model: pages are chosen (`locate`), read (`read`),
//! shown (`ask`), and what the model says is checked on them (`verify`). Where the model gives nothing, the offline
//! answerer does. Nothing here reads a file or a clock: search, pages, pictures and the model are brought along.

mod agree;
mod ask;
mod locate;
pub mod pace;
mod plan;
mod read;
#[cfg(test)]
mod tests;
mod verify;

use recto_model::{Chat, Ledger};
use recto_page::{PageImages, Pages};
use recto_search::{Scope, Search};

use crate::fence::Fence;
use crate::{AgentError, Answer, Coverage, Options, Question, Result, Status};
use ask::Asker;
pub use pace::Pace;
pub use plan::{Effort, Plan};
use read::Shown;

/// What a question is worked on with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Finds pages.
    pub search: &'a dyn Search,
    /// Their records.
    pub pages: &'a dyn Pages,
    /// Their pictures.
    pub pictures: &'a dyn PageImages,
    /// The model.
    pub chat: &'a dyn Chat,
    /// What the question may cost.
    pub ledger: &'a Ledger,
    /// What no author of a document knows, such as a hash of the index: text of pages is fenced by it.
    pub secret: &'a str,
}

/// Answers `question` from the pages in `scope`. Whatever the model does, there is an answer or a decline; its notes say
/// what went wrong on the way.
///
/// # Errors
/// When the question holds no word, or the search or the store of pages fails.
pub fn answer(question: &str, scope: &Scope, means: &Means<'_>, plan: &Plan) -> Result<Answer> {
    let asked = Question::new(crate::qa::bounded(question));
    if !asked.asked.chars().any(char::is_alphanumeric) {
        return Err(AgentError::EmptyQuestion);
    }
    if plan.samples == 0 {
        return offline(question, scope, means, "there was no time for the model");
    }
    let fence = Fence::new(&format!("{}\0{question}", means.secret));
    let located = locate::locate(&asked, scope, means, plan, &fence)?;
    let shown = read::read(&located.pages, means, plan)?;
    if shown.is_empty() {
        return offline(question, scope, means, "no page was found to show to the model");
    }
    let coverage = coverage(&shown, located.of);
    let asker = Asker { question: crate::qa::bounded(question), shown: &shown, means, plan, fence: &fence };
    match asker.decide() {
        Ok(decided) => {
            let mut answer = verify::verified(&decided, &shown, coverage, means.chat.name());
            answer.notes.splice(0..0, located.notes);
            Ok(answer)
        }
        Err(why) => offline(question, scope, means, &why),
    }
}

/// The answer without a model, and why it is that.
fn offline(question: &str, scope: &Scope, means: &Means<'_>, why: &str) -> Result<Answer> {
    let mut answer = crate::answer(question, scope, means.search, means.pages, &Options::default())?;
    answer.notes.push(format!("answered without the language model: {why}"));
    Ok(answer)
}

fn coverage(shown: &[Shown], of: Option<u32>) -> Coverage {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let with_text = shown.iter().filter(|shown| !shown.text.is_empty()).count();
    Coverage { read: count(shown.len()), with_text: count(with_text), of }
}

/// Says that the model declined, or what it answered.
fn status_of(answered: bool) -> Status {
    if answered { Status::Answered } else { Status::NotInDocuments }
}
