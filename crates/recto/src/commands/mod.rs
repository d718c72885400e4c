//! One file for each command; its `run` is the command's table of contents.

pub(crate) mod agent;
pub(crate) mod ask;
pub(crate) mod batch;
pub(crate) mod bench;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod episode;
pub(crate) mod index;
pub(crate) mod page;
pub(crate) mod problems;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod worker;
