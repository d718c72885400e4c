//! Questions that people write, in the form of sets of one's own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use recto_bench::item::GradedPage;
use recto_bench::{Gold, Item};
use recto_page::PageId;

use super::log::Log;

/// A set that `recto bench` reads.
pub(super) const FILE: &str = "questions.jsonl";

/// The questions that people wrote.
pub(crate) struct Written {
    log: Log,
    pub(crate) items: Vec<Item>,
}

/// A question as it was typed.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) question: String,
    /// One entry a line; after an empty line another answer that is equally right.
    pub(crate) answer: String,
    /// The documents do not hold the answer.
    pub(crate) unanswerable: bool,
    pub(crate) pages: Vec<PageId>,
}

impl Written {
    pub(super) fn open(out: &Path) -> anyhow::Result<Self> {
        let (log, items) = Log::open(&out.join(FILE))?;
        Ok(Self { log, items })
    }

    /// Those of one person.
    pub(crate) fn by<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(move |item| item.slices.get(AUTHOR).is_some_and(|authors| authors.contains(name)))
    }

    /// Keeps a question, under an id of its own.
    ///
    /// # Errors
    /// When it can't be written.
    pub(crate) fn add(&mut self, name: &str, draft: Draft) -> anyhow::Result<String> {
        let taken: BTreeSet<&str> = self.items.iter().map(|item| item.id.as_str()).collect();
        let free = (self.items.len() + 1..).map(|n| format!("q{n:04}")).find(|id| !taken.contains(id.as_str()));
        let item = draft.item(free.unwrap_or_default(), name);
        self.log.add(&item)?;
        self.items.push(item.clone());
        Ok(item.id)
    }
}

/// The kind of group that says who wrote a question.
const AUTHOR: &str = "author";

impl Draft {
    fn item(self, id: String, name: &str) -> Item {
        let answers = if self.unanswerable { Vec::new() } else { answers(&self.answer) };
        Item {
            id,
            question: self.question.trim().into(),
            gold: Gold {
                answers,
                unanswerable: self.unanswerable,
                pages: self.pages.into_iter().map(GradedPage::from).collect(),
                ..Gold::default()
            },
            slices: BTreeMap::from([(AUTHOR.into(), BTreeSet::from([name.into()]))]),
            ..Item::default()
        }
    }
}

fn answers(text: &str) -> Vec<Vec<String>> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let blocks = lines.split(|line| line.is_empty()).filter(|block| !block.is_empty());
    blocks.map(|block| block.iter().map(|line| (*line).into()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use recto_bench::set;
    use recto_page::{DocId, PageNumber};

    use super::*;

    #[test]
    fn questions_are_a_set_that_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let page = PageId::new(DocId::new("a.pdf"), PageNumber::FIRST);
        let mut written = Written::open(folder.path()).unwrap();
        let draft = Draft {
            question: " Who? ".into(),
            answer: "Ann\nBob\n\nA. and B.".into(),
            pages: vec![page.clone()],
            ..Draft::default()
        };
        assert_eq!(written.add("ann", draft).unwrap(), "q0001");
        let mut written = Written::open(folder.path()).unwrap();
        let none = Draft { question: "Why?".into(), unanswerable: true, ..Draft::default() };
        assert_eq!(written.add("bob", none).unwrap(), "q0002");
        let set = set::open(None, &folder.path().join(FILE)).unwrap();
        assert_eq!(
            (set.items[0].question.as_str(), set.items[0].gold.answers.clone()),
            ("Who?", vec![vec!["Ann".to_owned(), "Bob".into()], vec!["A. and B.".into()]])
        );
        assert_eq!(set.items[0].gold.relevant().into_iter().collect::<Vec<_>>(), [&page]);
        assert!(set.items[1].gold.unanswerable && set.items[1].docs.is_empty());
        assert_eq!(written.by("bob").map(|item| item.id.as_str()).collect::<Vec<_>>(), ["q0002"]);
    }
}
