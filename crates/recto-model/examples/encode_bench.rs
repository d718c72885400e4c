//! How fast recto's own encoders are on two threads, and which share that is of what the processor could do.
//!
//! usage: `encode_bench FOLDER potion|minilm|tokens < pages.jsonl`, with a page's text as a JSON string a line. Prints JSON.
//! There are two peaks, of 32-bit products and of 8-bit ones, with their sums, in registers alone on both threads at
//! once: nothing that must fetch its numbers comes quite near. What a network does is counted from its shapes
//! (all-MiniLM-L6-v2: six layers of 384 dimensions, 1,536 between): two operations for each product of weights, attention
//! and all; tables, sums and roots aside. Its weights are bytes, attention is computed in floats.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a tool for developers")]

use std::hint::black_box;
use std::io::BufRead;
use std::path::Path;
use std::thread;
use std::time::Instant;

use recto_model::local::{OnnxEncoder, StaticEncoder, WordPieces};
use recto_model::{PageInput, TextEncoder, TokenEncoder};
use serde_json::json;

const THREADS: usize = 2;
const LAYERS: f64 = 6.0;
const DIM: f64 = 384.0;
const BETWEEN: f64 = 1_536.0;
/// Tokens that stand around a text.
const FRAME: usize = 2;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, model] = arguments.as_slice() else { panic!("two arguments") };
    let folder = Path::new(folder);
    let pages: Vec<String> =
        std::io::stdin().lock().lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let (windows, seconds, operations) = match model.as_str() {
        "potion" => {
            let encoder = StaticEncoder::open(folder).unwrap();
            let (windows, seconds) = timed(&pages, |page| dense(&encoder, page));
            (windows, seconds, None)
        }
        _ => {
            let encoder = OnnxEncoder::open_minilm(folder).unwrap();
            let encode = |page: &str| if model == "tokens" { late(&encoder, page) } else { dense(&encoder, page) };
            let (windows, seconds) = timed(&pages, encode);
            (windows, seconds, Some(operations(folder, &encoder, &pages)))
        }
    };
    let peaks = [peak(kernels::floats), peak(kernels::bytes)];
    println!(
        "{}",
        json!({
            "pages": pages.len(), "windows": windows, "seconds": seconds, "pages_a_second": pages.len() as f64 / seconds,
            "gops": operations.map(|n| n / seconds / 1e9), "peak_gops": peaks.map(|peak| peak / 1e9),
            "share_of_peak": operations.map(|n| peaks.map(|peak| n / seconds / peak)),
        })
    );
}

fn dense(encoder: &impl TextEncoder, page: &str) -> usize {
    let windows = encoder.windows(page);
    let texts: Vec<&str> = windows.iter().map(|window| window.text(page)).collect();
    black_box(encoder.encode_pages(&texts).unwrap()).len()
}

fn late(encoder: &OnnxEncoder, page: &str) -> usize {
    let windows = TokenEncoder::windows(encoder, page);
    let texts: Vec<PageInput> = windows.iter().map(|window| PageInput::Text(window.text(page))).collect();
    black_box(TokenEncoder::encode_pages(encoder, &texts).unwrap()).len()
}

/// How many windows were encoded, and in how many seconds; each thread takes every other page.
fn timed(pages: &[String], encode: impl Fn(&str) -> usize + Sync) -> (usize, f64) {
    let start = Instant::now();
    let (encode, every) = (&encode, |first| pages.iter().skip(first).step_by(THREADS));
    let windows = thread::scope(|scope| {
        let run = |first| scope.spawn(move || every(first).map(|page| encode(page)).sum::<usize>());
        let threads: Vec<_> = (0..THREADS).map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    (windows, start.elapsed().as_secs_f64())
}

fn operations(folder: &Path, encoder: &OnnxEncoder, pages: &[String]) -> f64 {
    let vocabulary = folder.join("minilm-vocab.txt");
    let pieces = WordPieces::new(&std::fs::read(&vocabulary).unwrap(), &vocabulary).unwrap();
    let of_window = |text: &str| {
        let n = (pieces.pieces(text).len() + FRAME) as f64;
        n * LAYERS * 2.0 * (4.0 * DIM * DIM + 2.0 * DIM * BETWEEN + 2.0 * n * DIM)
    };
    let of_page = |page: &String| -> f64 {
        TextEncoder::windows(encoder, page).iter().map(|window| of_window(window.text(page))).sum()
    };
    pages.iter().map(of_page).sum()
}

/// Operations a second of both threads, the best of a few tries.
fn peak(kernel: fn() -> f64) -> f64 {
    let once = |_| {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(kernel)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum::<f64>()
        })
    };
    (0..5).map(once).fold(0.0, f64::max)
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "asks for the processor's widest products, which it was seen to have")]
mod kernels {
    use std::arch::x86_64::*;
    use std::hint::black_box;
    use std::time::Instant;

    const ROUNDS: usize = 20_000_000;

    /// 32-bit products and sums of this thread a second; 0 where the processor can't do sixteen at once.
    pub(super) fn floats() -> f64 {
        // SAFETY: the feature is there.
        if is_x86_feature_detected!("avx512f") { unsafe { floats_512() } } else { 0.0 }
    }

    /// The same of 8-bit products, summed by four.
    pub(super) fn bytes() -> f64 {
        // SAFETY: the features are there.
        if is_x86_feature_detected!("avx512vnni") { unsafe { bytes_512() } } else { 0.0 }
    }

    // Twelve registers, so that none waits for itself.

    #[target_feature(enable = "avx512f")]
    fn floats_512() -> f64 {
        let (factor, more) = (black_box(_mm512_set1_ps(0.999)), black_box(_mm512_set1_ps(0.001)));
        let mut sums = [_mm512_set1_ps(1.0); 12];
        let start = Instant::now();
        for _ in 0..ROUNDS {
            sums = sums.map(|sum| _mm512_fmadd_ps(sum, factor, more));
        }
        black_box(sums);
        (ROUNDS * 12 * 16 * 2) as f64 / start.elapsed().as_secs_f64()
    }

    #[target_feature(enable = "avx512f,avx512vnni")]
    fn bytes_512() -> f64 {
        let (a, b) = (black_box(_mm512_set1_epi8(3)), black_box(_mm512_set1_epi8(5)));
        let mut sums = [_mm512_set1_epi32(0); 12];
        let start = Instant::now();
        for _ in 0..ROUNDS {
            sums = sums.map(|sum| _mm512_dpbusd_epi32(sum, a, b));
        }
        black_box(sums);
        (ROUNDS * 12 * 64 * 2) as f64 / start.elapsed().as_secs_f64()
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod kernels {
    pub(super) fn floats() -> f64 {
        0.0
    }

    pub(super) fn bytes() -> f64 {
        0.0
    }
}
