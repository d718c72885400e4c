//! Asks the model twice, and a third time where it differs with itself.

use std::collections::BTreeSet;

use recto_model::{ChatMessage, ChatRequest, Class, Limit, ModelError, Part, Role, Schema};
use recto_page::DocId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::compute::{Operand, computed, computes};
use super::read::{Shown, header};
use super::{Means, Plan, agree};
use crate::Question;
use crate::answer::Missed;
use crate::fence::Fence;
use crate::prompt::{DOCUMENT_ANSWER, DOCUMENT_JUDGE, DOCUMENT_NUMBERS, fence_rule};

/// How freely later samples are drawn.
const TEMPERATURE: f32 = 0.7;

/// What the model says.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Said {
    pub(super) status: String,
    pub(super) answer: String,
    pub(super) items: Vec<String>,
    pub(super) evidence: Vec<Place>,
    /// Values that the answer was computed from, and how.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) operands: Vec<Operand>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) formula: String,
}

/// A page that it names, and what it says stands there.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Place {
    /// Which of the documents shown, from 1; not said where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) document: Option<u64>,
    pub(super) page: u64,
    pub(super) quote: String,
}

/// What is taken for its answer.
pub(super) struct Decided {
    pub(super) said: Said,
    pub(super) confidence: f64,
    pub(super) notes: Vec<String>,
}

/// Why it gave none.
pub(super) struct Unsaid {
    pub(super) why: String,
    pub(super) missed: Missed,
}

impl Said {
    /// Whether there is an answer in it.
    pub(super) fn is_answered(&self) -> bool {
        self.status == "answered" && (!self.answer.trim().is_empty() || !self.items.is_empty())
    }
}

/// A question with its pages.
pub(super) struct Asker<'a> {
    /// As it was asked.
    pub(super) text: &'a str,
    /// Taken apart.
    pub(super) question: &'a Question,
    pub(super) shown: &'a [Shown],
    /// What the program found out about the pages.
    pub(super) facts: &'a str,
    /// An answer that was found otherwise, in place of the first one.
    pub(super) first: Option<Said>,
    pub(super) means: &'a Means<'a>,
    pub(super) plan: &'a Plan,
    pub(super) fence: &'a Fence,
}

impl Asker<'_> {
    /// The answer that holds, or why the model gave none.
    pub(super) fn decide(&self) -> Result<Decided, Unsaid> {
        let mut said: Vec<Said> = self.first.clone().into_iter().collect();
        let (mut notes, mut failures, mut missed) = (Vec::new(), Vec::new(), Missed::Passing);
        for sample in said.len() as u32..self.plan.samples.min(2) {
            match self.ask(None, sample, &mut notes) {
                Ok(one) => said.push(computed(one, self.question, self.shown, &mut notes)),
                Err(error) => {
                    failures.push(error.to_string());
                    missed = missed.max(kind_of(&error));
                    if matches!(error, ModelError::Limit { .. }) {
                        break;
                    }
                }
            }
        }
        let mut said = said.into_iter();
        match (said.next(), said.next()) {
            (None, _) => Err(Unsaid { why: failures.join("; "), missed }),
            (Some(said), None) => {
                notes.extend(failures.iter().map(|why| format!("the model answered once only: {why}")));
                Ok(Decided { said, confidence: 0.5, notes })
            }
            (Some(first), Some(second)) => {
                let decided = self.settle(first, second);
                notes.extend(decided.notes);
                let mut told = BTreeSet::new();
                notes.retain(|note| told.insert(note.clone()));
                Ok(Decided { notes, ..decided })
            }
        }
    }

    /// Two that agree stand; of two that do not, a third decides. Where they differ on whether there is an answer at all,
    /// there is none.
    fn settle(&self, first: Said, second: Said) -> Decided {
        let decided =
            |said, confidence, note: Option<String>| Decided { said, confidence, notes: note.into_iter().collect() };
        if first.is_answered() != second.is_answered() {
            let note = "the model was not sure that the answer is in the documents";
            return decided(Said::default(), 0.0, Some(note.into()));
        }
        if agree::agree(&first, &second) {
            return decided(first, 0.9, None);
        }
        let mut notes = vec!["two answers of the model differed; a third decided".to_owned()];
        match self.ask(Some([&first, &second]), 2, &mut notes) {
            Ok(third) => {
                let said = computed(third, self.question, self.shown, &mut notes);
                Decided { said, confidence: 0.6, notes }
            }
            Err(error) => {
                decided(first, 0.3, Some(format!("two answers of the model differed; no third one: {error}")))
            }
        }
    }

    /// One answer; what was left out of the request is noted.
    fn ask(&self, answers: Option<[&Said; 2]>, sample: u32, notes: &mut Vec<String>) -> Result<Said, ModelError> {
        let computes = computes(self.question);
        let schema = Some(schema(self.documents().len() > 1, computes)?);
        let rules = DOCUMENT_ANSWER.fill(&[("fence", &fence_rule(self.fence))]);
        let mut parts = self.pages();
        parts.extend(computes.then(|| Part::Text(DOCUMENT_NUMBERS.fill(&[]))));
        parts.extend((!self.facts.is_empty()).then(|| Part::Text(self.facts.to_owned())));
        parts.push(Part::Text(format!("Question: {}", self.text)));
        parts.extend(answers.map(|answers| Part::Text(self.judge(answers))));
        let messages = vec![ChatMessage::system(rules), ChatMessage::new(Role::User, parts)];
        let temperature = if sample == 1 { TEMPERATURE } else { 0.0 };
        let request = ChatRequest { schema, temperature, sample, ..ChatRequest::new(messages) };
        let reply = self.means.chat.reply(&request, self.means.ledger)?;
        notes.extend(reply.notes);
        serde_json::from_value(reply.json.unwrap_or_default())
            .map_err(|error| ModelError::BadReply { why: error.to_string() })
    }

    /// The pages by document, each with its text and its picture.
    fn pages(&self) -> Vec<Part> {
        let documents = self.documents();
        let mut parts = Vec::new();
        for shown in self.shown {
            let mut text = header(&shown.page);
            if documents.len() > 1 {
                let at = documents.iter().position(|doc| *doc == &shown.id.doc).unwrap_or(0);
                text = format!("Document {}, {text}", at + 1);
            }
            let body = if shown.text.is_empty() { "no text on record" } else { &shown.text };
            parts.push(Part::Text(format!("{text}\n{}", self.fence.around(body))));
            parts.extend(shown.picture.clone().map(Part::Image));
            for zoom in &shown.zooms {
                let words = if zoom.words.is_empty() { "no words" } else { &zoom.words };
                let (name, words) = (&zoom.name, self.fence.around(words));
                parts.push(Part::Text(format!("The same page, {name} enlarged; the words in it:\n{words}")));
                parts.push(Part::Image(zoom.picture.clone()));
            }
        }
        parts
    }

    fn documents(&self) -> Vec<&DocId> {
        documents(self.shown)
    }

    /// Answers quote pages, so they are fenced as pages are.
    fn judge(&self, answers: [&Said; 2]) -> String {
        let told = answers.map(|said| serde_json::to_string(said).unwrap_or_default());
        DOCUMENT_JUDGE.fill(&[("answers", &self.fence.around(&told.join("\n")))])
    }
}

/// The documents that pages are shown of, in the order in which they are first shown.
pub(super) fn documents(shown: &[Shown]) -> Vec<&DocId> {
    let mut documents: Vec<&DocId> = Vec::new();
    for shown in shown {
        if !documents.contains(&&shown.id.doc) {
            documents.push(&shown.id.doc);
        }
    }
    documents
}

/// Whether asking again may help.
const fn kind_of(error: &ModelError) -> Missed {
    match error {
        ModelError::Chat(failure) if failure.class.is_passing() => Missed::Passing,
        ModelError::Chat(failure) => match failure.class {
            Class::Schema | Class::OutOfTokens | Class::NotChat => Missed::Senseless,
            _ => Missed::Lasting,
        },
        ModelError::Limit { limit: Limit::Time, .. } | ModelError::Unavailable { .. } => Missed::Passing,
        ModelError::BadReply { .. } => Missed::Senseless,
        _ => Missed::Lasting,
    }
}

fn schema(several: bool, computes: bool) -> Result<Schema, ModelError> {
    let text = json!({"type": "string"});
    let mut place = json!({"page": {"type": "integer"}, "quote": text});
    if several {
        place["document"] = json!({"type": "integer"});
    }
    let mut properties = json!({
        "status": {"type": "string", "enum": ["answered", "not_in_documents"]},
        "answer": text,
        "items": {"type": "array", "items": text},
        "evidence": {"type": "array", "items": closed(place)},
    });
    if computes {
        let page = json!({"type": "integer"});
        let operand = json!({"name": text, "label": text, "value": text, "page": page, "cell": text});
        properties["operands"] = json!({"type": "array", "items": closed(operand)});
        properties["formula"] = text;
    }
    Schema::new("answer", closed(properties))
}

/// An object with exactly these members.
pub(super) fn closed(properties: Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(|members| members.keys()).collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}
