//! Statistics of runs: how sure a figure is, how two runs differ, what single items tell. No measure of its own.

pub mod agreement;
pub mod compare;
pub mod effort;
pub mod interval;
pub mod item_analysis;
pub mod judge_correction;
