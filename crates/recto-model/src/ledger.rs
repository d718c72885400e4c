//! What models cost: counted for a call, a question and a run, and limited before it is spent.

use std::ops::AddAssign;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{ModelError, Result};

/// What was used, as servers tell it; tokens are estimated where one does not. Sums of it are the same in any order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Requests sent for the first time.
    pub calls: u64,
    /// Requests sent again.
    pub retries: u64,
    /// Pictures shown, again with each request.
    pub images: u64,
    /// Tokens read, those from a cache included.
    pub input_tokens: u64,
    /// Of these, tokens that the server still knew.
    pub cached_tokens: u64,
    /// Tokens written, reasoning included.
    pub output_tokens: u64,
    /// Of these, tokens of reasoning.
    pub reasoning_tokens: u64,
    /// What is known of the price, in billionths of a US dollar.
    pub nano_dollars: u64,
    /// Requests that may have cost something nobody told: not in the price.
    pub unpriced: u64,
}

impl Usage {
    /// What is known of the price, in US dollars.
    pub fn dollars(&self) -> f64 {
        self.nano_dollars as f64 / 1e9
    }

    /// Tokens read and written.
    pub const fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// Requests sent.
    pub const fn requests(&self) -> u64 {
        self.calls.saturating_add(self.retries)
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, more: Self) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.calls, more.calls);
        add(&mut self.retries, more.retries);
        add(&mut self.images, more.images);
        add(&mut self.input_tokens, more.input_tokens);
        add(&mut self.cached_tokens, more.cached_tokens);
        add(&mut self.output_tokens, more.output_tokens);
        add(&mut self.reasoning_tokens, more.reasoning_tokens);
        add(&mut self.nano_dollars, more.nano_dollars);
        add(&mut self.unpriced, more.unpriced);
    }
}

/// What a model costs, in US dollars for a million tokens.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Price {
    /// Tokens read.
    pub input: f64,
    /// Tokens written.
    pub output: f64,
    /// Tokens read that the server still knew; the price of others, if not given.
    pub cached: Option<f64>,
}

impl Price {
    /// The price of tokens, in billionths of a US dollar. A price that is no number, or below 0, counts as 0.
    pub fn of(&self, usage: &Usage) -> u64 {
        let fresh = usage.input_tokens.saturating_sub(usage.cached_tokens);
        let known = usage.input_tokens.min(usage.cached_tokens);
        let parts =
            [(fresh, self.input), (known, self.cached.unwrap_or(self.input)), (usage.output_tokens, self.output)];
        nano_dollars(parts.iter().map(|(tokens, price)| *tokens as f64 * price.max(0.0) / 1e6).sum())
    }
}

/// US dollars in billionths.
pub fn nano_dollars(dollars: f64) -> u64 {
    (dollars * 1e9).round() as u64
}

/// What may be spent. `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Price in billionths of a US dollar.
    pub nano_dollars: Option<u64>,
    /// Requests, those sent again included.
    pub calls: Option<u64>,
    /// Tokens read and written.
    pub tokens: Option<u64>,
    /// When, by the clock of the chat, no request is sent and none waited for any more.
    pub deadline: Option<Duration>,
}

/// Which limit it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Of the price.
    Cost,
    /// Of requests.
    Calls,
    /// Of tokens.
    Tokens,
    /// Of time.
    Time,
}

/// The most that a request may use.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Tokens read and written.
    pub tokens: u64,
    /// Price in billionths of a US dollar, if known. Where it is not, the dearest request so far stands for it.
    pub nano_dollars: Option<u64>,
}

/// An account of what is used, shared by its clones. What a [`child`](Self::child) uses, its parents use.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Account>);

#[derive(Debug, Default)]
struct Account {
    parent: Option<Ledger>,
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    spent: Usage,
    /// Requests that are out, and the most they may use.
    out: u64,
    reserved_tokens: u64,
    reserved_nano_dollars: u64,
    /// The price of the dearest request; `None` before any was paid.
    dearest: Option<u64>,
    /// Whether a reply came whose price nobody tells.
    untold: bool,
}

/// A request that the ledgers have allowed. Dropped without being settled, it was never sent.
#[derive(Debug)]
pub struct Reservation {
    /// Each ledger with the price that was reserved in it.
    ledgers: Vec<(Ledger, u64)>,
    tokens: u64,
}

impl Ledger {
    /// A ledger with limits and nothing spent.
    pub fn new(limits: Limits) -> Self {
        Self(Arc::new(Account { parent: None, limits, state: Mutex::default() }))
    }

    /// A ledger of a part, such as one question of a run, with limits of its own.
    pub fn child(&self, limits: Limits) -> Self {
        Self(Arc::new(Account { parent: Some(self.clone()), limits, state: Mutex::default() }))
    }

    /// What was spent so far.
    pub fn spent(&self) -> Usage {
        self.state().spent
    }

    /// The earliest deadline of this ledger and its parents.
    pub fn deadline(&self) -> Option<Duration> {
        self.chain().filter_map(|ledger| ledger.0.limits.deadline).min()
    }

    /// Sets aside what a request may use at most, here and in all parents. `None` if the price is not known, limited, and
    /// another request that will tell it is still out: to be tried again.
    ///
    /// # Errors
    /// [`ModelError::Limit`] if it would go over a limit.
    pub fn reserve(&self, most: Estimate) -> Result<Option<Reservation>> {
        let mut reservation = Reservation { ledgers: Vec::new(), tokens: most.tokens };
        for ledger in self.chain() {
            let Some(price) = ledger.reserve_here(most)? else { return Ok(None) };
            reservation.ledgers.push((ledger.clone(), price));
        }
        Ok(Some(reservation))
    }

    fn reserve_here(&self, most: Estimate) -> Result<Option<u64>> {
        let mut state = self.state();
        let limits = self.0.limits;
        let known = most.nano_dollars.or(state.dearest);
        if known.is_none() && limits.nano_dollars.is_some() && state.out > 0 {
            return Ok(None);
        }
        let price = known.unwrap_or(0);
        if most.nano_dollars.is_none() && limits.nano_dollars.is_some() && state.untold {
            return Err(ModelError::Limit { limit: Limit::Cost, why: "nobody tells the price of this model".into() });
        }
        let over = |limit: Option<u64>, spent: u64, reserved: u64, more: u64| {
            limit.filter(|limit| spent.saturating_add(reserved).saturating_add(more) > *limit)
        };
        let sum = state.spent;
        if let Some(limit) = over(limits.calls, sum.requests(), state.out, 1) {
            return Err(reached(Limit::Calls, format!("{limit} requests")));
        }
        if let Some(limit) = over(limits.tokens, sum.tokens(), state.reserved_tokens, most.tokens) {
            return Err(reached(Limit::Tokens, format!("{limit} tokens, {} of them used", sum.tokens())));
        }
        // A request that is not free needs something left, even if nobody knows how much.
        let more = if most.nano_dollars == Some(0) { 0 } else { price.max(1) };
        if let Some(limit) = over(limits.nano_dollars, sum.nano_dollars, state.reserved_nano_dollars, more) {
            let why = format!("${:.4}, ${:.4} of it spent", limit as f64 / 1e9, sum.dollars());
            return Err(reached(Limit::Cost, why));
        }
        state.out += 1;
        state.reserved_tokens = state.reserved_tokens.saturating_add(most.tokens);
        state.reserved_nano_dollars = state.reserved_nano_dollars.saturating_add(price);
        Ok(Some(price))
    }

    /// Books what cost nothing to ask for, such as a replayed reply.
    pub(crate) fn book(&self, usage: &Usage) {
        self.chain().for_each(|ledger| ledger.state().spent += *usage);
    }

    /// This ledger and its parents.
    fn chain(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |ledger| ledger.0.parent.as_ref())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn reached(limit: Limit, why: String) -> ModelError {
    ModelError::Limit { limit, why }
}

impl Reservation {
    /// Books what the request has used in place of what it might have.
    pub fn settle(self, usage: &Usage) {
        for (ledger, _) in &self.ledgers {
            let mut state = ledger.state();
            state.spent += *usage;
            state.untold |= usage.unpriced > 0 && usage.output_tokens > 0;
            if usage.output_tokens > 0 || usage.nano_dollars > 0 {
                state.dearest = Some(state.dearest.unwrap_or(0).max(usage.nano_dollars));
            }
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        for (ledger, price) in &self.ledgers {
            let mut state = ledger.state();
            state.out = state.out.saturating_sub(1);
            state.reserved_tokens = state.reserved_tokens.saturating_sub(self.tokens);
            state.reserved_nano_dollars = state.reserved_nano_dollars.saturating_sub(*price);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(tokens: u64, nano_dollars: u64) -> Usage {
        Usage { calls: 1, output_tokens: tokens, nano_dollars, ..Usage::default() }
    }

    fn most(tokens: u64, nano_dollars: Option<u64>) -> Estimate {
        Estimate { tokens, nano_dollars }
    }

    fn limit_of(ledger: &Ledger, most: Estimate) -> Option<Limit> {
        match ledger.reserve(most) {
            Err(ModelError::Limit { limit, .. }) => Some(limit),
            _ => None,
        }
    }

    #[test]
    fn prices_are_for_a_million_tokens() {
        let usage = Usage { input_tokens: 1000, cached_tokens: 400, output_tokens: 10, ..Usage::default() };
        let table = [
            (Price { input: 0.3, output: 2.5, cached: None }, 300_000 + 25_000),
            (Price { input: 0.3, output: 2.5, cached: Some(0.1) }, 180_000 + 40_000 + 25_000),
            (Price { input: -1.0, output: f64::NAN, cached: None }, 0),
        ];
        table.into_iter().for_each(|(price, want)| assert_eq!(price.of(&usage), want, "{price:?}"));
    }

    #[test]
    fn each_limit_stops_before_it_is_passed() {
        let table = [
            (Limits { calls: Some(2), ..Limits::default() }, Limit::Calls),
            (Limits { tokens: Some(25), ..Limits::default() }, Limit::Tokens),
            (Limits { nano_dollars: Some(25), ..Limits::default() }, Limit::Cost),
        ];
        for (limits, want) in table {
            let ledger = Ledger::new(limits);
            ledger.reserve(most(10, Some(10))).unwrap().unwrap().settle(&usage(10, 10));
            let out = ledger.reserve(most(10, Some(10))).unwrap();
            assert_eq!(limit_of(&ledger, most(10, Some(10))), Some(want));
            drop(out);
            ledger.reserve(most(10, Some(10))).unwrap().unwrap().settle(&usage(10, 10));
            assert_eq!(limit_of(&ledger, most(10, Some(10))), Some(want));
            assert_eq!(ledger.spent().requests(), 2);
        }
    }

    #[test]
    fn a_question_spends_what_its_run_has() {
        let run = Ledger::new(Limits { calls: Some(3), deadline: Some(Duration::from_secs(9)), ..Limits::default() });
        let first = run.child(Limits { calls: Some(2), ..Limits::default() });
        let second = run.child(Limits { deadline: Some(Duration::from_secs(5)), ..Limits::default() });
        for ledger in [&first, &first, &second] {
            ledger.reserve(most(1, None)).unwrap().unwrap().settle(&usage(1, 1));
        }
        assert_eq!((first.spent().calls, second.spent().calls, run.spent().calls), (2, 1, 3));
        assert_eq!(limit_of(&first, most(1, None)), Some(Limit::Calls));
        assert_eq!(limit_of(&second, most(1, None)), Some(Limit::Calls));
        assert_eq!((first.deadline(), second.deadline()), (Some(Duration::from_secs(9)), Some(Duration::from_secs(5))));
    }

    #[test]
    fn an_unknown_price_is_learned_from_the_first_request() {
        let ledger = Ledger::new(Limits { nano_dollars: Some(100), ..Limits::default() });
        let first = ledger.reserve(most(1, None)).unwrap().unwrap();
        assert!(ledger.reserve(most(1, None)).unwrap().is_none());
        first.settle(&usage(1, 40));
        let second = ledger.reserve(most(1, None)).unwrap().unwrap();
        assert_eq!(limit_of(&ledger, most(1, None)), Some(Limit::Cost));
        second.settle(&usage(1, 70));
        assert_eq!(limit_of(&ledger, most(1, None)), Some(Limit::Cost));
        assert_eq!(limit_of(&ledger, most(1, Some(0))), Some(Limit::Cost));
    }

    #[test]
    fn a_limit_of_what_nobody_tells_is_an_error() {
        let ledger = Ledger::new(Limits { nano_dollars: Some(100), ..Limits::default() });
        let late = Usage { unpriced: 1, ..usage(0, 0) };
        ledger.reserve(most(1, None)).unwrap().unwrap().settle(&late);
        let unpriced = Usage { unpriced: 1, ..usage(5, 0) };
        ledger.reserve(most(1, None)).unwrap().unwrap().settle(&unpriced);
        assert_eq!(limit_of(&ledger, most(1, None)), Some(Limit::Cost));
        assert_eq!(limit_of(&ledger, most(1, Some(1))), None);
    }
}
