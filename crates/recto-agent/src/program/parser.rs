//! From tokens to statements.

mod expression;
mod formatted;

use std::rc::Rc;

use super::syntax::{Block, Expression, Function, Kind as Do, Statement};
use super::token::{Kind, Token, tokens};

/// Brackets and blocks nest no deeper.
const DEEPEST: usize = 40;
/// The longest program, in bytes.
const LONGEST: usize = 100_000;

type Result<T> = std::result::Result<T, String>;

/// The statements of a program.
pub(super) fn program(text: &str) -> Result<Block> {
    if text.len() > LONGEST {
        return Err(format!("the program is too long: {LONGEST} bytes at most"));
    }
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0 };
    let mut block = Vec::new();
    while parser.at < tokens.len() {
        if !parser.takes_line_end() {
            parser.statement(&mut block)?;
        }
    }
    Ok(block)
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |token| token.line)
    }

    fn fault<T>(&self, why: &str) -> Result<T> {
        Err(format!("line {}: {why}", self.line()))
    }

    fn unexpected<T>(&self) -> Result<T> {
        match self.peek() {
            None | Some(Kind::NewLine) => self.fault("the line ends too soon"),
            Some(Kind::Name(name)) => self.fault(&format!("{name:?} is not expected there")),
            Some(Kind::Sign(sign)) => self.fault(&format!("{sign:?} is not expected there")),
            Some(Kind::Indent | Kind::Dedent) => self.fault("the indentation is not expected"),
            Some(_) => self.fault("a value is not expected there"),
        }
    }

    fn sign(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Kind::Sign(held)) if *held == sign);
        self.at += usize::from(is_it);
        is_it
    }

    fn word(&mut self, word: &str) -> bool {
        let is_it = self.is_word(word);
        self.at += usize::from(is_it);
        is_it
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Kind::Name(held)) if held == word)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Kind::Sign(held)) if *held == sign)
    }

    fn needs(&mut self, sign: &str) -> Result<()> {
        if self.sign(sign) { Ok(()) } else { self.fault(&format!("{sign:?} is expected")) }
    }

    fn name(&mut self) -> Result<String> {
        match self.peek() {
            Some(Kind::Name(name)) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => self.fault("a name is expected"),
        }
    }

    fn takes_line_end(&mut self) -> bool {
        let ends = matches!(self.peek(), Some(Kind::NewLine)) || self.is_sign(";");
        self.at += usize::from(ends);
        ends
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return self.fault("this is nested too deep");
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// The statements behind a colon: on the same line, or further in.
    fn block(&mut self) -> Result<Block> {
        self.needs(":")?;
        self.deeper(|parser| {
            let mut block = Vec::new();
            if !matches!(parser.peek(), Some(Kind::NewLine)) {
                parser.simple_line(&mut block)?;
                return Ok(block);
            }
            parser.at += 1;
            if !matches!(parser.peek(), Some(Kind::Indent)) {
                return parser.fault("an indented block is expected");
            }
            parser.at += 1;
            loop {
                if parser.takes_line_end() {
                    continue;
                }
                match parser.peek() {
                    Some(Kind::Dedent) => {
                        parser.at += 1;
                        return Ok(block);
                    }
                    None => return Ok(block),
                    _ => parser.statement(&mut block)?,
                }
            }
        })
    }

    fn simple_line(&mut self, block: &mut Block) -> Result<()> {
        loop {
            self.simple(block)?;
            if self.sign(";") && !matches!(self.peek(), Some(Kind::NewLine) | None) {
                continue;
            }
            return match self.peek() {
                None => Ok(()),
                Some(Kind::NewLine) => {
                    self.at += 1;
                    Ok(())
                }
                _ => self.unexpected(),
            };
        }
    }

    fn statement(&mut self, block: &mut Block) -> Result<()> {
        let line = self.line();
        let word = match self.peek() {
            Some(Kind::Name(name)) => name.clone(),
            _ => String::new(),
        };
        let kind = match word.as_str() {
            "if" => self.choice()?,
            "for" => {
                self.at += 1;
                let target = self.targets()?;
                if !self.word("in") {
                    return self.fault("\"in\" is expected");
                }
                let values = self.expressions()?;
                Do::For(target, values, self.block()?)
            }
            "while" => {
                self.at += 1;
                let condition = self.expression()?;
                Do::While(condition, self.block()?)
            }
            "def" => {
                self.at += 1;
                let name = self.name()?;
                self.needs("(")?;
                let parameters = self.parameters(")")?;
                self.needs(")")?;
                if self.sign("->") {
                    self.expression()?;
                }
                Do::Define(name, Rc::new(Function { parameters, body: self.block()? }))
            }
            "try" => self.attempt()?,
            "class" | "with" | "async" | "yield" | "match" if self.begins_statement(&word) => {
                return self.fault(&format!("{word:?} is not part of this language"));
            }
            _ => return self.simple_line(block),
        };
        block.push(Statement { line, kind });
        Ok(())
    }

    /// `match` and the like are names too.
    fn begins_statement(&self, word: &str) -> bool {
        word != "match" || matches!(self.tokens.get(self.at + 1).map(|token| &token.kind), Some(Kind::Name(_)))
    }

    fn choice(&mut self) -> Result<Do> {
        let mut cases = Vec::new();
        while self.word(if cases.is_empty() { "if" } else { "elif" }) {
            let condition = self.expression()?;
            cases.push((condition, self.block()?));
        }
        let otherwise = if self.word("else") { self.block()? } else { Vec::new() };
        Ok(Do::If(cases, otherwise))
    }

    fn attempt(&mut self) -> Result<Do> {
        self.at += 1;
        let body = self.block()?;
        let mut handler = None;
        while self.word("except") {
            let mut name = None;
            if !self.is_sign(":") {
                self.expression()?;
                if self.word("as") {
                    name = Some(self.name()?);
                }
            }
            let block = self.block()?;
            // The first one takes whatever goes wrong.
            handler.get_or_insert((name, block));
        }
        if self.word("else") {
            return self.fault("try with else is not part of this language");
        }
        let last = if self.word("finally") { self.block()? } else { Vec::new() };
        Ok(Do::Try(body, handler, last))
    }

    fn simple(&mut self, block: &mut Block) -> Result<()> {
        let line = self.line();
        let word = match self.peek() {
            Some(Kind::Name(name)) => name.clone(),
            _ => String::new(),
        };
        let ends = |parser: &Self| matches!(parser.peek(), None | Some(Kind::NewLine)) || parser.is_sign(";");
        let kind = match word.as_str() {
            "pass" | "break" | "continue" => {
                self.at += 1;
                match word.as_str() {
                    "pass" => Do::Pass,
                    "break" => Do::Break,
                    _ => Do::Continue,
                }
            }
            "return" => {
                self.at += 1;
                Do::Return(if ends(self) { None } else { Some(self.expressions()?) })
            }
            "raise" => {
                self.at += 1;
                Do::Raise(if ends(self) { None } else { Some(self.expression()?) })
            }
            "del" => {
                self.at += 1;
                Do::Delete(self.expression()?)
            }
            // What can be imported is there already.
            "import" | "from" | "global" | "nonlocal" => return self.import(),
            "assert" => {
                self.at += 1;
                let condition = self.expression()?;
                if self.sign(",") {
                    self.expression()?;
                }
                let fault =
                    vec![Statement { line, kind: Do::Raise(Some(Expression::Text("an assertion failed".into()))) }];
                Do::If(vec![(Expression::Not(Box::new(condition)), fault)], Vec::new())
            }
            _ => self.assignment()?,
        };
        block.push(Statement { line, kind });
        Ok(())
    }

    fn import(&mut self) -> Result<()> {
        let known = [
            "re",
            "math",
            "json",
            "collections",
            "itertools",
            "typing",
            "Counter",
            "defaultdict",
            "global",
            "nonlocal",
        ];
        let first = self.tokens.get(self.at + 1).map(|token| &token.kind);
        let keyword = matches!(self.peek(), Some(Kind::Name(word)) if word == "global" || word == "nonlocal");
        if let Some(Kind::Name(module)) = first
            && !keyword
            && !known.contains(&module.as_str())
        {
            return self
                .fault(&format!("there is no module {module:?}; re, math and collections are there without import"));
        }
        while !matches!(self.peek(), None | Some(Kind::NewLine)) && !self.is_sign(";") {
            self.at += 1;
        }
        Ok(())
    }

    fn assignment(&mut self) -> Result<Do> {
        let first = self.expressions()?;
        for sign in ["+=", "-=", "*=", "/=", "//=", "%=", "**=", "|=", "&="] {
            if self.sign(sign) {
                return Ok(Do::Change(first, operator(sign), self.expressions()?));
            }
        }
        if self.sign(":") {
            // The kind of a variable says nothing here.
            self.expression()?;
        }
        let mut parts = vec![first];
        while self.sign("=") {
            parts.push(self.expressions()?);
        }
        match parts.pop() {
            Some(value) if parts.is_empty() => Ok(Do::Expression(value)),
            Some(value) => Ok(Do::Assign(parts, value)),
            None => self.unexpected(),
        }
    }

    fn parameters(&mut self, end: &str) -> Result<Vec<(String, Option<Expression>)>> {
        let mut parameters = Vec::new();
        while !self.is_sign(end) {
            if self.is_sign("*") || self.is_sign("**") {
                return self.fault("a function takes no * parameters here");
            }
            let name = self.name()?;
            if end == ")" && self.sign(":") {
                self.expression()?;
            }
            let default = if self.sign("=") { Some(self.expression()?) } else { None };
            parameters.push((name, default));
            if !self.sign(",") {
                break;
            }
        }
        Ok(parameters)
    }
}

fn operator(sign: &str) -> &'static str {
    ["+", "-", "*", "//", "/", "%", "**", "|", "&"]
        .into_iter()
        .find(|op| sign.strip_suffix('=') == Some(op))
        .unwrap_or("+")
}
