//! Parquet tables as rows of JSON values, without Arrow. Columns that hold raw bytes (pictures) are never read; dates and
//! times are null, for no benchmark needs them.

mod zstandard;

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{ConvertedType, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::reader::FileReader;
use parquet::record::{Field, Row};
use parquet::schema::types::Type;
use serde_json::{Map, Value};
use zstandard::Table;

use super::rows::Made;
use crate::error::{BenchError, Result};

/// Hands every row to `each`, with its number from 1, until one is refused.
pub(super) fn rows(file: &Path, mut each: impl FnMut(Value) -> Made<()>) -> Result<()> {
    let fault = |why: String| BenchError::row(file, 0, why);
    let input = File::open(file).map_err(BenchError::io(file))?;
    let reader = guarded(|| Table::open(input)).map_err(fault)?;
    let columns = guarded(|| without_bytes(&reader)).map_err(fault)?;
    let mut rows = guarded(|| reader.get_row_iter(Some(columns))).map_err(fault)?;
    for n in 1.. {
        let place = |why: String| BenchError::row(file, 0, format!("row {n}: {why}"));
        let Some(row) = guarded(|| rows.next().transpose()).map_err(place)? else { break };
        each(object(row)).map_err(place)?;
    }
    Ok(())
}

/// What the reader says. On damaged files it may panic; that is a fault of the file.
fn guarded<T>(read: impl FnOnce() -> std::result::Result<T, ParquetError>) -> Made<T> {
    let read = catch_unwind(AssertUnwindSafe(read));
    read.map_err(|_| "the Parquet table is damaged".to_owned())?.map_err(|error| error.to_string())
}

/// The columns without raw bytes.
fn without_bytes(reader: &impl FileReader) -> std::result::Result<Type, ParquetError> {
    let schema = reader.metadata().file_metadata().schema();
    let kept = schema.get_fields().iter().filter(|column| !holds_bytes(column)).map(Arc::clone).collect();
    Type::group_type_builder(schema.name()).with_fields(kept).build()
}

fn holds_bytes(column: &Type) -> bool {
    if column.is_group() {
        return column.get_fields().iter().any(|field| holds_bytes(field));
    }
    let about = column.get_basic_info();
    let bytes = matches!(column.get_physical_type(), Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY);
    bytes && about.converted_type() == ConvertedType::NONE && about.logical_type_ref().is_none()
}

fn object(row: Row) -> Value {
    Value::Object(row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect())
}

fn value(field: &Field) -> Value {
    match field {
        Field::Bool(value) => (*value).into(),
        Field::Byte(value) => (*value).into(),
        Field::Short(value) => (*value).into(),
        Field::Int(value) => (*value).into(),
        Field::Long(value) => (*value).into(),
        Field::UByte(value) => (*value).into(),
        Field::UShort(value) => (*value).into(),
        Field::UInt(value) => (*value).into(),
        Field::ULong(value) => (*value).into(),
        Field::Float(value) => (*value).into(),
        Field::Double(value) => (*value).into(),
        Field::Str(value) => value.as_str().into(),
        Field::Group(row) => object(row.clone()),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        Field::MapInternal(map) => {
            let entries = map.entries().iter().filter_map(|(key, entry)| Some((text(key)?, value(entry))));
            Value::Object(entries.collect::<Map<_, _>>())
        }
        _ => Value::Null,
    }
}

fn text(key: &Field) -> Option<String> {
    if let Field::Str(text) = key { Some(text.clone()) } else { None }
}
