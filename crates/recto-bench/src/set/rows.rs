//! Rows of published files: a JSON object a line, a list of objects, or a Parquet table. What readers share; not what a row
//! means.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::file::{json, lines, table};
use super::parquet;
use crate::error::{BenchError, Result};
use crate::item::Item;
use crate::python::float_text;

/// What a reader says of a row; the place is added here.
pub(crate) type Made<T> = std::result::Result<T, String>;

/// What `make` makes of every row of a file. A fault gets the row's place: the line, or the row's number from 1.
pub(crate) fn each<T: DeserializeOwned, U>(file: &Path, mut make: impl FnMut(T) -> Made<U>) -> Result<Vec<U>> {
    match Kind::of(file).map_err(BenchError::io(file))? {
        Kind::Lines => {
            let made = |line: Result<super::Line>| {
                let line = line?;
                make(line.parse()?).map_err(|why| line.fault(why))
            };
            lines(file)?.map(made).collect()
        }
        Kind::List => {
            let rows: Vec<T> = json(file)?;
            let placed = |n: usize, why| BenchError::row(file, 0, format!("row {n}: {why}"));
            (1..).zip(rows).map(|(n, row)| make(row).map_err(|why| placed(n, why))).collect()
        }
        Kind::Parquet => {
            let mut made = Vec::new();
            parquet::rows(file, |row| {
                made.push(make(serde_json::from_value(row).map_err(|error| error.to_string())?)?);
                Ok(())
            })?;
            Ok(made)
        }
    }
}

/// The rows of all parts of a table, see [`each`].
pub(crate) fn all<T: DeserializeOwned, U>(files: &[PathBuf], mut make: impl FnMut(T) -> Made<U>) -> Result<Vec<U>> {
    let mut made = Vec::new();
    for file in files {
        made.extend(each(file, &mut make)?);
    }
    Ok(made)
}

/// The items of all parts of a table, see [`each`]; of an id only one.
pub(crate) fn items<T: DeserializeOwned>(
    files: &[PathBuf],
    mut make: impl FnMut(T) -> Made<Item>,
) -> Result<Vec<Item>> {
    let mut ids = Ids::default();
    all(files, |row| ids.take(make(row)?))
}

/// The ids that items have so far.
#[derive(Default)]
pub(crate) struct Ids(BTreeSet<String>);

impl Ids {
    /// The item, if it is the first of its id.
    pub(crate) fn take(&mut self, item: Item) -> Made<Item> {
        if self.0.insert(item.id.clone()) { Ok(item) } else { Err(format!("{:?} has a row already", item.id)) }
    }
}

/// The first row of a file, if it has one that can be read.
pub(crate) fn first(file: &Path) -> Option<Value> {
    if Kind::of(file).ok()? == Kind::Parquet {
        let mut first = None;
        // To refuse the first row is to read no other.
        let refused = parquet::rows(file, |row| {
            first = Some(row);
            Err(String::new())
        });
        return refused.err().and(first);
    }
    let mut reader = opened(file).ok()?;
    if next_byte(&mut reader).ok()?? == b'[' {
        reader.consume(1);
    }
    serde_json::Deserializer::from_reader(reader).into_iter().next()?.ok()
}

/// Whether the rows of a file have these fields, as far as the first one tells.
pub(crate) fn have(file: &Path, fields: &[&str]) -> bool {
    first(file).is_some_and(|row| fields.iter().all(|field| row.get(field).is_some()))
}

/// Whether the rows of a table have these fields, see [`table`].
pub(crate) fn table_has(path: &Path, names: &[&str], fields: &[&str]) -> bool {
    table(path, names, "").is_ok_and(|files| files.first().is_some_and(|file| have(file, fields)))
}

/// How a file holds its rows, as its first bytes tell.
#[derive(PartialEq, Eq)]
enum Kind {
    Lines,
    List,
    Parquet,
}

impl Kind {
    fn of(file: &Path) -> std::io::Result<Self> {
        let mut reader = opened(file)?;
        if reader.fill_buf()?.starts_with(b"PAR1") {
            return Ok(Self::Parquet);
        }
        Ok(if next_byte(&mut reader)? == Some(b'[') { Self::List } else { Self::Lines })
    }
}

fn opened(file: &Path) -> std::io::Result<BufReader<File>> {
    let mut reader = BufReader::new(File::open(file)?);
    if reader.fill_buf()?.starts_with(b"\xef\xbb\xbf") {
        reader.consume(3);
    }
    Ok(reader)
}

/// The first byte that is no white space.
fn next_byte(reader: &mut impl BufRead) -> std::io::Result<Option<u8>> {
    loop {
        let bytes = reader.fill_buf()?;
        let Some(byte) = bytes.first().copied() else { return Ok(None) };
        if !byte.is_ascii_whitespace() {
            return Ok(Some(byte));
        }
        reader.consume(1);
    }
}

/// The names of slices, by kind; empty names are none.
pub(crate) fn slices<const N: usize>(kinds: [(&str, Vec<String>); N]) -> BTreeMap<String, BTreeSet<String>> {
    let named = |names: Vec<String>| names.into_iter().filter(|name| !name.is_empty()).collect::<BTreeSet<_>>();
    let kinds = kinds.into_iter().map(|(kind, names)| (kind.to_owned(), named(names)));
    kinds.filter(|(_, names)| !names.is_empty()).collect()
}

/// A text, or a number that stands for one, for `deserialize_with`: ids are either.
pub(crate) fn text<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a text or a whole number")]
    enum Id {
        Text(String),
        Number(i64),
    }
    Ok(match Id::deserialize(from)? {
        Id::Text(text) => text,
        Id::Number(number) => number.to_string(),
    })
}

/// What Python's `str` makes of a plain value.
pub(crate) fn plain(value: &Value) -> Made<String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Bool(true) => Ok("True".into()),
        Value::Bool(false) => Ok("False".into()),
        Value::Null => Ok("None".into()),
        Value::Number(number) if number.is_f64() => Ok(float_text::repr(number.as_f64().unwrap_or_default())),
        Value::Number(number) => Ok(number.to_string()),
        Value::Array(_) | Value::Object(_) => Err("an answer is a text or a list of texts".into()),
    }
}

/// The entries of a JSON object in their order, those of equal names too.
#[derive(Debug)]
pub(crate) struct Entries<T>(pub(crate) Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        struct Reader<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Reader<T> {
            type Value = Entries<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        from.deserialize_map(Reader(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::desk::write;

    #[test]
    fn lines_and_lists_are_told_apart_by_their_first_bytes() {
        let desk = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            let file = write(&desk, "f", text);
            let rows = each(&file, |row: Value| row.as_u64().filter(|n| *n < 9).ok_or_else(|| format!("{row} is odd")));
            (rows.map_err(|error| error.to_string().replace(&file.display().to_string(), "f")), first(&file))
        };
        for (text, rows) in [
            ("1\n2", Ok(vec![1, 2])),
            ("\u{feff} \r\n1\r\n\r\n2\r\n", Ok(vec![1, 2])),
            ("\u{feff}\n [1,\n2]", Ok(vec![1, 2])),
            ("", Ok(vec![])),
            ("[]", Ok(vec![])),
            ("1\n\n9", Err("f:3: 9 is odd")),
            ("[1,\n9]", Err("f: row 2: 9 is odd")),
            ("1\n{", Err("f:2: EOF while parsing an object at column 1")),
            ("[1,\n2", Err("f:2: EOF while parsing a list at column 1")),
            ("PAR1", Err("f: EOF: ")),
        ] {
            let (found, first) = read(text);
            match rows {
                Ok(rows) => {
                    assert_eq!((found, first), (Ok(rows.clone()), rows.first().map(|n| (*n).into())), "{text:?}")
                }
                Err(why) => assert!(found.clone().is_err_and(|error| error.starts_with(why)), "{text:?}: {found:?}"),
            }
        }
    }
}
