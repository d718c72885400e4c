//! Reads pictures for measurements: `ocr MODELS fast|auto|quality THREADS FILE...` prints one JSON object a file.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a program, not a library")]

use std::error::Error;
use std::path::Path;

use recto_model::local::ocr::LocalRecognizer;
use recto_model::{OcrMode, RecognizedLine, Recognizer};
use recto_page::PageImage;
use serde_json::{Value, json};

const USAGE: &str = "ocr MODELS fast|auto|quality THREADS FILE...";

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [models, mode, threads, files @ ..] = args.as_slice() else { return Err(USAGE.into()) };
    let mode = match mode.as_str() {
        "fast" => OcrMode::Fast,
        "quality" => OcrMode::Quality,
        _ => OcrMode::Auto,
    };
    let recognizer = open(Path::new(models), mode)?;
    let threads = threads.parse::<usize>()?;
    std::thread::scope(|scope| {
        let share = |n: usize| files.iter().skip(n).step_by(threads);
        let recognizer = &recognizer;
        let start =
            |n| scope.spawn(move || share(n).try_for_each(|file| read(recognizer, file)).map_err(|e| e.to_string()));
        let running: Vec<_> = (0..threads).map(start).collect();
        running.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread fell")?).map_err(Into::into)
    })
}

/// With ONNX Runtime if the feature is on and `ORT_DYLIB_PATH` names its library.
fn open(models: &Path, mode: OcrMode) -> recto_model::Result<LocalRecognizer> {
    #[cfg(feature = "ort")]
    if let Some(library) = std::env::var_os("ORT_DYLIB_PATH") {
        return LocalRecognizer::open_with_onnxruntime(models, mode, Path::new(&library));
    }
    LocalRecognizer::open(models, mode)
}

/// Seconds are right with one thread only.
fn read(recognizer: &LocalRecognizer, file: &str) -> Result<(), Box<dyn Error>> {
    let image = picture(file)?;
    let start = cpu_seconds()?;
    let read = recognizer.recognize(&image, &|| false)?;
    let seconds = cpu_seconds()? - start;
    let lines: Vec<Value> = read.lines.iter().map(line).collect();
    let unread: Vec<Value> = read.unread.iter().map(|u| json!([u.region, u.confidence])).collect();
    println!("{}", json!({"file": file, "turned": read.turned, "lines": lines, "unread": unread, "seconds": seconds}));
    Ok(())
}

fn picture(file: &str) -> Result<PageImage, Box<dyn Error>> {
    let rgb = image::open(file)?.into_rgb8();
    Ok(PageImage { width: rgb.width(), height: rgb.height(), dpi: 144, rgb: rgb.into_raw() })
}

fn line(line: &RecognizedLine) -> Value {
    let words: Vec<Value> = line.words.iter().map(|word| json!([word.text, word.region])).collect();
    json!({"words": words, "confidence": line.confidence, "turned": line.turned})
}

/// CPU seconds of this process so far, all threads (Linux).
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |at: usize| after_name.split_whitespace().nth(at).and_then(|v| v.parse::<f64>().ok());
    Ok((ticks(11).ok_or("no user time")? + ticks(12).ok_or("no system time")?) / 100.0)
}
