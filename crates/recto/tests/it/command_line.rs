//! What can be typed wrongly: values out of range, and configuration files.

use std::fs;

use crate::desk::{Desk, Told, pdf};

/// Ends with code 2 and says each of these on standard error, nothing on standard output.
#[track_caller]
fn refused(told: &Told, said: &[&str]) {
    assert_eq!((told.code, told.out.as_str()), (2, ""), "{told:?}");
    said.iter().for_each(|word| assert!(told.err.contains(word), "{word:?} is not in {told:?}"));
}

/// docling-serve#282.
#[test]
fn values_out_of_range_name_the_flag_and_what_is_allowed() {
    let desk = Desk::with(&[("a.pdf", pdf(&["One page."]))]);
    desk.index(0);
    for dpi in ["0", "-1", "1000000", "x", ""] {
        let dpi = format!("--dpi={dpi}");
        let told = desk.recto(&["page", "a.pdf", "1", "--image", "x.png", &dpi, "--index", "ix"]);
        refused(&told, &["--dpi", "1 to 1200"]);
    }
    for pages in ["0", "5-3", "1,,2", "", "a", "-2", "99999999999"] {
        let told = desk.recto(&["index", "docs", "--index", "other", &format!("--pages={pages}")]);
        refused(&told, &["--pages", "1-5"]);
        let told = desk.recto(&["search", "page", "--index", "ix", &format!("--page-range={pages}")]);
        refused(&told, &["--page-range", "1-5"]);
    }
    assert!(!desk.path("other").exists(), "a usage error writes nothing");
    for region in ["0,0,1", "0,0,2,1", "0.5,0,0.1,1", "nan,0,1,1", ""] {
        let region = format!("--region={region}");
        let told = desk.recto(&["page", "a.pdf", "1", "--image", "x.png", &region, "--index", "ix"]);
        refused(&told, &["--region", "0 to 1"]);
    }
    refused(&desk.recto(&["search", "page", "-k", "0", "--index", "ix"]), &["-k", "1 to 100000"]);
    refused(&desk.recto(&["ask", "page?", "--top-k", "0", "--index", "ix"]), &["--top-k", "1 to 1000"]);
    refused(&desk.recto(&["index", "docs", "--jobs", "0", "--index", "ix"]), &["jobs", "--jobs", "1 to 256"]);
    refused(&desk.recto(&["status", "--memory", "lots", "--index", "ix"]), &["memory", "--memory", "2GiB"]);
}

#[test]
fn pictures_go_to_standard_output_where_that_is_named() {
    let desk = Desk::with(&[("a.pdf", pdf(&["One page."]))]);
    desk.index(0);
    for flag in ["--image", "--overlay"] {
        let told = desk.command(&["page", "a.pdf", "1", flag, "-", "--index", "ix"]).output().unwrap();
        assert!(told.status.success() && told.stderr.is_empty(), "{flag}");
        assert!(told.stdout.starts_with(b"\x89PNG\r\n"), "{flag}");
    }
    for [one, other] in [["--image=-", "--overlay=-"], ["--image=-", "--text"], ["--overlay=-", "--json"]] {
        let told = desk.recto(&["page", "a.pdf", "1", "--index", "ix", one, other]);
        refused(&told, &["standard output", "--image -"]);
    }
    assert!(!desk.path("-").exists());
}

/// docling-serve#282: an open range is a right one.
#[test]
fn an_open_page_range_means_all_that_follow() {
    let desk = Desk::with(&[("a.pdf", pdf(&["One.", "Two.", "Three."]))]);
    assert_eq!(desk.json(0, &["index", "docs", "--pages", "2-"])["pages"], 2);
    assert_eq!(desk.search("one"), Vec::<String>::new());
    assert_eq!(desk.search("two three"), ["a.pdf:2", "a.pdf:3"]);
}

#[test]
fn documents_and_pages_that_do_not_exist_are_usage_errors() {
    let desk = Desk::with(&[("a.pdf", pdf(&["One page."]))]);
    refused(&desk.recto(&["search", "page", "--index", "ix"]), &["ix"]);
    desk.index(0);
    refused(&desk.recto(&["page", "b.pdf", "1", "--index", "ix"]), &["b.pdf", "recto status"]);
    for page in ["0", "2", "-1", "iv"] {
        refused(&desk.recto(&["page", "--index", "ix", "--", "a.pdf", page]), &["page"]);
    }
    refused(&desk.recto(&["ask", "nowhere", "Why?", "--index", "ix"]), &["nowhere"]);
    for typed in ["A", "A.PDF", "a*.PDF"] {
        refused(&desk.recto(&["page", typed, "1", "--index", "ix"]), &["did you mean \"a.pdf\"?"]);
    }
    refused(&desk.recto(&["status"]), &["this folder has no index yet", "recto index ."]);
}

#[test]
fn several_words_without_quotes_are_told_how_to_be_typed() {
    let desk = Desk::with(&[("a.pdf", pdf(&["One page."]))]);
    fs::create_dir(desk.path("empty")).unwrap();
    refused(&desk.recto(&["search", "old", "bridge"]), &["recto search [PATH] \"old bridge\""]);
    refused(&desk.recto(&["ask", "how", "old", "is", "it?"]), &["recto ask [PATH] \"how old is it?\""]);
    refused(&desk.recto(&["search", "docs"]), &["docs is a folder"]);
    refused(&desk.recto(&["ask", "empty", "Why?"]), &["empty", "no document was found"]);
}

/// paperless-gpt#1052.
#[test]
fn a_wrong_configuration_names_file_key_and_what_is_expected() {
    let desk = Desk::new();
    for (file, said) in [
        ("job = 2", ["recto.toml", "unknown key \"job\"", "jobs"]),
        ("jobs = \"many\"", ["recto.toml", "jobs = \"many\"", "1 to 256"]),
        ("jobs = 0", ["recto.toml", "jobs = \"0\"", "1 to 256"]),
        ("jobs = 1.5", ["recto.toml", "jobs is a float", "expected"]),
        ("quiet = 3", ["recto.toml", "quiet = \"3\"", "true or false"]),
        ("[jobs]\nn = 2", ["recto.toml", "jobs is a table", "expected"]),
        ("jobs = ", ["recto.toml", "line 1", "jobs"]),
    ] {
        desk.write("recto.toml", file);
        refused(&desk.recto(&["config", "show"]), &said);
    }
    desk.write("mine.toml", "what = 1");
    refused(&desk.recto(&["config", "show", "--config", "mine.toml"]), &["mine.toml", "\"what\""]);
    refused(&desk.recto(&["config", "show", "--config", "gone.toml"]), &["gone.toml"]);
}

#[cfg(unix)]
#[test]
fn what_is_called_recto_toml_and_is_no_file_is_refused() {
    for make in [&["mkfifo", "recto.toml"][..], &["mkdir", "recto.toml"], &["ln", "-s", "gone", "recto.toml"]] {
        let desk = Desk::new();
        let made = std::process::Command::new(make[0]).args(&make[1..]).current_dir(desk.path(".")).status();
        assert!(made.unwrap().success(), "{make:?}");
        refused(&desk.recto(&["config", "show"]), &["recto.toml: "]);
        assert_eq!(desk.recto(&["config", "show", "--config", "/dev/null"]).code, 0, "another one was named");
    }
    let desk = Desk::new();
    fs::create_dir_all(desk.path("home/config/recto/recto.toml")).unwrap();
    refused(&desk.recto(&["config", "show"]), &["recto.toml: expected a file"]);
}

#[test]
fn a_flag_comes_before_the_environment_before_the_file_before_the_default() {
    let desk = Desk::new();
    let shown = |arguments: &[&str], environment: Option<&str>| {
        let mut command = desk.command(&[&["config", "show", "--json"], arguments].concat());
        command.envs(environment.map(|jobs| ("RECTO_JOBS", jobs)));
        let shown: serde_json::Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        let jobs = shown.as_array().unwrap().iter().find(|setting| setting["key"] == "jobs").unwrap();
        [&jobs["value"], &jobs["from"]].map(|text| text.as_str().unwrap().to_owned())
    };
    assert_eq!(shown(&[], None)[1], "default");
    desk.write("home/config/recto/recto.toml", "jobs = 3");
    assert_eq!(shown(&[], None)[0], "3");
    desk.write("recto.toml", "jobs = 4");
    assert_eq!(shown(&[], None), ["4", "recto.toml"]);
    assert_eq!(shown(&[], Some("5")), ["5", "environment RECTO_JOBS"]);
    assert_eq!(shown(&["--jobs", "6"], Some("5")), ["6", "flag --jobs"]);
}
