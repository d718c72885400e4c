//! `recto worker`: the process that reads documents for another recto process, and how it is started.

use std::io;

use recto_ingest::worker::{WorkerCommand, serve};

use crate::config::Config;
use crate::exit::Finish;

pub(crate) fn run(config: &Config) -> anyhow::Result<Finish> {
    // A crash is reported by the parent, with the page; the worker's own message would only disturb.
    std::panic::set_hook(Box::new(|_| ()));
    serve(io::stdin(), io::stdout(), &config.limits)?;
    Ok(Finish::Done)
}

/// This program, started as a worker with the same limits.
pub(crate) fn command(config: &Config) -> io::Result<WorkerCommand> {
    let limits = &config.limits;
    let flags = [
        ("--memory", limits.memory),
        ("--max-bytes", limits.file_bytes),
        ("--max-pixels", limits.pixels),
        ("--max-pages", limits.pages.into()),
        ("--page-timeout", limits.page_time.as_secs()),
    ];
    let arguments = flags.iter().map(|(flag, value)| format!("{flag}={value}").into());
    Ok(WorkerCommand {
        program: std::env::current_exe()?,
        arguments: std::iter::once("worker".into()).chain(arguments).collect(),
    })
}
