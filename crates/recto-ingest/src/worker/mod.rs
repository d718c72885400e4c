//! Reading documents in worker processes.
//!
//! A PDF engine can crash, hang or eat memory on a hostile file, and can't be told to stop. So the program starts
//! itself again as its own worker ([`serve`]), with a limit on memory; the parent ([`Worker`]) asks for pages over the
//! worker's standard input and output (`protocol`) and ends it when a page takes too long. [`read_document`] puts the
//! two together: a page that kills its worker is a recorded problem, and reading goes on with the next one.

mod client;
mod protocol;
mod read;
mod serve;

pub use client::{Worker, WorkerCommand, WorkerFailure};
pub use protocol::Opened;
pub use read::{Outcome, Source, read_document};
pub use serve::serve;
