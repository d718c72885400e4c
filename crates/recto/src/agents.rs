//! Agents over an index: which one, by whose decisions, with which models; and what comes of a question.

use std::sync::Arc;
use std::time::Instant;

use recto_agent::agent::planner::{ChatPlanner, Offline, Planner};
use recto_agent::agent::{Kind, Record, Rules, Session, digest, drive};
use recto_agent::budget::Budget;
use recto_agent::fence::Fence;
use recto_model::{Chat, Ledger, Limits, Usage};
use recto_page::{ContentHash, IndexDir};
use recto_search::Scope;

use crate::config::Config;
use crate::corpus::{self, Corpus};
use crate::desk::{CorpusDesk, Helpers};
use crate::encoders::Encoders;
use crate::exit::usage;
use crate::output;
use crate::tools::Index;

/// So often a call of a model is tried.
const ATTEMPTS: u32 = 5;
/// When this part of what is left to spend is spent, the answer is asked for.
const SPENT: f64 = 0.8;
/// The longest reply of a planner, in tokens.
const MAX_TOKENS: u32 = 4_000;

/// What is asked for on the command line.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Wanted {
    pub(crate) kind: Kind,
    /// `None` for the usual number.
    pub(crate) steps: Option<u32>,
    /// Whether the planner sees no pictures.
    pub(crate) text_only: bool,
    /// The model that tells such a planner what pictures show.
    pub(crate) captions: Option<String>,
    pub(crate) by: By,
}

/// Who decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// The configured model.
    Model,
    /// Rules.
    Rules,
    /// Whoever is brought along.
    Brought,
}

impl By {
    /// The configured model; without one, rules, which is said.
    pub(crate) fn usual(config: &Config) -> Self {
        if config.model.spec.is_some() {
            return Self::Model;
        }
        output::note(format_args!("no language model is configured: rules decide (--model PROVIDER:NAME names one)"));
        Self::Rules
    }
}

/// An agent that can be asked, by all threads.
pub(crate) struct Agents {
    wanted: Wanted,
    dir: IndexDir,
    config: Config,
    encoders: Encoders,
    /// Plans, and answers what programs ask.
    model: Option<Box<dyn Chat>>,
    captions: Option<Box<dyn Chat>>,
    ledger: Ledger,
    /// A hash of the index: no author of a document knows it.
    secret: String,
}

impl Agents {
    pub(crate) fn new(wanted: Wanted, dir: &IndexDir, config: &Config, corpus: &Corpus) -> anyhow::Result<Self> {
        let model = config.model.chat(ATTEMPTS)?;
        if wanted.by == By::Model && model.is_none() {
            return Err(usage(
                "--planner chat: no language model is configured; name one by --model PROVIDER:NAME, or use --planner offline or stdio",
            ));
        }
        let captions = wanted.captions.as_deref().map(|spec| config.model.other(spec, ATTEMPTS)).transpose()?;
        Ok(Self {
            wanted,
            dir: dir.clone(),
            config: config.clone(),
            encoders: Encoders::new(config),
            model,
            captions,
            ledger: Ledger::new(Limits { nano_dollars: config.model.budget, ..Limits::default() }),
            secret: corpus::fingerprint(&corpus.catalog)?,
        })
    }

    /// Answers a question with whoever is brought along, else the model.
    pub(crate) fn play(
        &self,
        question: &str,
        scope: &Scope,
        corpus: &Corpus,
        planner: Option<&mut dyn Planner>,
    ) -> anyhow::Result<Played> {
        let ledger = self.ledger.child(Limits::default());
        let helpers = Helpers { sees: self.captions.as_deref(), reads: self.model.as_deref(), ledger: &ledger };
        let index = Index { corpus, dir: &self.dir, encoders: &self.encoders, config: &self.config };
        let desk = CorpusDesk::new(&index, scope.clone(), helpers)?;
        let mut session = Session::new(self.rules(&desk), question, Arc::new(desk.shelf()?));
        let fingerprint = self.fingerprint(question, &session.rules);
        let who = match (planner, self.model.as_deref().filter(|_| self.wanted.by == By::Model)) {
            (Some(brought), _) => driven(&mut session, brought, &desk),
            (None, Some(chat)) => {
                let mut planner = ChatPlanner::new(chat, &ledger, self.fence(question), MAX_TOKENS);
                driven(&mut session, &mut planner, &desk)
            }
            (None, None) => driven(&mut session, &mut Offline::default(), &desk),
        };
        let id = fingerprint.get(..12).unwrap_or_default();
        let record = Record::new(&session, id, &who, &fingerprint);
        Ok(Played { session, record, spent: ledger.spent() })
    }

    /// Keeps apart what pages say.
    pub(crate) fn fence(&self, question: &str) -> Fence {
        Fence::new(&format!("{}\0{question}", self.secret))
    }

    /// What a session depends on.
    pub(crate) fn fingerprint(&self, question: &str, rules: &Rules) -> String {
        let model = self
            .model
            .as_ref()
            .filter(|_| self.wanted.by == By::Model)
            .map(|model| model.fingerprint())
            .unwrap_or_default();
        // What is left to spend differs from run to run.
        let rules = Rules { budget: Budget { dollars: None, ..rules.budget }, ..rules.clone() };
        let parts = [self.secret.as_str(), question, &digest(&rules), &model, &format!("{rules:?}")];
        ContentHash::of(parts.join("\0").as_bytes()).as_str().to_owned()
    }

    /// What a session may cost before its answer is asked for: something is left for that.
    fn dollars(&self) -> Option<f64> {
        let limit = self.config.model.budget? as f64 / 1e9;
        Some((limit - self.ledger.spent().dollars()).max(0.0) * SPENT)
    }

    fn rules(&self, desk: &CorpusDesk<'_>) -> Rules {
        let mut rules = Rules::new(self.wanted.kind);
        rules.budget.steps = self.wanted.steps.unwrap_or(rules.budget.steps);
        let is_blind = self.wanted.by == By::Model && self.model.as_ref().is_some_and(|model| !model.reach().pictures);
        rules.sees = !self.wanted.text_only && !is_blind;
        rules.by = desk.by();
        rules.budget.dollars = self.dollars();
        rules
    }
}

/// Drives a session to its end; gives the name of who decides.
fn driven(session: &mut Session, planner: &mut dyn Planner, desk: &CorpusDesk<'_>) -> String {
    let started = Instant::now();
    drive(session, planner, desk, &|| started.elapsed());
    planner.name().to_owned()
}

/// A session that is over.
pub(crate) struct Played {
    pub(crate) session: Session,
    pub(crate) record: Record,
    /// What the models used.
    pub(crate) spent: Usage,
}
