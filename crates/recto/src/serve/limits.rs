//! How much may be asked, each limit a setting with a name: what is beyond it is answered by 413, 422 or 429.

use std::time::Duration;

use clap::Args;

use crate::config::{bytes, in_range};
use crate::exit::usage;

#[derive(Args, Debug)]
#[command(next_help_heading = "Limits of the server")]
pub(crate) struct LimitArgs {
    /// Bytes of an upload
    #[arg(long, env = "RECTO_MAX_UPLOAD", default_value = "1GiB", value_name = "BYTES")]
    pub(crate) max_upload: String,
    /// Bytes of any other request
    #[arg(long, env = "RECTO_MAX_BODY", default_value = "1MiB", value_name = "BYTES", hide_short_help = true)]
    pub(crate) max_body: String,
    /// Connections at once
    #[arg(long, env = "RECTO_MAX_CONNECTIONS", default_value = "1024", value_name = "N", hide_short_help = true)]
    pub(crate) max_connections: String,
    /// Requests that are worked on or wait for it
    #[arg(long, env = "RECTO_MAX_REQUESTS", default_value = "256", value_name = "N", hide_short_help = true)]
    pub(crate) max_requests: String,
    /// Questions and episodes that are worked on at once; others wait
    #[arg(long, env = "RECTO_MAX_ANSWERS", default_value = "8", value_name = "N", hide_short_help = true)]
    pub(crate) max_answers: String,
    /// Streams of steps that are open at once
    #[arg(long, env = "RECTO_MAX_STREAMS", default_value = "128", value_name = "N", hide_short_help = true)]
    pub(crate) max_streams: String,
    /// Jobs that run or wait
    #[arg(long, env = "RECTO_MAX_JOBS", default_value = "32", value_name = "N", hide_short_help = true)]
    pub(crate) max_jobs: String,
    /// Seconds for one question or episode
    #[arg(long, env = "RECTO_ANSWER_TIMEOUT", default_value = "600", value_name = "SECONDS")]
    pub(crate) answer_timeout: String,
    /// Seconds in which a request must have been sent
    #[arg(long, env = "RECTO_BODY_TIMEOUT", default_value = "300", value_name = "SECONDS", hide_short_help = true)]
    pub(crate) body_timeout: String,
    /// Seconds for which the result of a job is kept
    #[arg(long, env = "RECTO_RESULT_TTL", default_value = "3600", value_name = "SECONDS", hide_short_help = true)]
    pub(crate) result_ttl: String,
    /// Bytes of page pictures that are kept in an index, drawn
    #[arg(long, env = "RECTO_PICTURE_CACHE", default_value = "1GiB", value_name = "BYTES", hide_short_help = true)]
    pub(crate) picture_cache: String,
}

/// How much may be asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) upload: u64,
    pub(crate) body: u64,
    pub(crate) connections: usize,
    pub(crate) requests: usize,
    pub(crate) answers: usize,
    pub(crate) streams: usize,
    pub(crate) jobs: usize,
    pub(crate) answer_time: Duration,
    pub(crate) body_time: Duration,
    pub(crate) result_ttl: Duration,
    pub(crate) picture_cache: u64,
}

impl Limits {
    pub(crate) fn resolve(args: &LimitArgs) -> anyhow::Result<Self> {
        Ok(Self {
            upload: size("--max-upload", &args.max_upload)?,
            body: size("--max-body", &args.max_body)?,
            connections: number("--max-connections", &args.max_connections, 100_000)? as usize,
            requests: number("--max-requests", &args.max_requests, 100_000)? as usize,
            answers: number("--max-answers", &args.max_answers, 10_000)? as usize,
            streams: number("--max-streams", &args.max_streams, 100_000)? as usize,
            jobs: number("--max-jobs", &args.max_jobs, 10_000)? as usize,
            answer_time: seconds("--answer-timeout", &args.answer_timeout)?,
            body_time: seconds("--body-timeout", &args.body_timeout)?,
            result_ttl: seconds("--result-ttl", &args.result_ttl)?,
            picture_cache: size("--picture-cache", &args.picture_cache)?,
        })
    }
}

fn size(flag: &str, text: &str) -> anyhow::Result<u64> {
    bytes(text, 1).map_err(|expected| usage(format!("{flag} {text:?}: expected {expected}")))
}

fn number(flag: &str, text: &str, high: u64) -> anyhow::Result<u64> {
    in_range(text, 1, high).map_err(|expected| usage(format!("{flag} {text:?}: expected {expected}")))
}

fn seconds(flag: &str, text: &str) -> anyhow::Result<Duration> {
    number(flag, text, 86_400).map(Duration::from_secs)
}
