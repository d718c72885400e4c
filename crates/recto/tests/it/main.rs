//! The program as its users meet it: run as a process, in a home of its own, on small documents made by `recto-fixture`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step fails the test")]

mod agent;
mod answerer;
mod batch;
mod bench;
mod command_line;
mod desk;
mod durability;
mod episode;
mod evidence;
mod hostile;
mod lexical;
mod local_llm;
mod mcp;
mod model;
mod ocr;
mod passages;
mod problems;
mod routes;
mod samples;
mod search;
mod serve;
mod serve_model;
mod serve_rights;
mod server;
mod tidy;
mod updates;
mod watch;
mod web;
mod web_client;
