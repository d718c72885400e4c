//! The configuration: flag before environment before `recto.toml` before default, resolved once.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::ArgMatches;
use clap::parser::ValueSource;
use recto_ingest::Limits;
use recto_model::remote::{Key, RemoteRecognizer};
use recto_search::Route;
use serde::Serialize;

use crate::args::Settings;
use crate::encoders::{self, Spec};
use crate::exit::usage;
use crate::model::{ModelConfig, TABLE};
use crate::rerank;

/// What the program works with.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) index: Option<PathBuf>,
    /// Indexes that are searched together with it.
    pub(crate) more_indexes: Vec<PathBuf>,
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) jobs: usize,
    pub(crate) limits: Limits,
    pub(crate) ocr: Ocr,
    pub(crate) ocr_url: Option<String>,
    pub(crate) models: Option<PathBuf>,
    /// The routes that the index is to have, if the user says so.
    pub(crate) routes: Option<BTreeSet<Route>>,
    /// Encoders that the user names.
    pub(crate) encoders: BTreeMap<Route, Spec>,
    /// What an encoder's server wants to see.
    pub(crate) encoder_key: Option<Key>,
    /// Who orders the first pages of a search anew.
    pub(crate) rerank: Option<rerank::Spec>,
    /// What that one's server wants to see.
    pub(crate) rerank_key: Option<Key>,
    pub(crate) model: ModelConfig,
    /// Every setting as text, for `config show`.
    pub(crate) shown: Vec<Shown>,
}

/// Which pages are read off their pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ocr {
    /// None.
    Never,
    /// Those whose text the file does not tell, or not well.
    Auto,
    /// All, in place of what the file says.
    Always,
    /// The same as with auto, with the larger models.
    Quality,
}

impl Ocr {
    const ALL: [Self; 4] = [Self::Never, Self::Auto, Self::Always, Self::Quality];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Quality => "quality",
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|ocr| ocr.as_str() == text).ok_or_else(|| "never, auto, always or quality".into())
    }
}

/// A setting's value and where it came from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Shown {
    pub(crate) key: &'static str,
    pub(crate) value: String,
    pub(crate) from: String,
}

/// Keys of `recto.toml`.
const KEYS: [&str; 16] = [
    "index",
    "json",
    "quiet",
    "ocr",
    "ocr_url",
    "models",
    "routes",
    "encoder",
    "rerank",
    "model",
    "jobs",
    "memory",
    "max_bytes",
    "max_pages",
    "max_pixels",
    "page_timeout",
];

impl Config {
    /// Resolves the configuration.
    ///
    /// # Errors
    /// A [usage error](crate::exit::Usage) naming the key and what is expected, if a value is of no use.
    pub(crate) fn resolve(settings: &Settings, matches: &ArgMatches) -> anyhow::Result<Self> {
        let file = ConfigFile::find(settings.config.as_deref())?;
        let mut resolver = Resolver { matches, file, shown: Vec::new() };
        let limits = Limits::default();
        let named: Vec<String> = settings.index.iter().map(|path| path.display().to_string()).collect();
        let mut indexes = resolver.take("index", joined(&named), "", paths)?.into_iter();
        Ok(Self {
            index: indexes.next(),
            more_indexes: indexes.collect(),
            json: resolver.take("json", settings.json.then(|| "true".into()), "false", boolean)?,
            quiet: resolver.take("quiet", settings.quiet.then(|| "true".into()), "false", boolean)?,
            ocr: resolver.take("ocr", settings.ocr.clone(), "auto", Ocr::parse)?,
            ocr_url: resolver.take("ocr_url", settings.ocr_url.clone(), "", server)?,
            models: resolver.take("models", settings.models.as_ref().map(|p| p.display().to_string()), "", path)?,
            routes: resolver.take("routes", settings.routes.clone(), "", routes)?,
            encoders: resolver.take("encoder", joined(&settings.encoder), "", encoders::parse)?,
            // A file that merely lies in this folder must not send a key to an address of its own.
            encoder_key: if resolver.is_from_here("encoder") { None } else { key() },
            rerank: resolver.take("rerank", settings.rerank.clone(), "", rerank::Spec::parse)?,
            rerank_key: if resolver.is_from_here("rerank") { None } else { key() },
            model: ModelConfig::resolve(&mut resolver, settings)?,
            jobs: resolver.take("jobs", settings.jobs.clone(), &processors().to_string(), |text| {
                in_range(text, 1, 256).map(|n| n as usize)
            })?,
            limits: Limits {
                memory: resolver.take("memory", settings.memory.clone(), "2GiB", |text| bytes(text, 64 << 20))?,
                file_bytes: resolver.take("max_bytes", settings.max_bytes.clone(), "1GiB", |text| bytes(text, 1))?,
                pages: resolver.take("max_pages", settings.max_pages.clone(), &limits.pages.to_string(), |text| {
                    in_range(text, 1, 1_000_000).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
                })?,
                pixels: resolver.take(
                    "max_pixels",
                    settings.max_pixels.clone(),
                    &limits.pixels.to_string(),
                    |text| in_range(text, 10_000, 60_000_000),
                )?,
                page_time: resolver.take("page_timeout", settings.page_timeout.clone(), "8", |text| {
                    in_range(text, 1, 3_600).map(Duration::from_secs)
                })?,
            },
            shown: resolver.shown,
        })
    }

    /// The folder of the model files.
    pub(crate) fn models_folder(&self) -> PathBuf {
        self.models.clone().or_else(beside_program).unwrap_or_else(|| "models".into())
    }

    /// The index to use: the one that was named, else the one of `folder` in the user's cache.
    pub(crate) fn index_of(&self, folder: &Path) -> PathBuf {
        self.index.clone().unwrap_or_else(|| default_index(folder))
    }
}

/// Decides where each setting comes from.
pub(crate) struct Resolver<'a> {
    matches: &'a ArgMatches,
    file: ConfigFile,
    pub(crate) shown: Vec<Shown>,
}

impl Resolver<'_> {
    pub(crate) fn take<T>(
        &mut self,
        key: &'static str,
        typed: Option<String>,
        default: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> anyhow::Result<T> {
        let (value, from) = match (typed, self.file.values.get(key)) {
            (Some(value), _) => (value, self.source(key)),
            (None, Some(value)) => (value.clone(), self.file.path.display().to_string()),
            (None, None) => (default.to_owned(), "default".to_owned()),
        };
        self.take_from(key, value, &from, parse)
    }

    /// A setting whose value and origin are known.
    pub(crate) fn take_from<T>(
        &mut self,
        key: &'static str,
        value: String,
        from: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> anyhow::Result<T> {
        let parsed =
            parse(&value).map_err(|expected| usage(format!("{key} = {value:?} (from {from}): expected {expected}")))?;
        self.shown.push(Shown { key, value, from: from.into() });
        Ok(parsed)
    }

    /// Whether a setting came from a file that lies in this folder and that nobody has named.
    pub(crate) fn is_from_here(&self, key: &str) -> bool {
        let from = self.shown.iter().rfind(|shown| shown.key == key).map(|shown| shown.from.as_str());
        self.file.is_here && from == Some(&self.file.path.display().to_string())
    }

    fn source(&self, key: &str) -> String {
        match self.matches.value_source(key) {
            Some(ValueSource::EnvVariable) => format!("environment RECTO_{}", key.to_uppercase()),
            _ => format!("flag --{}", key.replace('_', "-")),
        }
    }
}

/// `[encoder]` with a line for each route, as one text.
fn encoders_by_route(path: &Path, table: toml::Table) -> anyhow::Result<String> {
    let line = |(route, spec): (String, toml::Value)| match spec {
        toml::Value::String(spec) => Ok(format!("{route}={spec}")),
        other => Err(usage(format!("{}: encoder.{route} is a {}; expected text", path.display(), other.type_str()))),
    };
    Ok(table.into_iter().map(line).collect::<anyhow::Result<Vec<_>>>()?.join("\n"))
}

#[derive(Default)]
struct ConfigFile {
    path: PathBuf,
    /// Whether it was found in this folder, rather than named or the user's own.
    is_here: bool,
    values: BTreeMap<String, String>,
}

impl ConfigFile {
    fn find(named: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(path) = named {
            return Self::read(path).with_context(|| format!("configuration file {}", path.display()));
        }
        let user = user_folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("recto/recto.toml"));
        let here = PathBuf::from("recto.toml");
        if is_there(&here)? {
            return Ok(Self { is_here: true, ..Self::read(&here)? });
        }
        match user {
            Some(path) if is_there(&path)? => Self::read(&path),
            _ => Ok(Self::default()),
        }
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|e| usage(format!("{}: {e}", path.display())))?;
        let table: toml::Table = text.parse().map_err(|e| usage(format!("{}: {e}", path.display())))?;
        let mut values = BTreeMap::new();
        for (key, value) in table {
            match value {
                toml::Value::Table(table) if key == "model" => values.append(&mut model_values(path, table)?),
                _ if !KEYS.contains(&key.as_str()) => return Err(unknown_key(path, &key, &KEYS)),
                toml::Value::Table(table) if key == "encoder" => {
                    values.insert(key, encoders_by_route(path, table)?);
                }
                toml::Value::Float(_) => return Err(wrong_type(path, &key, &value)),
                value => {
                    let text = text_of(path, &key, value)?;
                    values.insert(key, text);
                }
            }
        }
        Ok(Self { path: path.into(), is_here: false, values })
    }
}

/// Whether there is such a file; what is there and can be none is refused: a folder has no end, a pipe waits for ever.
fn is_there(path: &Path) -> anyhow::Result<bool> {
    // Who may not look there has no file there.
    if path.symlink_metadata().is_err() {
        return Ok(false);
    }
    let metadata = path.metadata().map_err(|error| usage(format!("{}: {error}", path.display())))?;
    if metadata.is_file() {
        return Ok(true);
    }
    Err(usage(format!("{}: expected a file, found something else of that name", path.display())))
}

/// The `models` folder nearest above the program: a package has it beside `bin`, a checkout above `target`.
fn beside_program() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    program.ancestors().map(|folder| folder.join("models")).find(|models| models.join("ocr").is_dir())
}

fn joined(lines: &[String]) -> Option<String> {
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Routes parted by commas; nothing if nothing is said.
fn routes(text: &str) -> Result<Option<BTreeSet<Route>>, String> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    let mut routes = names
        .map(|name| name.parse().map_err(|_| "bm25, dense, late and page, parted by commas".to_owned()))
        .collect::<Result<BTreeSet<Route>, _>>()?;
    if routes.is_empty() {
        return Ok(None);
    }
    // Words are what every index has.
    routes.insert(Route::Bm25);
    Ok(Some(routes))
}

/// The key for encoders' servers. It comes from the environment only and is never shown.
fn key() -> Option<Key> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let key = named("RECTO_ENCODER_KEY").or_else(|| named("RECTO_API_KEY"))?;
    Some(Key::new(&key.to_string_lossy()))
}

/// The table `[model]`, by the names that its settings have elsewhere.
fn model_values(path: &Path, table: toml::Table) -> anyhow::Result<BTreeMap<String, String>> {
    let mut values = BTreeMap::new();
    for (key, value) in table {
        let Some((_, name)) = TABLE.iter().find(|(known, _)| *known == key) else {
            return Err(unknown_key(path, &format!("model.{key}"), &TABLE.map(|(known, _)| known)));
        };
        let text = match value {
            toml::Value::Table(table) if key == "extra" => serde_json::to_string(&table)?,
            value => text_of(path, &key, value)?,
        };
        values.insert((*name).to_owned(), text);
    }
    Ok(values)
}

fn text_of(path: &Path, key: &str, value: toml::Value) -> anyhow::Result<String> {
    match value {
        toml::Value::String(text) => Ok(text),
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => Ok(value.to_string()),
        other => Err(wrong_type(path, key, &other)),
    }
}

fn wrong_type(path: &Path, key: &str, value: &toml::Value) -> anyhow::Error {
    let (path, kind) = (path.display(), value.type_str());
    usage(format!("{path}: {key} is a {kind}; expected text, a number or true/false"))
}

fn unknown_key(path: &Path, key: &str, known: &[&str]) -> anyhow::Error {
    usage(format!("{}: unknown key {key:?}; known are {}", path.display(), known.join(", ")))
}

fn path(text: &str) -> Result<Option<PathBuf>, String> {
    Ok((!text.is_empty()).then(|| text.into()))
}

/// Folders on lines of their own.
fn paths(text: &str) -> Result<Vec<PathBuf>, String> {
    Ok(text.lines().filter(|line| !line.is_empty()).map(PathBuf::from).collect())
}

/// The address of an OCR server.
fn server(text: &str) -> Result<Option<String>, String> {
    let is_address = text.is_empty() || RemoteRecognizer::new(text, "", Duration::ZERO).is_ok();
    let address = (!text.is_empty()).then(|| text.to_owned());
    if is_address { Ok(address) } else { Err("an address such as http://localhost:8000/ocr".into()) }
}

pub(crate) fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "true or false".into())
}

/// A whole number between `low` and `high`.
pub(crate) fn in_range(text: &str, low: u64, high: u64) -> Result<u64, String> {
    let number = text.trim().parse().ok().filter(|n| (low..=high).contains(n));
    number.ok_or_else(|| format!("a whole number from {low} to {high}"))
}

pub(crate) fn bytes(text: &str, least: u64) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        _ => 0,
    };
    let bytes = number.parse().ok().and_then(|n: u64| n.checked_mul(factor)).filter(|n| *n >= least);
    bytes.ok_or_else(|| format!("a number of bytes of at least {least}, such as 512MiB or 2GiB"))
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// One index for each folder, named after it, in the user's cache.
fn default_index(folder: &Path) -> PathBuf {
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    let hash = recto_page::ContentHash::of(folder.as_os_str().as_encoded_bytes());
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    // Without a home the index goes where the documents are: what everybody may write to is no place for it.
    let beside = || if folder.is_dir() { folder.join(".recto") } else { folder.with_file_name(".recto") };
    let cache = user_folder("XDG_CACHE_HOME", ".cache").map_or_else(beside, |cache| cache.join("recto"));
    cache.join("index").join(format!("{name}-{}", hash.as_str().get(..12).unwrap_or_default()))
}

fn user_folder(variable: &str, below_home: &str) -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|v: &OsString| !v.is_empty()).map(PathBuf::from);
    named(variable).or_else(|| named("HOME").map(|home| home.join(below_home)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_units() {
        let table = [("512MiB", Some(512 << 20)), ("2g", Some(2 << 30)), ("100", Some(100)), ("7 KiB", Some(7 << 10))];
        for (text, want) in table {
            assert_eq!(bytes(text, 1).ok(), want, "{text}");
        }
        for text in ["", "x", "-1", "1.5G", "0", "99999999999999999999", "18446744073709551615G"] {
            assert!(bytes(text, 1).is_err(), "{text}");
        }
    }
}
