//! Small programs over a corpus, as language models write them: a part of Python, run here, without files, network, clock
//! or other programs. All that a program can reach are the texts of the corpus, and a model if one is brought along; what it
//! takes is limited in steps, memory, time and output.
//!
//! Read in this order: `token` (lines and marks), `syntax` (what is written), `parser`, `value` (what there is), `machine` (what
//! happens), `operator`, `builtin` and `method` (what can be done with it), `corpus` (what is looked through).

mod builtin;
mod corpus;
mod format;
mod machine;
mod method;
mod operator;
mod parser;
mod pattern;
mod syntax;
#[cfg(test)]
mod tests;
mod token;
mod value;

use std::time::Duration;

use machine::Machine;
pub use machine::Memory;

/// What authors of programs are told of their language.
pub const HELP: &str = "Programs are written in a part of Python: assignments, if, for, while, def, try, comprehensions, f-strings, \
slices, str, list, dict and set with their usual methods, len, range, sorted, sum, min, max, enumerate, zip, any, all, round, \
Counter, defaultdict, re (search, findall, finditer, sub, split), math; no classes, imports from elsewhere, files or network. \
Variables stay from one program to the next. What is there:
- corpus: the whole text, if it is not too long: [FILE: name | TOTAL PAGES: n] [PAGE 1] ... [END PAGE 1] ... [END FILE: name]
- files(): list of (name, number of pages); document(name): one file's text with its marks; page(name, n): the text of a page
- grep(pattern, file=None, context=80, most=50): list of (name, page, the match with what stands around it), pattern as in re, \
case makes no difference
- search(query, k=10): list of (name, page, score) of the pages that fit best
- llm(prompt): what a language model answers, for example about the text of a page; at most 30 times in all
- print(...): what you see";

/// What programs read.
pub trait Library {
    /// Names of files and how many pages each has, in order.
    fn files(&self) -> Vec<(String, u32)>;

    /// The text of a page, counted from 1; `None` if there is no such page.
    fn page(&self, file: &str, page: u32) -> Option<String>;

    /// The best `k` pages for a text, with their scores.
    ///
    /// # Errors
    /// When nothing can be searched for.
    fn search(&self, query: &str, k: usize) -> Result<Vec<(String, u32, f64)>, String>;

    /// What a language model says.
    ///
    /// # Errors
    /// When there is none, or it says nothing.
    fn ask(&self, prompt: &str) -> Result<String, String>;
}

/// What a program may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps of evaluation.
    pub steps: u64,
    /// Bytes of values that exist at once.
    pub bytes: usize,
    /// Time, that of the model not counted.
    pub time: Duration,
    /// Characters that it prints; what follows is left out.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 20_000_000, bytes: 128 << 20, time: Duration::from_secs(60), output: 20_000 }
    }
}

/// Runs a program and gives what it prints. `memory` has the variables of earlier programs; `clock` gives the time since any
/// fixed moment.
///
/// # Errors
/// What is wrong with the program, or which limit it reached, with what it had printed before.
pub fn run(
    text: &str,
    memory: &mut Memory,
    library: &dyn Library,
    limits: &Limits,
    clock: &dyn Fn() -> Duration,
) -> Result<String, String> {
    let program = parser::program(text)?;
    let mut machine = Machine::new(memory, library, *limits, clock);
    let result = machine.run(&program);
    let printed = machine.printed();
    match result {
        Ok(()) if printed.is_empty() => Ok("(nothing was printed)".into()),
        Ok(()) => Ok(printed),
        Err(why) if printed.is_empty() => Err(why),
        Err(why) => Err(format!("{why}\nIt had printed:\n{printed}")),
    }
}
