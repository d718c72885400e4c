//! How an episode ended, for people and for programs. Only now handles become documents and pages.

use recto_agent::episode::submission::RankedAnswer;
use recto_agent::episode::{End, Episode};
use serde_json::{Value, json};

use crate::config::Config;
use crate::exit::Finish;
use crate::output;
use crate::tools::CorpusTools;

/// Prints the ranking. A program that plays over standard output gets one line of JSON.
pub(super) fn tell(episode: &Episode, tools: &CorpusTools<'_>, lines: bool, config: &Config) -> anyhow::Result<Finish> {
    let Some(end) = &episode.end else { return Ok(Finish::WithProblems) };
    if lines {
        output::line(json!({"done": value(episode, end, tools)}))?;
    } else if config.json {
        output::json(&value(episode, end, tools))?;
    } else {
        for (rank, answer) in (1..).zip(&end.submission.ranked_answers) {
            line(rank, answer, tools)?;
        }
        if !config.quiet {
            note(episode, end);
        }
    }
    Ok(Finish::with_problems(end.submission.ranked_answers.is_empty()))
}

pub(super) fn value(episode: &Episode, end: &End, tools: &CorpusTools<'_>) -> Value {
    let ranked = |(rank, answer): (usize, &RankedAnswer)| {
        let page = tools.space.page(answer.page_handle);
        json!({
            "rank": rank,
            "document": page.map(|page| &page.doc),
            "page": page.map(|page| page.page),
            "page_handle": answer.page_handle,
            "evidence_page_handles": answer.evidence_page_handles,
            "rationale": answer.rationale,
        })
    };
    json!({
        "task": episode.task,
        "status": end.status,
        "stop": end.stop,
        "steps": episode.decisions.len(),
        "search_route": episode.protocol.search_route,
        "ranking": (1..).zip(&end.submission.ranked_answers).map(ranked).collect::<Vec<_>>(),
        "overall_rationale": end.submission.overall_rationale,
        "normalization_warnings": end.submission.normalization_warnings,
        "tool_usage": episode.usage,
    })
}

fn line(rank: usize, answer: &RankedAnswer, tools: &CorpusTools<'_>) -> anyhow::Result<()> {
    let Some(page) = tools.space.page(answer.page_handle) else { return Ok(()) };
    let document = output::name(page.doc.as_str());
    output::line(format_args!("{rank:>2}. {document}, page {}", page.page))?;
    if !answer.rationale.is_empty() {
        output::line(format_args!("    {}", output::printable(&answer.rationale)))?;
    }
    Ok(())
}

fn note(episode: &Episode, end: &End) {
    let steps = output::count(episode.decisions.len() as u64, "step");
    let route = &episode.protocol.search_route;
    let status = json!(end.status);
    let status = status.as_str().unwrap_or_default().replace('_', " ");
    output::note(format_args!("\n{status} after {steps}; searches by {route}."));
    if end.submission.ranked_answers.is_empty() {
        output::note(format_args!("No ranking: {}", end.submission.overall_rationale));
    }
}
