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
    measures: &'static [&'static str],
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
            measures: set.measures,
        })
        .collect();
    if config.json {
        output::json(&sets)?;
        return Ok(Finish::Done);
    }
    for Set { name, about, files, published, license, measures } in sets {
        let measures = measures.join(" ");
        output::line(format_args!("{name}: {about}\n    files: {files}\n    from: {published}"))?;
        output::line(format_args!("    licence: {license}\n    measures: {measures}"))?;
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
