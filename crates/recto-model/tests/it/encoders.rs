//! Encoders from files: recto's own, and small ones of a user (`encoders/make.py` made their networks).

use std::fs;
use std::path::{Path, PathBuf};

use recto_model::local::{OnnxEncoder, StaticEncoder};
use recto_model::{ModelError, PageEncoder, PageInput, TextEncoder, TokenEncoder};
use recto_page::PageImage;

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/encoders").join(name)
}

/// A user's folder: tokens 4 and 5 are `red` and `fox`.
fn open(description: &str) -> Result<OnnxEncoder, ModelError> {
    let folder = tempfile::tempdir().unwrap();
    for name in ["text.onnx", "patches.onnx"] {
        fs::copy(here(name), folder.path().join(name)).unwrap();
    }
    fs::write(folder.path().join("vocab.txt"), "[PAD]\n[CLS]\n[SEP]\n[UNK]\nred\nfox\n").unwrap();
    fs::write(folder.path().join("encoder.json"), description).unwrap();
    OnnxEncoder::open(folder.path())
}

const TEXT: &str = r#""text": {"model": "text.onnx", "vocabulary": "vocab.txt", "max_tokens": 8}"#;
const IMAGE: &str = r#""image": {"model": "patches.onnx", "dpi": 72, "width": 2, "height": 2, "mean": [0, 0, 0],
    "deviation": [0.5, 0.5, 0.5]}"#;

fn described(pooling: &str, more: &str) -> String {
    format!(r#"{{"name": "mine", "dim": 3, "pooling": "{pooling}", {TEXT}{more}}}"#)
}

#[test]
fn a_users_text_encoder_pools_as_it_says() {
    // The rows of the tokens: [CLS] 9 0 0, red 3 4 0, [SEP] 0 0 9.
    let table: [(&str, &str, [f32; 3]); 4] = [
        ("first", r#", "normalise": false"#, [9.0, 0.0, 0.0]),
        ("last", "", [0.0, 0.0, 1.0]),
        ("mean", r#", "normalise": false"#, [4.0, 4.0 / 3.0, 3.0]),
        ("mean", r#", "normalise": false, "prefix": {"query": "fox "}"#, [3.0, 1.0, 3.5]),
    ];
    for (pooling, more, want) in table {
        let encoder = open(&described(pooling, more)).unwrap();
        let got = TextEncoder::encode_query(&encoder, "RED").unwrap();
        assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-6), "{pooling}{more}: {got:?}");
    }
    let encoder = open(&described("mean", "")).unwrap();
    let tokens = TokenEncoder::encode_pages(&encoder, &[PageInput::Text("red fox")]).unwrap();
    assert_eq!(tokens, [[[0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]]);
    let text = "red fox red fox red fox red fox";
    let windows: Vec<_> = TextEncoder::windows(&encoder, text).iter().map(|window| window.words.clone()).collect();
    assert_eq!(windows, [0..6, 5..8]);
    assert_eq!(TextEncoder::identity(&encoder).revision.len(), 16);
}

#[test]
fn a_users_picture_encoder_gives_one_vector_or_one_a_patch() {
    let encoder = open(&described("mean", &format!(", {IMAGE}"))).unwrap();
    let rgb = vec![255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0];
    let image = PageImage { width: 2, height: 2, dpi: 72, rgb };
    let (red, green) = (vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]);
    let patches = TokenEncoder::encode_pages(&encoder, &[PageInput::Image(&image)]).unwrap();
    assert_eq!(patches, [[red.clone(), red, green.clone(), green]]);
    let half = 0.5f32.sqrt();
    let vector = PageEncoder::encode_pages(&encoder, std::slice::from_ref(&image)).unwrap();
    assert!(vector[0].iter().zip([half, half, 0.0]).all(|(a, b)| (a - b).abs() < 1e-6), "{vector:?}");
    assert_eq!(PageEncoder::identity(&encoder).dpi, Some(72));
    let text = TokenEncoder::encode_pages(&encoder, &[PageInput::Text("x")]);
    assert_eq!(text, Err(ModelError::WrongInput { wanted: "pictures" }));
    for (width, bytes) in [(0, 0), (2, 11)] {
        let odd = PageImage { width, height: 2, dpi: 72, rgb: vec![0; bytes] };
        assert!(matches!(PageEncoder::encode_pages(&encoder, &[odd]), Err(ModelError::BadPicture { .. })));
    }
}

#[test]
fn what_is_wrong_with_a_description_is_said() {
    let good = described("mean", &format!(", {IMAGE}"));
    let table = [
        ("\"dim\": 3", "\"dim\": 0", "dim must be"),
        ("\"max_tokens\": 8", "\"max_tokens\": 2", "max_tokens must be"),
        ("\"width\": 2", "\"width\": 99999", "out of range"),
        ("0.5]", "0]", "out of range"),
        ("\"name\"", "\"nom\"", "unknown field `nom`"),
        ("\"text.onnx\"", "\"none.onnx\"", "none.onnx cannot be used"),
        ("\"text.onnx\"", "\"vocab.txt\"", "vocab.txt cannot be used"),
        ("\"text.onnx\"", "\"text.onnx\", \"ids\": \"x\"", "no input x"),
        ("\"text.onnx\"", "\"text.onnx\", \"output\": \"x\"", "no such output"),
    ];
    for (from, to, want) in table {
        let error = open(&good.replacen(from, to, 1)).err().unwrap().to_string();
        assert!(error.contains(want), "{error}, not {want}");
    }
    let other = open(&described("mean", "").replace("\"dim\": 3", "\"dim\": 4")).unwrap();
    assert!(matches!(TextEncoder::encode_query(&other, "red"), Err(ModelError::BadReply { .. })));
}

#[test]
fn potion_finds_what_is_meant() {
    let encoder = StaticEncoder::open(&crate::models().join("../text")).unwrap();
    let texts = ["The river rose and flooded the town.", "Interest rates of central banks", ""];
    let vectors = encoder.encode_pages(&texts).unwrap();
    let query = encoder.encode_query("high water in the city").unwrap();
    let dot = |vector: &[f32]| vector.iter().zip(&query).map(|(a, b)| a * b).sum::<f32>();
    let scores: Vec<f32> = vectors.iter().map(|vector| dot(vector)).collect();
    assert!(scores[0] > scores[1] + 0.1 && scores[2] == 0.0, "{scores:?}");
    assert_eq!(encoder.identity().dim, 256);
}
