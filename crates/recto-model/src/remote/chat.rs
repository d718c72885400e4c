//! A chat that a server runs: one call is as many requests as it takes, within limits of time, number and cost.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Map, Value};

use super::fitting::{Measure, fitted, room};
use super::limiter::Limiter;
use super::manner::{Form, Learned, Manner, is_unformed};
use super::retry::{backoff, class_of, failure};
use super::transport::{Transport, not_json};
use super::wire::{Call, Said, Wire, mending, quoting};
use crate::ledger::{Estimate, Reservation, nano_dollars};
use crate::{
    Chat, ChatReply, ChatRequest, Class, Clock, Failure, Ledger, Limit, ModelError, Price, Reach, Result, Schema,
    SystemClock, Usage, json_text,
};

/// How often a thread looks whether it may spend.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// So often a call is made shorter that its server finds too long.
const SHORTER: u32 = 4;
/// Tokens of a reply that a request leaves room for where more is not said.
const REPLY: u64 = 4_096;

/// How patient to be with a server, and what it costs.
#[derive(Clone)]
pub struct ChatOptions {
    /// Where the server is, in place of the provider's own address, such as `http://localhost:8000/v1`.
    pub base_url: Option<String>,
    /// How long one request may take.
    pub timeout: Duration,
    /// How long to go on asking, from the first request of a call on.
    pub patience: Duration,
    /// How often to ask.
    pub attempts: u32,
    /// How many requests may be out at once, at most; fewer where the server complains.
    pub concurrency: u32,
    /// Requests a minute, at most; fewer where the server complains.
    pub requests_a_minute: Option<u32>,
    /// Tokens a minute, at most.
    pub tokens_a_minute: Option<u64>,
    /// What tokens cost, unless the server says it.
    pub price: Option<Price>,
    /// Whether the model sees pictures. One that a server says sees none is shown none from then on.
    pub sees: bool,
    /// Tokens that the model takes in with its reply, at most; learned from the server's complaints if it is not given.
    pub context: Option<u64>,
    /// More members of each request, such as `{"reasoning_effort": "low"}`.
    pub extra: Map<String, Value>,
    /// Decides by how much waits differ.
    pub seed: u64,
    /// The address of a proxy for `https://` addresses.
    pub proxy: Option<String>,
    /// Root certificates to trust in place of the usual ones, as PEM.
    pub roots: Option<Vec<u8>>,
    /// By which time is told.
    pub clock: Arc<dyn Clock>,
}

impl Default for ChatOptions {
    fn default() -> Self {
        Self {
            base_url: None,
            timeout: Duration::from_secs(240),
            patience: Duration::from_secs(900),
            attempts: 8,
            concurrency: 16,
            requests_a_minute: None,
            tokens_a_minute: None,
            price: None,
            sees: true,
            context: None,
            extra: Map::new(),
            seed: 0,
            proxy: None,
            roots: None,
            clock: Arc::new(SystemClock::default()),
        }
    }
}

/// Addresses and proxies can hold passwords: they are not shown.
impl fmt::Debug for ChatOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatOptions").field("attempts", &self.attempts).finish_non_exhaustive()
    }
}

/// What a provider's servers want that others do not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    pub(super) wire: Wire,
    pub(super) new_limit: bool,
    pub(super) cache_marks: bool,
}

/// A chat behind a server.
pub struct RemoteChat {
    name: String,
    model: String,
    habits: Habits,
    transport: Transport,
    options: ChatOptions,
    limiter: Limiter,
    learned: Learned,
    /// Calls so far: no two wait equally long.
    calls: AtomicU64,
}

impl fmt::Debug for RemoteChat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteChat").field("name", &self.name).field("learned", &self.learned).finish_non_exhaustive()
    }
}

/// One call on its way.
struct Asking<'a> {
    ledger: &'a Ledger,
    deadline: Duration,
    attempts: u32,
    /// Requests that were plainer or shorter than one that the server refused.
    plainer: u32,
    /// How often it was shortened.
    shorter: u32,
    /// The plainest form that a reply was asked for in on the way.
    form: Form,
    usage: Usage,
    number: u64,
}

/// What became of one request.
type Outcome = std::result::Result<ChatReply, Failure>;

impl Asking<'_> {
    /// Counts a request with what it used.
    fn count(&mut self, request: &ChatRequest, usage: Usage) -> Usage {
        let retries = u64::from(self.attempts > 0);
        let usage = Usage { calls: 1 - retries, retries, images: request.images(), ..usage };
        self.attempts += 1;
        self.usage += usage;
        usage
    }
}

impl RemoteChat {
    pub(super) fn new(name: String, model: String, habits: Habits, transport: Transport, options: ChatOptions) -> Self {
        let (clock, most) = (options.clock.clone(), options.concurrency);
        let limiter = Limiter::new(clock, most, options.requests_a_minute, options.tokens_a_minute);
        let (learned, calls) = (Learned::default(), AtomicU64::new(0));
        Self { name, model, habits, transport, options, limiter, learned, calls }
    }

    /// Asks until there is a reply, it makes no sense to ask again, or a limit is reached.
    fn ask(&self, request: &ChatRequest, asking: &mut Asking<'_>) -> Result<ChatReply> {
        let began = asking.attempts - asking.plainer;
        loop {
            let manner = self.manner(asking.form);
            let (sent, notes) = fitted(request, Measure { sees: manner.pictures, context: self.context() });
            let failed = match self.once(&sent, manner, asking)? {
                Ok(reply) => return Ok(ChatReply { notes, ..reply }),
                Err(failed) => failed,
            };
            if self.learns(&failed, &sent, manner, asking) {
                asking.plainer += 1;
                continue;
            }
            let tried = asking.attempts - asking.plainer - began;
            let wait = failed.retry_after.unwrap_or_else(|| backoff(tried, self.options.seed ^ asking.number));
            let now = self.options.clock.now();
            let late = now.saturating_add(wait) >= asking.deadline;
            if !failed.class.is_passing() || tried >= self.options.attempts || late {
                return Err(ModelError::Chat(Box::new(Failure { attempts: asking.attempts, ..failed })));
            }
            self.options.clock.sleep(wait);
        }
    }

    /// How to ask now, in no fuller form than this.
    fn manner(&self, form: Form) -> Manner {
        let learned = self.learned.manner();
        let pictures = learned.pictures && self.options.sees;
        self.habits.wire.limited(Manner { form: learned.form.max(form), pictures, ..learned })
    }

    fn context(&self) -> Option<u64> {
        self.options.context.into_iter().chain(self.learned.context()).min()
    }

    /// Whether a failure tells how to ask otherwise, with more success.
    fn learns(&self, failed: &Failure, sent: &ChatRequest, manner: Manner, asking: &mut Asking<'_>) -> bool {
        let asks_for_json = sent.schema.is_some() && manner.form != Form::Text;
        match failed.class {
            Class::Request if asks_for_json && is_unformed(&failed.raw) => {
                self.learned.unformed();
                asking.form = Form::Text;
                true
            }
            Class::TooLong if asking.shorter < SHORTER => {
                asking.shorter += 1;
                self.learned.narrower(sent.tokens().saturating_add(sent.max_tokens.into()), &failed.raw)
            }
            // Some servers take pictures that nobody can see for a fault of their own.
            Class::Request | Class::NoModel | Class::Server if sent.images() > 0 => {
                self.learned.blind(manner, &failed.raw)
                    || failed.class != Class::Server && self.learned.complaint(manner, &failed.raw, asks_for_json)
            }
            Class::Request | Class::NoModel => self.learned.complaint(manner, &failed.raw, asks_for_json),
            _ => false,
        }
    }

    /// Sends one request. The outer error ends the call, the inner one may pass.
    fn once(&self, request: &ChatRequest, manner: Manner, asking: &mut Asking<'_>) -> Result<Outcome> {
        let quoted = request.schema.as_ref().filter(|_| manner.form != Form::Schema);
        let quoted = quoted.map(|schema| quoting(request, schema));
        let request = quoted.as_ref().unwrap_or(request);
        let Habits { wire, new_limit, cache_marks } = self.habits;
        let call = Call { model: &self.model, request, manner, new_limit, cache_marks };
        let body = wire.body(&call, &self.options.extra).to_string();

        let most = self.most(request);
        let late = || ModelError::Limit { limit: Limit::Time, why: "no time is left for a request".into() };
        let permit = self.limiter.acquire(most.tokens, asking.deadline).ok_or_else(late)?;
        let booked = self.reserve(most, asking)?;
        let left = asking.deadline.saturating_sub(self.options.clock.now());
        if left.is_zero() {
            return Err(late());
        }
        let (reply, usage) = self.exchange(request, &body, self.options.timeout.min(left));
        booked.settle(&asking.count(request, usage));
        match &reply {
            Err(failed) if failed.class == Class::RateLimit => permit.slow_down(true, failed.retry_after),
            Err(failed) if failed.class == Class::Overloaded => permit.slow_down(false, failed.retry_after),
            Err(failed) if failed.class.is_passing() => {}
            _ => permit.well(),
        }
        Ok(reply)
    }

    /// Sends a body: what came back, and which tokens at what price.
    fn exchange(&self, request: &ChatRequest, body: &str, time: Duration) -> (Outcome, Usage) {
        let answer = match self.transport.send(body, time) {
            Ok(answer) if (200..300).contains(&answer.status) => answer.body,
            Ok(answer) => {
                let failed = failure(answer.status, &answer.headers, &answer.body);
                return (self.clean(Err(failed)), Usage::default());
            }
            Err(failed) => return unpriced(failed),
        };
        let (reply, usage) = match serde_json::from_str(&answer) {
            Ok(value) => self.understood(request, &value, &answer),
            Err(error) => unpriced(not_json(&answer, &error)),
        };
        (self.clean(reply), usage)
    }

    /// What is written with escapes in JSON shows the key only once it is read.
    fn clean(&self, reply: Outcome) -> Outcome {
        let clean = |text: String| self.transport.scrub(&text);
        match reply {
            Ok(reply) => Ok(ChatReply { text: clean(reply.text), model: clean(reply.model), ..reply }),
            Err(failed) => Err(Failure { why: clean(failed.why), ..failed }),
        }
    }

    /// What a successful answer says.
    fn understood(&self, request: &ChatRequest, value: &Value, body: &str) -> (Outcome, Usage) {
        let Some(said) = self.habits.wire.read(value) else {
            let error = value.get("error").filter(|error| !error.is_null());
            let other = || Failure::new(Class::NotChat, "it has no message of a model", body);
            return (Err(error.map_or_else(other, |error| error_inside(error, body))), Usage::default());
        };
        let usage = self.priced(request, &said);
        match &said.failed {
            Some(error) => (Err(error_inside(error, body)), usage),
            None => (reply(request, said, body), usage),
        }
    }

    /// The tokens and the price as the server tells them, else as they can be known.
    fn priced(&self, request: &ChatRequest, said: &Said) -> Usage {
        let mut usage = said.usage;
        if usage.tokens() == 0 {
            usage.input_tokens = request.tokens();
            usage.output_tokens = said.text.len() as u64 / 3;
        }
        match (said.dollars, self.options.price) {
            (Some(dollars), _) => usage.nano_dollars = nano_dollars(dollars),
            (None, Some(price)) => usage.nano_dollars = price.of(&usage),
            (None, None) => usage.unpriced = 1,
        }
        usage
    }

    /// The most that a request may use.
    fn most(&self, request: &ChatRequest) -> Estimate {
        let (input_tokens, output_tokens) = (request.tokens(), u64::from(request.max_tokens));
        let usage = Usage { input_tokens, output_tokens, ..Usage::default() };
        Estimate { tokens: usage.tokens(), nano_dollars: self.options.price.map(|price| price.of(&usage)) }
    }

    fn reserve(&self, most: Estimate, asking: &Asking<'_>) -> Result<Reservation> {
        loop {
            if let Some(booked) = asking.ledger.reserve(most)? {
                return Ok(booked);
            }
            self.options.clock.sleep(LOOK_AGAIN);
        }
    }

    /// The reply with the value that was asked for, after asking once more if it does not obey.
    fn with_json(&self, request: &ChatRequest, schema: &Schema, asking: &mut Asking<'_>) -> Result<ChatReply> {
        let first = self.ask(request, asking)?;
        let why = match json_text::find(&first.text, schema) {
            Ok(json) => {
                self.learned.formed();
                return Ok(ChatReply { json: Some(json), ..first });
            }
            Err(why) => why,
        };
        let bad = |class: Class, why: String, reply: &ChatReply, attempts: u32| {
            ModelError::Chat(Box::new(Failure { attempts, ..Failure::new(class, why, &reply.raw) }))
        };
        if !first.complete {
            return Err(bad(Class::OutOfTokens, why, &first, asking.attempts));
        }
        self.learned.unformed();
        // Who was held to the schema would have obeyed: it may never have seen it. So it is quoted now.
        asking.form = Form::Text;
        let second = self.ask(&mending(request, &first.text, &why), asking)?;
        match json_text::find(&second.text, schema) {
            Ok(json) => Ok(ChatReply { json: Some(json), ..second }),
            Err(why) => Err(bad(Class::Schema, why, &second, asking.attempts)),
        }
    }
}

impl Chat for RemoteChat {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        let ChatOptions { sees, context, extra, .. } = &self.options;
        let sees = if *sees { "" } else { " vision=false" };
        let context = context.map(|context| format!(" context={context}")).unwrap_or_default();
        let extra = if extra.is_empty() { String::new() } else { format!(" {}", Value::from(extra.clone())) };
        format!("{}{sees}{context}{extra}", self.name)
    }

    fn reach(&self) -> Reach {
        let tokens = self.context().map(|context| room(context, REPLY));
        Reach { pictures: self.manner(Form::Schema).pictures, tokens, is_quick: true }
    }

    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> Result<ChatReply> {
        request.check()?;
        let patience = self.options.clock.now().saturating_add(self.options.patience);
        let deadline = ledger.deadline().map_or(patience, |deadline| deadline.min(patience));
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let (attempts, plainer, shorter, form, usage) = (0, 0, 0, Form::Schema, Usage::default());
        let mut asking = Asking { ledger, deadline, attempts, plainer, shorter, form, usage, number };
        let reply = match &request.schema {
            Some(schema) => self.with_json(request, schema, &mut asking),
            None => self.ask(request, &mut asking),
        };
        reply.map(|reply| ChatReply { usage: asking.usage, ..reply })
    }
}

/// An error that came with a status of success.
fn error_inside(error: &Value, body: &str) -> Failure {
    let status = error["code"].as_u64().or_else(|| error["code"].as_str()?.parse().ok()).unwrap_or(500);
    let said = error["message"].as_str().or_else(|| error.as_str()).unwrap_or("an error without a message");
    let why = format!("the server says {status}: {}", said.chars().filter(|c| !c.is_control()).collect::<String>());
    Failure::new(class_of(u16::try_from(status).unwrap_or(500), body), why, body)
}

/// A failure of a request that the model may have worked on.
fn unpriced(failed: Failure) -> (Outcome, Usage) {
    let may_cost = matches!(failed.class, Class::Timeout | Class::Cut);
    (Err(failed), Usage { unpriced: may_cost.into(), ..Usage::default() })
}

fn reply(request: &ChatRequest, said: Said, body: &str) -> Outcome {
    if let Some(why) = said.declined {
        return Err(Failure::new(Class::Declined, why, body));
    }
    let text = json_text::without_thoughts(&said.text);
    // Where a server does not know where to stop, the reply goes on.
    let end = request.stop.iter().filter(|stop| !stop.is_empty()).filter_map(|stop| text.find(stop)).min();
    let text = text.get(..end.unwrap_or(text.len())).unwrap_or(text).trim();
    match (text.is_empty(), said.complete) {
        (true, false) => Err(Failure::new(Class::OutOfTokens, "all tokens went into its reasoning", body)),
        (true, true) => Err(Failure::new(Class::Empty, "it has no text", body)),
        _ => Ok(ChatReply {
            text: text.into(),
            json: None,
            complete: said.complete,
            model: said.model,
            usage: Usage::default(),
            raw: crate::failure::bounded(body),
            notes: Vec::new(),
        }),
    }
}
