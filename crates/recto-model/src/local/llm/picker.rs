//! Which token comes next: the likeliest, or one drawn by chance from a fixed seed; held to a grammar where a form was asked
//! for.

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;

use super::grammar::grammar;
use crate::{ChatRequest, ModelError, Result};

/// Chance chooses among so many tokens.
const CHOICES: i32 = 64;

/// Picks the tokens of one reply.
pub(super) struct Picker {
    grammar: Option<LlamaSampler>,
    chance: Option<LlamaSampler>,
}

impl Picker {
    pub(super) fn new(model: &LlamaModel, request: &ChatRequest) -> Result<Self> {
        let held = |schema| -> Result<LlamaSampler> {
            let bad = |error: llama_cpp_2::GrammarError| ModelError::BadReply { why: error.to_string() };
            LlamaSampler::grammar(model, &grammar(schema)?, "root").map_err(bad)
        };
        let grammar = request.schema.as_ref().map(held).transpose()?;
        let is_drawn = request.temperature.is_finite() && request.temperature > 0.0;
        let steps = || {
            [LlamaSampler::top_k(CHOICES), LlamaSampler::temp(request.temperature), LlamaSampler::dist(request.sample)]
        };
        let chance = is_drawn.then(|| LlamaSampler::chain_simple(steps()));
        Ok(Self { grammar, chance })
    }

    /// The next token after what was decoded last; `None` if the grammar knows none.
    pub(super) fn pick(&mut self, context: &LlamaContext<'_>) -> Option<LlamaToken> {
        let token = if self.chance.is_some() { self.drawn(context) } else { self.likeliest(context) }?;
        match &mut self.grammar {
            Some(grammar) => grammar.try_accept(token).ok().map(|()| token),
            None => Some(token),
        }
    }

    fn likeliest(&mut self, context: &LlamaContext<'_>) -> Option<LlamaToken> {
        let first = greatest(context.candidates_ith(-1))?;
        // To look at one token is a hundred thousand times quicker than to look at all, and nearly always enough.
        if self.allowed(vec![first]).is_some() {
            return Some(first.id());
        }
        self.allowed(context.candidates_ith(-1).collect()).map(|token| token.id())
    }

    fn drawn(&mut self, context: &LlamaContext<'_>) -> Option<LlamaToken> {
        let mut all = context.token_data_array_ith(-1);
        if let Some(grammar) = &mut self.grammar {
            all.apply_sampler(grammar);
        }
        greatest(all.data.iter().copied())?;
        all.apply_sampler(self.chance.as_mut()?);
        all.selected_token()
    }

    /// The likeliest of the tokens that the grammar allows.
    fn allowed(&mut self, tokens: Vec<LlamaTokenData>) -> Option<LlamaTokenData> {
        let mut tokens = LlamaTokenDataArray::new(tokens, false);
        if let Some(grammar) = &mut self.grammar {
            tokens.apply_sampler(grammar);
        }
        greatest(tokens.data.into_iter())
    }
}

/// The token of the greatest weight, of equals the first; the grammar gives what it forbids a weight without end.
fn greatest(tokens: impl Iterator<Item = LlamaTokenData>) -> Option<LlamaTokenData> {
    let finite = tokens.filter(|token| token.logit().is_finite());
    finite.reduce(|best, token| if token.logit() > best.logit() { token } else { best })
}
