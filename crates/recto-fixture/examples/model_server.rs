//! A server of scripted models for drills of the program. Its first line is its address; once its standard input ends it
//! prints what it was asked, as JSON, and ends too. With `faults` half of its replies are none.
//!
//! usage: model_server [faults] [MILLISECONDS]

use std::io::{Read, Write, stdin, stdout};
use std::time::Duration;

use recto_fixture::ModelServer;
use recto_fixture::drill::{faulty, reader};
use serde_json::json;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let faults = arguments.iter().any(|argument| argument == "faults");
    let delay = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(0);
    let server = ModelServer::start(move |asked| {
        let good = || reader(asked).after(Duration::from_millis(delay));
        if faults { faulty(asked, good) } else { good() }
    })?;
    writeln!(stdout(), "{}", server.url())?;
    stdin().read_to_end(&mut Vec::new())?;
    let count = server.count();
    let told = json!({"requests": count.requests, "images": count.images, "input_tokens": count.input_tokens,
        "output_tokens": count.output_tokens, "at_once": count.at_once});
    writeln!(stdout(), "{told}")
}
