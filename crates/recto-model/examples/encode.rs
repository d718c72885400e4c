//! Encodes texts with recto's own encoders, for measurements: a JSON string a line in, a JSON object a line out.
//!
//! usage: encode FOLDER potion|minilm|tokens|pieces|folder pages|queries   < texts.jsonl > vectors.jsonl
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a tool for developers")]

use std::io::BufRead;
use std::path::Path;

use recto_model::local::{OnnxEncoder, StaticEncoder, WordPieces};
use recto_model::{PageInput, TextEncoder, TokenEncoder};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, model, side] = arguments.as_slice() else { panic!("three arguments") };
    let encode = encoder(Path::new(folder), model, side == "queries");
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line.unwrap()).unwrap();
        println!("{}", encode(&text));
    }
}

fn encoder(folder: &Path, model: &str, query: bool) -> Box<dyn Fn(&str) -> Value> {
    match model {
        "potion" => vectors(StaticEncoder::open(folder).unwrap(), query),
        "minilm" => vectors(OnnxEncoder::open_minilm(folder).unwrap(), query),
        "folder" => vectors(OnnxEncoder::open(folder).unwrap(), query),
        "tokens" => tokens(OnnxEncoder::open_minilm(folder).unwrap(), query),
        _ => {
            let pieces = WordPieces::new(&std::fs::read(folder).unwrap(), folder).unwrap();
            Box::new(move |text| json!(pieces.pieces(text)))
        }
    }
}

fn vectors(encoder: impl TextEncoder + 'static, query: bool) -> Box<dyn Fn(&str) -> Value> {
    Box::new(move |text| {
        if query {
            return json!([encoder.encode_query(text).unwrap()]);
        }
        let windows = encoder.windows(text);
        let texts: Vec<&str> = windows.iter().map(|window| window.text(text)).collect();
        json!(encoder.encode_pages(&texts).unwrap())
    })
}

fn tokens(encoder: OnnxEncoder, query: bool) -> Box<dyn Fn(&str) -> Value> {
    Box::new(move |text| {
        if query {
            return json!([TokenEncoder::encode_query(&encoder, text).unwrap()]);
        }
        let windows = TokenEncoder::windows(&encoder, text);
        let texts: Vec<PageInput> = windows.iter().map(|window| PageInput::Text(window.text(text))).collect();
        json!(TokenEncoder::encode_pages(&encoder, &texts).unwrap())
    })
}
