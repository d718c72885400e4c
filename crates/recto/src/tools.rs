//! The tools of an episode over an index: pages of a scope under opaque handles, searched by the index, drawn and read on
//! demand.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

use recto_agent::action::Route as EpisodeRoute;
use recto_agent::crop::{self, CropRegion};
use recto_agent::handle::{HandleSpace, PageHandle};
use recto_agent::toolbox::{Hit, ReadText, TextBlock, ToolError, Toolbox};
use recto_model::RecognizedLine;
use recto_page::{IndexDir, Page, PageImage, PageImages, Pages, Region};
use recto_search::{Ranker, Route, Scope, SearchError};

use crate::commands::index::recognizer::LazyRecognizer;
use crate::config::Config;
use crate::corpus::{Corpus, Pictures};
use crate::encoders::Encoders;
use crate::finder::Finder;

/// Resolution of pages in episodes, as VisDocAgentBench draws them.
const DPI: u32 = 144;
/// So many pages are kept drawn: more than a call can show.
const DRAWN: usize = 12;

/// An index, and what is needed to search, draw and read its pages.
#[derive(Clone, Copy)]
pub(crate) struct Index<'a> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) dir: &'a IndexDir,
    pub(crate) encoders: &'a Encoders,
    pub(crate) config: &'a Config,
}

/// The tools of one episode.
pub(crate) struct CorpusTools<'a> {
    corpus: &'a Corpus,
    scope: Scope,
    pub(crate) space: HandleSpace,
    ranker: Ranker,
    finder: Finder<'a>,
    /// What searches go by, in words.
    search_route: String,
    pictures: Pictures,
    recognizer: LazyRecognizer<'a>,
    /// Pages that were drawn, the last one last.
    drawn: RefCell<Vec<(PageHandle, Arc<PageImage>)>>,
}

impl<'a> CorpusTools<'a> {
    pub(crate) fn new(index: &Index<'a>, scope: Scope, route: EpisodeRoute, seed: u64) -> anyhow::Result<Self> {
        let Index { corpus, dir, encoders, config } = *index;
        let (ranker, finder) = finder(corpus, encoders, route)?;
        let held: Vec<&str> = finder.routes.held().into_iter().map(Route::as_str).collect();
        let search_route = match &ranker {
            Ranker::Hybrid => format!("hybrid of {}", held.join(", ")),
            other => other.to_string(),
        };
        Ok(Self {
            space: HandleSpace::new(corpus.pages(&scope)?, seed),
            corpus,
            scope,
            ranker,
            finder,
            search_route,
            pictures: Pictures::new(dir, config, None)?,
            recognizer: LazyRecognizer::new(config),
            drawn: RefCell::default(),
        })
    }

    fn page(&self, handle: PageHandle) -> Result<Page, ToolError> {
        let id = self.space.page(handle).ok_or_else(|| ToolError::new("the corpus has no such page"))?;
        // A page's name must not reach the planner, not in an error either.
        let page = self.corpus.catalog.page(id).map_err(|_| ToolError::new("the index can't be read"))?;
        page.ok_or_else(|| ToolError::new("the index has no record of the page"))
    }

    fn draw(&self, handle: PageHandle) -> Result<PageImage, ToolError> {
        let id = self.space.page(handle).ok_or_else(|| ToolError::new("the corpus has no such page"))?;
        let image = self.pictures.image(id, Region::FULL, DPI);
        image.map_err(|_| ToolError::new("the page can't be drawn; go on with other pages"))
    }

    /// Reads pixels, where the page's record has no text.
    fn recognize(&self, handle: PageHandle, region: Option<CropRegion>) -> Result<ReadText, ToolError> {
        let whole = self.page_image(handle)?;
        let part = region.and_then(|region| crop::cut(&whole, region));
        let no_model = |why: &str| ToolError::new(format!("there is no text on record, and no OCR here: {why}"));
        let model = self.recognizer.get().map_err(no_model)?;
        let start = Instant::now();
        let late = || start.elapsed() > self.recognizer.time();
        let read = model.recognize(part.as_ref().unwrap_or(&whole), &late);
        let read = read.map_err(|error| ToolError::new(error.to_string()))?;
        let blocks: Vec<TextBlock> = read.lines.iter().filter_map(recognized).collect();
        Ok(ReadText { text: joined(&blocks), blocks, engine: model.name().into() })
    }
}

impl Toolbox for CorpusTools<'_> {
    fn search(&self, query: &str, top_k: usize) -> Result<Vec<Hit>, ToolError> {
        let query = self.finder.query(query, &self.ranker);
        let ranking = query.and_then(|query| self.finder.rank(&self.ranker, &query, &self.scope, top_k));
        let ranking = ranking.map_err(|error| match error {
            SearchError::EmptyQuery => {
                ToolError::new("the query holds no word; search for words that may stand on the page")
            }
            _ => ToolError::new("the index can't be searched"),
        })?;
        let hit = |hit: recto_search::Hit| {
            Some(Hit { page_handle: self.space.handle(&hit.page)?, score: rounded(hit.score) })
        };
        Ok(ranking.0.into_iter().filter_map(hit).collect())
    }

    fn search_route(&self) -> &str {
        &self.search_route
    }

    fn page_image(&self, page: PageHandle) -> Result<Arc<PageImage>, ToolError> {
        let mut drawn = self.drawn.borrow_mut();
        let at = drawn.iter().position(|(handle, _)| *handle == page);
        let entry = match at {
            Some(at) => drawn.remove(at),
            None => (page, Arc::new(self.draw(page)?)),
        };
        if drawn.len() >= DRAWN {
            drawn.remove(0);
        }
        drawn.push(entry.clone());
        Ok(entry.1)
    }

    fn read_image(&self, page: PageHandle, region: Option<CropRegion>) -> Result<ReadText, ToolError> {
        let record = self.page(page)?;
        let blocks = lines_within(&record, region.unwrap_or([0.0, 0.0, 1.0, 1.0]));
        let text = if region.is_some() { joined(&blocks) } else { record.text() };
        if text.trim().is_empty() {
            return self.recognize(page, region);
        }
        Ok(ReadText { text, blocks, engine: format!("record:{}", record.text_source.as_str()) })
    }

    fn page_text(&self, page: PageHandle) -> Result<String, ToolError> {
        let text = self.page(page)?.text();
        let none = "there is no text of this page on record; only its picture can tell what is on it";
        if text.trim().is_empty() { Err(ToolError::new(none)) } else { Ok(text) }
    }
}

/// What ranks: pictures of pages by their vectors if the index has them, else everything that it has.
fn finder<'a>(corpus: &'a Corpus, encoders: &'a Encoders, route: EpisodeRoute) -> anyhow::Result<(Ranker, Finder<'a>)> {
    let page = Ranker::One(Route::Page);
    let wanted = (route == EpisodeRoute::Visual).then(|| Finder::new(corpus, &page, encoders));
    match wanted {
        Some(Ok(finder)) => Ok((page, finder)),
        Some(Err(error)) if !matches!(error.downcast_ref(), Some(SearchError::NoRoute(_))) => Err(error),
        _ => Ok((Ranker::Hybrid, Finder::new(corpus, &Ranker::Hybrid, encoders)?)),
    }
}

/// The lines of a page whose middle is in the region, with their places in it.
fn lines_within(page: &Page, [left, top, right, bottom]: CropRegion) -> Vec<TextBlock> {
    let reading = page.reading();
    let within = |line: &recto_page::Line| {
        let words = reading.words_of(line).iter().filter(|word| {
            let (x, y) = word.region.center();
            (left..=right).contains(&f64::from(x)) && (top..=bottom).contains(&f64::from(y))
        });
        let words: Vec<_> = words.collect();
        let region = Region::around(words.iter().map(|word| &word.region))?;
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let x = |x: f32| rounded(((f64::from(x) - left) / (right - left)).clamp(0.0, 1.0));
        let y = |y: f32| rounded(((f64::from(y) - top) / (bottom - top)).clamp(0.0, 1.0));
        let bbox = [x(region.left()), y(region.top()), x(region.right()), y(region.bottom())];
        Some(TextBlock { text, bbox, confidence: None })
    };
    reading.lines.iter().filter_map(within).collect()
}

fn recognized(line: &RecognizedLine) -> Option<TextBlock> {
    let region = Region::around(line.words.iter().map(|word| &word.region))?;
    let text = line.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let bbox = region.ltrb().map(|side| rounded(f64::from(side)));
    Some(TextBlock { text, bbox, confidence: Some(rounded(f64::from(line.confidence))) })
}

/// Four decimals: what a planner can tell apart.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

fn joined(blocks: &[TextBlock]) -> String {
    blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
}
