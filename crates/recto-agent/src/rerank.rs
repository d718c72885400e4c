//! The control without iterative search: the first pages of one search are judged in batches, each alone, and put in order
//! by a last call. Nothing can be searched again. By VisDocAgentBench: 30 pages, ten batches of three, one ordering.

use std::collections::BTreeMap;

use recto_model::{Chat, ChatImage, ChatMessage, ChatReply, ChatRequest, Class, Ledger, ModelError, Part, Role};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::budget::Spent;
use crate::episode::Status;
use crate::episode::submission::{RankedAnswer, Submission, TEN};
use crate::fence::Fence;
use crate::handle::PageHandle;
use crate::parse::parse;
use crate::prompt::{self, RERANK_BATCH, RERANK_ORDER};
use crate::toolbox::{Hit, ToolError, Toolbox};

/// Pages that are judged; fewer where the search gives fewer.
pub const CANDIDATES: usize = 30;
/// Pages of a batch.
pub const BATCH: usize = 3;

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reranked {
    /// Submitted, or why not.
    pub status: Status,
    /// The ranking.
    pub submission: Submission,
    /// What was judged, in the order of the search.
    pub first_stage_candidates: Vec<Candidate>,
    /// Calls of the model.
    pub logical_vlm_calls: u32,
    /// Pages that were shown to it.
    pub pages_examined: usize,
    /// The model's words, in order.
    pub raw_responses: Vec<String>,
    /// What it took.
    pub spent: Spent,
}

/// A page that was judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Candidate {
    /// The page.
    pub page_handle: PageHandle,
    /// Its rank in the search, from 1.
    pub first_stage_rank: usize,
    /// Its score there.
    pub first_stage_score: f64,
    /// The judgement.
    pub assessment: Option<Assessment>,
}

/// A judgement.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Assessment {
    /// 0 to 100.
    pub relevance_score: f64,
    /// What the picture shows.
    pub visual_evidence: String,
    /// What the text says.
    pub textual_evidence: String,
    /// Which parts of the task are met.
    pub constraint_analysis: String,
    /// In a sentence.
    pub rationale: String,
}

/// Searches once, judges, and puts in order. A fault of the model ends it: nothing is asked twice.
pub fn rerank(task: &str, toolbox: &dyn Toolbox, model: Model<'_>, fence: &Fence) -> Reranked {
    let done = Reranked {
        status: Status::Submitted,
        submission: Submission::default(),
        first_stage_candidates: Vec::new(),
        logical_vlm_calls: 0,
        pages_examined: 0,
        raw_responses: Vec::new(),
        spent: Spent::default(),
    };
    let mut work = Work { task, toolbox, model, fence, done };
    match work.run() {
        Ok(submission) => work.done.submission = submission,
        Err(Fault { status, why }) => {
            work.done.status = status;
            work.done.submission = Submission::none(why);
        }
    }
    work.done
}

/// Who judges.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    /// The model.
    pub chat: &'a dyn Chat,
    /// At whose cost.
    pub ledger: &'a Ledger,
    /// The longest reply, in tokens.
    pub max_tokens: u32,
}

struct Work<'a> {
    task: &'a str,
    toolbox: &'a dyn Toolbox,
    model: Model<'a>,
    fence: &'a Fence,
    done: Reranked,
}

struct Fault {
    status: Status,
    why: String,
}

impl From<ToolError> for Fault {
    fn from(error: ToolError) -> Self {
        Self { status: Status::WorkerException, why: error.why }
    }
}

impl Work<'_> {
    fn run(&mut self) -> Result<Submission, Fault> {
        let hits = self.toolbox.search(self.task, CANDIDATES)?;
        let mut candidates: Vec<Candidate> = (1..).zip(&hits).map(|(rank, hit)| Candidate::new(rank, hit)).collect();
        for batch in candidates.chunks_mut(BATCH) {
            let judged = self.judge(batch)?;
            batch.iter_mut().zip(judged).for_each(|(candidate, judged)| candidate.assessment = Some(judged));
        }
        self.done.first_stage_candidates.clone_from(&candidates);
        self.order(&candidates)
    }

    fn judge(&mut self, batch: &[Candidate]) -> Result<Vec<Assessment>, Fault> {
        let mut images = Vec::new();
        let mut pages = Vec::new();
        for candidate in batch {
            if self.model.chat.reach().pictures {
                let image = self.toolbox.page_image(candidate.page_handle)?;
                images.push(Part::Image(ChatImage::of(&image).map_err(|error| Fault::of(&error))?));
            }
            // A page without text is judged by its picture.
            let text = self.toolbox.page_text(candidate.page_handle).unwrap_or_default();
            pages.push(format!(
                "{} (rank {} of the search, score {:.4}), text:\n{}",
                candidate.page_handle,
                candidate.first_stage_rank,
                candidate.first_stage_score,
                self.fence.around(&text)
            ));
        }
        let (pages, rule) = (pages.join("\n\n"), prompt::fence_rule(self.fence));
        let text = RERANK_BATCH.fill(&[("task", self.task), ("fence", &rule), ("pages", &pages)]);
        self.done.pages_examined += batch.len();
        let parts = std::iter::once(Part::Text(text)).chain(images).collect();
        let reply = self.ask(ChatMessage::new(Role::User, parts))?;
        assessments(&reply, batch).map_err(invalid)
    }

    fn order(&mut self, candidates: &[Candidate]) -> Result<Submission, Fault> {
        let count = candidates.len().min(TEN);
        let pages = json!(candidates).to_string();
        let text = RERANK_ORDER.fill(&[("task", self.task), ("pages", &pages), ("count", &count.to_string())]);
        let reply = self.ask(ChatMessage::user(text))?;
        ordered(&reply, candidates, count).map_err(invalid)
    }

    fn ask(&mut self, message: ChatMessage) -> Result<Map<String, Value>, Fault> {
        let request = ChatRequest { max_tokens: self.model.max_tokens, ..ChatRequest::new(vec![message]) };
        self.done.logical_vlm_calls += 1;
        self.done.spent.images += request.images();
        let reply = self.model.chat.reply(&request, self.model.ledger).map_err(|error| Fault::of(&error))?;
        self.spend(&reply);
        parse(&reply.text).map(|parsed| parsed.object).map_err(invalid)
    }

    fn spend(&mut self, reply: &ChatReply) {
        let spent = &mut self.done.spent;
        spent.calls += 1;
        spent.input_tokens += reply.usage.input_tokens;
        spent.output_tokens += reply.usage.output_tokens;
        spent.dollars += reply.usage.dollars();
        self.done.raw_responses.push(reply.text.clone());
    }
}

impl Candidate {
    const fn new(rank: usize, hit: &Hit) -> Self {
        Self { page_handle: hit.page_handle, first_stage_rank: rank, first_stage_score: hit.score, assessment: None }
    }
}

fn invalid(why: impl ToString) -> Fault {
    Fault { status: Status::InvalidSubmission, why: why.to_string() }
}

impl Fault {
    fn of(error: &ModelError) -> Self {
        let status = match error {
            ModelError::Unavailable { .. } => Status::PlannerRetryExhausted,
            ModelError::BadReply { .. } => Status::InvalidSubmission,
            ModelError::Chat(failure) => match failure.class {
                Class::Empty | Class::OutOfTokens | Class::Schema => Status::InvalidSubmission,
                class if class.is_passing() => Status::PlannerRetryExhausted,
                _ => Status::ProviderError,
            },
            _ => Status::ProviderError,
        };
        Self { status, why: error.to_string() }
    }
}

/// The judgements of a batch in its order: each page once, scores from 0 to 100.
fn assessments(reply: &Map<String, Value>, batch: &[Candidate]) -> Result<Vec<Assessment>, String> {
    let list = reply.get("assessments").and_then(Value::as_array).filter(|list| list.len() == batch.len());
    let list = list.ok_or_else(|| format!("{} assessments were expected", batch.len()))?;
    let mut judged = BTreeMap::new();
    for item in list {
        let score =
            item.get("relevance_score").and_then(score).ok_or("a relevance_score is no number from 0 to 100")?;
        let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let assessment = Assessment {
            relevance_score: score,
            visual_evidence: text("visual_evidence"),
            textual_evidence: text("textual_evidence"),
            constraint_analysis: text("constraint_analysis"),
            rationale: text("rationale"),
        };
        judged.insert(text("page_handle"), assessment);
    }
    let of = |candidate: &Candidate| {
        let name = candidate.page_handle.to_string();
        judged.remove(&name).ok_or_else(|| format!("{name} was not judged"))
    };
    batch.iter().map(of).collect()
}

fn score(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    number.filter(|score| (0.0..=100.0).contains(score))
}

/// The ranking: so many different pages of those that were judged.
fn ordered(reply: &Map<String, Value>, candidates: &[Candidate], count: usize) -> Result<Submission, String> {
    let list = reply.get("ranked_answers").and_then(Value::as_array).filter(|list| list.len() == count);
    let list = list.ok_or_else(|| format!("exactly {count} ranked_answers were expected"))?;
    let mut submission = Submission::default();
    for item in list {
        let name = item.as_str().or_else(|| item.get("page_handle")?.as_str()).unwrap_or_default();
        let known = candidates.iter().map(|candidate| candidate.page_handle).find(|page| page.to_string() == name);
        let page_handle = known.ok_or_else(|| format!("{name:?} is none of the pages that were judged"))?;
        if submission.ranked_answers.iter().any(|before| before.page_handle == page_handle) {
            return Err(format!("{name} is ranked twice"));
        }
        let rationale = item.get("rationale").and_then(Value::as_str).unwrap_or_default().into();
        submission.ranked_answers.push(RankedAnswer {
            page_handle,
            evidence_page_handles: vec![page_handle],
            rationale,
        });
    }
    submission.overall_rationale = reply.get("overall_rationale").and_then(Value::as_str).unwrap_or_default().into();
    Ok(submission)
}

#[cfg(test)]
mod tests {
    use recto_model::chat::FakeChat;

    use super::*;
    use crate::fake_toolbox::FakeToolbox;

    fn batch(numbers: impl IntoIterator<Item = u32>, score: impl Fn(u32) -> Value) -> String {
        let judged = |n: u32| json!({"page_handle": PageHandle::new(n), "relevance_score": score(n), "rationale": "r"});
        json!({"assessments": numbers.into_iter().map(judged).collect::<Vec<_>>()}).to_string()
    }

    fn order(numbers: impl IntoIterator<Item = u32>) -> String {
        let ranked: Vec<Value> = numbers.into_iter().map(|n| json!({"page_handle": PageHandle::new(n)})).collect();
        json!({"ranked_answers": ranked, "overall_rationale": "o"}).to_string()
    }

    /// Ten batches in reverse order within each, with one change.
    fn replies(changed: usize, to: &str, last: String) -> Vec<String> {
        let batches = (0..10).map(|at| batch((3 * at + 1..=3 * at + 3).rev(), |n| json!(n)));
        let mut replies: Vec<String> = batches.chain([last]).collect();
        if let Some(reply) = replies.get_mut(changed) {
            *reply = to.into();
        }
        replies
    }

    fn check(replies: Vec<String>, status: Status, calls: u32) -> Reranked {
        let chat = FakeChat::new(replies);
        let model = Model { chat: &chat, ledger: &Ledger::default(), max_tokens: 3200 };
        let done = rerank("task", &FakeToolbox::new(40), model, &Fence::new("x"));
        assert_eq!((done.status, done.logical_vlm_calls), (status, calls), "{:?}", done.submission);
        done
    }

    #[test]
    fn thirty_pages_ten_batches_one_order() {
        let done = check(replies(99, "", order(21..=30)), Status::Submitted, 11);
        assert_eq!((done.pages_examined, done.spent.images), (30, 30));
        let scores = done.first_stage_candidates.iter().map(|c| c.assessment.as_ref().unwrap().relevance_score);
        assert!(scores.eq((1..=30).map(f64::from)));
        assert!(done.submission.ranked_answers.iter().map(|answer| answer.page_handle.number()).eq(21..=30));
    }

    #[test]
    fn any_fault_ends_it() {
        let good = || order(1..=10);
        check(replies(0, "no json", good()), Status::InvalidSubmission, 1);
        check(replies(2, &batch(7..=8, |n| json!(n)), good()), Status::InvalidSubmission, 3);
        check(replies(2, &batch([7, 8, 8], |n| json!(n)), good()), Status::InvalidSubmission, 3);
        check(replies(2, &batch(7..=9, |_| json!(101)), good()), Status::InvalidSubmission, 3);
        check(replies(2, &batch(7..=9, |_| json!("NaN")), good()), Status::InvalidSubmission, 3);
        check(replies(99, "", order(1..=9)), Status::InvalidSubmission, 11);
        check(replies(99, "", order((1..=9).chain([9]))), Status::InvalidSubmission, 11);
        check(replies(99, "", order((1..=9).chain([31]))), Status::InvalidSubmission, 11);
        check(replies(99, "", good())[..4].to_vec(), Status::PlannerRetryExhausted, 5);
    }
}
