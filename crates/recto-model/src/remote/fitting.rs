//! A request as far as a model takes it in: without pictures for one that sees none, and no longer than its context. What is
//! left out is told.

use std::borrow::Cow;

use crate::room::{NOTE, gap, level};
use crate::{ChatMessage, ChatRequest, Part, Role};

/// Stands where a picture was.
const UNSEEN: &str = "[a picture stands here that this model is not shown]";
/// Of a context, at least this part is kept for the reply.
const REPLY: u64 = 4;
/// Of what is left, pictures take this part at most.
const PICTURES: u64 = 2;
/// So many bytes are a token, as requests are estimated.
const BYTES: u64 = 3;

/// What a model takes in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Measure {
    /// Whether it sees pictures.
    pub(super) sees: bool,
    /// Tokens of a request and its reply together, if known.
    pub(super) context: Option<u64>,
}

/// The most tokens of a request to a model of this context.
pub(super) const fn room(context: u64, reply: u64) -> u64 {
    let least = context / REPLY;
    context - if reply < least { reply } else { least }
}

/// The request as far as it is taken in, and what was left out.
pub(super) fn fitted(request: &ChatRequest, measure: Measure) -> (Cow<'_, ChatRequest>, Vec<String>) {
    let mut notes = Vec::new();
    let mut fitted = Cow::Borrowed(request);
    let hidden = if measure.sees { 0 } else { hide(&mut fitted, 0) };
    if hidden > 0 {
        notes.push(format!("{hidden} pictures were left out: the model sees none"));
    }
    if let Some(context) = measure.context.filter(|context| longest(&fitted) > *context) {
        shorten(&mut fitted, context, &mut notes);
    }
    (fitted, notes)
}

fn longest(request: &ChatRequest) -> u64 {
    request.tokens().saturating_add(request.max_tokens.into())
}

/// Lets the reply be shorter first, then leaves out pictures, then parts of the longest texts.
fn shorten(request: &mut Cow<'_, ChatRequest>, context: u64, notes: &mut Vec<String>) {
    let room = room(context, request.max_tokens.into());
    if request.tokens() > room {
        let hidden = hide(request, room / PICTURES);
        if hidden > 0 {
            notes.push(format!("{hidden} pictures were left out: the model's context has {context} tokens"));
        }
        let over = request.tokens().saturating_sub(room);
        if over > 0 && cut(request.to_mut(), over).is_some() {
            notes.push(format!("about {over} tokens of text were left out: the model's context has {context}"));
        }
    }
    let reply = context.saturating_sub(request.tokens().min(room));
    request.to_mut().max_tokens = request.max_tokens.min(u32::try_from(reply).unwrap_or(u32::MAX));
}

/// Takes pictures out until the rest have room in so many tokens: those of the oldest message first, of each its last ones
/// first.
fn hide(request: &mut Cow<'_, ChatRequest>, room: u64) -> u64 {
    let mut hidden = 0;
    let too_many = |request: &ChatRequest| pictures(request).map(Part::tokens).sum::<u64>() > room;
    while too_many(request) {
        let mut messages = request.to_mut().messages.iter_mut();
        let last = messages.find_map(|message| message.parts.iter_mut().rfind(|part| is_picture(part)));
        let Some(part) = last else { return hidden };
        *part = Part::Text(UNSEEN.into());
        hidden += 1;
    }
    hidden
}

fn pictures(request: &ChatRequest) -> impl Iterator<Item = &Part> {
    request.messages.iter().flat_map(|message| &message.parts).filter(|part| is_picture(part))
}

const fn is_picture(part: &Part) -> bool {
    matches!(part, Part::Image(_))
}

/// Cuts the longest texts of the user by so many tokens; `None` if there is not so much that could be cut.
fn cut(request: &mut ChatRequest, tokens: u64) -> Option<()> {
    let users = |message: &&mut ChatMessage| message.role == Role::User;
    let parts = request.messages.iter_mut().filter(users).flat_map(|message| &mut message.parts);
    let mut texts: Vec<&mut String> = parts.filter_map(Part::text_mut).collect();
    let lengths: Vec<usize> = texts.iter().map(|text| text.len()).collect();
    let over = usize::try_from(tokens.saturating_mul(BYTES)).ok()?;
    let level = level(lengths.clone(), lengths.iter().sum::<usize>().checked_sub(over)?);
    for text in texts.iter_mut().filter(|text| text.len() > level) {
        let gap = gap(text.len(), level, NOTE.len())?;
        let (from, to) = (text.floor_char_boundary(gap.start), text.ceil_char_boundary(gap.end));
        text.replace_range(from..to, NOTE);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use recto_page::PageImage;

    use super::*;
    use crate::ChatImage;

    fn picture(side: u32) -> Part {
        let rgb = vec![0; (side * side * 3) as usize];
        Part::Image(ChatImage::of(&PageImage { width: side, height: side, dpi: 72, rgb }).unwrap())
    }

    fn request(parts: Vec<Part>) -> ChatRequest {
        let messages = vec![ChatMessage::system("Rules."), ChatMessage::new(Role::User, parts)];
        ChatRequest { max_tokens: 1_000, ..ChatRequest::new(messages) }
    }

    fn texts(lengths: &[usize]) -> Vec<Part> {
        lengths.iter().map(|length| Part::Text("é".repeat(length / 2))).collect()
    }

    #[test]
    fn what_fits_is_left_alone() {
        for (sees, context) in [(true, None), (true, Some(6_000)), (false, None)] {
            let whole = request(texts(&[9_000, 30]));
            let (fitted, notes) = fitted(&whole, Measure { sees, context });
            assert!(matches!(fitted, Cow::Borrowed(_)) && notes.is_empty(), "{sees} {context:?} {notes:?}");
        }
    }

    #[test]
    fn a_model_that_sees_nothing_is_shown_nothing() {
        let given = request(vec![picture(4), Part::Text("a".into()), picture(4)]);
        let (fitted, notes) = fitted(&given, Measure { sees: false, context: None });
        assert_eq!((fitted.images(), notes.len()), (0, 1));
        assert_eq!(fitted.messages[1].text(), format!("{UNSEEN}\na\n{UNSEEN}"));
    }

    /// The tokens of the reply, the pictures left, and the lengths of the texts.
    #[track_caller]
    fn check(parts: Vec<Part>, context: u64, reply: u32, pictures: u64, lengths: &[usize], told: usize) {
        let given = request(parts);
        let (fitted, notes) = fitted(&given, Measure { sees: true, context: Some(context) });
        let left: Vec<usize> = fitted.messages[1].parts.iter().filter_map(Part::text).map(str::len).collect();
        let found = (fitted.max_tokens, fitted.images(), notes.len());
        assert_eq!((found, left.as_slice()), ((reply, pictures, told), lengths), "{notes:?}");
        assert!(longest(&fitted) <= context || told == 0, "{} of {context}", longest(&fitted));
        assert_eq!(fitted.messages[0].text(), "Rules.");
    }

    #[test]
    fn replies_then_pictures_then_texts_are_shortened() {
        check(texts(&[6_000, 30]), 2_900, 876, 0, &[6_000, 30], 0);
        check(texts(&[9_000, 300, 3_000]), 2_000, 500, 0, &[2_073, 300, 2_073], 1);
        // A picture of 900 pixels a side takes 1,080 tokens.
        let shown = |lengths: &[usize]| [vec![picture(900), picture(900)], texts(lengths)].concat();
        check(shown(&[30]), 2_900, 1_000, 1, &[UNSEEN.len(), 30], 1);
        check(shown(&[6_000]), 4_000, 1_000, 1, &[UNSEEN.len(), 5_665], 2);
        // There is nothing that could be cut: the server will say so.
        check(texts(&[60; 90]), 512, 128, 0, &[60; 90], 0);
    }

    #[test]
    fn old_pictures_go_before_new_ones() {
        let mut given = request(vec![picture(900), picture(300)]);
        given.messages.push(ChatMessage::assistant("next"));
        given.messages.push(ChatMessage::new(Role::User, vec![picture(300)]));
        let (fitted, _) = fitted(&given, Measure { sees: true, context: Some(1_600) });
        let left = |n: usize| fitted.messages[n].parts.iter().filter(|part| is_picture(part)).count();
        assert_eq!((left(1), left(3)), (0, 1));
    }
}
