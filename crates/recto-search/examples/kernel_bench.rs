//! How fast vectors are scanned, beside how fast memory can be read: `benches/peers/vectors.py` runs it.
//!
//! `kernel_bench rows|blocks VECTORS DIM PATCHES COPIES QUERIES TOKENS FOLDER [avx512|avx2|scalar]` reads files of 32-bit
//! floats, little endian: pages of `PATCHES` vectors, queries of `TOKENS`. It writes the pages `COPIES` times as segments
//! into FOLDER and prints, as JSON, seconds of one thread's CPU a query and the ten best pages for each way to store
//! them. Linux only, since it asks `/proc` for CPU time.
#![expect(clippy::print_stdout, reason = "what it is for")]

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use recto_model::{Identity, Pooling, Prefix};
use recto_search::kernel;
use recto_search::vectors::{
    self, Element, Layout, PageKey, Plan, Query, Restriction, Segment, Space, Storage, Writer,
};
use serde_json::json;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Pages in a segment of rows; a segment of blocks holds one copy of all.
const ROWS: usize = 100_000;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [layout, pages, dim, patches, copies, queries, tokens, folder, rest @ ..] = arguments.as_slice() else {
        return Err("see the head of the source".into());
    };
    let path = rest.first().map_or(Ok(kernel::Path::best()), |name| name.parse())?;
    let layout = if layout == "rows" { Layout::Rows } else { Layout::Blocks };
    let dim: usize = dim.parse()?;
    let (page, query) = (patches.parse::<usize>()? * dim, tokens.parse::<usize>()? * dim);
    let (pages, queries) = (floats(pages)?, floats(queries)?);
    let queries: Vec<Query> =
        queries.chunks(query).map(|query| Query::new(space(dim), query.to_vec())).collect::<Result<_, _>>()?;
    println!("{}", json!({ "probe_memory_gb_s": memory(pages.len() * 4) }));
    let all: &[&[Element]] = match layout {
        Layout::Rows => &[&[Element::F32], &[Element::I8, Element::F32], &[Element::F16]],
        Layout::Blocks => &[&[Element::I8], &[Element::F32], &[Element::I8, Element::F16]],
    };
    for elements in all.iter().take(if copies == "1" { 3 } else { 1 }) {
        let folder = Path::new(folder).join(format!("{elements:?}"));
        let segments = write(&folder, layout, elements, dim, page, &pages, copies.parse()?)?;
        let segments: Vec<&Segment> = segments.iter().collect();
        let probe = mapped(&folder)?;
        let plan = Plan { path, ..Plan::new(10) };
        let search = |query| vectors::search(&segments, query, Restriction::None, &plan);
        queries.first().map(search).transpose()?;
        let (found, time) = timed(|| queries.iter().map(search).collect::<Result<Vec<_>, _>>());
        let best: Vec<Vec<u32>> =
            found?.iter().map(|found| found.iter().map(|found| found.key.number).collect()).collect();
        let bytes: u64 =
            fs::read_dir(&folder)?.flatten().filter_map(|file| file.metadata().ok()).map(|data| data.len()).sum();
        println!(
            "{}",
            json!({
                "elements": elements, "path": path.to_string(), "copies": copies, "bytes": bytes, "probe_mapped_gb_s": probe,
                "mean_s": time / queries.len() as f64, "pages": best,
            })
        );
        fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

fn space(dim: usize) -> Space {
    let encoder = Identity {
        model: "random".into(),
        revision: "1".into(),
        dim: dim as u32,
        normalised: true,
        prefix: Prefix::default(),
        dpi: None,
        pooling: Pooling::Given,
    };
    Space { route: "bench".into(), encoder, merged: 1 }
}

fn floats(file: &str) -> Outcome<Vec<f32>> {
    Ok(fs::read(file)?.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

fn write(
    folder: &Path,
    layout: Layout,
    elements: &[Element],
    dim: usize,
    page: usize,
    pages: &[f32],
    copies: u64,
) -> Outcome<Vec<Segment>> {
    let mut segments = Vec::new();
    let size = if layout == Layout::Rows { ROWS } else { pages.len() / page };
    for version in 0..copies {
        for (part, batch) in pages.chunks(size * page).enumerate() {
            let storage = Storage { layout, elements: elements.to_vec() };
            let mut writer = Writer::new(space(dim), storage)?;
            for (at, vectors) in batch.chunks(page).enumerate() {
                writer.push(PageKey { version, number: (part * size + at) as u32 + 1 }, vectors.to_vec())?;
            }
            segments.push(Segment::open(&writer.publish(folder)?.file)?);
        }
    }
    Ok(segments)
}

/// What `body` gives, and the seconds that this thread computed.
fn timed<T>(body: impl FnOnce() -> T) -> (T, f64) {
    let start = cpu();
    let value = body();
    (value, cpu() - start)
}

fn cpu() -> f64 {
    let times = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    times.split(' ').next().and_then(|time| time.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e9
}

/// Mean of some readings of so many bytes of ordinary memory, in GB/s.
fn memory(bytes: usize) -> f64 {
    rate(&[vec![1_u8; bytes]])
}

/// As [`memory`], of the mapped files of a folder, after they were read once.
fn mapped(folder: &Path) -> Outcome<f64> {
    let mut maps = Vec::new();
    for file in fs::read_dir(folder)?.flatten() {
        let file = fs::File::open(file.path())?;
        #[expect(unsafe_code, reason = "a mapped file is memory that others could change")]
        // SAFETY: this program alone knows the folder, and has written the file.
        maps.push(unsafe { memmap2::Mmap::map(&file)? });
    }
    Ok(rate(&maps))
}

fn rate<T: AsRef<[u8]>>(parts: &[T]) -> f64 {
    let bytes: usize = parts.iter().map(|part| part.as_ref().len()).sum();
    let read = || parts.iter().fold(0_u64, |sum, part| sum.wrapping_add(std::hint::black_box(stream(part.as_ref()))));
    std::hint::black_box(read());
    let readings = 1 + (8 << 30) / bytes.max(1);
    let (_, time) = timed(|| (0..readings).for_each(|_| _ = std::hint::black_box(read())));
    (bytes * readings) as f64 / time / 1e9
}

#[cfg(target_arch = "x86_64")]
fn stream(data: &[u8]) -> u64 {
    if kernel::Path::Avx512.available() {
        #[expect(unsafe_code, reason = "a function for instructions that not every processor has")]
        // SAFETY: the processor has been asked.
        return unsafe { wide(data) };
    }
    sum(data)
}

#[cfg(not(target_arch = "x86_64"))]
fn stream(data: &[u8]) -> u64 {
    sum(data)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn wide(data: &[u8]) -> u64 {
    use std::arch::x86_64::{_mm512_loadu_si512, _mm512_reduce_add_epi64, _mm512_setzero_si512, _mm512_xor_si512};
    let mut sums = [_mm512_setzero_si512(); 4];
    for pieces in data.as_chunks::<64>().0.as_chunks::<4>().0 {
        for (sum, piece) in sums.iter_mut().zip(pieces) {
            #[expect(unsafe_code, reason = "loads an array")]
            // SAFETY: the array has 64 bytes; no alignment is asked for.
            let piece = unsafe { _mm512_loadu_si512(piece.as_ptr().cast()) };
            *sum = _mm512_xor_si512(*sum, piece);
        }
    }
    sums.iter().fold(0, |all, sum| all ^ _mm512_reduce_add_epi64(*sum) as u64)
}

/// Reads everything and does as little as can be.
fn sum(data: &[u8]) -> u64 {
    let mut sums = [0_u64; 32];
    for piece in data.as_chunks::<256>().0 {
        for (sum, word) in sums.iter_mut().zip(piece.as_chunks().0) {
            *sum ^= u64::from_le_bytes(*word);
        }
    }
    sums.iter().fold(0, |all, sum| all ^ sum)
}
