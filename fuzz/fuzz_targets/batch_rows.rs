//! Any text as the records or the questions of a batch. The readers are the program's own files, since a program is no
//! library.

#![no_main]
#![allow(dead_code, unused_imports, missing_docs, reason = "the program uses more of these files than its fuzzing")]

#[path = "../../crates/recto/src/commands/batch/fields.rs"]
mod fields;
#[path = "../../crates/recto/src/commands/batch/queries.rs"]
mod queries;
#[path = "../../crates/recto/src/commands/batch/records.rs"]
mod records;

#[path = "../../crates/recto/src/commands/index/sources.rs"]
mod sources;

/// Where the program's files look for each other.
mod commands {
    pub(crate) mod index {
        pub(crate) use crate::sources;
    }
}

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (queries, complaints) = queries::parse(&text);
    let records = records::parse("/nowhere".as_ref(), &text, 1000);
    let lines = text.lines().count();
    assert!(queries.len() <= lines && complaints.len() <= 2 * lines);
    assert!(records.sources.len() + records.complaints.len() <= lines);
});
