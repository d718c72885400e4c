//! From an action to a call: whether its arguments can be understood.

use recto_page::{DocId, PageId, PageNumber};
use recto_search::{Boolean, Scope};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rules::Rules;
use super::said::Said;
use super::shelf::Shelf;
use super::tool::Tool;
use crate::crop::{self, CropRegion};

/// The most pages that one search gives.
const MAX_TOP_K: u64 = 30;
/// The most pages that are read at once.
const MAX_READ: u32 = 4;

/// By what pages are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Everything that the index holds.
    All,
    /// A query in words and operators.
    Words,
    /// Vectors of texts.
    Meaning,
    /// Vectors of pictures.
    Pictures,
}

impl By {
    const fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Words => "words",
            Self::Meaning => "meaning",
            Self::Pictures => "pictures",
        }
    }
}

/// What a session wants done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Documents whose name or title fits a pattern, from this one on, counted from 0.
    Documents {
        /// `*` and `?` stand for other characters; all documents if empty.
        pattern: String,
        /// How many to pass over.
        from: usize,
    },
    /// Search.
    Search {
        /// By what.
        by: By,
        /// The words.
        query: String,
        /// Only these documents; all if empty.
        documents: Vec<DocId>,
        /// The most pages.
        top_k: usize,
        /// How what was found is shown.
        shown: Shown,
    },
    /// Count the pages that a query means.
    Count {
        /// The query.
        query: String,
        /// Only these documents; all if empty.
        documents: Vec<DocId>,
    },
    /// The text of pages in a row.
    Read {
        /// The first one.
        page: PageId,
        /// The last one.
        last: PageNumber,
        /// The character to begin at.
        from: usize,
    },
    /// The picture of a page or of a part.
    Look {
        /// The page.
        page: PageId,
        /// Which part.
        region: Option<CropRegion>,
        /// What is looked for.
        question: String,
    },
    /// A table.
    Table {
        /// The page that it begins on.
        page: PageId,
        /// Which one, from 1.
        table: usize,
        /// Only rows that hold this.
        rows: String,
        /// A heading, or a number from 1.
        column: String,
        /// What is computed over the column.
        compute: String,
    },
    /// Arithmetic.
    Calculate(String),
    /// A program over the corpus.
    Run(String),
    /// Check an answer on the pages that it cites.
    Verify(Said),
}

/// How what was found is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// A line for each page.
    Lines,
    /// The pages as pictures.
    Pictures,
    /// The text of the first page.
    Text,
}

/// An action's arguments.
pub(super) struct Arguments<'a>(pub(super) &'a Map<String, Value>);

impl Arguments<'_> {
    /// A text; empty if there is none.
    pub(super) fn text(&self, key: &str) -> String {
        match self.0.get(key) {
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            None | Some(Value::Null) => String::new(),
            Some(other) => other.to_string(),
        }
    }

    fn needed(&self, key: &str) -> Result<String, String> {
        let text = self.text(key);
        if text.is_empty() { Err(format!("{key:?} is missing")) } else { Ok(text) }
    }

    /// A whole number, also one written as text.
    fn number(&self, key: &str, default: u64) -> u64 {
        let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
        self.0.get(key).and_then(number).unwrap_or(default)
    }

    fn region(&self) -> Result<Option<CropRegion>, String> {
        let value = match self.0.get("region") {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
            Some(Value::String(text)) => serde_json::from_str(text).unwrap_or(Value::Null),
            Some(value) => value.clone(),
        };
        let sides: Vec<f64> = value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        let region =
            CropRegion::try_from(sides).map_err(|_| "region must be four numbers [x1, y1, x2, y2]".to_owned())?;
        crop::fault(region).map_or(Ok(Some(region)), |fault| Err(format!("region: {fault}")))
    }
}

impl Call {
    /// Reads the arguments of a tool.
    pub(super) fn read(tool: Tool, arguments: &Arguments<'_>, rules: &Rules, shelf: &Shelf) -> Result<Self, String> {
        match tool {
            Tool::ListDocuments => {
                let from = arguments.number("from", 1).saturating_sub(1);
                Ok(Self::Documents {
                    pattern: arguments.text("pattern"),
                    from: usize::try_from(from).unwrap_or(usize::MAX),
                })
            }
            Tool::Search => search(arguments, rules, shelf),
            Tool::CountPages => {
                let query = arguments.needed("query")?;
                understood(&query)?;
                Ok(Self::Count { query, documents: documents(arguments, shelf)? })
            }
            Tool::ReadPage => {
                let (page, last) = pages(&arguments.needed("page")?, shelf)?;
                let from = usize::try_from(arguments.number("from", 0)).unwrap_or(usize::MAX);
                Ok(Self::Read { page, last, from })
            }
            Tool::LookAtPage => Ok(Self::Look {
                page: pages(&arguments.needed("page")?, shelf)?.0,
                region: arguments.region()?,
                question: arguments.text("question"),
            }),
            Tool::ReadTable => Ok(Self::Table {
                page: pages(&arguments.needed("page")?, shelf)?.0,
                table: usize::try_from(arguments.number("table", 1).max(1)).unwrap_or(usize::MAX),
                rows: arguments.text("rows"),
                column: arguments.text("column"),
                compute: arguments.text("compute").to_lowercase(),
            }),
            Tool::Calculate => arguments.needed("expression").map(Self::Calculate),
            // White space at the beginning of a program has a meaning.
            Tool::Run => arguments.needed("program").map(|text| match arguments.0.get("program") {
                Some(Value::String(program)) => Self::Run(program.clone()),
                _ => Self::Run(text),
            }),
            Tool::SearchDocuments => one_query(arguments, By::Words, rules.top_k, Shown::Pictures),
            Tool::SearchText => one_query(arguments, By::All, 1, Shown::Text),
            Tool::SearchPictures => {
                let by = if rules.by.contains(&By::Pictures) { By::Pictures } else { By::All };
                one_query(arguments, by, 1, Shown::Pictures)
            }
            Tool::Finish | Tool::Answer | Tool::Decline => Err(format!("{} ends the session", tool.name())),
        }
    }

    /// A search's words.
    pub(super) fn query(&self) -> Option<&str> {
        match self {
            Self::Search { query, .. } | Self::Count { query, .. } => Some(query),
            _ => None,
        }
    }
}

fn one_query(arguments: &Arguments<'_>, by: By, top_k: usize, shown: Shown) -> Result<Call, String> {
    let query = arguments.needed("query")?;
    if by == By::Words {
        understood(&query)?;
    }
    Ok(Call::Search { by, query, documents: Vec::new(), top_k, shown })
}

fn search(arguments: &Arguments<'_>, rules: &Rules, shelf: &Shelf) -> Result<Call, String> {
    let query = arguments.needed("query")?;
    let by = match arguments.text("by").to_lowercase() {
        by if by.is_empty() => By::All,
        by => {
            let known = || rules.by.iter().map(|by| by.as_str()).collect::<Vec<_>>().join(", ");
            let named = rules.by.iter().copied().find(|known| known.as_str() == by);
            named.ok_or_else(|| format!("by: {by:?} is not available; there are {}", known()))?
        }
    };
    if by == By::Words {
        understood(&query)?;
    }
    let top_k = arguments.number("top_k", rules.top_k as u64).clamp(1, MAX_TOP_K) as usize;
    Ok(Call::Search { by, query, documents: documents(arguments, shelf)?, top_k, shown: Shown::Lines })
}

/// A query that names nothing that a page must have finds nothing.
fn understood(query: &str) -> Result<Boolean, String> {
    Boolean::parse(query).ok_or_else(|| format!("the query {query:?} holds no word that a page must have"))
}

/// The documents that are meant; none stands for all.
fn documents(arguments: &Arguments<'_>, shelf: &Shelf) -> Result<Vec<DocId>, String> {
    let key = if arguments.0.contains_key("documents") { "documents" } else { "document" };
    let text = arguments.text(key);
    if text.is_empty() || text == "all" || text == "*" {
        return Ok(Vec::new());
    }
    let whole = shelf.document(&text).map(|entry| vec![entry.id.clone()]);
    if let Some(one) = whole {
        return Ok(one);
    }
    let mut meant = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let fitting: Vec<DocId> = match shelf.document(part) {
            Some(entry) => vec![entry.id.clone()],
            None => fitting(part, shelf).map(|(_, entry)| entry.id.clone()).collect(),
        };
        if fitting.is_empty() {
            return Err(format!("no document is called {part:?}; list_documents tells their names"));
        }
        meant.extend(fitting);
    }
    meant.sort();
    meant.dedup();
    Ok(meant)
}

/// The documents whose name or title fits a pattern; without a wildcard, those that hold it.
pub(super) fn fitting<'s>(pattern: &str, shelf: &'s Shelf) -> impl Iterator<Item = (String, &'s super::shelf::Entry)> {
    let lower = pattern.to_lowercase();
    let pattern = if lower.contains(['*', '?']) { lower } else { format!("*{lower}*") };
    shelf.entries().filter(move |(_, entry)| {
        let title = entry.title.as_deref().unwrap_or_default().to_lowercase();
        [entry.id.as_str().to_lowercase(), title].iter().any(|name| recto_search::boolean::fits(&pattern, name))
    })
}

/// A page, or pages in a row.
fn pages(text: &str, shelf: &Shelf) -> Result<(PageId, PageNumber), String> {
    let range = text.rsplit_once(['-', '–']).and_then(|(first, last)| {
        let page = shelf.page(&Value::String(first.trim().into()))?;
        let last = last.trim().rsplit(':').next()?.parse::<PageNumber>().ok()?;
        Some((page, last))
    });
    let single = || shelf.page(&Value::String(text.into())).map(|page| (page.clone(), page.page));
    let (page, last) = single().or(range).ok_or_else(|| no_page(text, shelf))?;
    let most = page.page.get().saturating_add(MAX_READ - 1);
    let last = last.get().clamp(page.page.get(), most);
    let n_pages = shelf.entry(&page.doc).map_or(1, |entry| entry.n_pages);
    let last = PageNumber::new(last.min(n_pages)).unwrap_or(page.page);
    Ok((page, last))
}

fn no_page(text: &str, shelf: &Shelf) -> String {
    let name = text.split(':').next().unwrap_or_default();
    match shelf.document(name) {
        Some(entry) => format!("{text:?} is no page: {} has the pages 1 to {}", shelf.name(&entry.id), entry.n_pages),
        None => format!("{text:?} is no page; pages are named as search does, such as D1:1"),
    }
}

/// Where a call looks: everything that the desk has, if no document is named.
pub(super) fn scope(documents: &[DocId]) -> Scope {
    if documents.is_empty() { Scope::All } else { Scope::Documents(documents.iter().cloned().collect()) }
}
