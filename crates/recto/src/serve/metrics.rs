//! Numbers for Prometheus: requests with their times, page pictures, jobs, what the language model used.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use recto_model::Usage;

/// Upper bounds of the times that are told apart, in seconds.
const BOUNDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 10.0, 60.0];

/// What has happened since the start.
#[derive(Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, u16), Times>>,
    /// Page pictures that were there, drawn already.
    pub(crate) kept: AtomicU64,
    /// Page pictures that were drawn.
    pub(crate) drawn: AtomicU64,
}

#[derive(Clone, Copy, Default)]
struct Times {
    n: u64,
    seconds: f64,
    within: [u64; BOUNDS.len()],
}

/// What there is now.
pub(crate) struct Now {
    pub(crate) jobs: BTreeMap<&'static str, u64>,
    pub(crate) streams: usize,
    pub(crate) spent: Usage,
}

impl Metrics {
    /// Notes a request.
    pub(crate) fn request(&self, endpoint: &'static str, status: StatusCode, time: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let times = requests.entry((endpoint, status.as_u16())).or_default();
        times.n += 1;
        times.seconds += time.as_secs_f64();
        for (within, bound) in times.within.iter_mut().zip(BOUNDS) {
            *within += u64::from(time.as_secs_f64() <= bound);
        }
    }

    /// In the text form of Prometheus.
    pub(crate) fn text(&self, now: &Now) -> String {
        let mut text = String::new();
        self.write(&mut text, now).ok();
        text
    }

    fn write(&self, out: &mut String, now: &Now) -> std::fmt::Result {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        head(out, "recto_requests_total", "counter", "Requests by endpoint and status")?;
        for ((endpoint, status), times) in &requests {
            writeln!(out, "recto_requests_total{{endpoint=\"{endpoint}\",status=\"{status}\"}} {}", times.n)?;
        }
        head(out, "recto_request_seconds", "histogram", "Time until the head of the response, by endpoint")?;
        for (endpoint, times) in &by_endpoint(&requests) {
            for (bound, n) in BOUNDS.iter().zip(times.within) {
                writeln!(out, "recto_request_seconds_bucket{{endpoint=\"{endpoint}\",le=\"{bound}\"}} {n}")?;
            }
            writeln!(out, "recto_request_seconds_bucket{{endpoint=\"{endpoint}\",le=\"+Inf\"}} {}", times.n)?;
            writeln!(out, "recto_request_seconds_sum{{endpoint=\"{endpoint}\"}} {}", times.seconds)?;
            writeln!(out, "recto_request_seconds_count{{endpoint=\"{endpoint}\"}} {}", times.n)?;
        }
        head(out, "recto_page_pictures_total", "counter", "Page pictures, by whether they were there already")?;
        for (from, n) in [("cache", &self.kept), ("drawn", &self.drawn)] {
            writeln!(out, "recto_page_pictures_total{{from=\"{from}\"}} {}", n.load(Ordering::Relaxed))?;
        }
        head(out, "recto_jobs", "gauge", "Jobs that are kept, by state")?;
        for (state, n) in &now.jobs {
            writeln!(out, "recto_jobs{{state=\"{state}\"}} {n}")?;
        }
        head(out, "recto_streams", "gauge", "Streams that are open")?;
        writeln!(out, "recto_streams {}", now.streams)?;
        spent(out, &now.spent)
    }
}

fn by_endpoint(requests: &BTreeMap<(&'static str, u16), Times>) -> BTreeMap<&'static str, Times> {
    let mut endpoints: BTreeMap<&str, Times> = BTreeMap::new();
    for ((endpoint, _), times) in requests {
        let sum = endpoints.entry(endpoint).or_default();
        sum.n += times.n;
        sum.seconds += times.seconds;
        sum.within.iter_mut().zip(times.within).for_each(|(sum, n)| *sum += n);
    }
    endpoints
}

fn spent(out: &mut String, spent: &Usage) -> std::fmt::Result {
    head(out, "recto_model_requests_total", "counter", "Requests to the language model")?;
    writeln!(out, "recto_model_requests_total {}", spent.requests())?;
    head(out, "recto_model_tokens_total", "counter", "Tokens of the language model")?;
    writeln!(out, "recto_model_tokens_total{{kind=\"read\"}} {}", spent.input_tokens)?;
    writeln!(out, "recto_model_tokens_total{{kind=\"written\"}} {}", spent.output_tokens)?;
    head(out, "recto_model_dollars_total", "counter", "What is known of its price, in US dollars")?;
    writeln!(out, "recto_model_dollars_total {}", spent.dollars())
}

fn head(out: &mut String, name: &str, kind: &str, about: &str) -> std::fmt::Result {
    writeln!(out, "# HELP {name} {about}\n# TYPE {name} {kind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_summed_by_endpoint() {
        let metrics = Metrics::default();
        metrics.request("search", StatusCode::OK, Duration::from_millis(4));
        metrics.request("search", StatusCode::NOT_FOUND, Duration::from_millis(400));
        let now = Now { jobs: BTreeMap::from([("done", 2)]), streams: 1, spent: Usage::default() };
        let text = metrics.text(&now);
        for line in [
            "recto_requests_total{endpoint=\"search\",status=\"404\"} 1",
            "recto_request_seconds_bucket{endpoint=\"search\",le=\"0.0025\"} 0",
            "recto_request_seconds_bucket{endpoint=\"search\",le=\"0.005\"} 1",
            "recto_request_seconds_bucket{endpoint=\"search\",le=\"0.5\"} 2",
            "recto_request_seconds_count{endpoint=\"search\"} 2",
            "recto_jobs{state=\"done\"} 2",
            "recto_streams 1",
        ] {
            assert!(text.lines().any(|told| told == line), "{line} is not in\n{text}");
        }
    }
}
