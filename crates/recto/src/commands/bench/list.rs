//! `recto bench sets` and `recto bench measures`: what can be read, and what can be measured.

use recto_bench::measure::{Cutoff, definitions};
use recto_bench::set::SETS;
use serde::Serialize;

use crate::config::Config;
use crate::exit::Finish;
use crate::output;

#[derive(Serialize)]
struct Set {
    name: &'static str,
    about: &'static str,
    files: &'static str,
    published: &'static str,
    license: &'static str,
}

#[derive(Serialize)]
struct Measure {
    name: &'static str,
    about: &'static str,
    cutoff: bool,
    options: Vec<String>,
}

pub(crate) fn sets(config: &Config) -> anyhow::Result<Finish> {
    let sets: Vec<Set> = SETS
        .iter()
        .map(|set| Set {
            name: set.name,
            about: set.about,
            files: set.files,
            published: set.published,
            license: set.license,
        })
        .collect();
    if config.json {
        output::json(&sets)?;
        return Ok(Finish::Done);
    }
    for Set { name, about, files, published, license } in sets {
        output::line(format_args!("{name}: {about}"))?;
        output::line(format_args!("    files: {files}\n    from: {published}\n    licence: {license}"))?;
    }
    Ok(Finish::Done)
}

pub(crate) fn measures(config: &Config) -> anyhow::Result<Finish> {
    let measures: Vec<Measure> = definitions()
        .map(|of| Measure {
            name: of.name,
            about: of.about,
            cutoff: of.cutoff != Cutoff::None,
            options: of.options.iter().map(|(key, values)| format!("{key}={}", values.join("|"))).collect(),
        })
        .collect();
    if config.json {
        output::json(&measures)?;
        return Ok(Finish::Done);
    }
    for Measure { name, about, cutoff, options } in measures {
        let form = format!("{name}{}", if cutoff { "@k" } else { "" });
        output::line(format_args!("{form:16} {about}"))?;
        for option in options {
            output::line(format_args!("{:16}   {option}", ""))?;
        }
    }
    Ok(Finish::Done)
}
