//! `recto config show`: every setting with its value and where it comes from.

use crate::config::Config;
use crate::exit::Finish;
use crate::output;

pub(crate) fn show(config: &Config) -> anyhow::Result<Finish> {
    if config.json {
        output::json(&config.shown)?;
        return Ok(Finish::Done);
    }
    for setting in &config.shown {
        output::line(format_args!("{:<13} {:<20} {}", setting.key, setting.value, setting.from))?;
    }
    Ok(Finish::Done)
}
