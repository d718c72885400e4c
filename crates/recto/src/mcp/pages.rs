//! The tools that show pages: pictures of whole pages and of parts of them, small enough for a model's context.

use recto_page::{Document, PageError, PageId, PageImage, PageImages, PageNumber, Pages, Region};
use serde_json::{Value, json};

use super::arguments::{CropPage, InspectPages};
use super::reply::{Picture, Reply};
use super::texts::{go_on, place, set};
use crate::commands::page::parse_region;
use crate::exit::usage;
use crate::library::Shelf;
use crate::page_list::PageList;
use crate::picture;

/// Pictures of one reply.
const PICTURES: usize = 4;
/// Bytes of all pictures of a reply: as base64 below the megabyte that clients take.
const BYTES: usize = 700_000;

/// How a picture is to be drawn.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    pub(super) dpi: u32,
    /// Of the longer side, in pixels.
    pub(super) max_px: u32,
    /// Of the file.
    pub(super) bytes: usize,
}

impl Manner {
    /// As a whole page is shown if nothing is said.
    pub(super) const PAGE: Self = Self { dpi: 144, max_px: 1568, bytes: BYTES };
}

impl Shelf<'_> {
    pub(super) fn inspect_pages(&self, asked: &InspectPages) -> anyhow::Result<Reply> {
        let (offset, dpi, max_px) = (asked.offset.offset()?, asked.dpi, asked.max_px);
        let (dpi, max_px) = (dpi.within("dpi", 10, 600)?, max_px.within("max_px", 100, 4000)?);
        let document = self.document(&asked.doc)?;
        let pages = self.pages(&document, &asked.pages.0)?;
        let shown: Vec<&PageId> = pages.iter().skip(offset).take(PICTURES).collect();
        if shown.is_empty() {
            return Err(usage(format!("offset = {offset}: there are {} such pages", pages.len())));
        }
        let manner = Manner { dpi, max_px, bytes: BYTES / shown.len() };
        let (mut rows, mut pictures) = (Vec::new(), Vec::new());
        for id in shown {
            let (row, picture) = self.shown(id, Region::FULL, manner);
            rows.push(row);
            pictures.extend(picture);
        }
        let mut facts = json!({ "pictures": rows, "pages": document.n_pages });
        go_on(&mut facts, offset, PICTURES, pages.len());
        Ok(Reply { pictures, ..Reply::facts(facts) })
    }

    pub(super) fn crop_page(&self, asked: &CropPage) -> anyhow::Result<Reply> {
        let (dpi, max_px) = (asked.dpi.within("dpi", 10, 600)?, asked.max_px.within("max_px", 100, 4000)?);
        let region = parse_region("region", &asked.region)?;
        let id = self.corpus.page(&self.document(&asked.doc)?.id, &asked.page.0)?;
        let picture = self.draw(&id, region, Manner { dpi, max_px, bytes: BYTES })?;
        let mut facts = place(&id, None);
        set(&mut facts, "region", asked.region.as_str());
        describe(&mut facts, &picture);
        Ok(Reply { pictures: vec![picture], ..Reply::facts(facts) })
    }

    /// The pages meant by a list of numbers, or one by its printed label.
    fn pages(&self, document: &Document, text: &str) -> anyhow::Result<Vec<PageId>> {
        let Ok(list) = PageList::parse("pages", text) else {
            return Ok(vec![self.corpus.page(&document.id, text)?]);
        };
        let numbers = PageNumber::first(document.n_pages).filter(|number| list.contains(*number));
        let pages: Vec<PageId> = numbers.map(|number| PageId::new(document.id.clone(), number)).collect();
        if pages.is_empty() {
            return Err(usage(format!("pages = {text:?}: {} has pages 1 to {}", document.id, document.n_pages)));
        }
        Ok(pages)
    }

    /// A page that can't be drawn does not keep the others from being shown.
    fn shown(&self, id: &PageId, region: Region, manner: Manner) -> (Value, Option<Picture>) {
        let mut facts = place(id, None);
        match self.draw(id, region, manner) {
            Ok(picture) => {
                describe(&mut facts, &picture);
                (facts, Some(picture))
            }
            Err(error) => {
                set(&mut facts, "error", format!("{error:#}; call read_page for its text"));
                (facts, None)
            }
        }
    }

    /// A part of a page as a picture file that is not too large.
    pub(super) fn draw(&self, id: &PageId, region: Region, manner: Manner) -> anyhow::Result<Picture> {
        let page = self.corpus.catalog.page(id)?.ok_or_else(|| PageError::NoPage(id.clone()))?;
        let (width, height) = (page.size.width * region.width(), page.size.height * region.height());
        let most = 72.0 * manner.max_px as f32 / width.max(height).max(1.0);
        let mut dpi = manner.dpi.min(most as u32).max(1);
        loop {
            let image = self.pictures.image(id, region, dpi)?;
            let fits = image.width.max(image.height) <= manner.max_px;
            match encoded(&image, manner.bytes)? {
                Some(picture) if fits || dpi == 1 => return Ok(picture),
                _ if dpi == 1 => anyhow::bail!("the picture of page {id} is too large at any resolution"),
                _ => dpi = (dpi.min(image.dpi) * 7 / 8).max(1),
            }
        }
    }
}

/// As PNG, which is exact; as JPEG if that is too large; not at all if both are.
fn encoded(image: &PageImage, bytes: usize) -> anyhow::Result<Option<Picture>> {
    let file = |bytes, mime| Picture { bytes, mime, width: image.width, height: image.height, dpi: image.dpi };
    let png = picture::png(image)?;
    if png.len() <= bytes {
        return Ok(Some(file(png, "image/png")));
    }
    let jpeg = picture::jpeg(image)?;
    Ok((jpeg.len() <= bytes).then(|| file(jpeg, "image/jpeg")))
}

fn describe(facts: &mut Value, picture: &Picture) {
    set(facts, "width", picture.width);
    set(facts, "height", picture.height);
    set(facts, "dpi", picture.dpi);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_is_too_large_as_png_becomes_jpeg_or_is_drawn_smaller() {
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            [(state >> 24) as u8; 3]
        };
        let rgb: Vec<u8> = (0..200 * 100).flat_map(|_| noise()).collect();
        let image = PageImage { width: 200, height: 100, dpi: 72, rgb };
        let png = picture::png(&image).unwrap().len();
        let kind = |bytes| encoded(&image, bytes).unwrap().map(|picture| (picture.mime, picture.bytes.len() <= bytes));
        assert_eq!(kind(png), Some(("image/png", true)));
        assert_eq!(kind(png - 1), Some(("image/jpeg", true)));
        assert_eq!(kind(1000), None);
    }
}
