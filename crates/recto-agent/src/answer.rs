//! What an answerer says: a short text, where it stands, and how much was looked at. Not how it was found.

use recto_page::{PageId, Region};
use serde::{Deserialize, Serialize};

/// The text of every decline, in every language.
pub const DECLINE: &str = "Not answerable";

/// Of the offline answerer's answers, less sure ones are weak.
const SURE: f64 = 0.5;

/// An answer to a question, with its evidence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// Whether there is an answer.
    pub status: Status,
    /// The answer as a short span (a number with its unit, a name, a list like `['a', 'b']`), or [`DECLINE`].
    pub text: String,
    /// The answer as people read it, where that differs from `text`: as the page writes it, with currency, unit and scale.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shown: Option<String>,
    /// Where it stands, best first; empty for a decline.
    pub evidence: Vec<Citation>,
    /// How sure the answerer is, 0 to 1; comparable within one answerer only. 0 for a decline. That of the offline answerer
    /// is the share of its answers that were right where as much spoke for them.
    pub confidence: f64,
    /// How many pages were looked at.
    pub coverage: Coverage,
    /// Who answered: `offline` for the answerer of this crate, else the name of the model.
    pub answerer: String,
    /// What went wrong on the way, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// Set where a language model was to answer and gave nothing.
    #[serde(skip)]
    pub missed: Option<Missed>,
}

/// Why a language model that was to answer gave nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Missed {
    /// It may the next time: it was out of reach or too slow.
    Passing,
    /// It hardly will: it said something of no use.
    Senseless,
    /// It will not: it refuses, is not there, or may cost no more.
    Lasting,
}

/// Whether there is an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The text answers the question.
    Answered,
    /// The documents do not hold the answer, or not in a form that could be read.
    NotInDocuments,
    /// The question could not be worked on.
    Failed,
}

/// A place that supports an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Citation {
    /// The page.
    pub page: PageId,
    /// The number printed on it, if the file declares one.
    pub label: Option<String>,
    /// The words that support the answer.
    pub quote: String,
    /// Where the quote stands, one region a line; empty if the page's own words do not hold it.
    pub regions: Vec<Region>,
    /// Why there is no region, or how the quote was found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

/// How many of the pages in scope an answer rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Pages that were looked at.
    pub read: u32,
    /// Pages among them that have text.
    pub with_text: u32,
    /// Pages in scope; `None` if the scope is the whole corpus.
    pub of: Option<u32>,
}

impl std::fmt::Display for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.of {
            Some(of) => write!(f, "looked at {} of {of} pages, {} with text", self.read, self.with_text),
            None => write!(f, "looked at {} pages, {} with text", self.read, self.with_text),
        }
    }
}

impl Answer {
    /// The name of this crate's own answerer.
    pub const OFFLINE: &str = "offline";

    /// "Not in the documents".
    pub fn decline(coverage: Coverage) -> Self {
        Self {
            status: Status::NotInDocuments,
            text: DECLINE.into(),
            shown: None,
            evidence: Vec::new(),
            confidence: 0.0,
            coverage,
            answerer: Self::OFFLINE.into(),
            notes: Vec::new(),
            missed: None,
        }
    }

    /// An answer that rests on `evidence`.
    pub fn found(text: impl Into<String>, evidence: Vec<Citation>, confidence: f64, coverage: Coverage) -> Self {
        Self {
            status: Status::Answered,
            text: text.into(),
            shown: None,
            evidence,
            confidence: confidence.clamp(0.0, 1.0),
            coverage,
            answerer: Self::OFFLINE.into(),
            notes: Vec::new(),
            missed: None,
        }
    }

    /// The answer for people: as the page writes it, lists as a line with commas.
    pub fn told(&self) -> String {
        let text = self.shown.as_deref().unwrap_or(&self.text);
        let items = text.starts_with('[').then(|| serde_json::from_str::<Vec<String>>(text).ok()).flatten();
        items.map_or_else(|| text.to_owned(), |items| in_a_line(&items))
    }

    /// What to say to people: [`Answer::told`], as a guess where it is one. Rules that find nothing do not know whether
    /// there is something.
    pub fn said(&self) -> String {
        match self.status {
            Status::NotInDocuments if self.answerer == Self::OFFLINE => "No answer found".to_owned(),
            Status::Answered if self.is_weak() => format!("Perhaps: {}", self.told()),
            _ => self.told(),
        }
    }

    /// True for an answer of the offline answerer that is as likely wrong as right: people are to read it as a guess.
    pub fn is_weak(&self) -> bool {
        self.status == Status::Answered && self.answerer == Self::OFFLINE && self.confidence < SURE
    }

    /// The cited pages, sorted, each once.
    pub fn pages(&self) -> Vec<PageId> {
        let mut pages: Vec<_> = self.evidence.iter().map(|c| c.page.clone()).collect();
        pages.sort();
        pages.dedup();
        pages
    }
}

/// Items with commas between them; with semicolons, if some hold commas.
fn in_a_line(items: &[String]) -> String {
    let comma = items.iter().any(|item| item.contains(','));
    items.join(if comma { "; " } else { ", " })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_no_json() {
        let check = |text: &str, shown: Option<&str>, right: &str| {
            let answer = Answer::found(text, Vec::new(), 1.0, Coverage::default());
            assert_eq!(Answer { shown: shown.map(str::to_owned), ..answer }.told(), right);
        };
        check("5007", Some("$5,007 (in millions)"), "$5,007 (in millions)");
        check(r#"["a mill", "a weir"]"#, None, "a mill, a weir");
        check(r#"["Tornby, Harl", "Brack"]"#, None, "Tornby, Harl; Brack");
        check("[sic]", None, "[sic]");
    }
}
