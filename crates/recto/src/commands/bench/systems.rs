//! The systems that can be measured, by the names that users type.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use recto_agent::pipeline::Plan;
use recto_agent::{Answer, Options, Status};
use recto_bench::row::{CitedRegion, Fault, FaultClass, RankedPage, Usage};
use recto_bench::{AnswerText, BenchmarkSet, Item, Outcome, Row, System, predictions};
use recto_model::ModelError;
use recto_page::{IndexDir, Region};
use recto_search::{Ranker, Ranking, Scope, SearchError};

use super::agents;
use super::baselines::Baseline;
use super::episodes::Rules;
use super::names::Names;
use super::readers::Readers;
use crate::agents::Wanted;
use crate::answerer::Answerer;
use crate::config::Config;
use crate::corpus::Corpus;
use crate::encoders::Encoders;
use crate::exit::usage;
use crate::finder::Finder;

/// What can be typed after `--system`.
pub(super) const SYSTEMS: [(&str, &str); 13] = [
    ("bm25, dense, late, page", "pages by one route of the index: exact BM25, or vectors"),
    ("bm25+dense", "pages by several routes: reciprocal rank fusion, k 60, depth 1,000"),
    ("hybrid", "pages by all that the index holds, as recto puts it together"),
    ("offline", "the offline answerer, with the pages that it cites"),
    ("answerer", "the language model that is configured, with the pages that it cites"),
    ("oneshot:K", "the offline answerer on the search's first K pages"),
    ("episode:ROUTE[:ABLATION]", "episodes on the visual or text route, planned by rules"),
    (
        "agent:NAME[:STEPS][:text]",
        "an agent (recto, bm25, rlm, mc-search) planned by the language model that is configured",
    ),
    ("predictions:FILE", "what another system said, read from its file"),
    ("vdab-bm25", "VisDocAgentBench's BM25 over the pages' texts: its words, every page ranked"),
    ("ctrlf:N", "the pages that hold N words of the question in a row"),
    ("vectors:PAGES,QUERIES", "pages by vectors from two files, one or several each: cosine, MaxSim"),
    ("rrf:FILE,FILE", "reciprocal-rank fusion of what other systems ranked"),
];

/// What is meant by `--system`.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Spec {
    /// A system that works on an index.
    Indexed(Kind),
    /// A baseline over the texts of an index.
    Texts(Baseline),
    /// Episodes over an index.
    Episodes(Rules),
    /// An agent over an index.
    Agent(Wanted),
    /// Rows that are there already.
    Read(String),
    /// A fusion of such rows.
    Fused(String),
    /// Vectors of pages and queries from files.
    Vectors(String),
}

impl Spec {
    /// Reads what was typed.
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let number = |k: &str, most: usize| {
            let k = k.parse().ok().filter(|k| (1..=most).contains(k));
            k.ok_or_else(|| usage(format!("--system {text}: expected a whole number from 1 to {most} after the colon")))
        };
        match text.split_once(':') {
            None if text == "offline" => Ok(Self::Indexed(Kind::Answerer(Options::default()))),
            None if text == "answerer" => Ok(Self::Indexed(Kind::Model)),
            None if text == "vdab-bm25" => Ok(Self::Texts(Baseline::Bm25)),
            Some(("oneshot", k)) => {
                let options = Options { max_pages: 0, top_k: number(k, 1000)?, ..Options::default() };
                Ok(Self::Indexed(Kind::Answerer(options)))
            }
            Some(("agent", wanted)) => Ok(Self::Agent(agents::parse(wanted)?)),
            Some(("episode", rules)) => Ok(Self::Episodes(Rules::parse(rules)?)),
            Some(("ctrlf", n)) => Ok(Self::Texts(Baseline::CtrlF(number(n, 20)?))),
            Some(("predictions", file)) => Ok(Self::Read(file.into())),
            Some(("vectors", files)) => Ok(Self::Vectors(files.into())),
            Some(("rrf", files)) => Ok(Self::Fused(files.into())),
            _ => Ok(Self::Indexed(Kind::Ranker(text.parse().map_err(|_| unknown(text))?))),
        }
    }

    /// Whether an index is needed.
    pub(super) fn needs_index(&self) -> bool {
        matches!(self, Self::Indexed(_) | Self::Texts(_) | Self::Episodes(_) | Self::Agent(_))
    }
}

/// A system of the index.
struct Indexed {
    kind: Kind,
    encoders: Encoders,
    answerer: Option<Answerer>,
    readers: Readers,
    names: Names,
    /// How many pages a ranking holds.
    depth: usize,
}

/// What is asked of an index.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// A ranking.
    Ranker(Ranker),
    /// An answer.
    Answerer(Options),
    /// An answer by the language model.
    Model,
}

/// A system that works on an index.
pub(super) fn indexed(
    kind: Kind,
    dir: &IndexDir,
    names: Names,
    depth: usize,
    config: &Config,
) -> anyhow::Result<Arc<dyn System>> {
    let encoders = Encoders::new(config);
    let answerer = (kind == Kind::Model).then(|| model(dir, config)).transpose()?;
    if let Kind::Ranker(ranker) = &kind {
        // What can't be asked is told once, not with every item.
        Corpus::open(dir)?.routes(ranker, &encoders)?;
    }
    Ok(Arc::new(Indexed { kind, encoders, answerer, readers: Readers::new(dir), names, depth }))
}

fn model(dir: &IndexDir, config: &Config) -> anyhow::Result<Answerer> {
    if config.model.spec.is_none() {
        return Err(usage("--system answerer: no language model is configured; name one by --model PROVIDER:NAME"));
    }
    Answerer::new(dir, config, &Corpus::open(dir)?)
}

/// Rows that are there already.
pub(super) fn read(file: &str, set: &BenchmarkSet) -> anyhow::Result<Arc<dyn System>> {
    let rows = predictions::read(Path::new(file), set)?;
    Ok(Arc::new(Read(rows.into_iter().map(|row| (row.id.clone(), row)).collect())))
}

fn unknown(spec: &str) -> anyhow::Error {
    let known: Vec<&str> = SYSTEMS.iter().map(|(name, _)| *name).collect();
    usage(format!("--system {spec:?}: expected one of {}", known.join(", ")))
}

struct Read(BTreeMap<String, Row>);

impl System for Read {
    fn row(&self, item: &Item) -> Result<Row, Fault> {
        let row = self.0.get(&item.id).cloned();
        row.ok_or_else(|| Fault::new(FaultClass::Permanent, "the predictions have no row for this item"))
    }
}

impl System for Indexed {
    fn row(&self, item: &Item) -> Result<Row, Fault> {
        let scope = self.names.scope(item).map_err(|why| Fault::new(FaultClass::Permanent, why))?;
        self.readers.with(|corpus| match &self.kind {
            Kind::Ranker(ranker) => self.rank(ranker, item, &scope, corpus),
            Kind::Answerer(options) => self.offline(item, &scope, corpus, options),
            Kind::Model => self.by_model(item, &scope, corpus),
        })
    }
}

impl Indexed {
    fn finder<'a>(&'a self, ranker: &Ranker, corpus: &'a Corpus) -> Result<Finder<'a>, Fault> {
        let finder = Finder::new(corpus, ranker, &self.encoders);
        finder.map_err(|error| Fault::new(FaultClass::Permanent, format!("{error:#}")))
    }

    fn rank(&self, ranker: &Ranker, item: &Item, scope: &Scope, corpus: &Corpus) -> Result<Row, Fault> {
        let finder = self.finder(ranker, corpus)?;
        let query = finder.query(&item.question, ranker).map_err(permanent)?;
        let ranking = match finder.rank(ranker, &query, scope, self.depth) {
            Err(SearchError::Model(error @ ModelError::Unavailable { .. })) => {
                return Err(Fault::new(FaultClass::Transient, error));
            }
            Err(SearchError::EmptyQuery) => Ranking::default(),
            found => found.map_err(permanent)?,
        };
        let ranked = |hit: recto_search::Hit| RankedPage { page: self.names.page(item, &hit.page), score: hit.score };
        Ok(Row { ranking: ranking.0.into_iter().map(ranked).collect(), ..Row::default() })
    }

    fn offline(&self, item: &Item, scope: &Scope, corpus: &Corpus, options: &Options) -> Result<Row, Fault> {
        let finder = self.finder(&Ranker::Hybrid, corpus)?;
        let answer = recto_agent::answer(&item.question, scope, &finder, &corpus.catalog, options);
        self.answered(item, scope, corpus, answer.map_err(permanent)?)
    }

    fn by_model(&self, item: &Item, scope: &Scope, corpus: &Corpus) -> Result<Row, Fault> {
        let failed = |error: anyhow::Error| Fault::new(FaultClass::Permanent, format!("{error:#}"));
        let missing = || Fault::new(FaultClass::Internal, "no language model is open");
        let answering = self.answerer.as_ref().ok_or_else(missing)?.over(corpus).map_err(failed)?;
        let (answer, spent) = answering.answer(&item.question, scope, &Plan::default(), None).map_err(failed)?;
        if answer.answerer == Answer::OFFLINE {
            return Err(Fault::new(FaultClass::Transient, answer.notes.join("; ")));
        }
        let row = self.answered(item, scope, corpus, answer)?;
        let usage = Usage {
            calls: u32::try_from(spent.requests()).ok(),
            input_tokens: Some(spent.input_tokens),
            output_tokens: Some(spent.output_tokens),
            dollars: (spent.unpriced == 0).then(|| spent.dollars()),
            ..row.usage
        };
        Ok(Row { usage, ..row })
    }

    fn answered(&self, item: &Item, scope: &Scope, corpus: &Corpus, answer: Answer) -> Result<Row, Fault> {
        let mut pages: Vec<_> = answer.evidence.iter().map(|citation| self.names.page(item, &citation.page)).collect();
        pages.dedup();
        let regions = answer.evidence.iter().filter_map(|citation| {
            let region = Region::around(&citation.regions)?;
            Some(CitedRegion { page: self.names.page(item, &citation.page), region })
        });
        Ok(Row {
            regions: regions.collect(),
            outcome: match answer.status {
                Status::Answered => Outcome::Done,
                Status::NotInDocuments => Outcome::Declined,
                Status::Failed => Outcome::Failed,
            },
            pages,
            confidence: Some(answer.confidence),
            answer: Some(AnswerText::Text(answer.text)),
            usage: Usage { pages: Some(answer.coverage.read), ..Usage::default() },
            ..self.rank(&Ranker::Hybrid, item, scope, corpus)?
        })
    }
}

fn permanent(error: impl std::error::Error) -> Fault {
    Fault::new(FaultClass::Permanent, error)
}
