//! From a conversation to the tokens of a prompt: by the model's own template, in which the words of others can't pass for
//! its marks.

use llama_cpp_2::model::{LlamaChatMessage, LlamaChatTemplate, LlamaModel};
use llama_cpp_2::token::LlamaToken;

use crate::room::{NOTE, fit};
use crate::{ChatMessage, ChatRequest, Class, Failure, ModelError, Part, Result};

/// Stand around the number of a part while the template is filled; no text that is shown has them.
const MARKS: [char; 2] = ['\u{2}', '\u{3}'];

/// A stretch of a prompt.
pub(super) enum Run {
    /// Words.
    Tokens(Vec<LlamaToken>),
    /// The next of the request's pictures.
    Picture,
}

/// The prompt for a request, no longer than `room` tokens besides its pictures; and how many were left out for that.
pub(super) fn prompt(
    model: &LlamaModel,
    template: &LlamaChatTemplate,
    request: &ChatRequest,
    room: usize,
) -> Result<(Vec<Run>, usize)> {
    let parts: Vec<&Part> = request.messages.iter().flat_map(|message| &message.parts).collect();
    let framed = framed(model, template, &request.messages)?;
    let mut texts: Vec<Vec<LlamaToken>> = parts.iter().map(|part| words(model, part)).collect();
    let frames: Vec<Vec<LlamaToken>> = framed.iter().enumerate().map(|(n, piece)| marks(model, piece, n)).collect();
    let taken: usize = frames.iter().map(Vec::len).sum();
    let note = model.vocab().tokenize(NOTE.as_bytes(), false, false);
    let fitted = room.checked_sub(taken).and_then(|room| fit(&mut texts, room, &note));
    let missing = fitted.ok_or_else(|| too_long(room))?;
    let mut runs: Vec<Run> = Vec::new();
    for (n, piece) in framed.iter().enumerate() {
        extend(&mut runs, frames.get(n).cloned().unwrap_or_default());
        match piece.part.and_then(|part| Some((parts.get(part)?, texts.get(part)?))) {
            Some((Part::Image(_), _)) => runs.push(Run::Picture),
            Some((Part::Text(_), text)) => extend(&mut runs, text.clone()),
            None => {}
        }
    }
    Ok((runs, missing))
}

fn extend(runs: &mut Vec<Run>, tokens: Vec<LlamaToken>) {
    match runs.last_mut() {
        Some(Run::Tokens(run)) => run.extend(tokens),
        _ => runs.push(Run::Tokens(tokens)),
    }
}

/// A stretch of the filled template, and the part of the conversation that follows it.
struct Framed {
    frame: String,
    part: Option<usize>,
}

/// What the template puts around the parts, which it is given as numbers.
fn framed(model: &LlamaModel, template: &LlamaChatTemplate, messages: &[ChatMessage]) -> Result<Vec<Framed>> {
    let mut n = 0;
    let mut numbered = |message: &ChatMessage| {
        let numbers = message.parts.iter().map(|_| {
            n += 1;
            format!("{}{}{}", MARKS[0], n - 1, MARKS[1])
        });
        let content = numbers.collect::<Vec<_>>().join("\n");
        LlamaChatMessage::new(message.role.as_str().into(), content)
    };
    let chat: std::result::Result<Vec<_>, _> = messages.iter().map(&mut numbered).collect();
    let bad = |why: String| ModelError::BadReply { why: format!("the model's chat template can't be filled: {why}") };
    let chat = chat.map_err(|error| bad(error.to_string()))?;
    let filled = model.apply_chat_template(template, &chat, true).map_err(|error| bad(error.to_string()))?;
    let framed = split(&filled);
    let whole = framed.iter().filter_map(|piece| piece.part).eq(0..n);
    if whole { Ok(framed) } else { Err(bad("it leaves out what is said".into())) }
}

fn split(filled: &str) -> Vec<Framed> {
    let mut framed = Vec::new();
    let mut rest = filled;
    while let Some((frame, after)) = rest.split_once(MARKS[0]) {
        let (number, after) = after.split_once(MARKS[1]).unwrap_or((after, ""));
        framed.push(Framed { frame: frame.into(), part: number.parse().ok() });
        rest = after;
    }
    framed.push(Framed { frame: rest.into(), part: None });
    framed
}

/// The marks of a template, which mean what they mean to the model; the first ones with the token that begins a text.
fn marks(model: &LlamaModel, piece: &Framed, n: usize) -> Vec<LlamaToken> {
    model.vocab().tokenize(piece.frame.as_bytes(), n == 0, true)
}

/// The words of a part, in which nothing is a mark.
fn words(model: &LlamaModel, part: &Part) -> Vec<LlamaToken> {
    match part {
        Part::Text(text) => model.vocab().tokenize(text.as_bytes(), false, false),
        Part::Image(_) => Vec::new(),
    }
}

/// A request that does not fit even with its texts cut.
pub(super) fn too_long(room: usize) -> ModelError {
    let why = format!("there is room for {room} tokens; #context=N makes more");
    ModelError::Chat(Box::new(Failure::new(Class::TooLong, why, "")))
}
