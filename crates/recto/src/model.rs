//! Which language model answers, where it is and by which key. Keys come from the environment, go to their model, and are
//! never shown.

use std::sync::Arc;

use anyhow::Context;
use recto_agent::pipeline::Plan;
use recto_model::ledger::nano_dollars;
use recto_model::local::LocalSpec;
use recto_model::remote::{ChatOptions, Keys, ModelSpec, Provider, chat_from_spec, is_address};
use recto_model::{Chat, Clock, ModelError, Price, Reach, Secret, SystemClock};
use serde_json::{Map, Value};

use crate::args::Settings;
use crate::config::{Resolver, Shown, boolean, in_range};
use crate::exit::usage;

/// Keys of the table `[model]` in `recto.toml`, and what the settings are called elsewhere.
pub(crate) const TABLE: [(&str, &str); 10] = [
    ("name", "model"),
    ("base_url", "base_url"),
    ("price_in", "price_in"),
    ("price_cached", "price_cached"),
    ("price_out", "price_out"),
    ("extra", "model_extra"),
    ("vision", "vision"),
    ("context", "context"),
    ("pictures", "pictures"),
    ("budget", "budget"),
];

/// Where keys are looked for, first to last, and whose they are.
const VARIABLES: [(&str, Option<Provider>); 5] = [
    ("RECTO_API_KEY", None),
    ("OPENROUTER_API_KEY", Some(Provider::OpenRouter)),
    ("OPENAI_API_KEY", Some(Provider::OpenAi)),
    ("ANTHROPIC_API_KEY", Some(Provider::Anthropic)),
    ("GEMINI_API_KEY", Some(Provider::Gemini)),
];

/// Tokens of a prompt that are not text of pages.
const RULES: usize = 1_100;
/// So many bytes of most texts are a token.
const BYTES_A_TOKEN: usize = 3;
/// What a picture of a page takes, in bytes of text.
const PICTURE: usize = 7_500;
/// A page is not shown with less text than this, in bytes, if it has more.
const LEAST_TEXT: usize = 1_500;
/// Bytes of a page in a look through all of them, and into how many parts that is cut at most.
const GLANCE: usize = 2_100;
const PARTS: usize = 8;
/// Pages that a model is shown that reads slowly.
const SLOW_PAGES: usize = 3;

/// A model as it is named.
#[derive(Clone, Debug)]
pub(crate) enum Named {
    /// One behind a server.
    Remote(ModelSpec),
    /// One in a file, which this process runs.
    Local(LocalSpec),
}

impl Named {
    fn provider(&self) -> Option<Provider> {
        match self {
            Self::Remote(spec) => Some(spec.provider),
            Self::Local(_) => None,
        }
    }
}

/// The configured model.
#[derive(Clone, Debug)]
pub(crate) struct ModelConfig {
    /// The model; without one recto answers offline.
    pub(crate) spec: Option<Named>,
    base_url: Option<String>,
    price: Option<Price>,
    /// What a run may cost, in billionths of a US dollar.
    pub(crate) budget: Option<u64>,
    /// Whether it sees pictures.
    vision: bool,
    /// Tokens that it takes in with its reply, at most.
    context: Option<u64>,
    /// Pages that it is shown as pictures for one answer, at most.
    pub(crate) pictures: usize,
    extra: Map<String, Value>,
    /// The key that wins, and the variable it stands in.
    key: Option<(Secret, &'static str)>,
    /// Whether a file that merely lies in this folder says where the key would go.
    is_strange: bool,
}

impl ModelConfig {
    pub(crate) fn resolve(resolver: &mut Resolver<'_>, settings: &Settings) -> anyhow::Result<Self> {
        let spec = resolver.take("model", settings.model.clone(), "", spec)?;
        let base_url = settings.base_url.clone();
        let provider = spec.as_ref().and_then(Named::provider);
        let is_local = matches!(spec, Some(Named::Local(_)));
        let of_openai = base_url.is_none() && provider == Some(Provider::OpenAi);
        let base_url = match variable("OPENAI_BASE_URL").filter(|_| of_openai) {
            Some(url) => resolver.take_from("base_url", url, "environment OPENAI_BASE_URL", address)?,
            None => resolver.take("base_url", base_url, "", address)?,
        };
        let is_strange = base_url.is_some() && resolver.is_from_here("base_url");
        let input = resolver.take("price_in", None, "", dollars)?;
        let cached = resolver.take("price_cached", None, "", dollars)?;
        let output = resolver.take("price_out", None, "", dollars)?;
        let price = match (input, output) {
            (Some(input), Some(output)) => Some(Price { input, output, cached }),
            (None, None) => None,
            _ => return Err(usage("price_in and price_out, in US dollars for a million tokens, go together")),
        };
        let extra = resolver.take("model_extra", None, "", extra)?;
        let budget = resolver.take("budget", settings.budget.clone(), "", budget)?.map(nano_dollars);
        let vision = resolver.take("vision", None, "true", boolean)?;
        let context = resolver.take("context", None, "", context)?;
        let most = Plan::default().pictures.to_string();
        let pictures = resolver.take("pictures", None, &most, |text| in_range(text, 0, 50))? as usize;
        let key = if is_local { None } else { winning_key(provider) };
        resolver.shown.push(shown_key(key.as_ref()));
        Ok(Self { spec, base_url, price, budget, vision, context, pictures, extra, key, is_strange })
    }

    /// The chat of the configured model, if one is; a call asks so often before it fails.
    pub(crate) fn chat(&self, attempts: u32) -> anyhow::Result<Option<Box<dyn Chat>>> {
        self.chat_by(attempts, Arc::new(SystemClock::default()))
    }

    /// The same, with the clock by which deadlines are told.
    pub(crate) fn chat_by(&self, attempts: u32, clock: Arc<dyn Clock>) -> anyhow::Result<Option<Box<dyn Chat>>> {
        match &self.spec {
            Some(Named::Remote(spec)) => self.remote(spec, attempts, clock).map(Some),
            Some(Named::Local(spec)) => local(spec, clock).map(Some),
            None => Ok(None),
        }
    }

    fn remote(&self, spec: &ModelSpec, attempts: u32, clock: Arc<dyn Clock>) -> anyhow::Result<Box<dyn Chat>> {
        if let (true, Some((_, variable))) = (self.is_strange, &self.key) {
            return Err(usage(format!(
                "the base_url of the recto.toml in this folder would be sent the key in {variable}: if that is meant, name \
                 the file by --config, or the address by --base-url"
            )));
        }
        let keys = Keys { any: self.key.as_ref().map(|(key, _)| key.clone()), ..Keys::default() };
        let (base_url, extra) = (self.base_url.clone(), self.extra.clone());
        let proxy = variable("HTTPS_PROXY").or_else(|| variable("https_proxy"));
        let roots = variable("SSL_CERT_FILE").map(|file| std::fs::read(&file).context(file)).transpose()?;
        let (price, sees, context) = (self.price, self.vision, self.context);
        let options = ChatOptions {
            base_url,
            price,
            sees,
            context,
            extra,
            proxy,
            roots,
            attempts,
            clock,
            ..ChatOptions::default()
        };
        let chat = chat_from_spec(spec, &keys, options).map_err(|error| usage(error.to_string()))?;
        Ok(Box::new(chat))
    }

    /// The chat of another model, in the same way; of another provider at its own address and with its own key.
    pub(crate) fn other(&self, name: &str, attempts: u32) -> anyhow::Result<Box<dyn Chat>> {
        let other = spec(name).map_err(|expected| usage(format!("{name:?}: expected {expected}")))?;
        let provider = other.as_ref().and_then(Named::provider);
        let same = provider == self.spec.as_ref().and_then(Named::provider);
        let (base_url, key) =
            if same { (self.base_url.clone(), self.key.clone()) } else { (None, winning_key(provider)) };
        let config = Self { spec: other, base_url, key, price: None, vision: true, context: None, ..self.clone() };
        config.chat(attempts)?.ok_or_else(|| usage(format!("{name:?}: expected PROVIDER:NAME")))
    }

    /// Which key is sent, without it.
    pub(crate) fn key_source(&self) -> String {
        match (&self.key, self.spec.as_ref().and_then(Named::provider)) {
            (Some((_, variable)), _) => format!("with the key in {variable}"),
            (None, Some(provider)) if !provider.is_own() => {
                format!("without a key: there is none in RECTO_API_KEY or {}", own_variable(provider))
            }
            _ => "without a key".into(),
        }
    }
}

/// A model that this process runs, on half of the processors: two to a core are no quicker, and who computes beside it slows
/// down all of its threads.
#[cfg(feature = "local-llm")]
fn local(spec: &LocalSpec, clock: Arc<dyn Clock>) -> anyhow::Result<Box<dyn Chat>> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = u32::try_from(processors / 2).unwrap_or(1);
    let chat = recto_model::local::llm::LocalChat::open(spec, threads, clock);
    Ok(Box::new(chat.map_err(|error| usage(error.to_string()))?))
}

#[cfg(not(feature = "local-llm"))]
fn local(spec: &LocalSpec, _: Arc<dyn Clock>) -> anyhow::Result<Box<dyn Chat>> {
    Err(usage(format!(
        "{spec}: this build runs no language models itself; one built by `scripts/build-local-llm.sh` does"
    )))
}

/// As much of a plan as the model takes in. One that reads slowly is shown the few pages that its context holds, and asked
/// once.
pub(crate) fn within(plan: &Plan, reach: Reach) -> Plan {
    let mut plan = *plan;
    if !reach.pictures {
        (plan.pictures, plan.zooms) = (0, 0);
    }
    if let Some(tokens) = reach.tokens {
        plan = within_bytes(&plan, (tokens as usize).saturating_sub(RULES) * BYTES_A_TOKEN);
    }
    if !reach.is_quick {
        plan.pages = plan.pages.min(SLOW_PAGES);
        plan.samples = plan.samples.min(1);
        (plan.pictures, plan.zooms) = (plan.pictures.min(1), 0);
        (plan.look_through, plan.survey) = (0, 0);
    }
    plan
}

/// A plan whose requests are no longer than so many bytes: pictures take half at most, few pages are shown well rather than
/// many badly, and longer documents are not gone through in hundreds of small parts.
fn within_bytes(plan: &Plan, bytes: usize) -> Plan {
    let zooms = plan.zooms.min(bytes / 4 / PICTURE);
    let pictures = plan.pictures.min(bytes / 2 / PICTURE - zooms.min(bytes / 2 / PICTURE));
    let text = plan.text.min(bytes - (pictures + zooms) * PICTURE);
    let pages = plan.pages.min((text / LEAST_TEXT).max(1));
    let request = plan.request.min(bytes);
    let most = u32::try_from(request / GLANCE * PARTS).unwrap_or(u32::MAX);
    let (look_through, survey) = (plan.look_through.min(most), plan.survey.min(most));
    Plan { pages, pictures, zooms, text, request, look_through, survey, ..*plan }
}

fn own_variable(provider: Provider) -> &'static str {
    let own = VARIABLES.iter().find(|(_, owner)| *owner == Some(provider));
    own.map_or("RECTO_API_KEY", |(variable, _)| variable)
}

/// The first key that is there, among those that are for the provider.
fn winning_key(provider: Option<Provider>) -> Option<(Secret, &'static str)> {
    let mut variables =
        VARIABLES.iter().filter(|(_, owner)| owner.is_none() || provider.is_none() || *owner == provider);
    variables.find_map(|(name, _)| Some((Secret::new(&variable(name)?), *name)))
}

fn shown_key(key: Option<&(Secret, &'static str)>) -> Shown {
    let (value, from) = match key {
        Some((key, variable)) => (key.to_string(), format!("environment {variable}")),
        None => (String::new(), "default".into()),
    };
    Shown { key: "api_key", value, from }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

fn spec(text: &str) -> Result<Option<Named>, String> {
    if LocalSpec::is_meant(text) {
        return text.parse().map(|spec| Some(Named::Local(spec))).map_err(|error| why(&error));
    }
    let names = || Provider::ALL.map(Provider::as_str).join(", ");
    let expected = |_| format!("PROVIDER:NAME with one of the providers {}, or local:FILE.gguf", names());
    (!text.is_empty()).then(|| text.parse().map(Named::Remote).map_err(expected)).transpose()
}

fn why(error: &ModelError) -> String {
    match error {
        ModelError::BadSpec { why, .. } => format!("local:FILE.gguf; {why}"),
        other => other.to_string(),
    }
}

fn address(text: &str) -> Result<Option<String>, String> {
    let good = text.is_empty() || is_address(text);
    let expected = || "an address such as http://localhost:8000/v1, without a password in it".to_owned();
    if good { Ok((!text.is_empty()).then(|| text.into())) } else { Err(expected()) }
}

fn context(text: &str) -> Result<Option<u64>, String> {
    (!text.is_empty()).then(|| in_range(text, 1_024, 100_000_000)).transpose()
}

fn budget(text: &str) -> Result<Option<f64>, String> {
    dollars(text).map_err(|_| "US dollars, such as 2.50".to_owned())
}

fn dollars(text: &str) -> Result<Option<f64>, String> {
    let number = |text: &str| text.parse().ok().filter(|price: &f64| price.is_finite() && *price >= 0.0);
    let expected = || "US dollars for a million tokens, such as 0.30".to_owned();
    (!text.is_empty()).then(|| number(text).ok_or_else(expected)).transpose()
}

fn extra(text: &str) -> Result<Map<String, Value>, String> {
    let expected = |_| "a table of further members of each request".to_owned();
    if text.is_empty() { Ok(Map::new()) } else { serde_json::from_str(text).map_err(expected) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_cut_to_what_a_model_takes_in() {
        let plan = Plan { text: 50_000, ..Plan::default() };
        let all = Reach::default();
        let check = |reach: Reach, want: Plan| assert_eq!(within(&plan, reach), want, "{reach:?}");
        check(all, plan);
        check(Reach { pictures: false, ..all }, Plan { pictures: 0, zooms: 0, ..plan });
        let small = Plan { pictures: 0, zooms: 0, text: 9_000, request: 9_000, pages: 6, survey: 32, ..plan };
        check(Reach { tokens: Some(4_100), ..all }, small);
        let middle = Plan { pictures: 2, zooms: 1, text: 29_100, request: 51_600, ..plan };
        check(Reach { tokens: Some(18_300), ..all }, middle);
        check(Reach { tokens: Some(1_000_000), ..all }, plan);
        let none = Plan { pictures: 0, zooms: 0, text: 0, request: 0, pages: 1, survey: 0, ..plan };
        check(Reach { tokens: Some(100), ..all }, none);
        let few = Plan { pages: 3, samples: 1, pictures: 1, zooms: 0, look_through: 0, survey: 0, ..plan };
        check(Reach { is_quick: false, ..all }, few);
        let none = Plan { samples: 0, ..plan };
        assert_eq!(within(&none, Reach { is_quick: false, ..all }).samples, 0, "who is not to be asked is not");
    }
}
