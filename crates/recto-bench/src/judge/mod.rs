//! Judges: who decides whether an answer means what the gold says, where no rule can.
//!
//! A [`Judge`] knows what to ask and how to read what comes back; a [`Respondent`] answers, be it a model or a record of
//! what one said. What no judge was asked about has no verdict, which is no 0.

mod batch;
mod citations;
mod doclens;
mod extraction;
mod finragbench;
pub mod judging;
mod madqa;
mod mmlongbench_v2;
pub mod record;
mod reply;
mod vidoseek;

use std::collections::BTreeMap;

use recto_page::{ContentHash, PageId, Region};
use serde::{Deserialize, Serialize};

use crate::measure::Case;

/// What judges said about one row, by the judge's name.
pub type Verdicts = BTreeMap<String, Verdict>;

/// What a judge said.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// 0 to 1.
    pub score: f64,
    /// The judge's own word: `correct`, `partial`, `incorrect`, `true`; or the answer that it cut out.
    pub label: String,
    /// Of a judge of citations: the share of them that is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// The answer is that there is none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub abstained: bool,
    /// Why, in the judge's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// What is asked of whom, and what the replies mean.
pub struct Judge {
    /// Its name, also in measures: `Judged(by=madqa)`.
    pub name: &'static str,
    /// Changes with each change of what is asked.
    pub version: u32,
    /// One line for people.
    pub about: &'static str,
    /// How often a reply is asked for that can't be had or read.
    pub tries: u32,
    /// What holds when there is none in the end.
    pub on_failure: OnFailure,
    /// What is asked about a case, if anything needs to be.
    pub ask: fn(&Case) -> Asked,
    /// What replies say.
    pub read: Reading,
}

/// How replies are read; an error if one is not what was asked for.
pub enum Reading {
    /// One reply is enough.
    Once(fn(&Case, &str) -> Result<Verdict, String>),
    /// All replies so far lead to the next question, or to a verdict.
    Often(fn(&Case, &[String]) -> Result<Asked, String>),
}

/// What holds when a judge fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnFailure {
    /// The answer counts as wrong.
    Zero,
    /// This is taken for the reply that could not be had.
    Reply(&'static str),
    /// Nothing can be said about the run.
    Void,
}

/// What a judge does with a case.
#[derive(Clone, PartialEq, Debug)]
pub enum Asked {
    /// The verdict is known without asking.
    Decided(Verdict),
    /// This is to be answered.
    Prompt(Prompt),
    /// The judge has nothing to say about such items, and why.
    Unfit(&'static str),
}

/// What is put to a [`Respondent`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Prompt {
    /// What its task is.
    pub system: String,
    /// The question, what is right, and what was said.
    pub user: String,
    /// The JSON schema that the reply must have; `None`: text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<serde_json::Value>,
    /// What is shown with it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
}

/// A picture that goes with a prompt, for whoever can draw the page.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Picture {
    /// The page, as the benchmark names it.
    #[serde(flatten)]
    pub page: PageId,
    /// The place on it that is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
    /// How the place is shown.
    pub shown: Shown,
}

/// How a place on a page is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The whole page.
    Page,
    /// The page with a red box around the place.
    Box,
    /// The place alone.
    Cut,
}

impl Prompt {
    /// Names the prompt: equal prompts have equal keys.
    pub fn key(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        ContentHash::of(text.as_bytes()).as_str().into()
    }
}

/// Whoever answers prompts.
pub trait Respondent: Sync {
    /// Who it is, such as a model's name: a part of every verdict's origin.
    fn name(&self) -> &str;

    /// The reply to a prompt.
    ///
    /// # Errors
    /// Why there is none; it may be asked again.
    fn reply(&self, prompt: &Prompt) -> Result<String, String>;
}

/// Every judge there is.
pub const JUDGES: &[&Judge] = &[
    &madqa::JUDGE,
    &extraction::JUDGE,
    &doclens::JUDGE,
    &mmlongbench_v2::JUDGE,
    &finragbench::JUDGE,
    &citations::PAGES,
    &citations::BOXES,
    &citations::CUTS,
    &batch::JUDGE,
    &vidoseek::JUDGE,
];

/// The judge of a name.
pub fn find(name: &str) -> Option<&'static Judge> {
    JUDGES.iter().copied().find(|judge| judge.name == name)
}

impl Verdict {
    fn new(score: f64, label: impl Into<String>) -> Self {
        Self { score, label: label.into(), precision: None, abstained: false, reason: String::new() }
    }

    fn because(self, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..self }
    }
}

impl Judge {
    /// Name and version: `madqa@1`.
    pub fn id(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }
}

/// What judges look at: the question, the right answer, and what was said; `None` if the item has no answer.
struct Answered<'c> {
    question: &'c str,
    gold: String,
    said: String,
}

impl<'c> Answered<'c> {
    fn of(case: &Case<'c>) -> Option<Self> {
        use crate::measure::answer::{NOT_ANSWERABLE, as_text};
        use crate::row::{AnswerText, Outcome};

        let gold = match case.item.gold.answers.as_slice() {
            [] if case.item.gold.unanswerable => NOT_ANSWERABLE.into(),
            [] => return None,
            [answer] => as_text(&plain(answer)),
            answers => answers.iter().map(|answer| as_text(&plain(answer))).collect::<Vec<_>>().join(" | "),
        };
        let said = match (&case.row.answer, case.row.outcome) {
            (_, Outcome::Declined) => NOT_ANSWERABLE.into(),
            (Some(answer), Outcome::Done) => as_text(answer),
            _ => String::new(),
        };
        fn plain(entries: &[String]) -> AnswerText {
            match entries {
                [entry] => AnswerText::Text(entry.clone()),
                entries => AnswerText::List(entries.to_vec()),
            }
        }
        Some(Self { question: &case.item.question, gold, said })
    }

    /// The parts in marked sections.
    fn sections(&self) -> String {
        let Self { question, gold, said } = self;
        format!("Question:\n{question}\n\nReference answer:\n{gold}\n\n{}", fenced("Answer to be judged", said))
    }
}

/// A section of what was said. That may hold anything, so its marks are drawn so that it can't close them.
fn fenced(name: &str, said: &str) -> String {
    let fence = ContentHash::of(said.as_bytes());
    let fence = fence.as_str().get(..8).unwrap_or_default();
    format!("{name}, between the lines {fence}:\n{fence}\n{said}\n{fence}\n")
}
