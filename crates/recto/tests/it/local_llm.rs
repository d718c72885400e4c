//! Language models that this process runs: told of in every build, run in those with the feature `local-llm`.

use crate::desk::{Desk, pdf};

#[test]
fn a_model_in_a_file_is_named_or_refused() {
    let desk = Desk::with(&[("a.pdf", pdf(&["The toll is 35 crowns."]))]);
    desk.index(0);
    let built_in = cfg!(feature = "local-llm");
    let table = [
        ("local:", "expected a file after local:"),
        ("local:m.gguf#size=9", "options after # are mmproj=FILE"),
        ("local:m.gguf", if built_in { "m.gguf cannot be used: there is no such file" } else { "build-local-llm.sh" }),
    ];
    for (model, said) in table {
        let told = desk.recto(&["ask", "What is the toll?", "--index", "ix", "--model", model]);
        assert!(told.code == 2 && told.err.contains(said), "{model}: {told:?}");
    }
}

/// With the small model of `scripts/get-models.sh --llm smollm2`, which knows little.
#[cfg(feature = "local-llm")]
mod small {
    use std::io::Write;
    use std::path::Path;

    use serde_json::Value;

    use crate::desk::Desk;

    /// The samples, and the model's name; says so if its file is not there.
    fn desk() -> Option<(Desk, String)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
        let file = root.join("models/llm/SmolLM2-135M-Instruct.Q4_1.gguf");
        if !file.is_file() {
            let told = format!("SKIPPED: {} is missing; scripts/get-models.sh --llm smollm2\n", file.display());
            std::io::stderr().write_all(told.as_bytes()).unwrap();
            return None;
        }
        let desk = Desk::new();
        // One of them is a scan without text.
        desk.json(3, &["index", root.join("samples").to_str().unwrap(), "--ocr", "never"]);
        Some((desk, format!("local:{}#threads=1&context=1536&reply=64", file.display())))
    }

    #[test]
    fn an_episode_ends_in_a_legal_state_and_twice_in_the_same() {
        let Some((desk, model)) = desk() else { return };
        let play = |out: &str| {
            let task = ["episode", "How high is the light of the tower?", "--index", "ix", "--route", "text"];
            let more = ["--planner", "chat", "--steps", "4", "--model", &model, "--out", out];
            let told = desk.recto(&[&task[..], &more].concat());
            assert!(matches!(told.code, 0 | 3), "{told:?}");
            let row: Value = serde_json::from_str(&desk.read(&format!("{out}/predictions.jsonl"))).unwrap();
            let status = row["status"].as_str().unwrap().to_owned();
            // What a planner can come to by itself, however little it knows; not that it failed, or could not be reached.
            let legal = [
                "submitted",
                "forced_submit_after_max_steps",
                "invalid_submission",
                "invalid_action",
                "forced_submit_format_error",
                "forced_submit_invalid_action",
                "forced_submit_invalid_submission",
            ];
            assert!(legal.contains(&status.as_str()), "{status}");
            let said = row["model_outputs"].as_array().unwrap().iter().map(|output| output["raw_text"].clone());
            (status, row["ranked_page_ids"].clone(), said.collect::<Vec<_>>())
        };
        assert_eq!(play("first"), play("second"));
    }

    #[test]
    fn a_question_is_answered_or_declined() {
        let Some((desk, model)) = desk() else { return };
        let ask = || desk.recto(&["ask", "How high is the tower?", "--index", "ix", "--json", "--model", &model]);
        let (first, second) = (ask(), ask());
        assert_eq!((first.code, &first.out), (0, &second.out), "{first:?}");
        let answer: Value = serde_json::from_str(&first.out).unwrap();
        assert!(answer["status"].is_string() && answer["notes"].is_array(), "{answer}");
    }
}
