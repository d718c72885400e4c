//! Each builder feature yields a file that a PDF engine reads as meant.

mod files;
mod reader;
mod report;
mod samples;
mod text;
