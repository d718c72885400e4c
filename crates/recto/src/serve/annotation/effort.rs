//! What a person did on the way to an answer, and where the work stands after it.

use recto_bench::row::Search;
use recto_page::PageId;
use serde::{Deserialize, Serialize};

/// Time that can pass between two lines of it, in seconds; more is a clock that jumped.
const LONGEST: f64 = 3600.0;

/// A line of `effort.jsonl`. Pages are named as the index does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Event {
    /// The item's id; empty for a question that is being written.
    pub(crate) item: String,
    /// Seconds since 1970.
    pub(crate) at: f64,
    #[serde(flatten)]
    pub(crate) what: What,
}

/// Something that was done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub(crate) enum What {
    /// Pages were searched for; these were found.
    Search { query: String, pages: Vec<PageId> },
    /// A page was looked at.
    Open(PageId),
    /// A page was chosen as evidence.
    Cite(PageId),
    /// It was not, after all.
    Uncite(PageId),
    /// An answer was begun, or a question with it.
    Draft {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        question: String,
        answer: String,
    },
    /// So many seconds were spent since the last such line.
    Time { seconds: f64 },
    /// The answer was given.
    Answered,
    /// The question was written down under this id.
    Written { id: String },
}

/// Where the work on a question stands.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Work {
    pub(crate) searches: Vec<Search>,
    /// Pages that were looked at, each once, in order.
    pub(crate) opened: Vec<PageId>,
    /// Chosen evidence, in order.
    pub(crate) cited: Vec<PageId>,
    /// What was typed and not given yet: question, where one is being written, and answer.
    pub(crate) draft: Option<(String, String)>,
    pub(crate) seconds: f64,
}

impl Work {
    /// The work after this.
    pub(super) fn take(&mut self, what: &What) {
        match what {
            What::Search { query, pages } => self.searches.push(Search { query: query.clone(), pages: pages.clone() }),
            What::Open(page) if !self.opened.contains(page) => self.opened.push(page.clone()),
            What::Cite(page) if !self.cited.contains(page) => self.cited.push(page.clone()),
            What::Open(_) | What::Cite(_) => {}
            What::Uncite(page) => self.cited.retain(|cited| cited != page),
            What::Draft { question, answer } => self.draft = Some((question.clone(), answer.clone())),
            What::Time { seconds } if seconds.is_finite() => self.seconds += seconds.clamp(0.0, LONGEST),
            What::Time { .. } => {}
            What::Answered => self.draft = None,
            What::Written { .. } => *self = Self::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageNumber};

    use super::*;

    #[test]
    fn work_is_what_its_lines_say() {
        let page = |n| PageId::new(DocId::new("a.pdf"), PageNumber::new(n).unwrap());
        let lines = [
            What::Search { query: "mill".into(), pages: vec![page(1), page(2)] },
            What::Open(page(2)),
            What::Open(page(2)),
            What::Cite(page(2)),
            What::Cite(page(1)),
            What::Uncite(page(2)),
            What::Draft { question: String::new(), answer: "18".into() },
            What::Time { seconds: 20.5 },
            What::Time { seconds: f64::MAX },
            What::Time { seconds: -5.0 },
        ];
        let mut work = Work::default();
        for what in &lines {
            let event = Event { item: "q".into(), at: 0.5, what: what.clone() };
            let line = serde_json::to_string(&event).unwrap();
            assert_eq!(serde_json::from_str::<Event>(&line).unwrap(), event, "{line}");
            work.take(&event.what);
        }
        assert_eq!((work.opened.as_slice(), work.cited.as_slice()), (&[page(2)][..], &[page(1)][..]));
        assert_eq!((work.draft.clone(), work.seconds), (Some((String::new(), "18".into())), 20.5 + LONGEST));
        work.take(&What::Answered);
        assert_eq!((work.draft.clone(), work.searches.len()), (None, 1));
        work.take(&What::Written { id: "w".into() });
        assert_eq!(work, Work::default());
    }
}
