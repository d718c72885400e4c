//! `recto doctor`: what works here, what doesn't, and how to mend it.

use std::fs::File;
use std::path::Path;

use recto_ingest::worker::Worker;
use recto_model::{Chat, ChatMessage, ChatRequest, Class, Ledger, ModelError};
use recto_page::{Catalog, ContentHash, DocumentState, IndexDir, PageError, PageId, PageNumber, Pages};
use recto_search::vectors::PageKey;
use recto_search::{LexicalReader, SearchError};
use serde::Serialize;

use crate::commands::index::recognizer::LazyRecognizer;
use crate::commands::index::vector_files;
use crate::config::{Config, Ocr};
use crate::corpus::Corpus;
use crate::exit::Finish;
use crate::{commands, output};

#[derive(Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    found: String,
    /// What to do if it is not ok.
    fix: Option<String>,
}

pub(crate) fn run(verify: bool, config: &Config) -> anyhow::Result<Finish> {
    let dir = IndexDir::new(config.index_of(".".as_ref()));
    let mut checks = vec![worker(config), index(&dir), writable(&dir), model(verify, config), ocr(config)];
    if verify && Catalog::open(&dir).is_ok() {
        checks.push(contents(&dir));
    }
    if config.json {
        output::json(&checks)?;
    } else {
        checks.iter().try_for_each(tell)?;
    }
    Ok(Finish::with_problems(checks.iter().any(|check| !check.ok)))
}

fn tell(check: &Check) -> anyhow::Result<()> {
    output::line(format_args!("{} {}: {}", if check.ok { "ok  " } else { "FAIL" }, check.name, check.found))?;
    match &check.fix {
        Some(fix) => output::line(format_args!("     to mend it: {fix}")),
        None => Ok(()),
    }
}

fn ok(name: &'static str, found: impl Into<String>) -> Check {
    Check { name, ok: true, found: found.into(), fix: None }
}

fn failed(name: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Check {
    Check { name, ok: false, found: found.into(), fix: Some(fix.into()) }
}

/// Whether a worker process starts and reads a document under its memory limit.
fn worker(config: &Config) -> Check {
    let name = "worker process";
    let started = commands::worker::command(config).map_err(|e| e.to_string()).and_then(|command| {
        let mut worker = Worker::start(&command).map_err(|e| e.to_string())?;
        worker.open(Path::new("/dev/null"), None, config.limits.page_time).map_err(|e| e.to_string())
    });
    match started {
        Ok(_) => ok(name, format!("{} at once, {} MiB each", config.jobs, config.limits.memory >> 20)),
        Err(why) => failed(name, why, "raise --memory, or see that the program may start itself"),
    }
}

fn index(dir: &IndexDir) -> Check {
    let name = "index";
    let place = dir.root().display();
    if dir.has_lost_its_catalog() {
        return failed(
            name,
            format!("{place} holds words and kept files, but no catalog.sqlite that says what they are"),
            "put it back from a copy; else `recto index PATH` reads all documents anew, and drops the kept files",
        );
    }
    if !dir.exists() {
        return ok(name, format!("none yet at {place}"));
    }
    let opened = Corpus::open(dir).and_then(|corpus| Ok(corpus.catalog.documents()?.len()));
    match opened {
        Ok(n) => ok(name, format!("{} at {place}", output::count(n as u64, "document"))),
        Err(error) => failed(name, format!("{error:#}"), mend_index(&error)),
    }
}

fn mend_index(error: &anyhow::Error) -> &'static str {
    if error.is::<SearchError>() {
        "run `recto index PATH` again: it makes the word index anew from the pages"
    } else if matches!(error.downcast_ref(), Some(PageError::NoIndex(_))) {
        "run `recto index PATH` again: it was ended before anything was in the index"
    } else {
        "delete the directory and run `recto index PATH` again"
    }
}

fn writable(dir: &IndexDir) -> Check {
    let name = "index directory";
    let place = dir.root().ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    let probe = place.join(format!(".recto-{}", std::process::id()));
    let written = File::create(&probe).and_then(|_| std::fs::remove_file(&probe));
    match written {
        Ok(()) => ok(name, format!("{} can be written", place.display())),
        Err(error) => failed(name, format!("{}: {error}", place.display()), "name another one with --index DIR"),
    }
}

/// Which model answers by which key; asked one tiny question if that is wanted.
fn model(ask: bool, config: &Config) -> Check {
    let name = "answers";
    let chat = match config.model.chat(2) {
        Ok(Some(chat)) => chat,
        Ok(None) => return ok(name, "by the offline answerer (no --model)"),
        Err(error) => return failed(name, format!("{error:#}"), "see --model and --base-url in `recto --help`"),
    };
    let found = format!("{} {}", chat.name(), config.model.key_source());
    if !ask {
        return ok(name, format!("{found}; `recto doctor --verify` asks it"));
    }
    let mut request = ChatRequest::new(vec![ChatMessage::user("Reply with the one word: ready")]);
    // Room for models that think before they reply.
    request.max_tokens = 1024;
    match chat.reply(&request, &Ledger::default()) {
        Ok(reply) => ok(name, format!("{found}; it replied, with {} tokens", reply.usage.tokens())),
        Err(error) => failed(name, format!("{found}: {error}"), mend(&error)),
    }
}

fn mend(error: &ModelError) -> &'static str {
    let ModelError::Chat(failure) = error else { return "see --model and --base-url in `recto --help`" };
    match failure.class {
        Class::Key => "set RECTO_API_KEY, or the provider's own variable, to a key of this provider",
        Class::NoCredit => "add credit to the account, or use another key",
        Class::NoModel | Class::NotChat | Class::ErrorPage => {
            "see the model's name in --model and the address in --base-url"
        }
        class if class.is_passing() => "see that the server runs and can be reached, then try again",
        _ => "try another model",
    }
}

fn ocr(config: &Config) -> Check {
    let name = "scanned pages";
    match (config.ocr, LazyRecognizer::new(config).get()) {
        (Ocr::Never, _) => ok(name, "kept and shown, not read (--ocr never)"),
        (mode, Ok(recognizer)) => ok(name, format!("read by {} (--ocr {})", recognizer.name(), mode.as_str())),
        (_, Err(why)) => failed(name, why, "scripts/get-models.sh, or name their folder with --models DIR"),
    }
}

/// Reads every page record and kept file again.
fn contents(dir: &IndexDir) -> Check {
    let name = "index contents";
    match damages(dir) {
        Ok(damages) if damages.is_empty() => ok(name, "every page record, kept file and vector is whole"),
        Ok(damages) => failed(
            name,
            damages.join("; "),
            format!(
                "`recto index PATH --reindex ROUTE` for a route; else remove the folder {} and the kept files that are \
                 named, and run `recto index PATH`: documents with damaged pages are read again",
                dir.lexical().display()
            ),
        ),
        Err(error) => failed(name, format!("{error:#}"), "delete the index directory and run `recto index` again"),
    }
}

fn damages(dir: &IndexDir) -> anyhow::Result<Vec<String>> {
    let catalog = Catalog::open(dir)?;
    let mut damages = catalog.damages()?;
    damages.extend(word_damages(dir, &catalog).unwrap_or_else(|error| vec![format!("{error:#}")]));
    let keys = catalog.page_keys()?.into_iter().map(|(version, n)| PageKey { version, number: n.get() }).collect();
    for route in catalog.routes()? {
        damages.extend(vector_files::damages(dir, &route, &keys).unwrap_or_else(|error| vec![error.to_string()]));
    }
    for document in catalog.documents()?.iter().filter(|d| d.state == DocumentState::Indexed) {
        for number in PageNumber::first(document.n_pages) {
            if let Err(error) = catalog.page(&PageId::new(document.id.clone(), number)) {
                damages.push(format!("page {number} of {}: {error}", document.id));
            }
        }
        if let Some(hash) = &document.hash {
            let read = File::open(dir.source(hash)).and_then(ContentHash::of_reader);
            if read.ok().as_ref() != Some(hash) {
                let kept = dir.source(hash);
                damages.push(format!("the kept file {} of {} is missing or changed", kept.display(), document.id));
            }
        }
    }
    Ok(damages)
}

fn word_damages(dir: &IndexDir, catalog: &Catalog) -> anyhow::Result<Vec<String>> {
    let lexical = LexicalReader::open(&dir.lexical())?;
    if !lexical.holds(catalog.generation()?, &catalog.pages_by_version()?)? {
        return Ok(vec![SearchError::Foreign(dir.lexical()).to_string()]);
    }
    let damaged = LexicalReader::damaged_files(&dir.lexical())?;
    Ok(damaged.iter().map(|file| format!("{} of the word index is damaged", file.display())).collect())
}

#[cfg(test)]
mod tests {
    use recto_page::catalog::CatalogWriter;

    use super::*;

    #[test]
    fn what_is_wrong_with_an_index_comes_with_what_mends_it() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        assert!(index(&dir).ok);
        // Ended before the first commit.
        drop(CatalogWriter::open(&dir).unwrap());
        let check = index(&dir);
        assert!(
            !check.ok && check.fix.as_ref().unwrap().starts_with("run `recto index PATH` again"),
            "{:?}",
            check.fix
        );
        // Without words.
        CatalogWriter::open(&dir).unwrap().commit(1).unwrap();
        let check = index(&dir);
        assert!(
            !check.ok && check.fix.as_ref().unwrap().starts_with("run `recto index PATH` again"),
            "{:?}",
            check.fix
        );
        // Without a catalog.
        std::fs::remove_file(dir.catalog()).unwrap();
        std::fs::create_dir(dir.lexical()).unwrap();
        let check = index(&dir);
        assert!(!check.ok && check.found.contains("no catalog"), "{}", check.found);
    }
}
