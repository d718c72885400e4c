//! `recto serve [PATH]`: indexes for people and programs, by HTTP: web pages, an API and MCP.
//!
//! A thin face: what it tells is found by `commands/` and the libraries. The way of a request: [`listen`] takes the
//! connection, [`guard`] looks where it comes from, [`router`] finds the endpoint, [`visit`] asks [`keys`](mod@keys) what the caller
//! may do, and the endpoint's own file has the work done in a thread where waiting is allowed ([`state`]).

mod annotation;
mod api;
mod docs;
mod endpoint;
mod extract;
mod fault;
mod guard;
mod jobs;
mod kept;
mod keys;
mod limits;
mod listen;
mod mcp;
mod metrics;
mod names;
mod openapi;
mod part;
mod patience;
mod router;
mod scores;
mod sessions;
mod state;
mod stream;
mod traces;
mod visit;
mod watched;
mod web;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use recto_page::IndexDir;

use self::keys::{Keys, VARIABLE};
use self::limits::{LimitArgs, Limits};
use self::state::App;
use crate::args::WatchArgs;
use crate::config::{Config, in_range};
use crate::exit::{Finish, usage};

/// The collection of an index that was given no name.
const DEFAULT: &str = "default";

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Documents or a folder of them, whose index is first brought up to date [default: the index as it is]
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
    /// An index by a name of its own (may repeat) [default: `default`, the index that other commands use]
    #[arg(long, env = "RECTO_COLLECTION", value_name = "NAME=DIR", value_delimiter = ',')]
    pub(crate) collection: Vec<String>,
    /// Address to listen on. Any but this machine's own needs keys in RECTO_SERVE_KEYS
    #[arg(long, env = "RECTO_HOST", default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub(crate) host: String,
    /// Port to listen on; 0 for any that is free
    #[arg(long, env = "RECTO_PORT", default_value = "7432", value_name = "PORT")]
    pub(crate) port: String,
    /// Folder whose documents may be added by path (may repeat) [default: none]
    #[arg(long, env = "RECTO_ALLOW_PATH", value_name = "DIR", value_delimiter = ',')]
    pub(crate) allow_path: Vec<PathBuf>,
    /// Folder of runs of `recto bench run`, for one collection where there are several (may repeat)
    #[arg(long, env = "RECTO_RUNS", value_name = "[NAME=]DIR", value_delimiter = ',')]
    pub(crate) runs: Vec<String>,
    /// Questions that people answer in the browser, in any form that `recto bench` reads
    #[arg(long, env = "RECTO_ANNOTATE", value_name = "[NAME=]SET")]
    pub(crate) annotate: Option<String>,
    /// Folder for what people answer, write and review; without --annotate questions can be written there
    #[arg(long, env = "RECTO_OUT", value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

pub(crate) fn run(args: &ServeArgs, config: &Config) -> anyhow::Result<Finish> {
    let keys = keys()?;
    let address = address(args, &keys)?;
    if let Some(path) = args.path.as_deref().filter(|path| !path.exists()) {
        return Err(usage(format!("{}: there is no such file or folder", path.display())));
    }
    let app = Arc::new(App::new(named(args, config)?, keys, Limits::resolve(&args.limits)?, args, config)?);
    listen::until_stopped(address, app, args.path.clone(), config)?;
    Ok(Finish::Done)
}

/// Keys come from the environment only: flags and files are seen by others.
fn keys() -> anyhow::Result<Keys> {
    match std::env::var(VARIABLE) {
        Ok(text) => Keys::parse(&text),
        Err(std::env::VarError::NotPresent) => Ok(Keys::default()),
        Err(std::env::VarError::NotUnicode(_)) => Err(usage(format!("{VARIABLE} holds what is no text"))),
    }
}

/// Where to listen.
fn address(args: &ServeArgs, keys: &Keys) -> anyhow::Result<SocketAddr> {
    let port = in_range(&args.port, 0, 65_535).map_err(|e| usage(format!("--port {:?}: expected {e}", args.port)))?;
    let host = if args.host == "localhost" { "127.0.0.1" } else { &args.host };
    let host: IpAddr = host
        .parse()
        .map_err(|_| usage(format!("--host {:?}: expected an address such as 127.0.0.1, 0.0.0.0 or ::1", args.host)))?;
    if keys.is_empty() && !host.is_loopback() {
        return Err(usage(format!(
            "--host {host}: others could read the documents: put a key of 16 or more characters into the environment as \
             {VARIABLE}, or leave --host out"
        )));
    }
    Ok(SocketAddr::new(host, port as u16))
}

/// Names and indexes of the collections.
fn named(args: &ServeArgs, config: &Config) -> anyhow::Result<Vec<(String, IndexDir)>> {
    let mut named = Vec::new();
    for text in &args.collection {
        let (name, dir) =
            text.split_once('=').filter(|(name, dir)| is_name(name) && !dir.is_empty()).ok_or_else(|| {
                usage(format!("--collection {text:?}: expected NAME=DIR, the name of letters, digits, - and _"))
            })?;
        if named.iter().any(|(known, _)| known == name) {
            return Err(usage(format!("--collection {name}: this name is given twice")));
        }
        named.push((name.to_owned(), IndexDir::new(dir)));
    }
    if named.is_empty() || args.path.is_some() {
        let dir = IndexDir::new(config.index_of(args.path.as_deref().unwrap_or(".".as_ref())));
        named.push((DEFAULT.into(), dir));
    }
    Ok(named)
}

fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    !name.is_empty() && name.len() <= 64 && name.chars().all(plain)
}
