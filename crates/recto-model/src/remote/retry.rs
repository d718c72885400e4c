//! Which failures a server's status means, and how long to wait before asking again.

use std::time::Duration;

use serde_json::Value;
use ureq::http::HeaderMap;

use super::http::{message, wait};
use crate::{Class, Failure};

/// How long to wait before asking again: about this, then twice as long each time, up to the last.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LAST_WAIT: Duration = Duration::from_secs(60);
/// Words of an error that say the request is too long.
const TOO_LONG: [&str; 6] =
    ["context length", "context_length", "context window", "too long", "maximum number of tokens", "context size"];

/// What a status other than success means.
pub(super) fn class_of(status: u16, said: &str) -> Class {
    let said = said.to_ascii_lowercase();
    match status {
        401 | 403 => Class::Key,
        402 => Class::NoCredit,
        404 => Class::NoModel,
        408 => Class::Timeout,
        413 => Class::TooLong,
        429 => Class::RateLimit,
        503 | 529 => Class::Overloaded,
        500..=599 => Class::Server,
        _ if TOO_LONG.iter().any(|words| said.contains(words)) => Class::TooLong,
        _ => Class::Request,
    }
}

/// The failure that a status other than success is.
pub(super) fn failure(status: u16, headers: &HeaderMap, body: &str) -> Failure {
    let why = format!("the server says {status}: {}", message(body.as_bytes()));
    let retry_after = wait(headers).or_else(|| told_in(&serde_json::from_str(body).unwrap_or_default()));
    Failure { retry_after, ..Failure::new(class_of(status, body), why, body) }
}

/// The `retryDelay` of Google's errors, such as `"34s"`.
fn told_in(body: &Value) -> Option<Duration> {
    let error = body.pointer("/0/error").or_else(|| body.get("error"))?;
    let told = error.get("details")?.as_array()?.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(told.strip_suffix('s')?.parse().ok()?).ok()
}

/// How long to wait after `attempts` failures, between half of it and all of it by chance.
pub(super) fn backoff(attempts: u32, seed: u64) -> Duration {
    let doubled = 2_u32.saturating_pow(attempts.saturating_sub(1));
    let longest = FIRST_WAIT.saturating_mul(doubled).min(LAST_WAIT);
    let chance = mixed(seed ^ mixed(u64::from(attempts))) >> 40;
    longest.mul_f64(0.5 + 0.5 * chance as f64 / f64::from(1 << 24))
}

/// The mixing step of SplitMix64 (Steele, Lea and Flood, 2014).
fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The time between two dates as headers give them (`Sun, 06 Nov 1994 08:49:37 GMT`); none if the second is earlier.
pub(super) fn between(first: &str, second: &str) -> Option<Duration> {
    Some(Duration::from_secs(seconds(second)?.saturating_sub(seconds(first)?)))
}

/// Seconds since the first day of the year 0.
fn seconds(date: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let parts: Vec<&str> = date.split(' ').collect();
    let [_, day, month, year, time, "GMT"] = *parts else { return None };
    let (day, year): (u64, u64) = (day.parse().ok()?, year.parse().ok().filter(|year| *year < 10_000)?);
    let month = MONTHS.find(month).filter(|_| month.len() == 3)? as u64 / 3;
    // The year begins in March, so that the leap day is its last.
    let (year, month) = if month < 2 { (year.checked_sub(1)?, month + 10) } else { (year, month - 2) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day;
    let mut clock = time.split(':').map(|part| part.parse::<u64>().ok().filter(|n| *n < 62));
    let (hours, minutes, seconds) = (clock.next()??, clock.next()??, clock.next()??);
    Some(days * 86_400 + hours * 3_600 + minutes * 60 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_have_classes() {
        let table = [
            (400, "bad", Class::Request, false),
            (400, "This model's maximum context length is 8192 tokens", Class::TooLong, false),
            (401, "", Class::Key, false),
            (402, "", Class::NoCredit, false),
            (404, "", Class::NoModel, false),
            (408, "", Class::Timeout, true),
            (422, "", Class::Request, false),
            (429, "", Class::RateLimit, true),
            (500, "", Class::Server, true),
            (502, "", Class::Server, true),
            (503, "", Class::Overloaded, true),
            (504, "", Class::Server, true),
            (529, "", Class::Overloaded, true),
            (302, "", Class::Request, false),
        ];
        for (status, said, class, passing) in table {
            assert_eq!(class_of(status, said), class, "{status}");
            assert_eq!(class.is_passing(), passing, "{status}");
        }
    }

    #[test]
    fn waits_grow_differ_and_repeat() {
        let waits: Vec<Duration> = (1..12).map(|n| backoff(n, 7)).collect();
        for (n, wait) in (0..).zip(&waits) {
            let longest = FIRST_WAIT.saturating_mul(2_u32.pow(n)).min(LAST_WAIT);
            assert!(*wait <= longest && *wait * 2 >= longest, "{wait:?} of {longest:?}");
        }
        assert_eq!(waits[3], backoff(4, 7));
        assert_ne!(waits[3], backoff(4, 8));
        assert!(backoff(u32::MAX, 1) <= LAST_WAIT);
    }

    #[test]
    fn dates_and_delays_are_understood() {
        let first = "Sun, 06 Nov 1994 08:49:37 GMT";
        let table = [
            ("Sun, 06 Nov 1994 08:50:07 GMT", Some(30)),
            ("Sun, 01 Jan 1995 08:49:37 GMT", Some(56 * 86_400)),
            ("Fri, 01 Mar 1996 08:49:37 GMT", Some((56 + 365 + 31 + 29) * 86_400)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("soon", None),
            ("Sun, 06 Nov 1994 08:49 GMT", None),
        ];
        for (second, want) in table {
            assert_eq!(between(first, second), want.map(Duration::from_secs), "{second}");
        }
        let told = r#"[{"error": {"details": [{"@type": "x"}, {"retryDelay": "34.5s"}]}}]"#;
        assert_eq!(told_in(&serde_json::from_str(told).unwrap()), Some(Duration::from_millis(34_500)));
    }
}
