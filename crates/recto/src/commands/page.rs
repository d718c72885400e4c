//! `recto page DOC N`: one page as text, record or picture.

use std::path::PathBuf;

use clap::Args;
use recto_page::{IndexDir, Page, PageError, PageId, PageImages, Pages, Region};
use serde::Serialize;

use crate::config::{Config, in_range};
use crate::corpus::{Corpus, Pictures};
use crate::exit::{Finish, usage};
use crate::{output, overlay, picture};

#[derive(Args, Debug)]
pub(crate) struct PageArgs {
    /// Document name or pattern
    pub(crate) doc: String,
    /// Physical page, counted from 1, or a printed label such as iii
    pub(crate) page: String,
    /// Print the page's text, its tables as Markdown (what happens if nothing else is asked for)
    #[arg(long, env = "RECTO_TEXT", value_parser = clap::builder::BoolishValueParser::new())]
    pub(crate) text: bool,
    /// Write the page's picture; `-` is standard output
    #[arg(long, env = "RECTO_IMAGE", value_name = "OUT.png")]
    pub(crate) image: Option<PathBuf>,
    /// Write the page's picture with words, blocks in reading order, tables and problems drawn on it; `-` as above
    #[arg(long, env = "RECTO_OVERLAY", value_name = "OUT.png")]
    pub(crate) overlay: Option<PathBuf>,
    /// Resolution of the picture in dots per inch, 1 to 1200
    #[arg(long, env = "RECTO_DPI", default_value = "144")]
    pub(crate) dpi: String,
    /// Part of the page to draw: left, top, right, bottom as fractions of the page
    #[arg(long, env = "RECTO_REGION", value_name = "L,T,R,B")]
    pub(crate) region: Option<String>,
    /// Password for an encrypted document
    #[arg(long, env = "RECTO_PASSWORD", hide_env_values = true)]
    pub(crate) password: Option<String>,
}

pub(crate) fn run(args: &PageArgs, config: &Config) -> anyhow::Result<Finish> {
    let is_output = |picture: &Option<PathBuf>| picture.as_deref().is_some_and(picture::is_output);
    let outputs = [is_output(&args.image), is_output(&args.overlay), args.text || config.json];
    if outputs.into_iter().filter(|output| *output).count() > 1 {
        return Err(usage("standard output takes one of --image -, --overlay -, and text or JSON"));
    }
    let dpi = in_range(&args.dpi, 1, 1200).map_err(|expected| bad("--dpi", &args.dpi, &expected))?;
    let region = args.region.as_deref().map_or(Ok(Region::FULL), |text| parse_region("--region", text))?;
    let dir = IndexDir::new(config.index_of(".".as_ref()));
    let corpus = Corpus::open(&dir)?;
    let document = corpus.document(&args.doc)?;
    let id = corpus.page(&document.id, &args.page)?;
    let page = corpus.catalog.page(&id)?.ok_or_else(|| PageError::NoPage(id.clone()))?;
    if args.image.is_some() || args.overlay.is_some() {
        let pictures = Pictures::new(&dir, config, args.password.as_deref())?;
        draw(args, &pictures, &id, &page, region, dpi as u32, config)?;
    }
    if config.json {
        output::json(&Record { document: id.doc.as_str(), page: &page })?;
    } else if args.text || (args.image.is_none() && args.overlay.is_none()) {
        output::line(output::printable(page.to_markdown().trim_end()))?;
        tell_problems(&page, config);
    }
    Ok(Finish::Done)
}

/// An empty page must not look like a page of which nothing is known.
fn tell_problems(page: &Page, config: &Config) {
    for problem in page.problems.iter().filter(|_| !config.quiet) {
        output::note(format_args!("{}: {} {}", problem.code, problem.code.meaning(), problem.detail));
    }
}

#[derive(Serialize)]
struct Record<'a> {
    document: &'a str,
    #[serde(flatten)]
    page: &'a Page,
}

fn draw(
    args: &PageArgs,
    pictures: &Pictures,
    id: &PageId,
    page: &Page,
    region: Region,
    dpi: u32,
    config: &Config,
) -> anyhow::Result<()> {
    if let Some(path) = &args.image {
        let image = pictures.image(id, region, dpi)?;
        picture::write_png(&image, path)?;
        if image.dpi < dpi && !config.quiet {
            output::note(format_args!("drawn at {} dpi: --max-pixels allows no more", image.dpi));
        }
    }
    if let Some(path) = &args.overlay {
        let mut image = pictures.image(id, Region::FULL, dpi)?;
        overlay::draw(&mut image, page);
        picture::write_png(&image, path)?;
    }
    Ok(())
}

/// Reads a part of a page that was given for `field`.
///
/// # Errors
/// A [usage error](crate::exit::Usage) naming the field and what is expected.
pub(crate) fn parse_region(field: &str, text: &str) -> anyhow::Result<Region> {
    let numbers: Option<Vec<f64>> =
        text.split(',').map(|part| part.trim().parse().ok().filter(|v| (0.0..=1.0).contains(v))).collect();
    match numbers.as_deref() {
        Some([l, t, r, b]) if l < r && t < b => Ok(Region::new(*l, *t, *r, *b)),
        _ => Err(bad(field, text, "left,top,right,bottom as fractions from 0 to 1, left < right, top < bottom")),
    }
}

fn bad(flag: &str, value: &str, expected: &str) -> anyhow::Error {
    usage(format!("{flag} {value:?}: expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_four_ordered_fractions() {
        assert_eq!(parse_region("--region", "0, 0.25, 1,0.5").unwrap(), Region::new(0.0, 0.25, 1.0, 0.5));
        for text in ["", "0,0,1", "0,0,1,1,1", "0,0,0,1", "0.5,0,0.1,1", "-1,0,1,1", "0,0,NaN,1", "a,b,c,d"] {
            assert!(parse_region("--region", text).is_err(), "{text}");
        }
    }
}
