//! Measures: an item and a row to a score. Each prints as it parses: `R@10`, `nDCG@10(gain=exp)`.
//!
//! A measure is a row of the table [`definitions`]; its formula stands in a file of its own, with its source. The printed
//! form names the evaluator in every report, so variants of a measure (a benchmark's reference code with its defects, the
//! sane reading) are options of it and never share a name.

pub mod accuracy;
pub mod anls;
pub mod anls_star;
pub mod answer;
pub mod batch;
pub mod citations;
mod effort;
pub mod finragbench;
mod judged;
pub mod m3docvqa;
pub mod madqa;
pub mod mc_search;
pub mod mmlongbench;
pub mod pnls;
pub(crate) mod ranking;
mod search_path;
pub mod slidevqa;
mod vidoseek;
mod visdocagentbench;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::BenchError;
use crate::item::Item;
use crate::judge::Verdicts;
use crate::row::Row;
use crate::score::Score;

/// A measure with its cut-off and options.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Measure {
    definition: &'static Definition,
    cutoff: Option<usize>,
    options: BTreeMap<&'static str, &'static str>,
}

/// What a name of a measure stands for.
pub struct Definition {
    /// As it prints.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Whether a cut-off (`@10`) belongs to it.
    pub cutoff: Cutoff,
    /// Its options with the values each can have; the first value is the default and is not printed.
    pub options: &'static [(&'static str, &'static [&'static str])],
    /// How it is computed.
    pub formula: Formula,
}

/// Whether a measure looks at the first k entries only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cutoff {
    /// Never.
    None,
    /// It may.
    Optional,
    /// Always.
    Required,
}

/// How a measure is computed.
pub enum Formula {
    /// A score for each item; the set's score is their mean, with 0 for missing rows.
    Item(fn(&Measure, &Case) -> Score),
    /// One score for all items together.
    Run(fn(&Measure, &[Case]) -> Score),
    /// One score for all items together, with its own 95 % interval.
    Estimate(fn(&Measure, &[Case]) -> Estimate),
}

/// A score with its 95 % interval.
pub type Estimate = (Score, Option<(f64, f64)>);

/// An item and what a system said about it.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// What is asked and what is right.
    pub item: &'a Item,
    /// What the system said; [`Row::missing`] if nothing.
    pub row: &'a Row,
    /// What judges said about it.
    pub verdicts: &'a Verdicts,
}

/// Every measure there is, in groups.
const GROUPS: [&[&Definition]; 9] = [
    &ranking::DEFINITIONS,
    &vidoseek::DEFINITIONS,
    &[&m3docvqa::RECALL],
    &[&visdocagentbench::RECALL, &visdocagentbench::RECIPROCAL_RANK],
    // Answers.
    &[
        &accuracy::DEFINITION,
        &anls::DEFINITION,
        &anls_star::DEFINITION,
        &pnls::DEFINITION,
        &mmlongbench::ANSWER,
        &mmlongbench::F1,
        &batch::QUALITY,
        &batch::REWARD,
        &madqa::ANSWER,
        &madqa::ACCURACY,
        &finragbench::EXACT,
        &finragbench::RECALL,
        &finragbench::ROUGE_L,
        &m3docvqa::EXACT,
        &m3docvqa::F1,
        &slidevqa::EXACT,
        &slidevqa::F1,
    ],
    // Answers by judges.
    &[&judged::SCORE, &judged::ACCURACY, &judged::PRECISION, &judged::F1, &judged::CORRECTED],
    // Evidence.
    &[&citations::PAGES, &citations::PAGE_PRECISION, &citations::PAGE_RECALL, &citations::DOCUMENTS],
    // The way to an answer.
    &[&mc_search::HITS, &mc_search::DEVIATION, &effort::KUIPER, &effort::WASTED],
    &[&search_path::FOUND, &search_path::RECOVERY, &search_path::DRIFT, &search_path::SOLVED],
];

/// Every measure there is.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    GROUPS.into_iter().flatten().copied()
}

/// The measures of these names, for tables of sets; a name that is none is left out (a test sees that none is).
pub(crate) fn parsed(names: &[&str]) -> Vec<Measure> {
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

impl Measure {
    /// The first k entries count; `None`: all.
    pub fn cutoff(&self) -> Option<usize> {
        self.cutoff
    }

    /// The value of an option, its default if it was not given; empty if the measure has no such option.
    pub fn option(&self, key: &str) -> &'static str {
        let default =
            self.definition.options.iter().find(|(name, _)| *name == key).and_then(|(_, values)| values.first());
        self.options.get(key).or(default).copied().unwrap_or_default()
    }

    /// Whether it looks at the places of judged pages and at nothing else of a row.
    pub(crate) fn needs_places_only(&self) -> bool {
        ranking::DEFINITIONS.iter().any(|definition| definition.name == self.definition.name)
    }

    /// What its name stands for.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }
}

impl FromStr for Measure {
    type Err = BenchError;

    fn from_str(text: &str) -> Result<Self, BenchError> {
        let unknown = |why: String| BenchError::UnknownMeasure { name: text.into(), why };
        let (head, options) = match text.trim().split_once('(') {
            Some((head, rest)) => (head, rest.strip_suffix(')').ok_or_else(|| unknown("a `)` is missing".into()))?),
            None => (text.trim(), ""),
        };
        let (name, cutoff) = head.split_once('@').map_or((head, None), |(name, k)| (name, Some(k)));
        let definition = definitions().find(|definition| definition.name == name).ok_or_else(|| {
            unknown(format!("expected one of {}", definitions().map(|d| d.name).collect::<Vec<_>>().join(", ")))
        })?;
        Ok(Self {
            definition,
            cutoff: definition.cutoff(cutoff).map_err(unknown)?,
            options: options
                .split(',')
                .map(str::trim)
                .filter(|option| !option.is_empty())
                .map(|option| definition.option(option).map_err(unknown))
                .filter(|parsed| !matches!(parsed, Ok(option) if definition.is_default(option)))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Definition {
    fn cutoff(&self, text: Option<&str>) -> Result<Option<usize>, String> {
        match (self.cutoff, text.map(|k| k.parse::<usize>().ok().filter(|k| *k > 0))) {
            (_, Some(None)) => Err("a whole number above 0 must follow `@`".into()),
            (Cutoff::None, Some(_)) => Err(format!("{} has no cut-off", self.name)),
            (Cutoff::Required, None) => Err(format!("{} needs a cut-off, such as {}@10", self.name, self.name)),
            (_, k) => Ok(k.flatten()),
        }
    }

    fn option(&self, text: &str) -> Result<(&'static str, &'static str), String> {
        let (key, value) = text.split_once('=').ok_or("options are written key=value")?;
        let known = self.options.iter().find(|(name, _)| *name == key.trim());
        let (key, values) = known.ok_or_else(|| format!("{} has no option {key:?}", self.name))?;
        let value = values.iter().find(|known| **known == value.trim());
        Ok((key, value.ok_or_else(|| format!("{key} is one of {}", values.join(", ")))?))
    }

    fn is_default(&self, (key, value): &(&str, &str)) -> bool {
        self.options.iter().any(|(name, values)| name == key && values.first() == Some(value))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.definition.name)?;
        if let Some(k) = self.cutoff {
            write!(f, "@{k}")?;
        }
        let options: Vec<String> = self.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if options.is_empty() { Ok(()) } else { write!(f, "({})", options.join(",")) }
    }
}

impl fmt::Debug for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Measure {}

impl PartialOrd for Measure {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Measure {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |measure: &Self| (measure.definition.name, measure.cutoff, measure.options.clone());
        key(self).cmp(&key(other))
    }
}

impl TryFrom<String> for Measure {
    type Error = BenchError;

    fn try_from(text: String) -> Result<Self, BenchError> {
        text.parse()
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> Self {
        measure.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_print_as_they_parse() {
        for text in ["R@10", "R", "nDCG@10(gain=exp)", "MRR@10(ties=trec)"] {
            assert_eq!(text.parse::<Measure>().unwrap().to_string(), text);
        }
        for (wrong, why) in [
            ("R@0", "whole number"),
            ("R@x", "whole number"),
            ("Q@10", "expected one of"),
            ("R@10(gain=exp)", "no option"),
            ("nDCG@10(gain=log)", "one of linear, exp"),
            ("P", "needs a cut-off"),
            ("R@10(gain=exp", "missing"),
        ] {
            let error = wrong.parse::<Measure>().unwrap_err().to_string();
            assert!(error.contains(why), "{wrong}: {error}");
        }
    }

    #[test]
    fn the_measures_of_sets_exist() {
        for set in crate::set::SETS {
            assert_eq!(parsed(set.measures).len(), set.measures.len(), "{}: {:?}", set.name, set.measures);
        }
    }

    #[test]
    fn every_judge_can_be_named() {
        for judge in crate::judge::JUDGES {
            assert!(format!("Judged(by={})", judge.name).parse::<Measure>().is_ok(), "{}", judge.name);
        }
    }

    #[test]
    fn names_of_measures_are_distinct() {
        let names: std::collections::BTreeSet<_> = definitions().map(|definition| definition.name).collect();
        assert_eq!(names.len(), definitions().count());
    }
}
