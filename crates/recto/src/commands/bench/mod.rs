//! `recto bench`: measures systems on benchmarks. What is measured how, `recto-bench` knows; here stand the systems.

mod agents;
mod baselines;
pub(crate) mod compare;
mod episodes;
pub(crate) mod judge;
pub(crate) mod list;
mod machine;
pub(crate) mod names;
pub(crate) mod perf;
mod readers;
pub(crate) mod report;
mod report_layout;
mod report_pictures;
pub(crate) mod run;
pub(crate) mod score;
pub(crate) mod select;
mod shown;
pub(crate) mod source;
mod systems;
mod vectors;
