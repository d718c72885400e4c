//! What each agent can do: names, arguments, one line for its prompt.

use super::call::By;
use super::rules::{Kind, Rules};

/// A tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    ListDocuments,
    Search,
    CountPages,
    ReadPage,
    LookAtPage,
    ReadTable,
    Calculate,
    SearchDocuments,
    SearchText,
    SearchPictures,
    Run,
    Finish,
    Answer,
    Decline,
}

impl Tool {
    const ALL: [Self; 14] = [
        Self::ListDocuments,
        Self::Search,
        Self::CountPages,
        Self::ReadPage,
        Self::LookAtPage,
        Self::ReadTable,
        Self::Calculate,
        Self::SearchDocuments,
        Self::SearchText,
        Self::SearchPictures,
        Self::Run,
        Self::Finish,
        Self::Answer,
        Self::Decline,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ListDocuments => "list_documents",
            Self::Search => "search",
            Self::CountPages => "count_pages",
            Self::ReadPage => "read_page",
            Self::LookAtPage => "look_at_page",
            Self::ReadTable => "read_table",
            Self::Calculate => "calculate",
            Self::SearchDocuments => "search_documents",
            Self::SearchText => "search_text",
            Self::SearchPictures => "search_pictures",
            Self::Run => "run",
            Self::Finish => "finish",
            Self::Answer => "answer",
            Self::Decline => "decline",
        }
    }

    /// The tools of an agent, in the order in which its prompt lists them.
    pub(super) const fn of(kind: Kind) -> &'static [Self] {
        match kind {
            Kind::Recto => &[
                Self::Search,
                Self::CountPages,
                Self::ListDocuments,
                Self::ReadPage,
                Self::LookAtPage,
                Self::ReadTable,
                Self::Calculate,
                Self::Answer,
                Self::Decline,
            ],
            Kind::Bm25 => &[Self::SearchDocuments, Self::Answer],
            Kind::Rlm => &[Self::Run, Self::Finish, Self::Answer],
            Kind::McSearch => &[Self::SearchText, Self::SearchPictures, Self::Answer],
        }
    }

    /// The tool of this agent that is called so.
    pub(super) fn named(kind: Kind, name: &str) -> Option<Self> {
        Self::of(kind).iter().copied().find(|tool| tool.name() == name)
    }

    /// Whether some agent has a tool of this name.
    pub(super) fn exists(name: &str) -> bool {
        Self::ALL.iter().any(|tool| tool.name() == name)
    }

    /// What it does and takes, for prompts; empty for what ends a session, which prompts explain themselves.
    fn about(self, rules: &Rules) -> String {
        match self {
            Self::Search => format!(
                "search(query, by, documents, top_k): the best pages with a snippet each. by: {}. documents, if only some are \
                 meant: short names such as \"D3, D7\", or a pattern such as \"*2021*\". top_k: 1 to 30, {} if left out.",
                ways(&rules.by),
                rules.top_k
            ),
            Self::CountPages => {
                "count_pages(query, documents): how many pages, and which, hold what the query says, over all pages and not only \
                 the best; what stands around it is shown for up to 40 pages; query as in search by \"words\"."
                    .into()
            }
            Self::ListDocuments => {
                "list_documents(pattern, from): names, titles and lengths of documents, 40 at a time from number `from` on; \
                 pattern such as \"*budget*\", all if left out."
                    .into()
            }
            Self::ReadPage => {
                "read_page(page, from): the text of a page (\"D3:7\") or of up to four in a row (\"D3:7-9\"), tables as Markdown; \
                 from: the character to go on at."
                    .into()
            }
            Self::LookAtPage if rules.sees => {
                "look_at_page(page, region): its picture in your next turn, for charts, figures, layout, handwriting, colours, or \
                 text that reads wrong. region [x1, y1, x2, y2] in fractions of the page, (0, 0) its top left corner, enlarges a part."
                    .into()
            }
            Self::LookAtPage => {
                "look_at_page(page, region, question): what its picture shows, told in words, for charts, figures, layout. region \
                 [x1, y1, x2, y2] in fractions of the page, (0, 0) its top left corner; question: what to look for."
                    .into()
            }
            Self::ReadTable => {
                "read_table(page, table, rows, column, compute): a table of a page (table: 1 for its first) with what goes on on \
                 the next pages; rows: only those that hold this text; column: a heading or number, compute over it: sum, mean, \
                 median, min, max or count."
                    .into()
            }
            Self::Calculate => format!("calculate(expression): exact arithmetic. {}", crate::calculator::HELP),
            Self::SearchDocuments => format!(
                "search_documents(query): the {} best pages as pictures. Words must all stand on a page; \"quoted words\" side by \
                 side; AND, OR, NOT and parentheses; * for any characters and ? for one, as in amort* or wom?n.",
                rules.top_k
            ),
            Self::SearchText => {
                "search_text(sub_question, query): the one page whose text fits the query best, as text.".into()
            }
            Self::SearchPictures => {
                "search_pictures(sub_question, query): the one page whose picture fits the query best, as a picture.".into()
            }
            Self::Run | Self::Finish | Self::Answer | Self::Decline => String::new(),
        }
    }
}

fn ways(by: &[By]) -> String {
    let way = |by: &By| match by {
        By::All => "\"all\" (everything that the index knows; if left out)",
        By::Words => {
            "\"words\" (exactly these words: all of them, \"in quotes\" side by side, OR, NOT, parentheses, amort* and wom?n)"
        }
        By::Meaning => "\"meaning\" (texts that say it in other words)",
        By::Pictures => "\"pictures\" (pages that look so)",
    };
    by.iter().map(way).collect::<Vec<_>>().join(", ")
}

/// One line a tool.
pub(super) fn lines(rules: &Rules) -> String {
    let about = Tool::of(rules.kind).iter().map(|tool| tool.about(rules)).filter(|about| !about.is_empty());
    about.map(|about| format!("- {about}\n")).collect()
}

/// The names of an agent's tools.
pub(super) fn names(kind: Kind) -> String {
    Tool::of(kind).iter().map(|tool| tool.name()).collect::<Vec<_>>().join(", ")
}
