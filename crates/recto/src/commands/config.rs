//! `recto config show`: every setting with its value and where it comes from.

use crate::config::{Config, Shown};
use crate::exit::Finish;
use crate::output;

pub(crate) fn show(config: &Config) -> anyhow::Result<Finish> {
    if config.json {
        output::json(&config.shown)?;
        return Ok(Finish::Done);
    }
    for Shown { key, value, from } in &config.shown {
        let here = || config.index_of(".".as_ref()).display().to_string();
        let value = if *key == "index" && value.is_empty() { &here() } else { value };
        output::line(format_args!("{key:<13} {value:<20} {from}"))?;
    }
    Ok(Finish::Done)
}
