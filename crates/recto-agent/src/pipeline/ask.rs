//! Asks the model twice, and a third time where it differs with itself.

use recto_model::{ChatMessage, ChatRequest, ModelError, Part, Role, Schema};
use recto_page::DocId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::read::{Shown, header};
use super::{Means, Plan, agree};
use crate::fence::Fence;
use crate::prompt::{DOCUMENT_ANSWER, DOCUMENT_JUDGE, fence_rule};

/// How freely later samples are drawn.
const TEMPERATURE: f32 = 0.7;

/// What the model says.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Said {
    pub(super) status: String,
    pub(super) answer: String,
    pub(super) items: Vec<String>,
    pub(super) evidence: Vec<Place>,
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

impl Said {
    /// Whether there is an answer in it.
    pub(super) fn is_answered(&self) -> bool {
        self.status == "answered" && (!self.answer.trim().is_empty() || !self.items.is_empty())
    }
}

/// A question with its pages.
pub(super) struct Asker<'a> {
    pub(super) question: &'a str,
    pub(super) shown: &'a [Shown],
    pub(super) means: &'a Means<'a>,
    pub(super) plan: &'a Plan,
    pub(super) fence: &'a Fence,
}

impl Asker<'_> {
    /// The answer that holds, or why the model gave none.
    pub(super) fn decide(&self) -> Result<Decided, String> {
        let (mut said, mut notes) = (Vec::new(), Vec::new());
        for sample in 0..self.plan.samples.min(2) {
            match self.ask(None, sample) {
                Ok(one) => said.push(one),
                Err(error) => {
                    notes.push(error.to_string());
                    if matches!(error, ModelError::Limit { .. }) {
                        break;
                    }
                }
            }
        }
        let mut said = said.into_iter();
        match (said.next(), said.next()) {
            (None, _) => Err(notes.join("; ")),
            (Some(said), None) => {
                notes.iter_mut().for_each(|note| *note = format!("the model answered once only: {note}"));
                Ok(Decided { said, confidence: 0.5, notes })
            }
            (Some(first), Some(second)) => Ok(self.settle(first, second)),
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
        match self.ask(Some([&first, &second]), 2) {
            Ok(third) => decided(third, 0.6, Some("two answers of the model differed; a third decided".into())),
            Err(error) => {
                decided(first, 0.3, Some(format!("two answers of the model differed; no third one: {error}")))
            }
        }
    }

    fn ask(&self, answers: Option<[&Said; 2]>, sample: u32) -> Result<Said, ModelError> {
        let schema = Some(schema(self.documents().len() > 1)?);
        let rules = DOCUMENT_ANSWER.fill(&[("fence", &fence_rule(self.fence))]);
        let mut parts = self.pages();
        parts.push(Part::Text(format!("Question: {}", self.question)));
        parts.extend(answers.map(|answers| Part::Text(self.judge(answers))));
        let messages = vec![ChatMessage::system(rules), ChatMessage::new(Role::User, parts)];
        let temperature = if sample == 1 { TEMPERATURE } else { 0.0 };
        let request = ChatRequest { schema, temperature, sample, ..ChatRequest::new(messages) };
        let reply = self.means.chat.reply(&request, self.means.ledger)?;
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

fn schema(several: bool) -> Result<Schema, ModelError> {
    let mut place = json!({"page": {"type": "integer"}, "quote": {"type": "string"}});
    if several {
        place["document"] = json!({"type": "integer"});
    }
    let properties = json!({
        "status": {"type": "string", "enum": ["answered", "not_in_documents"]},
        "answer": {"type": "string"},
        "items": {"type": "array", "items": {"type": "string"}},
        "evidence": {"type": "array", "items": closed(place)},
    });
    Schema::new("answer", closed(properties))
}

/// An object with exactly these members.
fn closed(properties: Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(|members| members.keys()).collect();
    json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties})
}
