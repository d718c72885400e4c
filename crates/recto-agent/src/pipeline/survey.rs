//! Questions that count or list: every page is gone through by the model, and what stands on them is put together here, each
//! thing once. What is not looked at is told, never guessed.

use std::collections::{BTreeMap, BTreeSet};

use recto_model::{ChatMessage, ChatRequest, Part, Role, Schema};
use recto_page::{DocId, Page, PageId, PageNumber, Region};
use recto_search::Scope;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::{Place, Said, closed};
use super::locate::{documents, found};
use super::passages::passages;
use super::read::header;
use super::{Means, Plan};
use crate::citation::cite_nearly;
use crate::fence::Fence;
use crate::prompt::{DOCUMENT_SURVEY, fence_rule};
use crate::{Coverage, Kind, Question, Result};

/// Pages of one call, and those with their pictures.
const BATCH: usize = 50;
const PICTURED: usize = 20;
/// Bytes of a page's text.
const GLANCE: usize = 5_000;
/// Resolution of the pictures, in dots per inch, and what one of them takes, in bytes of text.
const DPI: u32 = 72;
const PICTURE: usize = 2_100;
/// Things of one question.
const MOST: usize = 1_000;

/// What was found on the pages.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The things, in the order of the pages on which they first stand.
    pub(super) things: Vec<Thing>,
    /// Pages that tell the number or the list themselves.
    pub(super) told: BTreeSet<PageId>,
    /// How many pages were looked at.
    pub(super) coverage: Coverage,
    /// What went wrong.
    pub(super) notes: Vec<String>,
}

/// A thing, and where it stands.
#[derive(Debug)]
pub(super) struct Thing {
    pub(super) name: String,
    pub(super) page: PageId,
    pub(super) quote: String,
}

/// What the model says of some pages.
#[derive(Debug, Default, Deserialize)]
struct Listed {
    things: Vec<Named>,
    told: Vec<Named>,
}

#[derive(Debug, Deserialize)]
struct Named {
    #[serde(default)]
    document: Option<u64>,
    page: u64,
    #[serde(default)]
    name: String,
    quote: String,
}

/// Whether a question can only be answered from all pages: it counts or lists, and names no page or figure to do it on.
pub fn is_survey(question: &Question) -> bool {
    let several = question.kind == Kind::Count || question.kind == Kind::List || question.asks_several();
    several && !question.compares && question.pages.is_empty() && question.items.is_empty()
}

/// Goes through the pages in scope, or through the most promising where there are more than the plan allows.
pub(super) fn survey(
    question: &Question,
    scope: &Scope,
    means: &Means<'_>,
    plan: &Plan,
    fence: &Fence,
) -> Result<Tally> {
    let documents = documents(scope, means)?;
    let of: Option<u32> = matches!(scope, Scope::Documents(_)).then(|| documents.iter().map(|(_, n)| n).sum());
    let limit = plan.survey as usize;
    let mut ids = match of {
        Some(of) if of as usize <= limit => super::locate::all(&documents).collect(),
        _ => found(&question.asked, scope, means, limit)?,
    };
    ids.sort();
    let mut pages = Vec::new();
    for id in ids {
        pages.extend(means.pages.page(&id)?.map(|page| (id, page)));
    }
    let names: BTreeSet<&DocId> = pages.iter().map(|(id, _)| &id.doc).collect();
    let names: Vec<&DocId> = names.into_iter().collect();
    let round = Round { question, means, plan, fence, documents: &names };
    let mut tally = Tally { coverage: Coverage { of, ..Coverage::default() }, ..Tally::default() };
    let is_pictured = |page: &Page| question.pictorial || page.text().trim().is_empty();
    // Pages with and without pictures go in the same call, but no more pictures than a server takes.
    let mut rest = pages.as_slice();
    while !rest.is_empty() {
        let (mut pictures, mut bytes) = (0, 0);
        let fits = |(_, page): &&(PageId, Page)| {
            pictures += usize::from(is_pictured(page));
            bytes += page.text().len().min(GLANCE) + if is_pictured(page) { PICTURE } else { 0 };
            pictures <= PICTURED && bytes <= plan.request
        };
        let length = rest.iter().take(BATCH).take_while(fits).count().max(1);
        let (batch, later) = rest.split_at(length.min(rest.len()));
        round.go_through(batch, &mut tally);
        rest = later;
    }
    if tally.decides() && !tally.is_complete() {
        tally.notes.push(format!("not every page was gone through: {}", tally.coverage));
    }
    Ok(tally)
}

/// What the pages are gone through with.
struct Round<'a> {
    question: &'a Question,
    means: &'a Means<'a>,
    plan: &'a Plan,
    fence: &'a Fence,
    documents: &'a [&'a DocId],
}

impl Round<'_> {
    /// Adds what stands on some pages; pages of a call that fails are not looked at.
    fn go_through(&self, batch: &[(PageId, Page)], tally: &mut Tally) {
        let listed = match self.means.chat.reply(&self.request(batch), self.means.ledger) {
            Ok(reply) => {
                tally.notes.extend(reply.notes);
                serde_json::from_value::<Listed>(reply.json.unwrap_or_default()).unwrap_or_default()
            }
            Err(error) => {
                tally.notes.push(format!("{} pages were not looked through: {error}", batch.len()));
                return;
            }
        };
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        tally.coverage.read += count(batch.len());
        tally.coverage.with_text += count(batch.iter().filter(|(_, page)| !page.text().trim().is_empty()).count());
        for named in &listed.told {
            tally.told.extend(self.page_of(named, batch).map(|(id, _)| id.clone()));
        }
        // What one page says of several things is said in its order.
        let mut things: Vec<(&Named, &(PageId, Page))> =
            listed.things.iter().filter_map(|named| Some((named, self.page_of(named, batch)?))).collect();
        things.sort_by(|(_, (a, _)), (_, (b, _))| a.cmp(b));
        for (named, (id, page)) in things {
            tally.add(named, id, page);
        }
    }

    fn page_of<'b>(&self, named: &Named, batch: &'b [(PageId, Page)]) -> Option<&'b (PageId, Page)> {
        let at = usize::try_from(named.document.unwrap_or(1)).ok()?.checked_sub(1)?;
        let doc = self.documents.get(at)?;
        let number = PageNumber::new(u32::try_from(named.page).ok()?)?;
        batch.iter().find(|(id, _)| id.doc == **doc && id.page == number)
    }

    fn request(&self, batch: &[(PageId, Page)]) -> ChatRequest {
        let mut parts = Vec::new();
        for (id, page) in batch {
            let text = passages(&page.to_markdown(), self.question, GLANCE);
            let document = self.documents.iter().position(|doc| *doc == &id.doc).filter(|_| self.documents.len() > 1);
            let document = document.map(|at| format!("Document {}, ", at + 1)).unwrap_or_default();
            parts.push(Part::Text(format!("{document}{}\n{}", header(page), self.fence.around(&text))));
            if self.plan.pictures > 0 && (self.question.pictorial || text.is_empty()) {
                parts.extend(self.means.pictures.picture(id, Region::FULL, DPI).map(Part::Image));
            }
        }
        parts.push(Part::Text(format!("Question: {}", self.question.asked)));
        let rules = DOCUMENT_SURVEY.fill(&[("fence", &fence_rule(self.fence))]);
        let messages = vec![ChatMessage::system(rules), ChatMessage::new(Role::User, parts)];
        ChatRequest { schema: schema(self.documents.len() > 1), ..ChatRequest::new(messages) }
    }
}

impl Tally {
    /// Adds a thing that is not there already, if its page bears it out: its quote or its name stands there, or the page
    /// has no words.
    fn add(&mut self, named: &Named, id: &PageId, page: &Page) {
        let is_there = |text: &str| !cite_nearly(id, page, text).regions.is_empty();
        let is_borne_out = page.reading().is_empty() || named.quote.trim().is_empty() || is_there(&named.quote);
        let name = named.name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty()
            || self.things.len() >= MOST
            || self.things.iter().any(|thing| key(&thing.name) == key(&name))
        {
            return;
        }
        if is_borne_out || is_there(&name) {
            self.things.push(Thing { name, page: id.clone(), quote: named.quote.clone() });
        } else {
            self.notes.push(format!("{name} does not stand on {id}: not counted"));
        }
    }

    /// Whether what was found is the answer: something was, and no page tells the number itself.
    pub(super) fn decides(&self) -> bool {
        !self.things.is_empty() && self.told.is_empty()
    }

    /// Pages of the things, then those that tell the number.
    pub(super) fn pages(&self) -> Vec<PageId> {
        let things: BTreeSet<&PageId> = self.things.iter().map(|thing| &thing.page).collect();
        let told = self.told.iter().filter(|page| !things.contains(page));
        things.iter().copied().chain(told).cloned().collect()
    }

    /// The number or the list, with a place for each thing.
    pub(super) fn said(&self, question: &Question, documents: &[&DocId]) -> Said {
        let names: Vec<String> = self.things.iter().map(|thing| thing.name.clone()).collect();
        let counts = question.kind == Kind::Count;
        let place = |thing: &Thing| {
            let at = documents.iter().position(|doc| **doc == thing.page.doc)?;
            let (document, page) = (Some(at as u64 + 1), thing.page.page.get().into());
            Some(Place { document, page, quote: thing.quote.clone() })
        };
        Said {
            status: "answered".into(),
            answer: if counts { names.len().to_string() } else { String::new() },
            items: if counts { Vec::new() } else { names },
            evidence: self.things.iter().filter_map(place).collect(),
            ..Said::default()
        }
    }

    /// Whether every page in scope was looked at.
    pub(super) fn is_complete(&self) -> bool {
        self.coverage.of == Some(self.coverage.read)
    }
}

/// Things of one key are one: letters and digits in lower case.
fn key(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn schema(several: bool) -> Option<Schema> {
    let mut place: BTreeMap<&str, Value> =
        BTreeMap::from([("page", json!({"type": "integer"})), ("quote", json!({"type": "string"}))]);
    if several {
        place.insert("document", json!({"type": "integer"}));
    }
    let told = closed(json!(place));
    place.insert("name", json!({"type": "string"}));
    let list = |items: Value| json!({"type": "array", "items": items});
    Schema::new("survey", closed(json!({"things": list(closed(json!(place))), "told": list(told)}))).ok()
}
