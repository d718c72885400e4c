//! Vectors of pages and of queries that others made, from a file; and pages by their likeness to a query: one vector each
//! (dense, page pictures) by cosine, several (late interaction) by MaxSim.
//!
//! Two forms: `.safetensors` with a tensor `[dimensions]` or `[vectors, dimensions]` (F32, F16 or BF16) under each name,
//! and JSON lines `{"id", "vector": [..]}` or `{"id", "vectors": [[..], ..]}`. Every vector is brought to length 1 in 32-bit
//! floats, as VisDocAgentBench does; one of zeros stays.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use recto_page::PageId;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::{BenchError, Result};
use crate::row::RankedPage;
use crate::set::lines;

/// Named lists of vectors of one number of dimensions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Vectors {
    dimensions: usize,
    /// Names with the first of their numbers and how many they have, in the order of the file.
    entries: Vec<(String, usize, usize)>,
    values: Vec<f32>,
}

impl Vectors {
    /// Reads a file.
    ///
    /// # Errors
    /// With file and line, or the name of the vectors: those of another form, of other dimensions than the first, without
    /// end or number, or of a name that has some already.
    pub fn read(file: &Path) -> Result<Self> {
        let vectors = match file.extension().is_some_and(|ending| ending == "safetensors") {
            true => safetensors(file)?,
            false => json_lines(file)?,
        };
        if vectors.entries.is_empty() { Err(BenchError::row(file, 0, "the file holds no vector")) } else { Ok(vectors) }
    }

    /// Names with their vectors, one after the other, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[f32])> {
        let values = |at: usize, n: usize| self.values.get(at..at + n).unwrap_or_default();
        self.entries.iter().map(move |(name, at, n)| (name.as_str(), values(*at, *n)))
    }

    /// Numbers of a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn push(
        &mut self,
        name: &str,
        dimensions: usize,
        values: impl IntoIterator<Item = f32>,
    ) -> std::result::Result<(), String> {
        let at = self.values.len();
        self.values.extend(values);
        let added = self.values.get_mut(at..).unwrap_or_default();
        if self.entries.is_empty() {
            self.dimensions = dimensions;
        }
        if dimensions != self.dimensions {
            return Err(format!("{name:?} has {dimensions} dimensions, the first vector {}", self.dimensions));
        }
        if added.is_empty() || dimensions == 0 || !added.len().is_multiple_of(dimensions) {
            return Err(format!("{name:?} has no whole vector"));
        }
        if added.iter().any(|value| !value.is_finite()) {
            return Err(format!("{name:?} has a value that is no number"));
        }
        added.chunks_exact_mut(dimensions).for_each(to_length_1);
        self.entries.push((name.to_owned(), at, self.values.len() - at));
        Ok(())
    }
}

fn to_length_1(vector: &mut [f32]) {
    let length = vector.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt() as f32;
    if length > 0.0 {
        vector.iter_mut().for_each(|v| *v /= length);
    }
}

#[derive(Deserialize)]
struct Row {
    #[serde(deserialize_with = "crate::set::rows::text")]
    id: String,
    #[serde(default)]
    vector: Vec<f32>,
    #[serde(default)]
    vectors: Vec<Vec<f32>>,
}

fn json_lines(file: &Path) -> Result<Vectors> {
    let (mut all, mut names) = (Vectors::default(), BTreeSet::new());
    for line in lines(file)? {
        let line = line?;
        let row: Row = line.parse()?;
        let vectors = if row.vectors.is_empty() { vec![row.vector] } else { row.vectors };
        let dimensions = vectors.first().map_or(0, Vec::len);
        if vectors.iter().any(|vector| vector.len() != dimensions) {
            return Err(line.fault(format!("{:?} has vectors of several dimensions", row.id)));
        }
        all.push(&row.id, dimensions, vectors.into_iter().flatten()).map_err(|why| line.fault(why))?;
        if !names.insert(row.id.clone()) {
            return Err(line.fault(format!("{:?} has vectors already", row.id)));
        }
    }
    Ok(all)
}

#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

fn safetensors(file: &Path) -> Result<Vectors> {
    let bytes = std::fs::read(file).map_err(BenchError::io(file))?;
    let fault = |why: &str| BenchError::row(file, 0, why);
    let (length, rest) = bytes.split_first_chunk().ok_or_else(|| fault("it is too short"))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let (head, data) = rest.split_at_checked(length).ok_or_else(|| fault("its head is longer than the file"))?;
    let head: Map<String, Value> = serde_json::from_slice(head).map_err(|error| fault(&error.to_string()))?;
    let mut tensors = Vec::new();
    for (name, about) in head.into_iter().filter(|(name, _)| name != "__metadata__") {
        let tensor: Tensor = serde_json::from_value(about).map_err(|error| fault(&format!("{name:?}: {error}")))?;
        tensors.push((name, tensor));
    }
    tensors.sort_by_key(|(_, tensor)| tensor.data_offsets);
    let mut all = Vectors::default();
    for (name, tensor) in tensors {
        let values = tensor.values(data).map_err(|why| fault(&format!("{name:?} {why}")))?;
        let dimensions = tensor.shape.last().copied().unwrap_or_default();
        all.push(&name, dimensions, values).map_err(|why| fault(&why))?;
    }
    Ok(all)
}

impl Tensor {
    fn values(&self, data: &[u8]) -> std::result::Result<Vec<f32>, String> {
        let [from, to] = self.data_offsets;
        let bytes = data.get(from..to).ok_or("lies outside of the file")?;
        if !(1..=2).contains(&self.shape.len()) {
            return Err("is neither a vector nor a list of vectors".into());
        }
        let half = |of: fn(u16) -> f32| bytes.as_chunks().0.iter().map(|two| of(u16::from_le_bytes(*two))).collect();
        let values: Vec<f32> = match self.dtype.as_str() {
            "F32" => bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
            "F16" => half(from_f16),
            "BF16" => half(|bits| f32::from_bits(u32::from(bits) << 16)),
            other => return Err(format!("is of the kind {other}; expected F32, F16 or BF16")),
        };
        let n = self.shape.iter().try_fold(1_usize, |n, side| n.checked_mul(*side));
        if n == Some(values.len()) { Ok(values) } else { Err("has another size than its shape".into()) }
    }
}

/// A number of IEEE 754's binary16.
fn from_f16(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023) / 1024.0);
    sign * match exponent {
        0 => fraction * 2_f32.powi(-14),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction) * 2_f32.powi(exponent - 15),
    }
}

/// Pages with their vectors.
#[derive(Clone, Debug)]
pub struct Nearest {
    vectors: Vectors,
    pages: Vec<PageId>,
}

impl Nearest {
    /// Takes vectors of pages; `page` says which page a name means.
    pub fn new(vectors: Vectors, page: impl Fn(&str) -> PageId) -> Self {
        let pages = vectors.iter().map(|(name, _)| page(name)).collect();
        Self { vectors, pages }
    }

    /// The pages that are `inside`, by Σ over the query's vectors of the greatest product with one of the page's. Equal
    /// scores keep the order of the file.
    pub fn rank(&self, query: &[f32], inside: impl Fn(&PageId) -> bool) -> Vec<RankedPage> {
        let of = self.pages.iter().zip(self.vectors.iter()).filter(|(page, _)| inside(page));
        let scored = |(page, (_, vectors)): (&PageId, (&str, &[f32]))| RankedPage {
            page: page.clone(),
            score: max_sim(query, vectors, self.vectors.dimensions).into(),
        };
        let mut ranking: Vec<RankedPage> = of.map(scored).collect();
        ranking.sort_by(|a, b| b.score.total_cmp(&a.score));
        ranking
    }
}

fn max_sim(query: &[f32], page: &[f32], dimensions: usize) -> f32 {
    let best = |q: &[f32]| page.chunks_exact(dimensions).map(|p| dot(q, p)).fold(f32::NEG_INFINITY, f32::max);
    query.chunks_exact(dimensions).map(best).sum()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, b) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (x, y) in a.0.iter().zip(b.0) {
        sums.iter_mut().zip(x.iter().zip(y)).for_each(|(sum, (x, y))| *sum += x * y);
    }
    sums.iter().sum::<f32>() + a.1.iter().zip(b.1).map(|(x, y)| x * y).sum::<f32>()
}

/// How far pages are from each other by vectors: 1 minus the cosine of their mean vectors.
#[derive(Clone, Debug, Default)]
pub struct Distances(BTreeMap<PageId, Vec<f32>>);

impl Distances {
    /// Takes vectors of pages, one after the other for each.
    pub fn new<'v>(dimensions: usize, pages: impl IntoIterator<Item = (PageId, &'v [f32])>) -> Self {
        let mean = |vectors: &[f32]| {
            let mut sum = vec![0.0; dimensions];
            for vector in vectors.chunks_exact(dimensions.max(1)) {
                sum.iter_mut().zip(vector).for_each(|(sum, v)| *sum += v);
            }
            to_length_1(&mut sum);
            sum
        };
        Self(pages.into_iter().map(|(page, vectors)| (page, mean(vectors))).collect())
    }

    /// The distance of two pages, 0 to 2; `None` if one has no vectors.
    pub fn between(&self, a: &PageId, b: &PageId) -> Option<f64> {
        Some(1.0 - f64::from(dot(self.0.get(a)?, self.0.get(b)?)))
    }
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageNumber};

    use super::*;
    use crate::set::desk::write;

    fn page(name: &str) -> PageId {
        PageId::new(DocId::new(name), PageNumber::FIRST)
    }

    /// A file of tensors: kind, shape and bytes of each.
    fn tensors(of: &[(&str, &str, &[usize], Vec<u8>)]) -> Vec<u8> {
        let (mut head, mut data) = (Map::new(), Vec::new());
        for (name, kind, shape, bytes) in of {
            let offsets = [data.len(), data.len() + bytes.len()];
            data.extend(bytes);
            let about = serde_json::json!({ "dtype": kind, "shape": shape, "data_offsets": offsets });
            head.insert((*name).to_owned(), about);
        }
        let head = serde_json::to_vec(&head).unwrap();
        [&(head.len() as u64).to_le_bytes()[..], &head, &data].concat()
    }

    fn f32s(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    #[test]
    fn both_forms_give_the_same_vectors() {
        let desk = tempfile::tempdir().unwrap();
        let halves: Vec<u8> = [0x3c00_u16, 0, 0, 0xbc00].iter().flat_map(|bits| bits.to_le_bytes()).collect();
        let brains: Vec<u8> = [0x3f80_u16, 0x3f80].iter().flat_map(|bits| bits.to_le_bytes()).collect();
        let files = [
            (
                "a.safetensors",
                tensors(&[
                    ("one", "F32", &[2], f32s(&[3.0, 4.0])),
                    ("two", "F16", &[2, 2], halves),
                    ("three", "BF16", &[1, 2], brains),
                ]),
            ),
            (
                "a.jsonl",
                br#"{"id": "one", "vector": [3, 4]}
{"id": "two", "vectors": [[1, 0], [0, -1]]}
{"id": "three", "vector": [1, 1]}"#
                    .to_vec(),
            ),
        ];
        for (name, bytes) in files {
            let vectors = Vectors::read(&write(&desk, name, bytes)).unwrap();
            let half = 0.5_f32.sqrt();
            let found: Vec<_> = vectors.iter().map(|(name, values)| (name, values.to_vec())).collect();
            let right = [("one", vec![0.6, 0.8]), ("two", vec![1.0, 0.0, 0.0, -1.0]), ("three", vec![half, half])];
            assert_eq!(found, right, "{name}");
            // MaxSim: "two" has 1 for the first vector of the query and 1 for the second.
            let ranking = Nearest::new(vectors, page).rank(&[1.0, 0.0, 0.0, -1.0], |_| true);
            let names: Vec<_> = ranking.iter().map(|ranked| ranked.page.doc.as_str()).collect();
            assert_eq!((names, ranking[0].score), (vec!["two", "three", "one"], 2.0));
        }
    }

    #[test]
    fn halves_are_exact() {
        for (bits, value) in
            [(0x3c00, 1.0), (0xc000, -2.0), (0x7bff, 65504.0), (0x0001, 2_f32.powi(-24)), (0x3555, 0.333_251_95)]
        {
            assert_eq!(from_f16(bits), value);
        }
        assert!(from_f16(0x7c00).is_infinite() && from_f16(0x7e00).is_nan());
    }

    #[test]
    fn distances_are_of_mean_vectors() {
        let vectors: [(PageId, &[f32]); 3] =
            [(page("a"), &[1.0, 0.0]), (page("b"), &[0.0, 1.0]), (page("c"), &[1.0, 0.0, 0.0, 1.0])];
        let distances = Distances::new(2, vectors);
        assert_eq!(distances.between(&page("a"), &page("b")), Some(1.0));
        let middle = distances.between(&page("a"), &page("c")).unwrap();
        assert!((middle - (1.0 - 0.5_f64.sqrt())).abs() < 1e-6, "{middle}");
        assert_eq!(distances.between(&page("a"), &page("d")), None);
    }

    #[test]
    fn wrong_files_are_named() {
        let desk = tempfile::tempdir().unwrap();
        let long = [&u64::MAX.to_le_bytes()[..], b"{}"].concat();
        for (name, bytes, why) in [
            ("a.safetensors", b"abc".to_vec(), "a.safetensors: it is too short"),
            ("a.safetensors", long, "its head is longer than the file"),
            ("a.safetensors", tensors(&[("x", "I64", &[1], vec![0; 8])]), "\"x\" is of the kind I64"),
            ("a.safetensors", tensors(&[("x", "F32", &[3], f32s(&[1.0]))]), "\"x\" has another size than its shape"),
            ("a.safetensors", tensors(&[("x", "F32", &[usize::MAX, 8], f32s(&[1.0]))]), "another size"),
            ("a.safetensors", tensors(&[("x", "F32", &[1], f32s(&[f32::NAN]))]), "\"x\" has a value that is no number"),
            ("a.safetensors", tensors(&[]), "the file holds no vector"),
            (
                "a.jsonl",
                b"{\"id\": \"a\", \"vector\": [1]}\n{\"id\": \"a\", \"vector\": [1]}".to_vec(),
                "a.jsonl:2: \"a\" has vectors already",
            ),
            (
                "a.jsonl",
                b"{\"id\": \"a\", \"vector\": [1]}\n{\"id\": \"b\", \"vector\": [1, 2]}".to_vec(),
                "a.jsonl:2: \"b\" has 2 dimensions",
            ),
            (
                "a.jsonl",
                b"{\"id\": \"a\", \"vectors\": [[1], [1, 2]]}".to_vec(),
                "a.jsonl:1: \"a\" has vectors of several dimensions",
            ),
            ("a.jsonl", b"{\"id\": \"a\"}".to_vec(), "a.jsonl:1: \"a\" has no whole vector"),
            ("a.jsonl", Vec::new(), "the file holds no vector"),
        ] {
            let error = Vectors::read(&write(&desk, name, bytes)).unwrap_err().to_string();
            assert!(error.contains(why), "{error}, not {why}");
        }
    }
}
