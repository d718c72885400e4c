//! Pages: what is known of each, its text, its words with their places, its tables.

use axum::Json;
use axum::http::StatusCode;
use recto_page::{DocId, Page, PageError, PageId, Pages, Region, Table, TextLayer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::documents::ProblemBody;
use crate::library::Shelf;
use crate::percent::encoded;
use crate::serve::endpoint::Endpoint;
use crate::serve::extract::{Asked, within};
use crate::serve::fault::Fault;
use crate::serve::part::Part;
use crate::serve::visit::Visit;

const TAG: &str = "pages";

/// Left, top, right, bottom as fractions of the page.
pub(crate) type Ltrb = [f64; 4];

/// A page in a list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PageRow {
    document: String,
    /// Counted from 1
    page: u32,
    /// What is printed on the page, as the file declares it
    label: Option<String>,
    /// In points of 1/72 inch, as displayed
    width: f64,
    /// In points of 1/72 inch, as displayed
    height: f64,
    /// Where its text came from, such as `layer` or `ocr`
    text_source: String,
    /// Number of problems
    problems: usize,
    /// Where it is found here
    url: String,
    /// Where its picture is found here
    image: String,
}

/// What is known of a page.
#[derive(Serialize, JsonSchema)]
struct PageBody {
    #[serde(flatten)]
    row: PageRow,
    /// Number of pages of the document
    pages: u32,
    /// Why the text came from there
    text_reason: String,
    /// What it holds, in the order in which it is read
    blocks: Vec<BlockBody>,
    links: Vec<LinkBody>,
    /// What the file says and a reader of the page can't see: no answer should rest on it
    hidden: Vec<HiddenBody>,
    found_problems: Vec<ProblemBody>,
}

/// A paragraph, heading, table, ...
#[derive(Serialize, JsonSchema)]
struct BlockBody {
    /// Such as `text`, `heading`, `table`, `figure`, `caption`
    kind: String,
    region: Ltrb,
    text: String,
}

/// An area that leads elsewhere.
#[derive(Serialize, JsonSchema)]
struct LinkBody {
    region: Ltrb,
    /// An address, as the file has it
    uri: Option<String>,
    /// A page of the same document
    page: Option<u32>,
}

/// Text that can't be seen.
#[derive(Serialize, JsonSchema)]
struct HiddenBody {
    /// Why not, such as `invisible` or `same_colour`
    kind: String,
    region: Ltrb,
    text: String,
}

/// How the text is wanted.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TextQuery {
    #[serde(default)]
    format: Format,
    /// How many characters to pass over: `next_offset` of the reply before
    #[serde(default)]
    offset: u32,
    /// How many characters, at most
    #[serde(default = "many_chars")]
    #[schemars(range(min = 100, max = 1_000_000))]
    max_chars: u32,
}

const fn many_chars() -> u32 {
    100_000
}

/// How a text is written.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Format {
    /// Tables and headings as Markdown
    #[default]
    Markdown,
    /// As it is searched
    Plain,
}

/// The text of a page.
#[derive(Serialize, JsonSchema)]
struct TextBody {
    document: String,
    page: u32,
    label: Option<String>,
    text_source: String,
    text: String,
    /// How many characters there are, also beyond this part
    total_chars: usize,
    /// Where the text goes on, if it does
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

/// The words of a page, in the order in which they are read.
#[derive(Serialize, JsonSchema)]
struct WordsBody {
    document: String,
    page: u32,
    width: f64,
    height: f64,
    text_source: String,
    words: Vec<WordBody>,
}

/// A word and its place.
#[derive(Serialize, JsonSchema)]
struct WordBody {
    text: String,
    region: Ltrb,
    /// Which line it stands in, from 0
    line: usize,
    /// Which block it stands in, from 0
    block: usize,
}

/// The tables of a page.
#[derive(Serialize, JsonSchema)]
struct TablesBody {
    document: String,
    page: u32,
    width: f64,
    height: f64,
    tables: Vec<TableBody>,
}

/// A table.
#[derive(Serialize, JsonSchema)]
struct TableBody {
    region: Ltrb,
    rows: usize,
    columns: usize,
    /// Rows at the top that name columns
    header_rows: usize,
    caption: Option<String>,
    /// Whether it goes on from the page before
    continued: bool,
    cells: Vec<CellBody>,
    markdown: String,
}

/// A cell.
#[derive(Serialize, JsonSchema)]
struct CellBody {
    /// From 0
    row: usize,
    /// From 0
    column: usize,
    row_span: usize,
    column_span: usize,
    text: String,
    region: Ltrb,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/v1/collections/{collection}/documents/{document}/pages/{page}",
            (TAG, "get_page"),
            "What is known of a page",
            get,
        )
        .gives::<PageBody>(StatusCode::OK, "The page"),
        Endpoint::get(
            "/v1/collections/{collection}/documents/{document}/pages/{page}/text",
            (TAG, "get_text"),
            "The text of a page, without what a reader can't see",
            text,
        )
        .query::<TextQuery>()
        .gives::<TextBody>(StatusCode::OK, "Text"),
        Endpoint::get(
            "/v1/collections/{collection}/documents/{document}/pages/{page}/words",
            (TAG, "get_words"),
            "The words of a page with their places",
            words,
        )
        .gives::<WordsBody>(StatusCode::OK, "Words"),
        Endpoint::get(
            "/v1/collections/{collection}/documents/{document}/pages/{page}/tables",
            (TAG, "get_tables"),
            "The tables of a page",
            tables,
        )
        .gives::<TablesBody>(StatusCode::OK, "Tables"),
    ]
}

/// The page that an address names, of copies the original's, and how many the document has.
///
/// # Errors
/// When there is none.
pub(crate) fn found(shelf: &Shelf<'_>, document: &str, page: &str) -> anyhow::Result<(PageId, Page, u32)> {
    let document = shelf.corpus.catalog.original(&DocId::new(document))?;
    let id = shelf.corpus.page(&document.id, page).map_err(|_| Fault::not_found("page"))?;
    let page = shelf.corpus.catalog.page(&id)?.ok_or_else(|| PageError::NoPage(id.clone()))?;
    Ok((id, page, document.n_pages))
}

/// Looks at the page that the address names.
async fn look<T: Send + 'static>(
    visit: &Visit,
    look: impl FnOnce(&PageId, &Page, u32) -> T + Send + 'static,
) -> Result<Json<T>, Fault> {
    let (document, page) = (visit.named("document").to_owned(), visit.named("page").to_owned());
    let looked = visit.look(move |shelf| {
        let (id, page, n_pages) = found(shelf, &document, &page)?;
        Ok(look(&id, &page, n_pages))
    });
    Ok(Json(looked.await?))
}

async fn get(visit: Visit) -> Result<Json<PageBody>, Fault> {
    let base = visit.base();
    look(&visit, move |id, page, pages| {
        let reading = page.reading();
        PageBody {
            row: PageRow::of(id, page, &base),
            pages,
            text_reason: word(&page.text_reason),
            blocks: blocks(&reading),
            links: page.links.iter().map(link).collect(),
            hidden: page
                .hidden
                .iter()
                .map(|hidden| HiddenBody {
                    kind: word(&hidden.kind),
                    region: sides(hidden.region),
                    text: hidden.text.clone(),
                })
                .collect(),
            found_problems: page.problems.iter().map(|problem| ProblemBody::of(&id.doc, problem)).collect(),
        }
    })
    .await
}

async fn text(visit: Visit, Asked(asked): Asked<TextQuery>) -> Result<Json<TextBody>, Fault> {
    let limit = within("max_chars", asked.max_chars, 100, 1_000_000)? as usize;
    let part = Part { offset: asked.offset as usize, limit };
    look(&visit, move |id, page, _| {
        let text = match asked.format {
            Format::Markdown => page.to_markdown(),
            Format::Plain => page.text(),
        };
        let text = text.trim_end();
        let total_chars = text.chars().count();
        TextBody {
            document: id.doc.to_string(),
            page: id.page.get(),
            label: page.label.clone(),
            text_source: page.text_source.as_str().into(),
            text: part.of(text.chars()).collect(),
            total_chars,
            next_offset: part.next(total_chars),
        }
    })
    .await
}

async fn words(visit: Visit) -> Result<Json<WordsBody>, Fault> {
    look(&visit, |id, page, _| WordsBody {
        document: id.doc.to_string(),
        page: id.page.get(),
        width: points(page.size.width),
        height: points(page.size.height),
        text_source: page.text_source.as_str().into(),
        words: words_of(&page.reading()),
    })
    .await
}

async fn tables(visit: Visit) -> Result<Json<TablesBody>, Fault> {
    look(&visit, |id, page, _| TablesBody {
        document: id.doc.to_string(),
        page: id.page.get(),
        width: points(page.size.width),
        height: points(page.size.height),
        tables: page.tables.iter().map(table).collect(),
    })
    .await
}

impl PageRow {
    pub(crate) fn of(id: &PageId, page: &Page, base: &str) -> Self {
        let url = format!("{base}/documents/{}/pages/{}", encoded(id.doc.as_str()), id.page);
        Self {
            document: id.doc.to_string(),
            page: id.page.get(),
            label: page.label.clone(),
            width: points(page.size.width),
            height: points(page.size.height),
            text_source: page.text_source.as_str().into(),
            problems: page.problems.len(),
            image: format!("{url}/image"),
            url,
        }
    }
}

fn blocks(reading: &TextLayer) -> Vec<BlockBody> {
    let body = |block: &recto_page::Block| {
        let lines: Vec<String> = reading.lines_of(block).iter().map(|line| reading.line_text(line)).collect();
        BlockBody { kind: word(&block.kind), region: sides(block.region), text: lines.join("\n") }
    };
    reading.blocks.iter().map(body).collect()
}

fn words_of(reading: &TextLayer) -> Vec<WordBody> {
    let mut words = Vec::new();
    for (block_at, block) in reading.blocks.iter().enumerate() {
        for (line_at, line) in (block.lines.start..).zip(reading.lines_of(block)) {
            words.extend(reading.words_of(line).iter().map(|word| WordBody {
                text: word.text.clone(),
                region: sides(word.region),
                line: line_at,
                block: block_at,
            }));
        }
    }
    words
}

fn link(link: &recto_page::page::Link) -> LinkBody {
    let (uri, page) = match &link.target {
        recto_page::page::LinkTarget::Uri(uri) => (Some(uri.clone()), None),
        recto_page::page::LinkTarget::Page(page) => (None, Some(page.get())),
    };
    LinkBody { region: sides(link.region), uri, page }
}

fn table(table: &Table) -> TableBody {
    let cell = |cell: &recto_page::Cell| CellBody {
        row: cell.row,
        column: cell.column,
        row_span: cell.row_span,
        column_span: cell.column_span,
        text: cell.text.clone(),
        region: sides(cell.region),
    };
    TableBody {
        region: sides(table.region),
        rows: table.rows,
        columns: table.columns,
        header_rows: table.header_rows,
        caption: table.caption.clone(),
        continued: table.continued,
        cells: table.cells.iter().map(cell).collect(),
        markdown: table.to_markdown(),
    }
}

/// The sides of a region, to the hundred-thousandth that they are kept with.
pub(crate) fn sides(region: Region) -> Ltrb {
    region.ltrb().map(|side| (f64::from(side) * 1e5).round() / 1e5)
}

/// A length in points, to the thousandth.
pub(crate) fn points(length: f32) -> f64 {
    (f64::from(length) * 1e3).round() / 1e3
}

/// The word by which a value of a list is written.
pub(crate) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
