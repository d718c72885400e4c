//! The desk of an agent over an index: pages of a scope, searched by every route that the index has, read from their
//! records, drawn on demand.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Instant;

use recto_agent::agent::{By, Desk, Entry, Hit, Shelf};
use recto_agent::program::{self, Library, Limits, Memory};
use recto_agent::prompt::AGENT_DESCRIBE;
use recto_agent::toolbox::ToolError;
use recto_model::{Chat, ChatImage, ChatMessage, ChatRequest, Ledger, Part, Role};
use recto_page::{Document, DocumentState, Page, PageId, PageImage, PageImages, Pages, Region};
use recto_search::{Boolean, Query, Ranker, Ranking, Route, Scope, SearchError, snippet_of};

use crate::commands::ask::unread;
use crate::commands::index::recognizer::LazyRecognizer;
use crate::corpus::{Corpus, Pictures};
use crate::finder::Finder;
use crate::tools::Index;

/// About the length of a snippet.
const SNIPPET: usize = 300;
/// So many pictures are kept drawn.
const DRAWN: usize = 12;
/// A program may ask the model so often.
const ASKED: u32 = 30;

/// The models that work for a desk, and what they may cost.
#[derive(Clone, Copy)]
pub(crate) struct Helpers<'a> {
    /// Tells planners that see nothing what a picture shows.
    pub(crate) sees: Option<&'a dyn Chat>,
    /// Answers what programs ask.
    pub(crate) reads: Option<&'a dyn Chat>,
    pub(crate) ledger: &'a Ledger,
}

/// A page, the part of it, dots per inch, and the picture.
type Drawn = (PageId, [f32; 4], u32, PageImage);

/// The desk of one session.
pub(crate) struct CorpusDesk<'a> {
    corpus: &'a Corpus,
    scope: Scope,
    finder: Finder<'a>,
    pictures: Pictures,
    recognizer: LazyRecognizer<'a>,
    helpers: Helpers<'a>,
    /// Pictures that were drawn, the last one last.
    drawn: RefCell<Vec<Drawn>>,
    /// Variables of its programs.
    memory: RefCell<Memory>,
    /// How often programs have asked the model.
    asked: RefCell<u32>,
}

impl<'a> CorpusDesk<'a> {
    pub(crate) fn new(index: &Index<'a>, scope: Scope, helpers: Helpers<'a>) -> anyhow::Result<Self> {
        let Index { corpus, dir, encoders, config } = *index;
        Ok(Self {
            corpus,
            scope,
            finder: Finder::new(corpus, &Ranker::Hybrid, encoders)?,
            pictures: Pictures::new(dir, config, None)?,
            recognizer: LazyRecognizer::new(config),
            helpers,
            drawn: RefCell::default(),
            memory: RefCell::default(),
            asked: RefCell::default(),
        })
    }

    /// The documents of the scope that could be read; of copies the original.
    pub(crate) fn shelf(&self) -> anyhow::Result<Shelf> {
        let entry = |document: Document| Entry { id: document.id, title: document.title, n_pages: document.n_pages };
        let mut documents = self.corpus.originals(&self.scope)?;
        documents.retain(|document| document.state == DocumentState::Indexed);
        Ok(Shelf::new(documents.into_iter().map(entry)))
    }

    /// By what pages can be searched here.
    pub(crate) fn by(&self) -> Vec<By> {
        let held = self.finder.routes.held();
        let mut by = vec![By::All, By::Words];
        by.extend((!self.texts().is_empty()).then_some(By::Meaning));
        by.extend(held.contains(&Route::Page).then_some(By::Pictures));
        by
    }

    /// The routes of vectors of texts.
    fn texts(&self) -> Vec<Route> {
        self.finder.routes.held().into_iter().filter(|route| matches!(route, Route::Dense | Route::Late)).collect()
    }

    /// Of the documents that are asked for, those that are in scope.
    fn within(&self, scope: &Scope) -> Scope {
        match (scope, &self.scope) {
            (Scope::All, all) | (all @ Scope::Documents(_), Scope::All) => all.clone(),
            (Scope::Documents(wanted), Scope::Documents(all)) => {
                Scope::Documents(wanted.intersection(all).cloned().collect::<BTreeSet<_>>())
            }
        }
    }

    fn hits(&self, ranking: Ranking, query: &Query) -> Vec<Hit> {
        ranking.0.into_iter().map(|hit| self.hit(hit, query)).collect()
    }

    fn hit(&self, hit: recto_search::Hit, query: &Query) -> Hit {
        let page = self.corpus.catalog.page(&hit.page).ok().flatten();
        let text = page.as_ref().map(Page::text).unwrap_or_default();
        let snippet = snippet_of(&hit, query, self.finder.routes.window(&hit, &text), &text, SNIPPET).text;
        Hit { page: hit.page, score: hit.score, snippet }
    }

    fn record(&self, id: &PageId) -> Result<Page, ToolError> {
        let page = self.corpus.catalog.page(id).map_err(|_| ToolError::new("the index can't be read"))?;
        page.ok_or_else(|| ToolError::new("the index has no record of the page"))
    }

    /// The model's words to a request of a tool.
    fn said(&self, chat: &dyn Chat, parts: Vec<Part>) -> Result<String, ToolError> {
        let request = ChatRequest { max_tokens: 2_000, ..ChatRequest::new(vec![ChatMessage::new(Role::User, parts)]) };
        let reply = chat.reply(&request, self.helpers.ledger);
        reply.map(|reply| reply.text).map_err(|error| ToolError::new(error.to_string()))
    }

    /// What a program asks of the model.
    fn asked_by_program(&self, prompt: &str) -> Result<String, String> {
        let chat = self.helpers.reads.ok_or("no language model is configured, so llm() can't be asked")?;
        let mut asked = self.asked.borrow_mut();
        if *asked >= ASKED {
            return Err(format!("llm() can be asked {ASKED} times"));
        }
        *asked += 1;
        self.said(chat, vec![Part::Text(prompt.to_owned())]).map_err(|error| error.why)
    }
}

impl Desk for CorpusDesk<'_> {
    fn search(&self, by: By, query: &str, scope: &Scope, k: usize) -> Result<Vec<Hit>, ToolError> {
        let ranker = match (by, self.texts().as_slice()) {
            (By::Pictures, _) => Ranker::One(Route::Page),
            (By::Meaning, [one]) => Ranker::One(*one),
            (By::Meaning, [_, ..]) => Ranker::Fused(self.texts()),
            _ => Ranker::Hybrid,
        };
        let query = self.finder.query(query, &ranker).unwrap_or_else(|_| Query::plain(query));
        match self.finder.rank(&ranker, &query, &self.within(scope), k) {
            Ok(ranking) => Ok(self.hits(ranking, &query)),
            Err(SearchError::EmptyQuery) => {
                Err(ToolError::new("the query holds no word; search for words that may stand on a page"))
            }
            Err(SearchError::Model(error)) => Err(ToolError::new(format!("{error}; search by \"words\""))),
            Err(_) => Err(ToolError::new("the index can't be searched")),
        }
    }

    fn find(&self, query: &Boolean, scope: &Scope, k: usize) -> Result<Vec<Hit>, ToolError> {
        let ranking = self.corpus.searcher.run_boolean(query, &self.within(scope), k);
        let ranking = ranking.map_err(|_| ToolError::new("the index can't be searched"))?;
        Ok(self.hits(ranking, &Query::default()))
    }

    fn count(&self, query: &Boolean, scope: &Scope) -> Result<(Vec<PageId>, u64), ToolError> {
        let scope = self.within(scope);
        let pages = self.corpus.searcher.meant(query, &scope);
        Ok((pages.map_err(|_| ToolError::new("the index can't be searched"))?, unread(self.corpus, &scope)))
    }

    fn page(&self, page: &PageId) -> Result<Page, ToolError> {
        if !self.scope.holds(&page.doc) {
            return Err(ToolError::new("the page is of no document that is searched"));
        }
        self.record(page)
    }

    fn picture(&self, page: &PageId, region: Region, dpi: u32) -> Result<PageImage, ToolError> {
        self.page(page)?;
        let key = (page, region.ltrb(), dpi);
        let mut drawn = self.drawn.borrow_mut();
        if let Some((.., image)) = drawn.iter().find(|(page, region, dpi, _)| (page, *region, *dpi) == key) {
            return Ok(image.clone());
        }
        let image = self.pictures.image(page, region, dpi);
        let image = image.map_err(|_| ToolError::new("the page can't be drawn; go on with other pages"))?;
        if drawn.len() >= DRAWN {
            drawn.remove(0);
        }
        drawn.push((page.clone(), region.ltrb(), dpi, image.clone()));
        Ok(image)
    }

    fn read_picture(&self, page: &PageId, region: Region) -> Result<String, ToolError> {
        let picture = self.picture(page, region, 144)?;
        let no_model = |why: &str| ToolError::new(format!("there is no text on record, and no OCR here: {why}"));
        let model = self.recognizer.get().map_err(no_model)?;
        let start = Instant::now();
        let late = || start.elapsed() > self.recognizer.time();
        let read = model.recognize(&picture, &late).map_err(|error| ToolError::new(error.to_string()))?;
        let line = |line: &recto_model::RecognizedLine| {
            line.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
        };
        Ok(read.lines.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    fn describe(&self, picture: &PageImage, question: &str) -> Result<String, ToolError> {
        let chat = self
            .helpers
            .sees
            .filter(|chat| chat.reach().pictures)
            .ok_or_else(|| ToolError::new("no model that sees pictures is configured (--captions)"))?;
        let image = ChatImage::of(picture).map_err(|error| ToolError::new(error.to_string()))?;
        let about = AGENT_DESCRIBE.fill(&[("question", question)]);
        self.said(chat, vec![Part::Text(about), Part::Image(image)])
    }

    fn run(&self, text: &str) -> Result<String, ToolError> {
        let library = Texts { desk: self, shelf: self.shelf().map_err(|_| ToolError::new("the index can't be read"))? };
        let start = Instant::now();
        let mut memory = self.memory.borrow_mut();
        program::run(text, &mut memory, &library, &Limits::default(), &|| start.elapsed()).map_err(ToolError::new)
    }
}

/// The texts of the desk's pages, for programs.
struct Texts<'d, 'a> {
    desk: &'d CorpusDesk<'a>,
    shelf: Shelf,
}

impl Library for Texts<'_, '_> {
    fn files(&self) -> Vec<(String, u32)> {
        self.shelf.entries().map(|(_, entry)| (entry.id.to_string(), entry.n_pages)).collect()
    }

    fn page(&self, file: &str, page: u32) -> Option<String> {
        let entry = self.shelf.document(file)?;
        let id = PageId::new(entry.id.clone(), recto_page::PageNumber::new(page).filter(|n| n.get() <= entry.n_pages)?);
        self.desk.record(&id).ok().map(|page| recto_agent::fence::clean(&page.to_markdown()))
    }

    fn search(&self, query: &str, k: usize) -> Result<Vec<(String, u32, f64)>, String> {
        let hits = self.desk.search(By::All, query, &Scope::All, k).map_err(|error| error.why)?;
        Ok(hits.into_iter().map(|hit| (hit.page.doc.to_string(), hit.page.page.get(), hit.score)).collect())
    }

    fn ask(&self, prompt: &str) -> Result<String, String> {
        self.desk.asked_by_program(prompt)
    }
}
