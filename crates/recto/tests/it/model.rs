//! The language model as it is configured: where its name, address and key come from, and what the doctor says of it.

use recto_fixture::{Answer, ModelServer};
use serde_json::Value;

use crate::desk::{Desk, Told};

/// Keys that must not be seen anywhere.
const KEYS: [(&str, &str); 5] = [
    ("RECTO_API_KEY", "sk-recto-000000000000"),
    ("OPENROUTER_API_KEY", "sk-or-111111111111"),
    ("OPENAI_API_KEY", "sk-oa-222222222222"),
    ("ANTHROPIC_API_KEY", "sk-ant-333333333333"),
    ("GEMINI_API_KEY", "AIza-444444444444"),
];

fn run(desk: &Desk, arguments: &[&str], environment: &[(&str, &str)]) -> Told {
    let output = desk.command(arguments).envs(environment.iter().copied()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let told = Told { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) };
    for (_, key) in KEYS {
        assert!(!told.out.contains(key) && !told.err.contains(key), "{told:?}");
    }
    told
}

/// The value of a setting and where it comes from.
fn shown(desk: &Desk, key: &str, arguments: &[&str], environment: &[(&str, &str)]) -> [String; 2] {
    let told = run(desk, &[&["config", "show", "--json"], arguments].concat(), environment);
    let all: Value = serde_json::from_str(&told.out).unwrap_or_else(|_| panic!("{told:?}"));
    let setting = all.as_array().unwrap().iter().find(|setting| setting["key"] == key).unwrap();
    [&setting["value"], &setting["from"]].map(|text| text.as_str().unwrap().to_owned())
}

#[test]
fn the_key_that_wins_is_named_and_not_shown() {
    let desk = Desk::new();
    let table = [
        ("", &KEYS[..], "environment RECTO_API_KEY"),
        ("", &KEYS[1..], "environment OPENROUTER_API_KEY"),
        ("", &KEYS[3..], "environment ANTHROPIC_API_KEY"),
        ("openai:gpt-5", &KEYS[..], "environment RECTO_API_KEY"),
        ("openai:gpt-5", &KEYS[1..], "environment OPENAI_API_KEY"),
        ("anthropic:claude", &KEYS[1..], "environment ANTHROPIC_API_KEY"),
        ("gemini:flash", &KEYS[1..], "environment GEMINI_API_KEY"),
        ("openrouter:a/b", &KEYS[1..], "environment OPENROUTER_API_KEY"),
        ("openrouter:a/b", &KEYS[2..], "default"),
        ("ollama:qwen", &KEYS[1..], "default"),
        ("ollama:qwen", &[("RECTO_API_KEY", "  "), KEYS[1]], "default"),
    ];
    for (model, keys, from) in table {
        let value = if from == "default" { "" } else { "***" };
        assert_eq!(shown(&desk, "api_key", &["--model", model], keys), [value, from], "{model} {keys:?}");
    }
}

#[test]
fn model_and_address_come_from_flag_environment_or_table() {
    let desk = Desk::new();
    assert_eq!(shown(&desk, "model", &[], &[]), ["", "default"]);
    let file = "[model]\nname = \"openai:a\"\nbase_url = \"http://f/v1\"\nprice_in = 0.3\nprice_out = 2\n\
                extra = { reasoning_effort = \"low\" }";
    desk.write("recto.toml", file);
    assert_eq!(shown(&desk, "model", &[], &[]), ["openai:a", "recto.toml"]);
    assert_eq!(shown(&desk, "price_in", &[], &[]), ["0.3", "recto.toml"]);
    assert_eq!(shown(&desk, "model_extra", &[], &[]), [r#"{"reasoning_effort":"low"}"#, "recto.toml"]);
    assert_eq!(shown(&desk, "model", &[], &[("RECTO_MODEL", "ollama:b")]), ["ollama:b", "environment RECTO_MODEL"]);
    assert_eq!(shown(&desk, "base_url", &[], &[]), ["http://f/v1", "recto.toml"]);
    let openai = ("OPENAI_BASE_URL", "http://o/v1");
    assert_eq!(shown(&desk, "base_url", &[], &[openai]), ["http://o/v1", "environment OPENAI_BASE_URL"]);
    assert_eq!(shown(&desk, "base_url", &["--model", "ollama:b"], &[openai]), ["http://f/v1", "recto.toml"]);
    assert_eq!(shown(&desk, "base_url", &["--base-url", "http://g"], &[openai]), ["http://g", "flag --base-url"]);
    desk.write("recto.toml", "model = \"vllm:c\"");
    assert_eq!(shown(&desk, "model", &[], &[]), ["vllm:c", "recto.toml"]);
}

#[test]
fn a_wrong_model_is_a_usage_error() {
    let desk = Desk::new();
    let table = [
        ("[model]\nnme = 1", "unknown key \"model.nme\""),
        ("[model]\nname = \"gpt-5\"", "PROVIDER:NAME"),
        ("[model]\nbase_url = \"ftp://x\"", "http://localhost:8000/v1"),
        ("[model]\nbase_url = \"http://me:pass@x\"", "without a password"),
        ("[model]\nprice_in = -1\nprice_out = 1", "a million tokens"),
        ("[model]\nprice_in = 1", "go together"),
        ("[model]\nextra = [1]", "extra is a array"),
    ];
    for (file, said) in table {
        desk.write("recto.toml", file);
        let told = run(&desk, &["config", "show"], &[]);
        assert!(told.code == 2 && told.err.contains(said), "{file}: {told:?}");
    }
}

#[test]
fn the_doctor_asks_the_model_when_it_is_to_verify() {
    let desk = Desk::new();
    let doctor = |server: &ModelServer, more: &[&str], keys: &[(&str, &str)]| {
        let url = server.url();
        let told = run(&desk, &[&["doctor", "--base-url", &url, "--ocr", "never"], more].concat(), keys);
        let line =
            told.out.lines().skip_while(|line| !line.contains("answers: ")).take(2).collect::<Vec<_>>().join("\n");
        (told.code, line)
    };
    let echo = format!(r#"{{"error": {{"message": "no such key: {}"}}}}"#, KEYS[2].1);
    let server = ModelServer::of(vec![Answer::openai("ready", 9, 2), Answer::new(401, echo)]).unwrap();
    let model = ["--model", "openai:gpt-5"];
    let (code, line) = doctor(&server, &model, &KEYS[1..]);
    assert!(
        code == 0 && line.contains("openai:gpt-5 with the key in OPENAI_API_KEY; `recto doctor --verify`"),
        "{line}"
    );
    assert_eq!(server.count().requests, 0);
    let verify = [&model[..], &["--verify"]].concat();
    let (code, line) = doctor(&server, &verify, &KEYS[1..]);
    assert!(code == 0 && line.contains("it replied, with 11 tokens"), "{line}");
    assert!(server.asked()[0].head.contains(KEYS[2].1));
    let (code, line) = doctor(&server, &verify, &KEYS[1..]);
    assert!(code == 3 && line.contains("no such key: ***") && line.contains("to mend it: set RECTO_API_KEY"), "{line}");
    let (_, line) = doctor(&server, &["--verify"], &KEYS);
    assert!(line.contains("by the offline answerer"), "{line}");
    assert_eq!(server.count().requests, 2);
}

/// A folder of someone else's documents must not have one's key sent to an address of theirs.
#[test]
fn a_file_that_lies_in_the_folder_gets_no_key() {
    let desk = Desk::new();
    let server = ModelServer::of(vec![Answer::openai("ready", 9, 2)]).unwrap();
    desk.write("recto.toml", format!("[model]\nname = \"openai:m\"\nbase_url = \"{}\"", server.url()));
    let doctor = ["doctor", "--verify", "--ocr", "never"];
    let told = run(&desk, &doctor, &KEYS);
    assert!(told.code == 3 && told.out.contains("would be sent the key in RECTO_API_KEY"), "{told:?}");
    assert_eq!(server.count().requests, 0);
    assert_eq!(run(&desk, &doctor, &[]).code, 0);
    assert_eq!(run(&desk, &[&doctor[..], &["--config", "recto.toml"]].concat(), &KEYS).code, 0);
    let asked = server.asked();
    assert!(!asked[0].head.contains("authorization") && asked[1].head.contains(KEYS[0].1));
}
