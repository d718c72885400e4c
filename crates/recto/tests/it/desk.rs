//! A place to work: a temporary folder with documents, a home for the program, and the program run in it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use recto_fixture::{Page, Pdf};
use serde_json::Value;

/// A temporary folder in which the program runs.
pub(crate) struct Desk {
    dir: tempfile::TempDir,
}

/// What the program said.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// A desk whose folder `docs` holds these files.
    pub(crate) fn with(files: &[(&str, Vec<u8>)]) -> Self {
        let desk = Self::new();
        files.iter().for_each(|(name, bytes)| desk.write(&format!("docs/{name}"), bytes));
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program with these arguments, its home and caches inside the folder and nothing else in its environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recto"));
        command.args(arguments).current_dir(self.dir.path()).env_clear().stdin(Stdio::null());
        for (name, folder) in [("HOME", "home"), ("XDG_CACHE_HOME", "home/cache"), ("XDG_CONFIG_HOME", "home/config")] {
            command.env(name, self.path(folder));
        }
        command
    }

    /// Runs the program.
    pub(crate) fn recto(&self, arguments: &[&str]) -> Told {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Told { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs the program on the index `ix`, which must end with this code; gives the JSON that it prints.
    #[track_caller]
    pub(crate) fn json(&self, code: i32, arguments: &[&str]) -> Value {
        let told = self.recto(&[arguments, &["--index", "ix", "--json"]].concat());
        assert_eq!(told.code, code, "{arguments:?}: {told:?}");
        serde_json::from_str(&told.out).unwrap_or_else(|error| panic!("{arguments:?}: {error} in {told:?}"))
    }

    /// Indexes `docs` into `ix`.
    #[track_caller]
    pub(crate) fn index(&self, code: i32) -> Value {
        self.json(code, &["index", "docs"])
    }

    /// The pages that a search finds, as `document:page`.
    #[track_caller]
    pub(crate) fn search(&self, query: &str) -> Vec<String> {
        let rows = self.json(0, &["search", query, "-k", "100"]);
        let place = |row: &Value| format!("{}:{}", row["document"].as_str().unwrap(), row["page"]);
        rows.as_array().unwrap().iter().map(place).collect()
    }

    /// The problems of the index, as `document:page:code`; `-` stands for the whole document.
    #[track_caller]
    pub(crate) fn problems(&self) -> Vec<String> {
        let rows = self.json(0, &["problems"]);
        let place = |row: &Value| {
            let page = row["page"].as_u64().map_or_else(|| "-".to_owned(), |page| page.to_string());
            format!("{}:{page}:{}", row["document"].as_str().unwrap(), row["code"].as_str().unwrap())
        };
        rows.as_array().unwrap().iter().map(place).collect()
    }
}

/// A document of pages, each with its lines in Helvetica.
pub(crate) fn pdf(pages: &[&str]) -> Vec<u8> {
    Pdf::new().pages(pages.iter().map(|text| page(text))).to_bytes()
}

/// A page with these lines in Helvetica.
pub(crate) fn page(text: &str) -> Page {
    text.lines()
        .zip(0_u16..)
        .fold(Page::new(), |page, (line, at)| page.text_at(72.0, 760.0 - 16.0 * f32::from(at), 12.0, line))
}
