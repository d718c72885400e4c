//! The program: parses the command line, resolves the configuration, runs one command, ends with its exit code.

mod agents;
mod answerer;
mod args;
mod commands;
mod config;
mod corpus;
mod desk;
mod drawn;
mod encoders;
mod exit;
mod finder;
mod joined;
mod library;
mod mcp;
mod model;
mod output;
mod overlay;
mod page_kind;
mod page_list;
mod percent;
mod picture;
mod picture_cache;
mod rerank;
mod serve;
mod stop;
mod tools;
mod undrawn;
mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use recto_page::PageError;

use crate::args::{BatchCommand, BenchCommand, Cli, Command, ConfigCommand};
use crate::config::Config;
use crate::exit::Finish;

fn main() -> ExitCode {
    let matches = Cli::command().get_matches();
    std::panic::set_hook(Box::new(|fault| output::note(format_args!("recto: internal fault: {fault}"))));
    // A damaged file of the index can break the engines below; the user gets a sentence and an exit code even so.
    let broken = |_| Err(anyhow::anyhow!("a fault of the program, or a damaged index: `recto doctor --verify` tells"));
    match catch_unwind(AssertUnwindSafe(|| run(&matches))).unwrap_or_else(broken) {
        Ok(finish) => finish.into(),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::note(format_args!("recto: {error:#}"));
            exit::code_of(&error)
        }
    }
}

fn run(matches: &ArgMatches) -> anyhow::Result<Finish> {
    let cli = Cli::from_arg_matches(matches)?;
    let config = Config::resolve(&cli.settings, leaf(matches))?;
    if !config.more_indexes.is_empty() && !matches!(cli.command, Command::Search(_) | Command::Config(_)) {
        return Err(exit::usage("--index: only `recto search` takes several indexes"));
    }
    dispatch(&cli.command, &config).map_err(|error| match error.downcast_ref() {
        Some(PageError::NoIndex(_)) if config.index.is_none() => exit::usage(
            "this folder has no index yet: `recto index .` makes it; --index DIR names another, as does a path before the question",
        ),
        _ => error,
    })
}

fn dispatch(command: &Command, config: &Config) -> anyhow::Result<Finish> {
    match command {
        Command::Index(args) => commands::index::run(args, config),
        Command::Ask(args) => commands::ask::run(args, config),
        Command::Search(args) => commands::search::run(args, config),
        Command::Page(args) => commands::page::run(args, config),
        Command::Episode(args) => commands::episode::run(args, config),
        Command::Mcp(args) => mcp::run(args, config),
        Command::Serve(args) => serve::run(args, config),
        Command::Status => commands::status::run(config),
        Command::Problems { doc } => commands::problems::run(doc.as_deref(), config),
        Command::Doctor { verify } => commands::doctor::run(*verify, config),
        Command::Config(ConfigCommand::Show) => commands::config::show(config),
        Command::Batch(BatchCommand::Build { corpus, index_dir }) => {
            commands::batch::build::run(corpus, index_dir, config)
        }
        Command::Batch(BatchCommand::Run { index_dir, queries, output, deadline }) => {
            commands::batch::run::run(index_dir, queries, output, deadline.as_deref(), config)
        }
        Command::Bench(BenchCommand::Sets) => commands::bench::list::sets(config),
        Command::Bench(BenchCommand::Measures) => commands::bench::list::measures(config),
        Command::Bench(BenchCommand::Run(args)) => commands::bench::run::run(args, config),
        Command::Bench(BenchCommand::Judge(args)) => commands::bench::judge::run(args, config),
        Command::Bench(BenchCommand::Score(args)) => commands::bench::score::run(args, config),
        Command::Bench(BenchCommand::Compare(args)) => commands::bench::compare::run(args, config),
        Command::Bench(BenchCommand::Select(args)) => commands::bench::select::run(args, config),
        Command::Bench(BenchCommand::Report(args)) => commands::bench::report::run(args, config),
        Command::Bench(BenchCommand::Perf(args)) => commands::bench::perf::run(args, config),
        Command::Worker => commands::worker::run(config),
    }
}

/// The matches of the innermost command: they know where each value came from.
fn leaf(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, inner)| leaf(inner))
}
