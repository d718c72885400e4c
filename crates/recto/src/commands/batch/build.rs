//! `recto batch build`: an index from a corpus folder.

use std::path::Path;

use anyhow::Context;
use recto_ingest::discover::{discover, real_path};
use recto_page::IndexDir;

use super::records;
use crate::commands::index::sources::{from_discovery, held};
use crate::commands::index::{Options, Prune, update};
use crate::config::Config;
use crate::exit::{Finish, usage};
use crate::output;

pub(crate) fn run(corpus: &Path, index_dir: &Path, config: &Config) -> anyhow::Result<Finish> {
    if !corpus.is_dir() {
        return Err(usage(format!("--corpus {}: expected a folder", corpus.display())));
    }
    let corpus = real_path(corpus);
    let file = corpus.join("records.jsonl");
    let sources = if file.is_file() {
        let text = std::fs::read(&file).with_context(|| file.display().to_string())?;
        let records = records::parse(&corpus, &String::from_utf8_lossy(&text), config.limits.pages as usize);
        for complaint in &records.complaints {
            output::note(format_args!("{}: {complaint}", file.display()));
        }
        records.sources
    } else {
        from_discovery(discover(std::slice::from_ref(&corpus)), None, &held(&IndexDir::new(index_dir))?)
    };
    anyhow::ensure!(!sources.is_empty(), "{}: no document found", corpus.display());
    let options = Options { prune: Prune::Others, ..Options::default() };
    let summary = update(&IndexDir::new(index_dir), sources, &options, config)?;
    if !config.quiet {
        output::note(format_args!("{summary}"));
    }
    Ok(Finish::Done)
}
