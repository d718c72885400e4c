//! A toolbox for tests: every search finds the pages in order, every page is a small picture with a line of text.

use std::sync::Arc;

use recto_page::PageImage;

use crate::crop::CropRegion;
use crate::handle::PageHandle;
use crate::toolbox::{Hit, ReadText, TextBlock, ToolError, Toolbox};

/// Pages 1 to `n`; a query that holds a number finds the pages from there on.
pub(crate) struct FakeToolbox {
    pub(crate) n: u32,
    /// A page that can be neither drawn nor read.
    pub(crate) broken: Option<u32>,
}

impl FakeToolbox {
    pub(crate) const fn new(n: u32) -> Self {
        Self { n, broken: None }
    }

    fn whole(&self, page: PageHandle) -> Result<(), ToolError> {
        let whole = self.broken != Some(page.number());
        whole.then_some(()).ok_or_else(|| ToolError::new("the page is broken"))
    }
}

impl Toolbox for FakeToolbox {
    fn search(&self, query: &str, top_k: usize) -> Result<Vec<Hit>, ToolError> {
        if query == "?" {
            return Err(ToolError::new("no word"));
        }
        let from = query.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(1);
        let hit = |n| Hit { page_handle: PageHandle::new(n), score: 1.0 / f64::from(n) };
        Ok((from..=self.n).take(top_k).map(hit).collect())
    }

    fn search_route(&self) -> &'static str {
        "fake"
    }

    fn page_image(&self, page: PageHandle) -> Result<Arc<PageImage>, ToolError> {
        self.whole(page)?;
        Ok(Arc::new(PageImage { width: 20, height: 10, dpi: 144, rgb: vec![page.number() as u8; 600] }))
    }

    fn read_image(&self, page: PageHandle, region: Option<CropRegion>) -> Result<ReadText, ToolError> {
        self.whole(page)?;
        let text = format!("text of {page} {region:?}");
        let block = TextBlock { text: text.clone(), bbox: [0.0, 0.0, 1.0, 1.0], confidence: None };
        Ok(ReadText { text, blocks: vec![block], engine: "fake".into() })
    }

    fn page_text(&self, page: PageHandle) -> Result<String, ToolError> {
        self.whole(page)?;
        Ok(format!("text of {page}\u{1b}"))
    }
}
