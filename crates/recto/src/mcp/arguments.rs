//! What the tools take: plain types with defaults, since some clients stumble over optional numbers and unions; numbers may
//! come as text, page numbers as numbers, and `doc` under the name that results have for it, `document`.

use std::borrow::Cow;

use rmcp::schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::config::in_range;
use crate::exit::usage;

/// Which documents to list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ListDocuments {
    /// Only documents of this name or pattern, such as reports/*.pdf; empty for all
    #[serde(default, alias = "document")]
    pub(super) doc: String,
    /// How many documents to pass over: next_offset of the call before
    #[serde(default)]
    pub(super) offset: Number,
}

/// What to search for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct SearchPages {
    /// Words; "phrases"; -without; prefix*
    pub(super) query: String,
    /// What ranks: hybrid (all that the index has), bm25 (words), dense, late or page (vectors), or several as bm25+dense
    #[serde(default = "hybrid")]
    pub(super) route: String,
    /// Only documents of this name or pattern, such as reports/*.pdf; empty for all
    #[serde(default, alias = "document")]
    pub(super) doc: String,
    /// Only pages that have a table, a figure, or are scans: table, figure, scan; with commas, all of them; empty for all pages
    #[serde(default)]
    pub(super) kind: String,
    /// Number of pages, 1 to 50
    #[serde(default = "ten")]
    pub(super) k: Number,
    /// How many of the best pages to pass over: next_offset of the call before
    #[serde(default)]
    pub(super) offset: Number,
}

/// Which pages to look at.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct InspectPages {
    /// Document name, as list_documents and search_pages give it
    #[serde(alias = "document")]
    pub(super) doc: String,
    /// Pages counted from 1, such as 3, 1-5 or 2,7-9; or one printed label such as iii
    #[serde(alias = "page")]
    pub(super) pages: Text,
    /// Resolution in dots per inch, 10 to 600; less where max_px says so
    #[serde(default = "reading_dpi")]
    pub(super) dpi: Number,
    /// Pixels of a picture's longer side at most, 100 to 4000
    #[serde(default = "max_px")]
    pub(super) max_px: Number,
    /// How many of these pages to pass over: next_offset of the call before
    #[serde(default)]
    pub(super) offset: Number,
}

/// Which part of a page to look at.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct CropPage {
    /// Document name, as list_documents and search_pages give it
    #[serde(alias = "document")]
    pub(super) doc: String,
    /// Page counted from 1, or a printed label such as iii
    pub(super) page: Text,
    /// Left, top, right, bottom as fractions of the page, such as 0,0.5,1,1 for its lower half
    pub(super) region: String,
    /// Resolution in dots per inch, 10 to 600; less where max_px says so
    #[serde(default = "fine_dpi")]
    pub(super) dpi: Number,
    /// Pixels of the picture's longer side at most, 100 to 4000
    #[serde(default = "max_px")]
    pub(super) max_px: Number,
}

/// Which page to read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct ReadPage {
    /// Document name, as list_documents and search_pages give it
    #[serde(alias = "document")]
    pub(super) doc: String,
    /// Page counted from 1, or a printed label such as iii
    pub(super) page: Text,
    /// How many characters to pass over: next_offset of the call before
    #[serde(default)]
    pub(super) offset: Number,
    /// Characters of text at most, 100 to 50000
    #[serde(default = "many_chars")]
    pub(super) max_chars: Number,
}

/// What to answer.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(crate = "rmcp::schemars")]
pub(super) struct Ask {
    /// The question, in full
    pub(super) question: String,
    /// Only documents of this name or pattern, such as reports/*.pdf; empty for all
    #[serde(default, alias = "document")]
    pub(super) doc: String,
}

fn hybrid() -> String {
    "hybrid".into()
}

const fn ten() -> Number {
    Number(10)
}

const fn reading_dpi() -> Number {
    Number(144)
}

const fn fine_dpi() -> Number {
    Number(300)
}

/// What models look at without making it smaller.
const fn max_px() -> Number {
    Number(1568)
}

const fn many_chars() -> Number {
    Number(20_000)
}

/// A whole number; it may come as text, as from clients that know no types.
#[derive(Clone, Copy, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Number(i64);

impl Number {
    /// Its value, if it is within these bounds.
    ///
    /// # Errors
    /// A [usage error](crate::exit::Usage) naming the field and what is allowed.
    pub(super) fn within(self, field: &str, low: u32, high: u32) -> anyhow::Result<u32> {
        let number = in_range(&self.0.to_string(), low.into(), high.into());
        let number = number.map_err(|expected| usage(format!("{field} = {}: expected {expected}", self.0)))?;
        Ok(number.try_into()?)
    }

    /// Its value as an offset.
    ///
    /// # Errors
    /// Those of [`Number::within`].
    pub(super) fn offset(self) -> anyhow::Result<usize> {
        Ok(self.within("offset", 0, 100_000_000)? as usize)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64);
        let number = match &value {
            Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(whole)),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        number.map(Self).ok_or_else(|| D::Error::custom(format!("{value}: expected a whole number")))
    }
}

impl JsonSchema for Number {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer" })
    }
}

/// Text that looks like a number; it may come as one.
pub(super) struct Text(pub(super) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self(text)),
            Value::Number(number) => Ok(Self(number.to_string())),
            value => Err(D::Error::custom(format!("{value}: expected text"))),
        }
    }
}

impl JsonSchema for Text {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}
