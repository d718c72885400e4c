//! `recto mcp [PATH]`: an index for agents, by the Model Context Protocol over standard input and output.
//!
//! A thin face: what the tools tell is found by `commands/` and the libraries. Nothing but this module knows async code.

mod arguments;
mod lines;
mod pages;
mod reply;
mod resources;
mod server;
mod texts;
mod update;

use std::io::{IsTerminal, stdin};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use recto_page::{Catalog, IndexDir};
use rmcp::ServiceExt;
use rmcp::transport::stdio;
use tokio::sync::Semaphore;

use self::lines::Lines;
pub(crate) use self::server::Server;
use self::update::Update;
use crate::answerer::Model;
use crate::config::Config;
use crate::exit::Finish;
use crate::library::Library;
use crate::{output, stop};

/// How often is looked whether the user wants the program to end.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Args, Debug)]
pub(crate) struct McpArgs {
    /// Documents or a folder of them, whose index is first brought up to date [default: the index as it is]
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
}

pub(crate) fn run(args: &McpArgs, config: &Config) -> anyhow::Result<Finish> {
    let update = match &args.path {
        Some(path) => Update::start(path, config)?,
        None => Update::none(),
    };
    let dir = IndexDir::new(config.index_of(args.path.as_deref().unwrap_or(".".as_ref())));
    if args.path.is_none() {
        // An agent would only see that no tool works.
        Catalog::open(&dir)?;
    }
    if stdin().is_terminal() {
        output::note(format_args!(
            "speaking MCP on standard input: this is for a program to call; README.md tells how"
        ));
    }
    end_when_asked()?;
    let library = Arc::new(Library::new(dir, config, Model::open(config)?));
    // A client's calls are worked on one after the other.
    let desks = Arc::new(Semaphore::new(1));
    let server = Server::new(library, update, Arc::clone(&desks), Some(desks));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(serve(server));
    // Whoever reads standard input can't be waited for.
    runtime.shutdown_background();
    ended.map(|()| Finish::Done)
}

/// Answers until the client goes away.
async fn serve(server: Server) -> anyhow::Result<()> {
    let service = server.serve(Lines::new(stdio())).await.context("the client did not begin with MCP's handshake")?;
    service.waiting().await?;
    Ok(())
}

/// Ends the program when a signal says so. An index that is being updated keeps what was committed.
fn end_when_asked() -> anyhow::Result<()> {
    let stop = stop::requested()?;
    std::thread::spawn(|| {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK);
        }
        std::process::exit(0);
    });
    Ok(())
}
