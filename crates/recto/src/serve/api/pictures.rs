//! Pictures of pages: whole or in part, at any resolution, with marks, or with all that is known drawn on them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use recto_page::{ContentHash, Page, PageError, PageId, PageImage, PageImages, Region};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pages::{found, word};
use crate::commands::page::parse_region;
use crate::library::Shelf;
use crate::serve::endpoint::Endpoint;
use crate::serve::extract::{Asked, within};
use crate::serve::fault::Fault;
use crate::serve::state::{App, Collection};
use crate::serve::visit::Visit;
use crate::{overlay, picture};

const TAG: &str = "pages";
/// Regions that are marked on one picture.
const MARKS: usize = 200;

/// How a picture is wanted.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImageQuery {
    /// Dots per inch; fewer where `max_px` or the server's `--max-pixels` says so
    #[serde(default = "reading_dpi")]
    #[schemars(range(min = 10, max = 600))]
    pub(crate) dpi: u32,
    /// The part that is wanted: left,top,right,bottom as fractions of the page, such as 0,0.5,1,1 for its lower half
    #[serde(default)]
    #[schemars(regex(pattern = "^(|(0|1|0?\\.[0-9]+)(,(0|1|0?\\.[0-9]+)){3})$"))]
    pub(crate) region: String,
    /// Regions to mark as with a marker pen, parted by semicolons
    #[serde(default)]
    #[schemars(regex(pattern = "^((0|1|0?\\.[0-9]+)(,(0|1|0?\\.[0-9]+)){3};?)*$"))]
    pub(crate) mark: String,
    /// Pixels of the longer side, at most
    #[serde(default = "many_px")]
    #[schemars(range(min = 16, max = 10_000))]
    pub(crate) max_px: u32,
    #[serde(default)]
    pub(crate) format: Format,
}

/// How an overlay is wanted.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OverlayQuery {
    /// Dots per inch; fewer where the server's `--max-pixels` says so
    #[serde(default = "reading_dpi")]
    #[schemars(range(min = 10, max = 600))]
    dpi: u32,
}

const fn reading_dpi() -> u32 {
    144
}

const fn many_px() -> u32 {
    10_000
}

/// The form of a picture.
#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum Format {
    /// Exact
    #[default]
    Png,
    /// Smaller for scans and photographs
    Jpeg,
}

/// A picture as a file, and what tells whether it is still the same.
pub(crate) struct Drawn {
    bytes: Vec<u8>,
    format: Format,
    tag: String,
    dpi: u32,
}

/// What is to be drawn.
#[derive(Clone)]
enum Wanted {
    Image { region: Region, marks: Vec<Region>, max_px: u32, format: Format },
    Overlay,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/v1/collections/{collection}/documents/{document}/pages/{page}/image",
            (TAG, "get_image"),
            "The picture of a page or of a part of it; its resolution is in the header x-dpi",
            image,
        )
        .query::<ImageQuery>()
        .gives_media("image/png", "The picture")
        .gives_media("image/jpeg", "The picture"),
        Endpoint::get(
            "/v1/collections/{collection}/documents/{document}/pages/{page}/overlay",
            (TAG, "get_overlay"),
            "The picture of a page with its words, blocks in reading order, tables and problems drawn on it",
            drawn_over,
        )
        .query::<OverlayQuery>()
        .gives_media("image/png", "The picture"),
    ]
}

async fn image(visit: Visit, headers: HeaderMap, Asked(asked): Asked<ImageQuery>) -> Result<Response, Fault> {
    let dpi = within("dpi", asked.dpi, 10, 600)?;
    let max_px = within("max_px", asked.max_px, 16, 10_000)?;
    let region = if asked.region.is_empty() { Region::FULL } else { parse_region("region", &asked.region)? };
    let marks = marks(&asked.mark)?;
    answered(visit, headers, dpi, Wanted::Image { region, marks, max_px, format: asked.format }).await
}

async fn drawn_over(visit: Visit, headers: HeaderMap, Asked(asked): Asked<OverlayQuery>) -> Result<Response, Fault> {
    let dpi = within("dpi", asked.dpi, 10, 600)?;
    answered(visit, headers, dpi, Wanted::Overlay).await
}

fn marks(text: &str) -> Result<Vec<Region>, Fault> {
    let parts: Vec<&str> = text.split(';').filter(|part| !part.is_empty()).collect();
    if parts.len() > MARKS {
        return Err(Fault::invalid(format!("mark: {} regions; at most {MARKS} are marked", parts.len())));
    }
    Ok(parts.iter().map(|part| parse_region("mark", part)).collect::<Result<_, _>>()?)
}

/// The picture, or that the caller has it already.
async fn answered(visit: Visit, headers: HeaderMap, dpi: u32, wanted: Wanted) -> Result<Response, Fault> {
    let (document, page) = (visit.named("document").to_owned(), visit.named("page").to_owned());
    let (app, collection) = (Arc::clone(&visit.app), Arc::clone(&visit.collection));
    let known = headers.get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()).unwrap_or_default().to_owned();
    let drawn = visit.look(move |shelf| {
        let (id, page, _) = found(shelf, &document, &page)?;
        let hash = shelf.corpus.catalog.document(&id.doc)?.hash;
        let hash =
            hash.ok_or_else(|| PageError::NotDrawn { page: id.clone(), why: "the index holds its text only".into() })?;
        let key = key(&hash, &id, dpi, &wanted);
        let tag = format!("\"{}\"", key.as_str());
        if known.split(',').any(|known| known.trim().trim_start_matches("W/") == tag) {
            return Ok(Err(tag));
        }
        Job { app: &app, collection: &collection, shelf, id: &id, page: &page, dpi, wanted: &wanted }
            .drawn(&key, tag)
            .map(Ok)
    });
    let cached = (CACHE_CONTROL, "private, no-cache".to_owned());
    match drawn.await? {
        Err(tag) => Ok((StatusCode::NOT_MODIFIED, [(ETAG, tag), cached]).into_response()),
        Ok(Drawn { bytes, format, tag, dpi }) => {
            let media = if format == Format::Png { "image/png" } else { "image/jpeg" };
            let dpi = (HeaderName::from_static("x-dpi"), dpi.to_string());
            Ok(([(CONTENT_TYPE, media.to_owned()), (ETAG, tag), cached, dpi], bytes).into_response())
        }
    }
}

/// All that the picture depends on.
fn key(hash: &ContentHash, id: &PageId, dpi: u32, wanted: &Wanted) -> ContentHash {
    let wanted = match wanted {
        Wanted::Image { region, marks, max_px, format } => {
            let regions: Vec<String> =
                std::iter::once(region).chain(marks).map(|r| format!("{:?}", r.ltrb())).collect();
            format!("{} {max_px} {}", regions.join(";"), word(format))
        }
        Wanted::Overlay => "overlay".into(),
    };
    ContentHash::of(format!("{} {} {dpi} {wanted}", hash.as_str(), id.page).as_bytes())
}

/// A picture to be drawn, unless it is kept.
struct Job<'a> {
    app: &'a App,
    collection: &'a Collection,
    shelf: &'a Shelf<'a>,
    id: &'a PageId,
    page: &'a Page,
    dpi: u32,
    wanted: &'a Wanted,
}

impl Job<'_> {
    fn drawn(&self, key: &ContentHash, tag: String) -> anyhow::Result<Drawn> {
        let dpi = self.fitting_dpi();
        let format = match self.wanted {
            Wanted::Image { format, .. } => *format,
            Wanted::Overlay => Format::Png,
        };
        // What the catalog says of a page changes without its file: an overlay is drawn anew.
        let is_kept = matches!(self.wanted, Wanted::Image { .. });
        if let Some(bytes) = is_kept.then(|| self.collection.pictures.get(key)).flatten() {
            self.app.metrics.kept.fetch_add(1, Ordering::Relaxed);
            return Ok(Drawn { bytes, format, tag, dpi });
        }
        let image = self.draw(dpi)?;
        let bytes = if format == Format::Png { picture::png(&image)? } else { picture::jpeg(&image)? };
        self.app.metrics.drawn.fetch_add(1, Ordering::Relaxed);
        if is_kept {
            self.collection.pictures.keep(key, &bytes);
        }
        Ok(Drawn { bytes, format, tag, dpi: image.dpi })
    }

    fn draw(&self, dpi: u32) -> anyhow::Result<PageImage> {
        let region = match self.wanted {
            Wanted::Image { region, .. } => *region,
            Wanted::Overlay => Region::FULL,
        };
        let mut image = self.shelf.pictures.image(self.id, region, dpi)?;
        match self.wanted {
            Wanted::Image { marks, region, .. } => {
                let within: Vec<Region> = marks.iter().filter_map(|mark| seen_in(*mark, *region)).collect();
                picture::mark(&mut image, &within);
            }
            Wanted::Overlay => overlay::draw(&mut image, self.page),
        }
        Ok(image)
    }

    /// So many dots per inch as `max_px` allows.
    fn fitting_dpi(&self) -> u32 {
        let Wanted::Image { region, max_px, .. } = self.wanted else { return self.dpi };
        let longer = (self.page.size.width * region.width()).max(self.page.size.height * region.height());
        let most = 72.0 * f64::from(*max_px) / f64::from(longer.max(1.0));
        self.dpi.min(most as u32).max(1)
    }
}

/// A region of the page as a region of a part of it.
fn seen_in(mark: Region, part: Region) -> Option<Region> {
    let x = |v: f32| f64::from((v - part.left()) / part.width().max(f32::EPSILON));
    let y = |v: f32| f64::from((v - part.top()) / part.height().max(f32::EPSILON));
    let seen = Region::new(x(mark.left()), y(mark.top()), x(mark.right()), y(mark.bottom()));
    (!seen.is_empty()).then_some(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_follow_the_part_that_is_shown() {
        let part = Region::new(0.5, 0.5, 1.0, 1.0);
        let table = [
            ([0.5, 0.5, 0.75, 0.75], Some([0.0, 0.0, 0.5, 0.5])),
            ([0.4, 0.6, 0.6, 0.7], Some([0.0, 0.2, 0.2, 0.4])),
            ([0.0, 0.0, 0.4, 0.4], None),
        ];
        for ([left, top, right, bottom], want) in table {
            let seen = seen_in(Region::new(left, top, right, bottom), part);
            let want = want.map(|[left, top, right, bottom]| Region::new(left, top, right, bottom));
            assert_eq!(seen, want, "{left} {top}");
        }
        assert_eq!(marks("0,0,1,1;0,0,0.5,0.5").unwrap().len(), 2);
        assert!(marks("0,0,1").is_err() && marks(&"0,0,1,1;".repeat(MARKS + 1)).is_err());
    }
}
