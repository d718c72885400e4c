//! Reads pictures for measurements: `ocr MODELS fast|auto|quality FILE...` prints one JSON object a file.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a program, not a library")]

use std::error::Error;
use std::path::Path;

use recto_model::local::ocr::LocalRecognizer;
use recto_model::{OcrMode, RecognizedLine, Recognizer};
use recto_page::PageImage;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [models, mode, files @ ..] = args.as_slice() else { return Err("ocr MODELS fast|auto|quality FILE...".into()) };
    let mode = match mode.as_str() {
        "fast" => OcrMode::Fast,
        "quality" => OcrMode::Quality,
        _ => OcrMode::Auto,
    };
    let recognizer = LocalRecognizer::open(Path::new(models), mode)?;
    for file in files {
        let image = picture(file)?;
        let start = cpu_seconds()?;
        let read = recognizer.recognize(&image)?;
        let seconds = cpu_seconds()? - start;
        let lines: Vec<Value> = read.lines.iter().map(line).collect();
        let unread: Vec<Value> = read.unread.iter().map(|u| json!([u.region, u.confidence])).collect();
        println!(
            "{}",
            json!({"file": file, "turned": read.turned, "lines": lines, "unread": unread, "seconds": seconds})
        );
    }
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
