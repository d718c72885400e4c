//! Pages to vectors: by several threads, from texts or from pictures. Not where vectors go (see [`super::vectors`]).

use std::sync::atomic::{AtomicUsize, Ordering};

use recto_page::catalog::Version;
use recto_page::{ContentHash, Page, PageNumber, Region};
use recto_search::RouteEncoder;
use recto_search::route::PageInputs;
use recto_search::vectors::PageKey;

use crate::corpus::Pictures;

/// Pages that a thread encodes at once.
const PIECE: usize = 8;

/// A page to be encoded.
pub(crate) struct Added {
    pub(super) key: PageKey,
    text: String,
    /// The content that it is drawn from.
    hash: Option<ContentHash>,
}

impl Added {
    pub(crate) fn new(version: Version, page: &Page, hash: Option<&ContentHash>) -> Self {
        let key = PageKey { version, number: page.number.get() };
        Self { key, text: page.text(), hash: hash.cloned() }
    }
}

/// The vectors of pages, in their order; several threads take the next few pages until there are none.
pub(super) fn encode_all(
    encoder: &RouteEncoder,
    pages: &[Added],
    threads: usize,
    pictures: impl Fn() -> anyhow::Result<Pictures> + Sync,
) -> anyhow::Result<Vec<Vec<f32>>> {
    let pieces: Vec<&[Added]> = pages.chunks(PIECE).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let pictures = pictures()?;
        let mut made = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(at) else { return anyhow::Ok(made) };
            made.push((at, encode_piece(encoder, piece, &pictures)?));
        }
    };
    let threads = threads.min(pieces.len());
    let made = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ended = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(ended).collect::<anyhow::Result<Vec<_>>>()
    })?;
    let mut made: Vec<(usize, Vec<Vec<f32>>)> = made.into_iter().flatten().collect();
    made.sort_by_key(|(at, _)| *at);
    Ok(made.into_iter().flat_map(|(_, vectors)| vectors).collect())
}

/// A page of which there is no picture has no vectors where pictures are wanted.
fn encode_piece(encoder: &RouteEncoder, pages: &[Added], pictures: &Pictures) -> anyhow::Result<Vec<Vec<f32>>> {
    let Some(dpi) = encoder.dpi() else {
        let texts: Vec<&str> = pages.iter().map(|page| page.text.as_str()).collect();
        return Ok(encoder.encode_pages(PageInputs::Texts(&texts))?);
    };
    let mut vectors = Vec::with_capacity(pages.len());
    for page in pages {
        let number = PageNumber::new(page.key.number);
        let drawn = page.hash.as_ref().zip(number).map(|(hash, n)| pictures.draw(hash, n, Region::FULL, dpi));
        let image = drawn.and_then(Result::ok);
        let made = image.map(|image| encoder.encode_pages(PageInputs::Pictures(&[image]))).transpose()?;
        vectors.push(made.unwrap_or_default().pop().unwrap_or_default());
    }
    Ok(vectors)
}
