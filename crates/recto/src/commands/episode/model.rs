//! What needs a language model: the chat planner, and the control that judges the pages of one search.

use recto_agent::fence::Fence;
use recto_agent::handle::page_name;
use recto_agent::planner::MAX_TOKENS;
use recto_agent::rerank::{Model, Reranked, rerank};
use recto_model::{Chat, Ledger};
use serde_json::json;

use super::files::Files;
use crate::config::Config;
use crate::exit::{Finish, usage};
use crate::output;
use crate::tools::CorpusTools;

/// So often a call is tried, as the reference does.
const ATTEMPTS: u32 = 3;

/// The configured model.
///
/// # Errors
/// A [usage error](crate::exit::Usage) if there is none.
pub(super) fn open(config: &Config) -> anyhow::Result<Box<dyn Chat>> {
    let chat = config.model.chat(ATTEMPTS)?;
    chat.ok_or_else(|| usage("--planner chat: no language model is configured; name one by --model PROVIDER:NAME"))
}

/// Runs the control without iterative search, and prints its ranking.
pub(super) fn judge(
    task: &str,
    chat: &dyn Chat,
    tools: &CorpusTools<'_>,
    files: &Files,
    fingerprint: &str,
) -> anyhow::Result<Finish> {
    let model = Model { chat, ledger: &Ledger::default(), max_tokens: MAX_TOKENS };
    let done = rerank(task, tools, model, &Fence::new(fingerprint));
    let pages: Vec<_> =
        done.submission.ranked_answers.iter().filter_map(|answer| tools.space.page(answer.page_handle)).collect();
    let Reranked { status, submission, .. } = &done;
    files.write_row(&json!({
        "schema_version": "VisDocAgentBenchFixedTwoStageRerankerV2",
        "query_id": fingerprint.get(..12),
        "query": task,
        "status": status,
        "fingerprint": fingerprint,
        "ranked_page_ids": pages.iter().map(|page| page_name(page)).collect::<Vec<_>>(),
        "ranked_answers": submission.ranked_answers,
        "overall_rationale": submission.overall_rationale,
        "first_stage_candidates": done.first_stage_candidates,
        "logical_vlm_calls": done.logical_vlm_calls,
        "pages_examined": done.pages_examined,
        "usage": done.spent,
        "raw_responses": done.raw_responses,
    }))?;
    for (rank, page) in (1..).zip(&pages) {
        output::line(format_args!("{rank:>2}. {}, page {}", output::name(page.doc.as_str()), page.page))?;
    }
    if pages.is_empty() {
        output::note(format_args!("No ranking: {}", submission.overall_rationale));
    }
    Ok(Finish::with_problems(pages.is_empty()))
}
