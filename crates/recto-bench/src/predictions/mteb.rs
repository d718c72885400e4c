//! Rankings that MTEB's tools save (embeddings-benchmark/mteb, `save_predictions` and later `prediction_folder`): one
//! object, query to page to score; in later versions by subset and split, beside `mteb_model_meta`.
//!
//! Its tasks call query 3 of the split test `query-test-3` and pages alike. As with runs in TREC's form, queries that the
//! benchmark does not have are passed over, and pages that it does not have take their places.

use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde_json::{Map, Value};

use super::Form;
use crate::error::{BenchError, Result};
use crate::item::BenchmarkSet;
use crate::results::Open;
use crate::row::{RankedPage, Row};
use crate::set::json;
use crate::set::rows::Made;

pub(super) const FORM: Form =
    Form { fits: |row| row.get(META).is_some() || row.as_object().is_some_and(is_plain), read };

const META: &str = "mteb_model_meta";

fn is_plain(row: &Map<String, Value>) -> bool {
    !row.is_empty() && row.values().all(is_ranking)
}

fn is_ranking(value: &Value) -> bool {
    value.as_object().is_some_and(|ranking| ranking.values().all(Value::is_number))
}

fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let whole: Map<String, Value> = json(file)?;
    let mut rows = Vec::new();
    let mut open = Open::new(set);
    let placed = |why: String| BenchError::row(file, 0, why);
    for (query, ranking) in tables(whole).map_err(placed)?.into_iter().flatten() {
        let known = [query.as_str(), bare(&query)].into_iter().find(|id| open.knows(id));
        if let Some(id) = known {
            rows.push(row(id, &ranking, set).and_then(|row| open.take(row)).map_err(placed)?);
        }
    }
    Ok(rows)
}

/// Rankings by query, those of every subset and split.
fn tables(whole: Map<String, Value>) -> Made<Vec<Map<String, Value>>> {
    if !whole.contains_key(META) {
        return Ok(vec![whole]);
    }
    let mut tables = Vec::new();
    for (subset, splits) in whole.into_iter().filter(|(name, _)| name != META) {
        let Value::Object(splits) = splits else { return Err(format!("{subset}: there are no splits")) };
        for (split, rankings) in splits {
            match rankings {
                Value::Object(rankings) => tables.push(rankings),
                _ => return Err(format!("{subset}/{split}: there are no rankings")),
            }
        }
    }
    Ok(tables)
}

/// An id without what MTEB puts before it.
fn bare(id: &str) -> &str {
    let prefixed = id.starts_with("query-") || id.starts_with("corpus-");
    id.splitn(3, '-').nth(2).filter(|_| prefixed).unwrap_or(id)
}

fn row(id: &str, ranking: &Value, set: &BenchmarkSet) -> Made<Row> {
    let ranking = ranking.as_object().ok_or_else(|| format!("{id:?}: the ranking is no object"))?;
    let ranked = |(name, score): (&String, &Value)| {
        let score = score.as_f64().ok_or_else(|| format!("{id:?}: the score of {name:?} is no number"))?;
        let page = set.page(name).or_else(|| set.page(bare(name)));
        Ok(RankedPage { page: page.unwrap_or_else(|| PageId::new(DocId::new(name), PageNumber::FIRST)), score })
    };
    Ok(Row { id: id.into(), ranking: ranking.iter().map(ranked).collect::<Made<_>>()?, ..Row::default() })
}
