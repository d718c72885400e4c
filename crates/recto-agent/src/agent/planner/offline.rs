//! Rules as planner, for want of a model: they search for the question, read what the offline answerer would cite, and say
//! what it says. Each agent's own tools are used in its own way. Nothing is kept from turn to turn but the answer.

use std::cell::OnceCell;

use recto_page::{DocId, Page, PageId, Pages};
use recto_search::{Ranking, Scope, Search, SearchError};
use serde_json::{Value, json};

use super::{Planner, Turn};
use crate::agent::call::By;
use crate::agent::desk::Desk;
use crate::agent::rules::Kind;
use crate::agent::session::{Last, Session};
use crate::agent::shelf::Shelf;
use crate::planner::Reply;
use crate::{Answer, Options};

/// Pages of a search.
const TOP_K: usize = 10;
/// Pages that are read before an answer is given, at most.
const READ: usize = 3;
/// Words of a quote.
const QUOTED: usize = 20;

/// The rules.
#[derive(Debug, Default)]
pub struct Offline {
    /// What the offline answerer says, once it was asked.
    answer: OnceCell<Answer>,
}

impl Planner for Offline {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        let session = turn.session;
        let answer = self.answer.get_or_init(|| answered(turn));
        let action = match turn.last {
            Some(Last::Answer(_) | Last::Form(_)) => said(answer, session),
            None => step(answer, session).unwrap_or_else(|| said(answer, session)),
        };
        Reply::words(action.to_string())
    }

    fn name(&self) -> &'static str {
        Answer::OFFLINE
    }
}

/// The next thing to do before the answer; `None` if nothing is left.
fn step(answer: &Answer, session: &Session) -> Option<Value> {
    let first = session.steps.is_empty();
    let (question, done) =
        (session.question.as_str(), |action: &Value| session.steps.iter().any(|s| is(&s.action, action)));
    match session.rules.kind {
        Kind::Recto if first => Some(call("search", &json!({"query": question, "top_k": TOP_K}))),
        Kind::Recto => {
            let pages = wanted(answer, session).into_iter().take(READ);
            let reads = pages.map(|page| call("read_page", &json!({"page": session.shelf.page_name(&page)})));
            reads.into_iter().find(|action| !done(action))
        }
        Kind::Bm25 => first.then(|| call("search_documents", &json!({"query": any_word(question)}))),
        Kind::McSearch => first.then(|| call("search_text", &json!({"sub_question": question, "query": question}))),
        Kind::Rlm if first => Some(call("run", &json!({"program": format!("print(search({}))", json!(question))}))),
        Kind::Rlm if answer.evidence.is_empty() => None,
        Kind::Rlm => Some(json!({"action": "finish", "finding": answer.text})),
    }
}

fn is(action: &serde_json::Map<String, Value>, wanted: &Value) -> bool {
    wanted.as_object() == Some(action)
}

fn call(action: &str, arguments: &Value) -> Value {
    json!({"action": action, "arguments": arguments})
}

/// Words of which any may stand on a page, in the query language.
fn any_word(question: &str) -> String {
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let quoted: Vec<String> = words.map(|word| format!("\"{word}\"")).collect();
    quoted.join(" OR ")
}

/// The pages to read: those that are cited, else the best one of the search.
fn wanted(answer: &Answer, session: &Session) -> Vec<PageId> {
    let found = session.steps.iter().find_map(|step| step.observation.as_ref()?.found.first().cloned());
    let cited = answer.pages();
    if cited.is_empty() { found.into_iter().collect() } else { cited }
}

/// The answer in the form of the agent.
fn said(answer: &Answer, session: &Session) -> Value {
    let shelf = &session.shelf;
    if answer.evidence.is_empty() {
        let reason = "the offline answerer found no answer";
        return match session.rules.kind {
            Kind::Recto => json!({"action": "decline", "reason": reason}),
            _ => json!({"action": "answer", "answer": [answer.text], "citations": [], "reason": reason}),
        };
    }
    let items = serde_json::from_str::<Vec<String>>(&answer.text).unwrap_or_else(|_| vec![answer.text.clone()]);
    let citations: Vec<Value> = match session.rules.kind {
        Kind::Recto => answer.evidence.iter().map(|cited| quoted(&cited.page, &cited.quote, shelf)).collect(),
        _ => answer.pages().iter().map(|page| json!({"file": page.doc, "page": page.page})).collect(),
    };
    json!({"action": "answer", "answer": items, "items": items, "citations": citations})
}

/// A citation whose page was read; only what stands side by side is a quote.
fn quoted(page: &PageId, quote: &str, shelf: &Shelf) -> Value {
    let quote = if quote.contains('…') || quote.split_whitespace().count() > QUOTED { "" } else { quote };
    json!({"page": shelf.page_name(page), "quote": quote})
}

/// What the offline answerer says of the documents at the desk.
fn answered(turn: &Turn<'_>) -> Answer {
    let Turn { session, desk, .. } = turn;
    let seen = AtDesk { desk: *desk, shelf: &session.shelf };
    let documents = session.shelf.entries().map(|(_, entry)| entry.id.clone()).collect();
    let answer = crate::answer(&session.question, &Scope::Documents(documents), &seen, &seen, &Options::default());
    answer.unwrap_or_else(|_| Answer::decline(crate::Coverage::default()))
}

/// A desk as a search and as a store of pages.
struct AtDesk<'a> {
    desk: &'a dyn Desk,
    shelf: &'a Shelf,
}

impl Search for AtDesk<'_> {
    /// What can't be found finds nothing: the answerer then declines.
    fn search(&self, text: &str, scope: &Scope, k: usize) -> Result<Ranking, SearchError> {
        let hits = self.desk.search(By::All, text, scope, k).unwrap_or_default();
        let hit = |hit: crate::agent::Hit| recto_search::Hit {
            page: hit.page,
            score: hit.score,
            parts: Vec::new(),
            shares: Vec::new(),
        };
        Ok(Ranking(hits.into_iter().map(hit).collect()))
    }
}

impl Pages for AtDesk<'_> {
    fn page(&self, id: &PageId) -> recto_page::Result<Option<Page>> {
        Ok(self.desk.page(id).ok())
    }

    fn n_pages(&self, doc: &DocId) -> recto_page::Result<Option<u32>> {
        Ok(self.shelf.entry(doc).map(|entry| entry.n_pages))
    }
}
