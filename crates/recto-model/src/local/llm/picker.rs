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
/// What ends a text in a reply in a form, and what ends the rest of it, the most first.
const QUOTE: &str = "\"";
const ENDS: [&str; 3] = ["}", "]", ","];

/// Picks the tokens of one reply.
pub(super) struct Picker<'m> {
    model: &'m LlamaModel,
    grammar: Option<LlamaSampler>,
    chance: Option<LlamaSampler>,
}

impl<'m> Picker<'m> {
    pub(super) fn new(model: &'m LlamaModel, request: &ChatRequest) -> Result<Self> {
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
        Ok(Self { model, grammar, chance })
    }

    /// The next token after what was decoded last; `None` if the grammar knows none. Where a reply in a form must come to its
    /// end, `said` is what there is of it.
    pub(super) fn pick(&mut self, context: &LlamaContext<'_>, ending: Option<&str>) -> Option<LlamaToken> {
        let token = match (ending.filter(|_| self.grammar.is_some()), &self.chance) {
            (Some(said), _) => self.ending(context, said),
            (None, Some(_)) => self.drawn(context),
            (None, None) => self.likeliest(context),
        };
        let token = token?;
        match &mut self.grammar {
            Some(grammar) => grammar.try_accept(token).ok().map(|()| token),
            None => Some(token),
        }
    }

    /// What closes most of what is open; else the likeliest token that is more than space.
    fn ending(&mut self, context: &LlamaContext<'_>, said: &str) -> Option<LlamaToken> {
        let closers = if is_in_text(said) { &[QUOTE][..] } else { &ENDS };
        for closer in closers {
            let token = self.model.vocab().tokenize(closer.as_bytes(), false, false).last().copied();
            let token = token.map(|token| LlamaTokenData::new(token, 0.0, 0.0));
            if let Some(token) = token.and_then(|token| self.allowed(vec![token])) {
                return Some(token.id());
            }
        }
        let mut all = context.token_data_array_ith(-1);
        all.apply_sampler(self.grammar.as_mut()?);
        let vocabulary = self.model.vocab();
        let says = |token: LlamaToken| {
            vocabulary.is_eog(token) || !vocabulary.token_to_piece(token, false, None).trim_ascii().is_empty()
        };
        let telling = all.data.iter().filter(|token| token.logit().is_finite() && says(token.id()));
        let best = greatest(telling.copied()).or_else(|| greatest(all.data.iter().copied()));
        best.map(|token| token.id())
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

/// Whether a piece of JSON ends within a text.
fn is_in_text(said: &str) -> bool {
    let (mut inside, mut escaped) = (false, false);
    for c in said.chars() {
        inside ^= c == '"' && !escaped;
        escaped = inside && c == '\\' && !escaped;
    }
    inside
}

/// The token of the greatest weight, of equals the first; the grammar gives what it forbids a weight without end.
fn greatest(tokens: impl Iterator<Item = LlamaTokenData>) -> Option<LlamaTokenData> {
    let finite = tokens.filter(|token| token.logit().is_finite());
    finite.reduce(|best, token| if token.logit() > best.logit() { token } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_at_marks_that_are_not_escaped() {
        let table = [
            ("", false),
            (r#"{"a"#, true),
            (r#"{"a""#, false),
            (r#"{"a": "b\""#, true),
            (r#"{"a": "b\\""#, false),
            (r#"{"a": ["x", ""#, true),
        ];
        for (said, want) in table {
            assert_eq!(is_in_text(said), want, "{said}");
        }
    }
}
