//! `recto index`: makes or updates an index.
//!
//! The way of a document: [`sources`] names it, [`plan`] decides whether it must be read, [`pool`] reads its pages in
//! worker processes, [`writer`] stores them, [`vectors`] with what encoders make
//! of them, and commits.

mod encoding;
mod ignored;
mod manner;
mod plan;
mod pool;
mod progress;
mod readers;
pub(crate) mod recognizer;
pub(crate) mod sources;
mod summary;
pub(crate) mod vector_files;
mod vectors;
pub(crate) mod watch;
mod writer;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use recto_ingest::discover::{Discovery, discover, real_path};
use recto_page::{DocId, IndexDir, PageError, Problem};
use recto_search::Route;

use self::ignored::Ignored;
use self::manner::Manner;
use self::plan::{Plan, Read};
use self::pool::Event;
use self::progress::Progress;
pub(crate) use self::progress::Told;
use self::sources::Source;
pub(crate) use self::summary::Summary;
use self::writer::IndexWriter;
use crate::args::IndexArgs;
use crate::config::Config;
use crate::exit::{Finish, usage};
use crate::page_list::PageList;
use crate::{commands, output, stop};

/// How to update an index.
#[derive(Default)]
pub(crate) struct Options {
    /// Only these pages of each document.
    pub(crate) pages: Option<PageList>,
    /// Password for encrypted documents.
    pub(crate) password: Option<String>,
    /// Which documents to remove.
    pub(crate) prune: Prune,
    /// Stop at the first problem.
    pub(crate) strict: bool,
    /// The route whose vectors are to be made anew.
    pub(crate) reindex: Option<Route>,
    /// How long another process that writes is waited for.
    pub(crate) patience: Duration,
    /// Set when this update is to stop; without it, when the program is.
    pub(crate) stop: Option<Arc<AtomicBool>>,
    /// Hears how far it is.
    pub(crate) told: Option<Told>,
}

impl Options {
    fn stop(&self) -> anyhow::Result<&AtomicBool> {
        match self.stop.as_deref() {
            Some(stop) => Ok(stop),
            None => stop::requested(),
        }
    }
}

/// How long a process that writes is waited for where nothing can be done without it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Which documents of the index to remove.
#[derive(Default)]
pub(crate) enum Prune {
    /// None.
    #[default]
    Nothing,
    /// Those found earlier under these folders whose files are gone.
    Gone(Vec<PathBuf>),
    /// All but the sources.
    Others,
}

pub(crate) fn run(args: &IndexArgs, config: &Config) -> anyhow::Result<Finish> {
    if let Some(path) = args.paths.iter().find(|path| !path.exists()) {
        return Err(missing(path));
    }
    let first = args.paths.first().map(PathBuf::as_path).unwrap_or(Path::new("."));
    let dir = IndexDir::new(config.index_of(first));
    let ignored = Ignored::parse(&args.ignore)?;
    let options = Options {
        pages: args.pages.as_deref().map(|text| PageList::parse("--pages", text)).transpose()?,
        password: args.password.clone(),
        prune: if args.prune || args.watch.is_on() {
            Prune::Gone(args.paths.iter().map(|path| real_path(path)).collect())
        } else {
            Prune::Nothing
        },
        strict: args.strict,
        reindex: args.reindex.as_deref().map(vector_route).transpose()?,
        patience: PATIENCE,
        ..Options::default()
    };
    let look = || ignored.applied(discover(&args.paths));
    let index = |discovery: Discovery| {
        let skipped = summary::by_ending(&discovery.skipped);
        let sources = sources::from_discovery(discovery, args.pages.as_deref(), &sources::held(&dir)?);
        let summary = Summary { skipped, ..update(&dir, sources, &options, config)? };
        tell(&summary, &dir, config)?;
        Ok(summary)
    };
    let Some(pause) = args.watch.pause()? else { return Ok(Finish::with_problems(index(look())?.has_failures())) };
    if !config.quiet {
        output::note(format_args!(
            "watching: looking for changes every {}; Ctrl-C ends it",
            output::count(pause.as_secs(), "second")
        ));
    }
    let look = || args.paths.iter().all(|path| path.exists()).then(look);
    watch::watch(pause, stop::requested()?, look, |discovery| index(discovery).map(drop))?;
    Ok(Finish::Done)
}

/// A route of vectors by its name.
fn vector_route(name: &str) -> anyhow::Result<Route> {
    let route = name.parse().ok().filter(|route| Route::VECTORS.contains(route));
    route.ok_or_else(|| usage(format!("--reindex {name:?}: expected dense, late or page")))
}

fn tell(summary: &Summary, dir: &IndexDir, config: &Config) -> anyhow::Result<()> {
    if config.json {
        output::json(summary)?;
    } else {
        if !config.quiet {
            output::note(format_args!("{summary}"));
        }
        output::line(format_args!("{}", dir.root().display()))?;
    }
    if summary.is_empty() {
        output::note(format_args!("{}", no_document()));
    }
    Ok(())
}

fn no_document() -> String {
    format!("no document was found; recto reads files that end in {}", recto_ingest::discover::SUPPORTED.join(", "))
}

/// Takes apart the words of a command that may begin with a path. Indexes that path if there is one; says which index to
/// use and what was asked.
pub(crate) fn index_if_named<'a>(
    command: &str,
    words: &'a [String],
    config: &Config,
) -> anyhow::Result<(IndexDir, &'a str)> {
    let in_quotes = || format!("put several words in quotes: recto {command} [PATH] \"{}\"", words.join(" "));
    let (path, asked) = match words {
        [path, asked] if Path::new(path).exists() => (PathBuf::from(path), asked),
        [path, _] => return Err(usage(format!("there is no file or folder {path:?}; {}", in_quotes()))),
        [only] if Path::new(only).is_dir() => {
            return Err(usage(format!("{only} is a folder: recto {command} {only} \"words\"")));
        }
        [only] => return Ok((IndexDir::new(config.index_of(".".as_ref())), only)),
        _ => return Err(usage(in_quotes())),
    };
    let (dir, summary) = refresh(&path, config)?;
    if summary.is_some_and(|summary| summary.is_empty()) {
        return Err(usage(format!("{}: {}", path.display(), no_document())));
    }
    Ok((dir, asked))
}

/// The index of a folder or file, after reading what has changed there and removing what is gone.
pub(crate) fn bring_up_to_date(path: &Path, config: &Config) -> anyhow::Result<IndexDir> {
    Ok(refresh(path, config)?.0)
}

/// The same, with what was done; `None` if that failed and the index is there from before.
fn refresh(path: &Path, config: &Config) -> anyhow::Result<(IndexDir, Option<Summary>)> {
    if !path.exists() {
        return Err(missing(path));
    }
    let dir = IndexDir::new(config.index_of(path));
    let is_new = !dir.exists();
    let sources = sources::from_discovery(discover(&[path.into()]), None, &sources::held(&dir)?);
    // Where there is an index already, it can be asked meanwhile.
    let patience = if is_new { PATIENCE } else { Duration::ZERO };
    let options = Options { prune: Prune::Gone(vec![real_path(path)]), patience, ..Options::default() };
    match update(&dir, sources, &options, config) {
        Ok(summary) => {
            if summary.counts.read + summary.counts.removed > 0 && !config.quiet {
                output::note(format_args!("{summary}\n"));
            }
            Ok((dir, Some(summary)))
        }
        Err(error) if is_new || stop::requested()?.load(Ordering::Relaxed) => Err(error),
        // What was indexed before can still be asked, when another process writes or the index may only be read.
        Err(error) => {
            output::note(format_args!("the index was not brought up to date: {error:#}"));
            Ok((dir, None))
        }
    }
}

/// Removes documents, after other writers unless it is to `stop`; the names that the index does not know are left out. How
/// many there were.
pub(crate) fn remove(dir: &IndexDir, documents: &[DocId], stop: &AtomicBool) -> anyhow::Result<usize> {
    let mut writer = open_writer(dir, PATIENCE, stop, true)?;
    let known: BTreeSet<DocId> = writer.known()?.into_iter().map(|known| known.id).collect();
    let meant: Vec<&DocId> = documents.iter().filter(|id| known.contains(id)).collect();
    meant.iter().try_for_each(|id| writer.remove_or_hand_on(id))?;
    writer.commit_all()?;
    Ok(meant.len())
}

fn missing(path: &Path) -> anyhow::Error {
    usage(format!("{}: there is no such file or folder", path.display()))
}

/// Brings an index up to date with `sources`; what is unchanged is not read again.
pub(crate) fn update(
    dir: &IndexDir,
    mut sources: Vec<Source>,
    options: &Options,
    config: &Config,
) -> anyhow::Result<Summary> {
    let start = Instant::now();
    if config.index.is_none() {
        make_private(dir.root())?;
    }
    let manner = Manner::of(config);
    sources.iter_mut().for_each(|source| source.fingerprint = manner.fingerprint(&source.fingerprint));
    let mut writer = open_writer(dir, options.patience, options.stop()?, config.quiet)?;
    writer.choose_routes(config, options.reindex, options.password.as_deref())?;
    if writer.reposted > 0 && !config.quiet {
        output::note(format_args!(
            "the word index was not that of the pages: made anew from {} of them",
            writer.reposted
        ));
    }
    let plan = Plan::make(&mut writer, sources, &manner, options, config.limits.file_bytes)?;
    plan.bare.iter().filter(|(_, documents)| **documents > 0).for_each(|(root, n)| tell_bare(root, *n, dir));
    let mut summary = Summary { counts: plan.counts, ..Summary::default() };
    read(&plan.reads, &mut writer, options, config)?;
    let stop = options.stop()?;
    if !stop.load(Ordering::Relaxed) {
        writer.drop_unfinished()?;
        writer.fill_routes(stop, config.quiet)?;
    }
    writer.commit_all()?;
    if stop.load(Ordering::Relaxed) {
        anyhow::bail!("stopped; what was read so far is kept, and the next `recto index` goes on there");
    }
    summary.describe(dir)?;
    summary.seconds = start.elapsed().as_secs_f64();
    Ok(summary)
}

/// The index, open for writing; another process that writes is waited for, and named if that takes long.
fn open_writer(dir: &IndexDir, patience: Duration, stop: &AtomicBool, is_quiet: bool) -> anyhow::Result<IndexWriter> {
    let (start, mut is_told) = (Instant::now(), is_quiet);
    loop {
        // The lock itself is tried for a second.
        let opened = IndexWriter::open(dir);
        let Err(error) = &opened else { return opened };
        let is_held = matches!(error.downcast_ref(), Some(PageError::Locked { .. }));
        if !is_held || start.elapsed() >= patience || stop.load(Ordering::Relaxed) {
            return opened;
        }
        if !is_told {
            output::note(format_args!("{error}: waiting, for {} at most", output::count(patience.as_secs(), "second")));
            is_told = true;
        }
    }
}

fn tell_bare(root: &Path, documents: u64, dir: &IndexDir) {
    output::note(format_args!(
        "nothing was found in {}, where {} came from: kept in the index, as its drive may be away. See that it is there and \
         try again; if all is gone for good, delete the index {}",
        root.display(),
        output::count(documents, "document"),
        dir.root().display()
    ));
}

/// Makes a folder that nobody else may look into, since what is indexed may be private.
fn make_private(folder: &Path) -> anyhow::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder).with_context(|| folder.display().to_string())
}

fn read(reads: &[Read], writer: &mut IndexWriter, options: &Options, config: &Config) -> anyhow::Result<()> {
    let command = commands::worker::command(config)?;
    let mut progress = Progress::start(reads.iter().map(Read::bytes).sum(), options.told.clone(), config);
    let mut open = vec![None; reads.len()];
    let stop = options.stop()?;
    let pool = pool::Pool { reads, command: &command, options, config, stop };
    pool.run(|index, event| {
        let (Some(read), Some(document)) = (reads.get(index), open.get_mut(index)) else { return Ok(()) };
        let document = match document {
            Some(document) => document,
            none => none.insert(writer.begin(read)?),
        };
        match event {
            Event::Opened(pages) => progress.opened(read.bytes(), pages),
            Event::Page(page) => {
                stop_at(options.strict, &read.source, &page.problems)?;
                progress.page(&page);
                writer.add_page(document, &read.source, *page)?;
            }
            Event::End(outcome) => {
                stop_at(options.strict, &read.source, &outcome.problems)?;
                writer.finish(document, &read.source, outcome)?;
            }
        }
        Ok(())
    })
}

fn stop_at(strict: bool, source: &Source, problems: &[Problem]) -> anyhow::Result<()> {
    match problems.iter().find(|problem| strict && problem.code.is_failure()) {
        Some(problem) => anyhow::bail!("{}: {problem}; {}", source.id, problem.code.next_step()),
        None => Ok(()),
    }
}
