//! A question and the pages in scope to an answer by a language model: pages are chosen (`locate`, or gone through one by one
//! where things are counted: `survey`), read (`read`, `zoom`), shown (`ask`), and what the model says is computed again
//! (`compute`) and checked on them (`verify`). Where the model gives nothing, the offline answerer does. Nothing here reads a
//! file or a clock: search, pages, pictures and the model are brought along.

mod agree;
mod ask;
mod compute;
mod elements;
mod exact;
mod facts;
#[cfg(test)]
mod fake_corpus;
mod locate;
mod order;
pub mod pace;
mod passages;
mod pictures;
mod plan;
mod read;
#[cfg(test)]
mod reproductions;
pub mod schedule;
mod survey;
#[cfg(test)]
mod tests;
mod verify;
mod zoom;

use recto_model::{Chat, Ledger};
use recto_page::{DocId, PageId, Pages};
use recto_search::{Scope, Search};

use crate::answer::Missed;
use crate::fence::Fence;
use crate::{AgentError, Answer, Coverage, Options, Question, Result, Status};
use ask::{Asker, Decided};
pub use pace::Pace;
pub use pictures::Pictures;
pub use plan::{Effort, Plan};
use read::Shown;
pub use schedule::Schedule;
use survey::Tally;
pub use survey::is_survey;

/// What a question is worked on with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// Finds pages.
    pub search: &'a dyn Search,
    /// Their records.
    pub pages: &'a dyn Pages,
    /// Their pictures.
    pub pictures: &'a dyn Pictures,
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
        return offline(question, scope, means, "there was no time for the model", Some(Missed::Passing));
    }
    let fence = Fence::new(&format!("{}\0{question}", means.secret));
    let surveys = plan.survey > 0 && is_survey(&asked);
    let tally = if surveys { survey::survey(&asked, scope, means, plan, &fence)? } else { Tally::default() };
    if tally.decides() && tally.pages().len() > plan.pages {
        return counted(&asked, &tally, means, plan);
    }
    // Pages that were gone through are not looked through again.
    let look_through = if tally.coverage.read > 0 { 0 } else { plan.look_through };
    let plan = &Plan { look_through, ..*plan };
    let located = locate::locate(&asked, scope, means, plan, &fence, &tally)?;
    let shown = read::read(&asked, &located.pages, means, plan)?;
    if shown.is_empty() {
        return offline(question, scope, means, "no page was found to show to the model", None);
    }
    let documents: Vec<&DocId> = ask::documents(&shown);
    let first = tally.decides().then(|| tally.said(&asked, &documents));
    let coverage = if first.is_some() { tally.coverage } else { coverage(&shown, located.of) };
    let (text, facts) = (crate::qa::bounded(question), located.facts.as_str());
    let asker = Asker { text, question: &asked, shown: &shown, facts, first, means, plan, fence: &fence };
    match asker.decide() {
        Ok(decided) => {
            let mut answer = verify::verified(&decided, &asked, &shown, coverage, means.chat.name());
            answer.notes.splice(0..0, tally.notes.into_iter().chain(located.notes));
            Ok(answer)
        }
        Err(unsaid) => offline(question, scope, means, &unsaid.why, Some(unsaid.missed)),
    }
}

/// What stands on more pages than are shown at once is counted, not read again.
fn counted(question: &Question, tally: &Tally, means: &Means<'_>, plan: &Plan) -> Result<Answer> {
    let text_only = Plan { pictures: 0, zooms: 0, ..*plan };
    let pages: Vec<PageId> = tally.pages();
    let shown = read::read(question, &pages, means, &text_only)?;
    let said = tally.said(question, &ask::documents(&shown));
    let confidence = if tally.is_complete() { 0.7 } else { 0.4 };
    let decided = Decided { said, confidence, notes: tally.notes.clone() };
    Ok(verify::verified(&decided, question, &shown, tally.coverage, means.chat.name()))
}

/// The answer without a model, and why it is that.
fn offline(question: &str, scope: &Scope, means: &Means<'_>, why: &str, missed: Option<Missed>) -> Result<Answer> {
    let mut answer = crate::answer(question, scope, means.search, means.pages, &Options::default())?;
    answer.notes.push(format!("answered without the language model: {why}"));
    Ok(Answer { missed, ..answer })
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
