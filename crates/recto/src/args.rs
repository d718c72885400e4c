//! What can be typed: commands and flags. What the flags mean together is decided in [`crate::config`].

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand};

use crate::commands::agent::AgentArgs;
use crate::commands::episode::EpisodeArgs;
use crate::commands::page::PageArgs;
use crate::config::in_range;
use crate::exit::usage;
use crate::mcp::McpArgs;
use crate::serve::ServeArgs;

/// Find the pages that matter in a folder of documents, and answers with evidence that can be checked.
#[derive(Parser, Debug)]
#[command(name = "recto", version, arg_required_else_help = true, propagate_version = true)]
pub(crate) struct Cli {
    /// Settings that every command knows.
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Settings that every command knows. Each can also come from the environment or from `recto.toml`.
#[derive(Args, Debug, Default)]
pub(crate) struct Settings {
    /// Index directory; `search` takes several, searched as one [default: one for each folder, in the user's cache]
    #[arg(long, global = true, env = "RECTO_INDEX", value_name = "DIR")]
    pub(crate) index: Vec<PathBuf>,
    /// Configuration file [default: ./recto.toml, else recto/recto.toml in the user's configuration folder]
    #[arg(long, global = true, env = "RECTO_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print JSON on standard output
    #[arg(long, global = true, env = "RECTO_JSON", value_parser = BoolishValueParser::new())]
    pub(crate) json: bool,
    /// Say nothing but results and errors
    #[arg(long, short, global = true, env = "RECTO_QUIET", value_parser = BoolishValueParser::new())]
    pub(crate) quiet: bool,
    /// Which pages to read off their pictures: never, auto (those whose text the file does not tell), always, quality (auto
    /// with larger models) [default: auto]
    #[arg(long, global = true, env = "RECTO_OCR", value_name = "MODE", help_heading = "OCR", hide_short_help = true)]
    pub(crate) ocr: Option<String>,
    /// Have pictures read by an OCR server: POST of `file` and `language`, answered by results of text, bbox, confidence
    #[arg(
        long,
        global = true,
        env = "RECTO_OCR_URL",
        value_name = "URL",
        help_heading = "OCR",
        hide_short_help = true
    )]
    pub(crate) ocr_url: Option<String>,
    /// Folder of the model files [default: `models` beside the program]
    #[arg(long, global = true, env = "RECTO_MODELS", value_name = "DIR", help_heading = "OCR", hide_short_help = true)]
    pub(crate) models: Option<PathBuf>,
    /// Routes that the index is to have: bm25, dense, late, page [default: those that it has; bm25 for a new one]
    #[arg(long, global = true, env = "RECTO_ROUTES", value_name = "LIST", help_heading = "Routes")]
    pub(crate) routes: Option<String>,
    /// What makes vectors: potion, minilm, a folder with encoder.json, or http://...#model=NAME&dim=N; for one route only
    /// with ROUTE= before it (may repeat) [default: dense=potion, late=minilm]
    #[arg(
        long,
        global = true,
        env = "RECTO_ENCODER",
        value_name = "ENCODER",
        help_heading = "Routes",
        hide_short_help = true
    )]
    pub(crate) encoder: Vec<String>,
    /// Order the first pages of a search anew by a model: http://...#model=NAME, &top=N for how many [default: none]
    #[arg(
        long,
        global = true,
        env = "RECTO_RERANK",
        value_name = "URL",
        help_heading = "Routes",
        hide_short_help = true
    )]
    pub(crate) rerank: Option<String>,
    /// Language model that answers, as PROVIDER:NAME: openrouter, openai, anthropic, gemini, ollama, vllm, llama-server; its
    /// key only from RECTO_API_KEY or the provider's own variable. Or local:FILE.gguf, in a build with the feature local-llm
    /// [default: none, answers are found offline]
    #[arg(
        long,
        global = true,
        env = "RECTO_MODEL",
        value_name = "MODEL",
        help_heading = "Language model",
        hide_short_help = true
    )]
    pub(crate) model: Option<String>,
    /// Address of the language model's server [default: the provider's own]
    #[arg(
        long,
        global = true,
        env = "RECTO_BASE_URL",
        value_name = "URL",
        help_heading = "Language model",
        hide_short_help = true
    )]
    pub(crate) base_url: Option<String>,
    /// What the language model may cost in this run, in US dollars; after that answers are found offline [default: no limit]
    #[arg(
        long,
        global = true,
        env = "RECTO_BUDGET",
        value_name = "DOLLARS",
        help_heading = "Language model",
        hide_short_help = true
    )]
    pub(crate) budget: Option<String>,
    /// Number of worker processes [default: number of processors]
    #[arg(long, global = true, env = "RECTO_JOBS", value_name = "N", help_heading = "Limits", hide_short_help = true)]
    pub(crate) jobs: Option<String>,
    /// Memory of a worker process [default: 2GiB]
    #[arg(
        long,
        global = true,
        env = "RECTO_MEMORY",
        value_name = "BYTES",
        help_heading = "Limits",
        hide_short_help = true
    )]
    pub(crate) memory: Option<String>,
    /// Size of a file [default: 1GiB]
    #[arg(
        long,
        global = true,
        env = "RECTO_MAX_BYTES",
        value_name = "BYTES",
        help_heading = "Limits",
        hide_short_help = true
    )]
    pub(crate) max_bytes: Option<String>,
    /// Pages of a document [default: 50000]
    #[arg(
        long,
        global = true,
        env = "RECTO_MAX_PAGES",
        value_name = "N",
        help_heading = "Limits",
        hide_short_help = true
    )]
    pub(crate) max_pages: Option<String>,
    /// Pixels of a page picture; larger ones are drawn at a lower resolution [default: 40000000]
    #[arg(
        long,
        global = true,
        env = "RECTO_MAX_PIXELS",
        value_name = "N",
        help_heading = "Limits",
        hide_short_help = true
    )]
    pub(crate) max_pixels: Option<String>,
    /// Seconds to read or draw one page; OCR of it may take eight times as long [default: 8]
    #[arg(
        long,
        global = true,
        env = "RECTO_PAGE_TIMEOUT",
        value_name = "SECONDS",
        help_heading = "Limits",
        hide_short_help = true
    )]
    pub(crate) page_timeout: Option<String>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Make or update an index from documents and folders
    Index(IndexArgs),
    /// Answer a question with cited pages
    Ask(AskArgs),
    /// Rank pages for a query
    Search(SearchArgs),
    /// Show one page: its text, its record or its picture
    Page(PageArgs),
    /// Find the pages that a task describes, step by step
    Episode(EpisodeArgs),
    /// Serve an index to agents: MCP over standard input and output
    Mcp(McpArgs),
    /// Serve indexes to people and programs: web pages, HTTP API, MCP over HTTP
    Serve(Box<ServeArgs>),
    /// What the index holds
    Status,
    /// What went wrong, by document and page
    Problems {
        /// Only this document
        #[arg(long, env = "RECTO_DOC")]
        doc: Option<String>,
    },
    /// What this machine and configuration can do, and how to mend what fails
    Doctor {
        /// Also read every page record and kept file of the index again, and ask the language model
        #[arg(long, env = "RECTO_VERIFY", value_parser = BoolishValueParser::new())]
        verify: bool,
    },
    /// The configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// The batch contract: build an index from a corpus, answer a file of questions
    #[command(subcommand)]
    Batch(BatchCommand),
    /// Measure systems on benchmarks
    #[command(subcommand)]
    Bench(BenchCommand),
    /// Read documents for another recto process
    #[command(hide = true)]
    Worker,
}

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    /// Documents and folders
    #[arg(required_unless_present = "reindex", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only these pages of each document, such as 1-5,10
    #[arg(long, env = "RECTO_PAGES", value_name = "LIST")]
    pub(crate) pages: Option<String>,
    /// Password for encrypted documents
    #[arg(long, env = "RECTO_PASSWORD", hide_env_values = true)]
    pub(crate) password: Option<String>,
    /// Remove documents whose files are gone
    #[arg(long, env = "RECTO_PRUNE", value_parser = BoolishValueParser::new())]
    pub(crate) prune: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
    /// Leave out files of this name or pattern, such as 'drafts/**' (may repeat)
    #[arg(long, env = "RECTO_IGNORE", value_name = "PATTERN")]
    pub(crate) ignore: Vec<String>,
    /// Make the vectors of this route anew: dense, late or page
    #[arg(long, env = "RECTO_REINDEX", value_name = "ROUTE")]
    pub(crate) reindex: Option<String>,
    /// Stop at the first problem
    #[arg(long, env = "RECTO_STRICT", value_parser = BoolishValueParser::new())]
    pub(crate) strict: bool,
}

/// Whether a folder is kept up to date.
#[derive(Args, Debug)]
pub(crate) struct WatchArgs {
    /// Keep the index of PATH up to date: look for changes every so many seconds [default: 2], until Ctrl-C. Files that are
    /// still being written are taken once they rest, files that are gone are removed
    #[arg(
        long,
        env = "RECTO_WATCH",
        value_name = "SECONDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "2"
    )]
    watch: Option<String>,
}

impl WatchArgs {
    /// Whether it is asked for.
    pub(crate) const fn is_on(&self) -> bool {
        self.watch.is_some()
    }

    /// The time between two looks, if it is asked for.
    ///
    /// # Errors
    /// A usage error, if the time is none.
    pub(crate) fn pause(&self) -> anyhow::Result<Option<Duration>> {
        let seconds = |text: &String| {
            in_range(text, 1, 86_400).map_err(|expected| usage(format!("--watch {text:?}: expected {expected}")))
        };
        Ok(self.watch.as_ref().map(seconds).transpose()?.map(Duration::from_secs))
    }
}

#[derive(Args, Debug)]
#[command(override_usage = "recto ask [OPTIONS] [PATH] <QUESTION>")]
pub(crate) struct AskArgs {
    /// The question, or a path and the question: that folder is then indexed first
    #[arg(required = true, num_args = 1.., value_name = "QUESTION")]
    pub(crate) words: Vec<String>,
    /// Only documents of this name or pattern (may repeat)
    #[arg(long, env = "RECTO_DOC")]
    pub(crate) doc: Vec<String>,
    /// Number of pages to look at
    #[arg(long, env = "RECTO_TOP_K", value_name = "N")]
    pub(crate) top_k: Option<String>,
    /// Show the picture of the cited page
    #[arg(long, env = "RECTO_OPEN", value_parser = BoolishValueParser::new())]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) agent: AgentArgs,
}

#[derive(Args, Debug)]
#[command(override_usage = "recto search [OPTIONS] [PATH] <QUERY>")]
pub(crate) struct SearchArgs {
    /// Words; "phrases"; -without; prefix*. With a path before them, that folder is indexed first
    #[arg(required = true, num_args = 1.., value_name = "QUERY")]
    pub(crate) words: Vec<String>,
    /// What ranks: bm25, dense, late, page, several as bm25+dense, or hybrid
    #[arg(long, env = "RECTO_ROUTE", default_value = "hybrid", value_name = "ROUTE")]
    pub(crate) route: String,
    /// Number of pages
    #[arg(short = 'k', env = "RECTO_K", default_value = "10", value_name = "N")]
    pub(crate) k: String,
    /// Only documents of this name or pattern (may repeat)
    #[arg(long, env = "RECTO_DOC")]
    pub(crate) doc: Vec<String>,
    /// Only these pages, such as 1-5,10
    #[arg(long, env = "RECTO_PAGE_RANGE", value_name = "LIST")]
    pub(crate) page_range: Option<String>,
    /// Only pages with this: table, figure or scan (may repeat: all of them)
    #[arg(long, env = "RECTO_KIND", value_name = "KIND")]
    pub(crate) kind: Vec<String>,
    /// Show what each score is made of
    #[arg(long, env = "RECTO_EXPLAIN", value_parser = BoolishValueParser::new())]
    pub(crate) explain: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ConfigCommand {
    /// Every setting with its value and where it comes from
    Show,
}

#[derive(Subcommand, Debug)]
pub(crate) enum BatchCommand {
    /// Build an index from DIR/records.jsonl, or from every document under DIR
    Build {
        /// The corpus
        #[arg(long, env = "RECTO_CORPUS", value_name = "DIR")]
        corpus: PathBuf,
        /// The index to make or update
        #[arg(long, env = "RECTO_INDEX_DIR", value_name = "DIR")]
        index_dir: PathBuf,
    },
    /// Answer the questions of a JSONL file
    Run {
        /// The index
        #[arg(long, env = "RECTO_INDEX_DIR", value_name = "DIR")]
        index_dir: PathBuf,
        /// One question a line: query_id, doc_id, question
        #[arg(long, env = "RECTO_QUERIES", value_name = "FILE")]
        queries: PathBuf,
        /// One answer a line: query_id, answer, pages
        #[arg(long, env = "RECTO_OUTPUT", value_name = "FILE")]
        output: PathBuf,
        /// Seconds for all questions together
        #[arg(long, env = "RECTO_DEADLINE", value_name = "SECONDS")]
        deadline: Option<String>,
    },
}

#[derive(Subcommand, Debug)]
pub(crate) enum BenchCommand {
    /// Benchmarks that can be read, and where their owners publish them
    Sets,
    /// What can be measured
    Measures,
    /// Ask a system the items of a benchmark and keep what it says
    Run(BenchRunArgs),
    /// Have the answers of a run judged where no rule can
    Judge(BenchJudgeArgs),
    /// Rows to numbers
    Score(BenchScoreArgs),
    /// Two runs of the same items: by how much they differ, and whether that is chance
    Compare(BenchCompareArgs),
    /// The items of runs that tell systems apart: a smaller benchmark, by classical test theory
    Select(BenchSelectArgs),
    /// Runs as a page for people, or as a file for programs
    Report(BenchReportArgs),
    /// How fast this program is here, on documents of your own
    Perf(BenchPerfArgs),
}

#[derive(Args, Debug)]
pub(crate) struct BenchRunArgs {
    /// The benchmark's files, or NAME:PATH where the files do not tell which it is (`recto bench sets`)
    #[arg(long, env = "RECTO_SET", value_name = "PATH")]
    pub(crate) set: String,
    /// What is measured: bm25, dense, late, page, bm25+dense, hybrid, offline, answerer, oneshot:K, episode:ROUTE, predictions:FILE,
    /// vdab-bm25, ctrlf:N, vectors:PAGES,QUERIES, rrf:FILE,FILE
    #[arg(long, env = "RECTO_SYSTEM", value_name = "SYSTEM")]
    pub(crate) system: String,
    /// Folder for what comes out; a run that was interrupted goes on there
    #[arg(long, env = "RECTO_OUT", value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// The documents: their index is made or brought up to date first
    #[arg(long, env = "RECTO_DOCUMENTS", value_name = "PATH")]
    pub(crate) documents: Option<PathBuf>,
    /// Only so many items: the first, or with --seed a random choice
    #[arg(long, env = "RECTO_LIMIT", value_name = "N")]
    pub(crate) limit: Option<String>,
    /// Any text; the same one draws the same items
    #[arg(long, env = "RECTO_SEED", value_name = "TEXT", requires = "limit")]
    pub(crate) seed: Option<String>,
    /// Only these items
    #[arg(long, env = "RECTO_IDS", value_name = "ID", value_delimiter = ',')]
    pub(crate) ids: Vec<String>,
    /// Pages of a ranking
    #[arg(long, env = "RECTO_DEPTH", value_name = "N", default_value = "100")]
    pub(crate) depth: String,
    /// Seconds for one item; a longer one has failed
    #[arg(long, env = "RECTO_ITEM_TIME", value_name = "SECONDS")]
    pub(crate) item_time: Option<String>,
    /// Seconds for the run; items that are left then have failed
    #[arg(long, env = "RECTO_TIME", value_name = "SECONDS")]
    pub(crate) time: Option<String>,
    /// Which failures a run that goes on tries again: transient, limit, permanent, internal
    #[arg(long, env = "RECTO_RETRY", value_name = "CLASS", value_delimiter = ',', default_value = "transient")]
    pub(crate) retry: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct BenchJudgeArgs {
    /// The folder of a run
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The judge (`recto bench measures` names them)
    #[arg(long, env = "RECTO_JUDGE", value_name = "JUDGE")]
    pub(crate) by: String,
    /// Write what the judge would ask, to be answered elsewhere: one JSON object a line, with `key` and `prompt`; with --replies,
    /// what is still to be asked after them
    #[arg(long, env = "RECTO_PROMPTS", value_name = "FILE")]
    pub(crate) prompts: Option<PathBuf>,
    /// Replies to these prompts: one JSON object a line, with `key` and `reply` [default: the configured language model is asked]
    #[arg(long, env = "RECTO_REPLIES", value_name = "FILE")]
    pub(crate) replies: Option<PathBuf>,
    /// Who replied, as reports shall name it [default: the name of the file]
    #[arg(long, env = "RECTO_RESPONDENT", value_name = "NAME", requires = "replies")]
    pub(crate) respondent: Option<String>,
    /// The benchmark, where it is not the one the run names
    #[arg(long, env = "RECTO_SET", value_name = "PATH")]
    pub(crate) set: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct BenchScoreArgs {
    /// The folder of a run, or a file of predictions from elsewhere
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The benchmark, where it is not the one the run names
    #[arg(long, env = "RECTO_SET", value_name = "PATH")]
    pub(crate) set: Option<String>,
    /// A measure, such as R@10 or nDCG@10(gain=exp) (may repeat) [default: what the benchmark's authors report]
    #[arg(long, short, env = "RECTO_MEASURE", value_name = "MEASURE")]
    pub(crate) measure: Vec<String>,
    /// Slice items by how far their pages of evidence are from each other: by the vectors of a file, or `dense` by the index's
    /// encoder
    #[arg(long, env = "RECTO_DISTANCES", value_name = "FILE")]
    pub(crate) distances: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct BenchCompareArgs {
    /// The folder of a run, or a file of predictions
    #[arg(value_name = "FIRST")]
    pub(crate) first: PathBuf,
    /// The other one
    #[arg(value_name = "SECOND")]
    pub(crate) second: PathBuf,
    /// The benchmark, where it is not the one the runs name
    #[arg(long, env = "RECTO_SET", value_name = "PATH")]
    pub(crate) set: Option<String>,
    /// A measure (may repeat) [default: what the benchmark's authors report]
    #[arg(long, short, env = "RECTO_MEASURE", value_name = "MEASURE")]
    pub(crate) measure: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct BenchSelectArgs {
    /// Folders of runs of the same items, or files of predictions
    #[arg(required = true, num_args = 2.., value_name = "RUN")]
    pub(crate) runs: Vec<PathBuf>,
    /// How many items
    #[arg(long, short, env = "RECTO_N", value_name = "N")]
    pub(crate) n: usize,
    /// How many of them are the hardest, whatever they tell
    #[arg(long, env = "RECTO_SENTINELS", value_name = "N", default_value_t = 0)]
    pub(crate) sentinels: usize,
    /// Groups of difficulty that get equal shares of the rest
    #[arg(long, env = "RECTO_BINS", value_name = "N", default_value_t = 5)]
    pub(crate) bins: usize,
    /// The benchmark, where it is not the one the runs name
    #[arg(long, env = "RECTO_SET", value_name = "PATH")]
    pub(crate) set: Option<String>,
    /// A measure of items: from one half on an item is right [default: the first that the benchmark's authors report]
    #[arg(long, short, env = "RECTO_MEASURE", value_name = "MEASURE")]
    pub(crate) measure: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct BenchReportArgs {
    /// Folders of runs of the same items, or files of predictions
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<PathBuf>,
    /// The file to write: .html, .json, .csv or .md
    #[arg(long, env = "RECTO_OUT", value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Draw the right and the cited pages into a folder beside the report, which then links to them
    #[arg(long, env = "RECTO_PICTURES")]
    pub(crate) pictures: bool,
    /// Add what stands on the pages of each sort of document, as the index of the runs knows it
    #[arg(long, env = "RECTO_LAYOUT")]
    pub(crate) layout: bool,
    /// The benchmark, where it is not the one the runs name
    #[arg(long, env = "RECTO_SET", value_name = "PATH")]
    pub(crate) set: Option<String>,
    /// A measure (may repeat) [default: what the benchmark's authors report]; the first decides what is right
    #[arg(long, short, env = "RECTO_MEASURE", value_name = "MEASURE")]
    pub(crate) measure: Vec<String>,
    /// Slice items by how far their pages of evidence are from each other: by the vectors of a file, or `dense` by the index's
    /// encoder
    #[arg(long, env = "RECTO_DISTANCES", value_name = "FILE")]
    pub(crate) distances: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct BenchPerfArgs {
    /// Documents, or a folder of them
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
}
