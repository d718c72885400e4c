//! Whoever answers questions about an index: the configured language model with the pages that the index finds for it, or
//! the offline answerer where no model is configured.

use std::sync::{Arc, Once};
use std::time::Duration;

use recto_agent::pipeline::{self, Means, Plan};
use recto_agent::{Answer, Options, Question};
use recto_model::{Chat, Clock, Ledger, Limits, Reach, SystemClock, Usage};
use recto_page::{IndexDir, Pages};
use recto_search::{Ranker, Scope, Search};

use crate::config::Config;
use crate::corpus::{self, Corpus};
use crate::drawn::{self, Drawn};
use crate::encoders::Encoders;
use crate::finder::Finder;
use crate::model::within;
use crate::output;
use crate::watch::{Heard, Watch};

/// So often a call is tried: after that, a question is better answered offline.
const ATTEMPTS: u32 = 5;
/// The time for one question where nothing else limits it.
const TIME: Duration = Duration::from_secs(600);

/// The answerer of an index, for all threads.
pub(crate) struct Answerer {
    model: Option<Arc<Model>>,
    /// A hash of the index: no author of a document knows it.
    secret: String,
    drawn: Drawn,
    encoders: Arc<Encoders>,
    /// Whether it was said that vectors can't be used.
    warned: Once,
}

/// The configured model, and what it may cost in this run: shared by the answerers of all indexes.
pub(crate) struct Model {
    chat: Box<dyn Chat>,
    /// Pages that it is shown as pictures, at most.
    pictures: usize,
    clock: SystemClock,
    ledger: Ledger,
}

impl Model {
    /// The configured model, if one is.
    pub(crate) fn open(config: &Config) -> anyhow::Result<Option<Arc<Self>>> {
        let clock = SystemClock::default();
        let ledger = Ledger::new(Limits { nano_dollars: config.model.budget, ..Limits::default() });
        let chat = config.model.chat_by(ATTEMPTS, Arc::new(clock))?;
        Ok(chat.map(|chat| Arc::new(Self { chat, pictures: config.model.pictures, clock, ledger })))
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        self.chat.name()
    }

    /// It, and a ledger for so long a time whose costs count for all.
    pub(crate) fn for_a_while(&self, time: Duration) -> (&dyn Chat, Ledger) {
        let deadline = Some(self.clock.now().saturating_add(time));
        (&self.chat, self.ledger.child(Limits { deadline, ..Limits::default() }))
    }

    /// What it has used so far.
    pub(crate) fn spent(&self) -> Usage {
        self.ledger.spent()
    }
}

impl Answerer {
    /// The answerer that is configured.
    pub(crate) fn new(dir: &IndexDir, config: &Config, corpus: &Corpus) -> anyhow::Result<Self> {
        Self::with(Model::open(config)?, dir, config, Arc::new(Encoders::new(config)), corpus)
    }

    /// The answerer by a model that others share.
    pub(crate) fn with(
        model: Option<Arc<Model>>,
        dir: &IndexDir,
        config: &Config,
        encoders: Arc<Encoders>,
        corpus: &Corpus,
    ) -> anyhow::Result<Self> {
        let (secret, drawn) = (corpus::fingerprint(&corpus.catalog)?, Drawn::new(dir, config)?);
        Ok(Self { model, secret, drawn, encoders, warned: Once::new() })
    }

    /// The name of the model; `None` if answers are found offline.
    pub(crate) fn model(&self) -> Option<&str> {
        self.model.as_ref().map(|model| model.name())
    }

    /// What the model takes in; `None` if there is none.
    pub(crate) fn reach(&self) -> Option<Reach> {
        self.model.as_ref().map(|model| model.chat.reach())
    }

    /// What the model has used so far.
    pub(crate) fn spent(&self) -> Usage {
        self.model.as_ref().map_or_else(Usage::default, |model| model.spent())
    }

    /// The answerer over an index that is open, for one thread.
    pub(crate) fn over<'a>(&'a self, corpus: &'a Corpus) -> anyhow::Result<Answering<'a>> {
        let search = Finder::new(corpus, &Ranker::Hybrid, &self.encoders).unwrap_or_else(|error| {
            self.warned.call_once(|| output::note(format_args!("pages are found by words alone: {error:#}")));
            Finder::by_words(corpus, &self.encoders)
        });
        let with = |model| With { model, secret: &self.secret, pictures: self.drawn.of(&corpus.catalog) };
        Ok(Answering { corpus, search, with: self.model.as_deref().map(with) })
    }
}

/// An index that is open, with whoever answers.
pub(crate) struct Answering<'a> {
    corpus: &'a Corpus,
    search: Finder<'a>,
    with: Option<With<'a>>,
}

struct With<'a> {
    model: &'a Model,
    secret: &'a str,
    pictures: drawn::Of<'a>,
}

/// How a question is to be answered.
pub(crate) struct Manner<'a> {
    pub(crate) plan: Plan,
    /// For the offline answerer.
    pub(crate) options: Options,
    /// At most so long.
    pub(crate) time: Option<Duration>,
    pub(crate) watch: Watch<'a>,
}

impl Manner<'_> {
    /// With so many pages looked at, or as many as is usual, and nobody watching.
    pub(crate) fn of(top_k: Option<usize>) -> Self {
        let (plan, options) = (Plan::default(), Options::default());
        Self {
            plan: Plan { pages: top_k.unwrap_or(plan.pages), ..plan },
            options: Options { top_k: top_k.unwrap_or(options.top_k), ..options },
            time: None,
            watch: Watch::NOBODY,
        }
    }
}

impl Answering<'_> {
    /// Answers by the model as far as the plan goes, and at most for so long; offline if there is none.
    pub(crate) fn answer(
        &self,
        question: &str,
        scope: &Scope,
        plan: &Plan,
        time: Option<Duration>,
    ) -> anyhow::Result<(Answer, Usage)> {
        self.answer_so(question, scope, &Manner { plan: *plan, time, ..Manner::of(None) })
    }

    /// Answers in this manner.
    pub(crate) fn answer_so(
        &self,
        question: &str,
        scope: &Scope,
        manner: &Manner<'_>,
    ) -> anyhow::Result<(Answer, Usage)> {
        let watch = manner.watch;
        let pages = &Heard { of: &self.corpus.catalog as &dyn Pages, watch };
        let search = &Heard { of: &self.search as &dyn Search, watch };
        let Some(With { model, secret, pictures }) = &self.with else {
            let answer = recto_agent::answer(question, scope, search, pages, &manner.options)?;
            return Ok((answer, Usage::default()));
        };
        let plan = Plan { pictures: manner.plan.pictures.min(model.pictures), ..manner.plan };
        let plan = &within(&plan, model.chat.reach());
        let deadline = Some(model.clock.now().saturating_add(manner.time.unwrap_or(TIME).min(TIME)));
        let ledger = &model.ledger.child(Limits { deadline, ..Limits::default() });
        let scope = &self.all_of_a_small_index(question, scope, plan)?;
        let pictures = &Heard { of: pictures as &dyn pipeline::Pictures, watch };
        let chat = &Heard { of: &model.chat as &dyn Chat, watch };
        let means = Means { search, pages, pictures, chat, ledger, secret };
        Ok((pipeline::answer(question, scope, &means, plan)?, ledger.spent()))
    }

    /// What is counted in a whole index that is small is counted in each of its documents.
    fn all_of_a_small_index(&self, question: &str, scope: &Scope, plan: &Plan) -> anyhow::Result<Scope> {
        if *scope != Scope::All || plan.survey == 0 || !pipeline::is_survey(&Question::new(question)) {
            return Ok(scope.clone());
        }
        let pages = self.corpus.pages(scope)?;
        let is_small = pages.len() <= plan.survey as usize;
        Ok(if is_small { Scope::Documents(pages.into_iter().map(|page| page.doc).collect()) } else { Scope::All })
    }
}

/// What a model has used, for people.
pub(crate) fn told(usage: &Usage) -> String {
    let calls = output::count(usage.requests(), "request");
    let price = if usage.unpriced > 0 || usage.requests() == 0 || usage.nano_dollars == 0 {
        String::new()
    } else {
        format!(", ${:.4}", usage.dollars())
    };
    let pictures = output::count(usage.images, "picture");
    format!("{calls}, {pictures}, {} tokens read, {} written{price}", usage.input_tokens, usage.output_tokens)
}
