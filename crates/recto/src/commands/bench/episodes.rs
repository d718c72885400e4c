//! Episodes as a system: the rules plan, the ranking that they submit is measured.

use std::sync::Arc;
use std::time::Instant;

use recto_agent::action::{Ablation, Route};
use recto_agent::episode::{End, Episode, Protocol};
use recto_agent::handle::{HANDLE_SEED, PageHandle};
use recto_agent::observation::Observation;
use recto_agent::planner::Offline;
use recto_agent::run::run;
use recto_agent::support::{SUPPORT_SEED, shuffle};
use recto_agent::toolbox::{Size, Toolbox};
use recto_bench::row::{Fault, FaultClass, RankedPage, Search, Usage};
use recto_bench::{Item, Row, System};
use recto_page::{IndexDir, PageId};

use super::names::Names;
use super::readers::Readers;
use crate::config::Config;
use crate::corpus::Corpus;
use crate::encoders::Encoders;
use crate::exit::usage;
use crate::tools::{CorpusTools, Index};

/// The rules of episodes, as typed: `ROUTE` or `ROUTE:ABLATION`, several ablations joined by `+`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rules {
    route: Route,
    ablations: Vec<Ablation>,
}

struct Episodes {
    rules: Rules,
    encoders: Encoders,
    readers: Readers,
    names: Names,
    config: Config,
}

impl Rules {
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let (route, ablations) = text.split_once(':').unwrap_or((text, ""));
        let bad =
            |what: &str, expected: String| usage(format!("--system episode:{text}: {what:?}: expected {expected}"));
        let route: Route = route.parse().map_err(|expected| bad(route, expected))?;
        let named = ablations.split('+').filter(|name| !name.is_empty());
        let ablations = named
            .map(|name| name.parse().map_err(|known| bad(name, format!("one of {known}"))))
            .collect::<anyhow::Result<Vec<Ablation>>>()?;
        if ablations.contains(&Ablation::NoIterativeSearch) {
            return Err(usage("no-iterative-search has a model judge pages; the rules have none"));
        }
        Ok(Self { route, ablations })
    }
}

/// Episodes with these rules.
pub(super) fn system(rules: Rules, dir: &IndexDir, names: Names, config: &Config) -> Arc<dyn System> {
    let (readers, config, encoders) = (Readers::new(dir), config.clone(), Encoders::new(config));
    Arc::new(Episodes { rules, encoders, readers, names, config })
}

impl System for Episodes {
    fn row(&self, item: &Item) -> Result<Row, Fault> {
        self.readers.with(|corpus| self.play(item, corpus))
    }
}

impl Episodes {
    fn play(&self, item: &Item, corpus: &Corpus) -> Result<Row, Fault> {
        let scope = self.names.scope(item).map_err(permanent)?;
        let Rules { route, ablations } = &self.rules;
        let index = Index { corpus, dir: &self.readers.dir, encoders: &self.encoders, config: &self.config };
        let tools = CorpusTools::new(&index, scope, *route, HANDLE_SEED).map_err(permanent)?;
        let protocol = Protocol::new(*route, ablations, tools.search_route());
        let mut episode = Episode::new(protocol, item.question.clone(), tools.space.len());
        if ablations.contains(&Ablation::SupportProvided) {
            episode.show_first(&self.support(item, &tools)?);
        }
        let started = Instant::now();
        let kept = |_: &Episode| Ok::<(), std::convert::Infallible>(());
        run(&mut episode, &mut Offline, &tools, &|| started.elapsed(), kept).map_err(permanent)?;
        let Some(end) = &episode.end else { return Err(Fault::new(FaultClass::Internal, "the episode did not end")) };
        if end.submission.ranked_answers.is_empty() {
            return Err(permanent(&end.submission.overall_rationale));
        }
        Ok(self.rank(item, &episode, end, &tools))
    }

    /// The pages on the way to the answer, which an evaluator shows.
    fn support(&self, item: &Item, tools: &CorpusTools<'_>) -> Result<Vec<(PageHandle, Size)>, Fault> {
        let mut pages: Vec<&PageId> = item.gold.path.iter().collect();
        shuffle(&mut pages, SUPPORT_SEED, &item.id);
        let shown = pages.into_iter().filter_map(|page| tools.space.handle(&self.names.in_index(page)?));
        shown
            .map(|page| tools.page_image(page).map(|image| (page, (image.width, image.height))).map_err(permanent))
            .collect()
    }

    fn rank(&self, item: &Item, episode: &Episode, end: &End, tools: &CorpusTools<'_>) -> Row {
        let page = |handle: PageHandle| tools.space.page(handle).map(|page| self.names.page(item, page));
        let ranked = (1..).zip(&end.submission.ranked_answers);
        let ranking = ranked
            .filter_map(|(rank, answer)| {
                Some(RankedPage { page: page(answer.page_handle)?, score: 1.0 / f64::from(rank) })
            })
            .collect();
        let searches = episode.trace.iter().filter_map(|row| {
            let Observation::Found { results, .. } = &row.observation else { return None };
            let query = row.arguments.get("query")?.as_str()?.to_owned();
            Some(Search { query, pages: results.iter().filter_map(|hit| page(hit.page_handle)).collect() })
        });
        let count = |n: usize| u32::try_from(n).ok();
        let usage =
            Usage { steps: count(episode.decisions.len()), pages: count(episode.seen.len()), ..Usage::default() };
        Row { ranking, searches: searches.collect(), usage, ..Row::default() }
    }
}

fn permanent(error: impl ToString) -> Fault {
    Fault::new(FaultClass::Permanent, error)
}
