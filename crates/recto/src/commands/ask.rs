//! `recto ask [PATH] "question"`: an answer with the pages that it stands on.

use std::path::{Path, PathBuf};

use anyhow::Context;
use recto_agent::agent::Status as AgentStatus;
use recto_agent::{Answer, Citation, Coverage, Status};
use recto_model::Usage;
use recto_page::{ContentHash, IndexDir, PageId, PageImages, ProblemCode, Region};
use recto_search::{Scope, Search};
use serde::Serialize;

use crate::agents::Played;
use crate::answerer::{Answerer, Manner, told};
use crate::args::AskArgs;
use crate::commands::agent;
use crate::commands::index::index_if_named;
use crate::config::{Config, in_range};
use crate::corpus::{Corpus, Pictures};
use crate::exit::{Finish, usage};
use crate::{output, picture};

/// Resolution of the pictures of cited pages.
const DPI: u32 = 110;
/// So many pages are drawn for one answer.
const MAX_PICTURES: usize = 3;
/// When the cache holds more pictures than this, it is emptied.
const MAX_CACHED: usize = 200;

#[derive(Serialize)]
struct Told<'a> {
    question: &'a str,
    #[serde(flatten)]
    answer: &'a Answer,
    /// Pictures of the cited pages, the quotes marked; by citation.
    pictures: &'a [Option<PathBuf>],
}

pub(crate) fn run(args: &AskArgs, config: &Config) -> anyhow::Result<Finish> {
    let (dir, question) = index_if_named("ask", &args.words, config)?;
    let corpus = Corpus::open(&dir)?;
    let scope = corpus.scope(&args.doc)?;
    let top_k = args.top_k.as_ref().map(|text| {
        let k = in_range(text, 1, 1_000).map_err(|e| usage(format!("--top-k {text:?}: expected {e}")))?;
        anyhow::Ok(k as usize)
    });
    let (answer, spent) = match args.agent.wanted(config)? {
        Some(wanted) => {
            let played = agent::play(&args.agent, wanted, question, &scope, &corpus, &dir, config)?;
            by_agent(played)
        }
        None => answer(question, &scope, top_k.transpose()?, &corpus, &dir, config)?,
    };
    if args.agent.is_stdio() {
        output::line(serde_json::json!({"done": answer}))?;
        return Ok(Finish::Done);
    }
    let pictures = draw_all(&answer, question, &dir, config)?;
    if config.json {
        output::json(&Told { question, answer: &answer, pictures: &pictures })?;
    } else {
        tell(&answer, &pictures)?;
        if !config.quiet {
            explain(&answer, &spent, &corpus, &scope, question);
        }
    }
    if let (true, Some(path)) = (args.open, pictures.iter().flatten().next()) {
        std::process::Command::new("xdg-open").arg(path).spawn().context("xdg-open")?;
    }
    Ok(Finish::Done)
}

/// What an agent answers; why it does not is a note.
fn by_agent(played: Played) -> (Answer, Usage) {
    let Played { session, spent, record } = played;
    let Some(end) = session.end else { return (Answer::decline(Coverage::default()), spent) };
    let mut answer = Answer { answerer: record.planner, ..end.answer };
    answer.notes.extend(end.why.map(|why| format!("no answer after {} steps: {why}", session.steps.len())));
    if matches!(end.status, AgentStatus::NoAnswer | AgentStatus::NoReply) {
        answer.status = Status::Failed;
    }
    (answer, spent)
}

fn answer(
    question: &str,
    scope: &Scope,
    top_k: Option<usize>,
    corpus: &Corpus,
    dir: &IndexDir,
    config: &Config,
) -> anyhow::Result<(Answer, Usage)> {
    Answerer::new(dir, config, corpus)?.over(corpus)?.answer_so(question, scope, &Manner::of(top_k))
}

fn tell(answer: &Answer, pictures: &[Option<PathBuf>]) -> anyhow::Result<()> {
    output::line(output::printable(&answer.said()))?;
    for (citation, picture) in answer.evidence.iter().zip(pictures) {
        let label = output::printed(citation.label.as_deref(), citation.page.page.get());
        let document = output::name(citation.page.doc.as_str());
        output::line(format_args!("\n  {document}, page {}{label}", citation.page.page))?;
        output::line(format_args!("  “{}”", output::printable(&citation.quote)))?;
        if let Some(note) = &citation.note {
            output::line(format_args!("  note: {note}"))?;
        }
        if let Some(path) = picture {
            output::line(format_args!("  picture: {}", path.display()))?;
        }
    }
    Ok(())
}

/// Says who answered and what was looked at; and where a reader might look who got no answer.
fn explain(answer: &Answer, spent: &Usage, corpus: &Corpus, scope: &Scope, question: &str) {
    if answer.answerer == Answer::OFFLINE {
        output::note(format_args!("\nOffline answerer (no language model): {}.", answer.coverage));
    } else {
        output::note(format_args!("\n{}: {}.", output::printable(&answer.answerer), answer.coverage));
    }
    if spent.requests() > 0 {
        output::note(format_args!("The model used {}.", told(spent)));
    }
    answer.notes.iter().for_each(|note| output::note(format_args!("Note: {}.", output::printable(note))));
    let scans = unread(corpus, scope);
    if scans > 0 {
        let pages = output::count(scans, "page");
        output::note(format_args!("Not read: {pages} without text, such as scans; `recto problems` lists them."));
    }
    if answer.status != Status::Answered {
        let pages = nearest(corpus, scope, question);
        let pages: Vec<String> = pages.iter().map(|page| output::name(&page.to_string())).collect();
        if !pages.is_empty() {
            output::note(format_args!("Pages that share most words with the question: {}.", pages.join(", ")));
        }
    }
}

/// Where a reader might look who got no answer: the pages that share most words with the question.
pub(crate) fn nearest(corpus: &Corpus, scope: &Scope, question: &str) -> Vec<PageId> {
    let ranking = corpus.searcher.search(question, scope, 3).unwrap_or_default();
    ranking.0.into_iter().map(|hit| hit.page).collect()
}

/// Number of pages in scope that show something but have no text.
pub(crate) fn unread(corpus: &Corpus, scope: &Scope) -> u64 {
    let problems = corpus.catalog.problems(None).unwrap_or_default();
    let lacks = [ProblemCode::NoText, ProblemCode::NoOcr, ProblemCode::OcrFailed];
    problems.iter().filter(|(doc, p)| lacks.contains(&p.code) && scope.holds(doc)).count() as u64
}

fn draw_all(answer: &Answer, question: &str, dir: &IndexDir, config: &Config) -> anyhow::Result<Vec<Option<PathBuf>>> {
    if answer.evidence.is_empty() {
        return Ok(Vec::new());
    }
    let pictures = Pictures::new(dir, config, None)?;
    let folder = dir.cache().join("answers");
    let drawn = answer.evidence.iter().enumerate().map(|(index, citation)| {
        if index >= MAX_PICTURES {
            return None;
        }
        // One picture for all that is cited of a page.
        let regions: Vec<Region> =
            answer.evidence.iter().filter(|c| c.page == citation.page).flat_map(|c| c.regions.clone()).collect();
        let drawn = draw(citation, &regions, question, &pictures, &folder);
        if let (Err(error), false) = (&drawn, config.quiet) {
            output::note(format_args!("no picture of {}: {error:#}", citation.page));
        }
        drawn.ok()
    });
    Ok(drawn.collect())
}

fn draw(
    citation: &Citation,
    regions: &[Region],
    question: &str,
    pictures: &Pictures,
    folder: &Path,
) -> anyhow::Result<PathBuf> {
    let mut image = pictures.image(&citation.page, Region::FULL, DPI)?;
    picture::mark(&mut image, regions);
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    if std::fs::read_dir(folder)?.count() > MAX_CACHED {
        std::fs::remove_dir_all(folder)?;
        std::fs::create_dir_all(folder)?;
    }
    let stem = Path::new(citation.page.doc.as_str()).file_stem().unwrap_or_default().to_string_lossy();
    let key = ContentHash::of(format!("{}\0{question}", citation.page).as_bytes());
    let key = key.as_str().get(..8).unwrap_or_default();
    let stem: String = stem.chars().take(60).collect();
    let path = folder.join(format!("{stem}-p{}-{key}.png", citation.page.page));
    picture::write_png(&image, &path)?;
    Ok(path)
}
