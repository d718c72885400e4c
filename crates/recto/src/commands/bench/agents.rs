//! Agents as a system: what they answer, the pages that they cite, their searches and what they took.

use std::sync::Arc;

use recto_agent::agent::{Call, Kind, Session, Status, Step};
use recto_agent::budget::Stop;
use recto_bench::row::{Fault, FaultClass, RankedPage, Search, Usage};
use recto_bench::{AnswerText, Item, Outcome, Row, System};
use recto_page::{IndexDir, PageId};

use super::names::Names;
use super::readers::Readers;
use crate::agents::{Agents, By, Played, Wanted};
use crate::config::Config;
use crate::corpus::Corpus;
use crate::exit::usage;

/// An agent over an index.
struct Asked {
    agents: Agents,
    names: Names,
    readers: Readers,
}

/// An agent as typed: `NAME` or `NAME:STEPS`, with `:text` at the end for a model that sees no pictures.
pub(super) fn parse(text: &str) -> anyhow::Result<Wanted> {
    let (rest, text_only) = text.strip_suffix(":text").map_or((text, false), |rest| (rest, true));
    let (name, steps) = rest.split_once(':').map_or((rest, None), |(name, steps)| (name, Some(steps)));
    let bad = |what: &str, expected: &str| usage(format!("--system agent:{text}: {what:?}: expected {expected}"));
    let kind: Kind = name.parse().map_err(|known: String| bad(name, &format!("one of {known}")))?;
    let count = |steps: &str| {
        let n = steps.parse().ok().filter(|n| (1..=1000).contains(n));
        n.ok_or_else(|| bad(steps, "a number of steps from 1 to 1000"))
    };
    let steps = steps.map(count).transpose()?;
    Ok(Wanted { kind, steps, text_only, captions: None, by: By::Model })
}

/// The agent as a system.
pub(super) fn system(wanted: Wanted, dir: &IndexDir, names: Names, config: &Config) -> anyhow::Result<Arc<dyn System>> {
    let wanted = Wanted { by: By::usual(config), ..wanted };
    let agents = Agents::new(wanted, dir, config, &Corpus::open(dir)?)?;
    Ok(Arc::new(Asked { agents, names, readers: Readers::new(dir) }))
}

impl System for Asked {
    fn row(&self, item: &Item) -> Result<Row, Fault> {
        self.readers.with(|corpus| self.play(item, corpus))
    }
}

impl Asked {
    fn play(&self, item: &Item, corpus: &Corpus) -> Result<Row, Fault> {
        let scope = self.names.scope(item).map_err(permanent)?;
        let played = self.agents.play(&item.question, &scope, corpus, None).map_err(permanent)?;
        let Some(end) = &played.session.end else {
            return Err(Fault::new(FaultClass::Internal, "the agent did not end"));
        };
        let why = || end.why.clone().unwrap_or_else(|| "the agent gave no answer".into());
        match end.status {
            Status::NoReply if end.stop == Stop::Transport => return Err(Fault::new(FaultClass::Transient, why())),
            Status::NoReply => return Err(permanent(why())),
            _ => {}
        }
        let outcome = match end.status {
            Status::Declined => Outcome::Declined,
            Status::NoAnswer => Outcome::Failed,
            _ => Outcome::Done,
        };
        let answer = match end.items.as_slice() {
            [] => AnswerText::Text(end.answer.text.clone()),
            [one] => AnswerText::Text(one.clone()),
            several => AnswerText::List(several.to_vec()),
        };
        let mut pages: Vec<PageId> = Vec::new();
        for citation in &end.answer.evidence {
            let page = self.names.page(item, &citation.page);
            if !pages.contains(&page) {
                pages.push(page);
            }
        }
        Ok(Row {
            outcome,
            answer: Some(answer),
            confidence: Some(end.answer.confidence),
            ranking: self.ranking(item, &pages, &played.session),
            searches: self.searches(item, &played.session),
            usage: usage_of(&played),
            fault: (outcome == Outcome::Failed).then(|| permanent(why())),
            pages,
            ..Row::default()
        })
    }

    /// What was searched, with what came back.
    fn searches(&self, item: &Item, session: &Session) -> Vec<Search> {
        let search = |step: &Step| {
            let Call::Search { query, .. } = step.call.as_ref()? else { return None };
            let found = &step.observation.as_ref()?.found;
            let pages = found.iter().map(|page| self.names.page(item, page)).collect();
            Some(Search { query: query.clone(), pages })
        };
        session.steps.iter().filter_map(search).collect()
    }

    /// The pages that are cited, then those that were found, in the order in which they were.
    fn ranking(&self, item: &Item, cited: &[PageId], session: &Session) -> Vec<RankedPage> {
        let mut pages = cited.to_vec();
        let found = session.steps.iter().filter_map(|step| step.observation.as_ref()).flat_map(|told| &told.found);
        for page in found.map(|page| self.names.page(item, page)) {
            if !pages.contains(&page) {
                pages.push(page);
            }
        }
        (1..).zip(pages).map(|(rank, page)| RankedPage { page, score: 1.0 / f64::from(rank) }).collect()
    }
}

fn usage_of(played: &Played) -> Usage {
    let count = |n: usize| u32::try_from(n).ok();
    let spent = &played.spent;
    Usage {
        steps: count(played.session.steps.len()),
        calls: u32::try_from(spent.requests()).ok(),
        input_tokens: Some(spent.input_tokens),
        output_tokens: Some(spent.output_tokens),
        dollars: (spent.unpriced == 0).then(|| spent.dollars()),
        pages: count(played.session.seen.len()),
    }
}

fn permanent(error: impl ToString) -> Fault {
    Fault::new(FaultClass::Permanent, error)
}
