//! An encoder in the service of a route: pages to the numbers that a segment keeps, a query to what segments are asked.

use std::sync::Arc;

use recto_model::{Identity, MultiVector, PageEncoder, PageInput, TextEncoder, TokenEncoder, Window, in_batches};
use recto_page::PageImage;

use super::Route;
use crate::Result;
use crate::vectors::{self, Element, Layout, Space, Storage};

/// An encoder, and by its kind the route that it serves. One network may serve several.
pub enum RouteEncoder {
    /// Serves [`Route::Dense`].
    Dense(Arc<dyn TextEncoder>),
    /// Serves [`Route::Late`].
    Late(Arc<dyn TokenEncoder>),
    /// Serves [`Route::Page`].
    Page(Arc<dyn PageEncoder>),
}

/// Pages as an encoder wants them.
#[derive(Clone, Copy, Debug)]
pub enum PageInputs<'p> {
    /// Their texts.
    Texts(&'p [&'p str]),
    /// Their pictures.
    Pictures(&'p [PageImage]),
}

impl RouteEncoder {
    /// The route.
    pub const fn route(&self) -> Route {
        match self {
            Self::Dense(_) => Route::Dense,
            Self::Late(_) => Route::Late,
            Self::Page(_) => Route::Page,
        }
    }

    /// What its vectors are.
    pub fn space(&self) -> Space {
        Space { route: self.route().to_string(), encoder: self.identity().clone(), merged: 1 }
    }

    /// How its vectors are kept: 8-bit integers to find pages by. Those of tokens are so many that this is all; the
    /// others are ranked as 16-bit floats.
    pub fn storage(&self) -> Storage {
        match self {
            Self::Late(_) => Storage { layout: Layout::Blocks, elements: vec![Element::I8] },
            Self::Dense(_) | Self::Page(_) => {
                Storage { layout: Layout::Rows, elements: vec![Element::I8, Element::F16] }
            }
        }
    }

    /// The resolution of the pictures that it wants; `None` if it wants texts.
    pub fn dpi(&self) -> Option<u32> {
        if self.route() == Route::Dense { None } else { self.identity().dpi }
    }

    /// The windows that a text is cut into.
    pub fn windows(&self, text: &str) -> Vec<Window> {
        match self {
            Self::Dense(encoder) => encoder.windows(text),
            Self::Late(encoder) => encoder.windows(text),
            Self::Page(_) => Vec::new(),
        }
    }

    /// The vectors of pages, one after the other for each page: of all windows of its text, or of its picture.
    ///
    /// # Errors
    /// [`SearchError::Model`](crate::SearchError::Model), also for texts where pictures are wanted and the other way round.
    pub fn encode_pages(&self, pages: PageInputs<'_>) -> Result<Vec<Vec<f32>>> {
        match pages {
            PageInputs::Pictures(images) => {
                let owners = (0..images.len()).collect();
                self.gather(images.len(), owners, images, |images| self.pictures(images))
            }
            PageInputs::Texts(texts) => {
                let windows = |(page, text): (usize, &&str)| {
                    let text = text.to_string();
                    self.windows(&text).into_iter().map(move |w| (page, w.text(&text).to_owned())).collect::<Vec<_>>()
                };
                let (owners, windows): (Vec<usize>, Vec<String>) = texts.iter().enumerate().flat_map(windows).unzip();
                let windows: Vec<&str> = windows.iter().map(String::as_str).collect();
                self.gather(texts.len(), owners, &windows, |windows| self.texts(windows))
            }
        }
    }

    /// What a query asks segments.
    ///
    /// # Errors
    /// [`SearchError::Model`](crate::SearchError::Model).
    pub fn encode_query(&self, text: &str) -> Result<vectors::Query> {
        let vectors = match self {
            Self::Dense(encoder) => encoder.encode_query(text)?,
            Self::Late(encoder) => encoder.encode_query(text)?.concat(),
            Self::Page(encoder) => encoder.encode_query(text)?,
        };
        Ok(vectors::Query::new(self.space(), vectors)?)
    }

    fn identity(&self) -> &Identity {
        match self {
            Self::Dense(encoder) => encoder.identity(),
            Self::Late(encoder) => encoder.identity(),
            Self::Page(encoder) => encoder.identity(),
        }
    }

    fn batch(&self) -> usize {
        match self {
            Self::Dense(encoder) => encoder.batch(),
            Self::Late(encoder) => encoder.batch(),
            Self::Page(encoder) => encoder.batch(),
        }
    }

    /// Encodes inputs in batches and gives each result to the page that owns its input.
    fn gather<I>(
        &self,
        pages: usize,
        owners: Vec<usize>,
        inputs: &[I],
        encode: impl Fn(&[I]) -> recto_model::Result<Vec<Vec<f32>>>,
    ) -> Result<Vec<Vec<f32>>> {
        let mut vectors = vec![Vec::new(); pages];
        in_batches(inputs, self.batch(), encode, |first, results| {
            for (owner, numbers) in owners.iter().skip(first).zip(results) {
                if let Some(page) = vectors.get_mut(*owner) {
                    page.extend(numbers);
                }
            }
            Ok::<(), recto_model::ModelError>(())
        })?;
        Ok(vectors)
    }

    fn texts(&self, texts: &[&str]) -> recto_model::Result<Vec<Vec<f32>>> {
        match self {
            Self::Dense(encoder) => encoder.encode_pages(texts),
            Self::Late(encoder) => {
                let inputs: Vec<PageInput<'_>> = texts.iter().map(|text| PageInput::Text(text)).collect();
                Ok(joined(encoder.encode_pages(&inputs)?))
            }
            Self::Page(_) => Err(recto_model::ModelError::WrongInput { wanted: "pictures" }),
        }
    }

    fn pictures(&self, images: &[PageImage]) -> recto_model::Result<Vec<Vec<f32>>> {
        match self {
            Self::Page(encoder) => encoder.encode_pages(images),
            Self::Late(encoder) => {
                let inputs: Vec<PageInput<'_>> = images.iter().map(PageInput::Image).collect();
                Ok(joined(encoder.encode_pages(&inputs)?))
            }
            Self::Dense(_) => Err(recto_model::ModelError::WrongInput { wanted: "texts" }),
        }
    }
}

fn joined(pages: Vec<MultiVector>) -> Vec<Vec<f32>> {
    pages.into_iter().map(|vectors| vectors.concat()).collect()
}
