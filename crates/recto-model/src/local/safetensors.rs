//! Reads tensors out of a safetensors file: a length, a JSON header with types, shapes and places, then the numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;

/// One tensor, still as bytes.
pub(crate) struct Tensor<'f> {
    /// `F32`, `F16`, `I8` and so on.
    pub(crate) dtype: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) bytes: &'f [u8],
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

/// The tensors of a file by name; what has no place in the file is left out.
///
/// # Errors
/// Says why the bytes are no such file.
pub(crate) fn tensors(file: &[u8]) -> Result<BTreeMap<String, Tensor<'_>>, String> {
    let (length, rest) = file.split_first_chunk::<8>().ok_or("shorter than its header")?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let (header, data) = rest.split_at_checked(length).ok_or("shorter than its header")?;
    let entries: BTreeMap<String, serde_json::Value> = serde_json::from_slice(header).map_err(|e| e.to_string())?;
    let tensor = |(name, entry)| {
        let Entry { dtype, shape, data_offsets: (from, to) } = serde_json::from_value(entry).ok()?;
        Some((name, Tensor { dtype, shape, bytes: data.get(Range { start: from, end: to })? }))
    };
    Ok(entries.into_iter().filter_map(tensor).collect())
}

impl Tensor<'_> {
    /// Its numbers, if they are of type `F32`.
    pub(crate) fn f32(&self) -> Option<Vec<f32>> {
        (self.dtype == "F32").then(|| self.bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
    }

    /// Its numbers, if they are of type `I8`.
    pub(crate) fn i8(&self) -> Option<Vec<i8>> {
        (self.dtype == "I8").then(|| self.bytes.iter().map(|byte| i8::from_le_bytes([*byte])).collect())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn tensors_are_found_and_nonsense_is_not_read() {
        let header = r#"{"__metadata__": {"a": "b"}, "x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
            "y": {"dtype": "I8", "shape": [1], "data_offsets": [8, 99]},
            "z": {"dtype": "I8", "shape": [1], "data_offsets": [8, 2]}}"#;
        let length = (header.len() as u64).to_le_bytes();
        let file = [&length[..], header.as_bytes(), &1.5f32.to_le_bytes(), &[0; 4]].concat();
        let tensors = super::tensors(&file).unwrap();
        assert_eq!(tensors.keys().collect::<Vec<_>>(), ["x"]);
        assert_eq!((tensors["x"].f32(), tensors["x"].i8()), (Some(vec![1.5, 0.0]), None));
        for bad in [&b""[..], &[255; 8], &[255; 30], &[1, 0, 0, 0, 0, 0, 0, 0, b'{']] {
            assert!(super::tensors(bad).is_err(), "{bad:?}");
        }
    }
}
