//! A program as tokens: names, numbers, texts, signs, and where lines and blocks begin and end.

/// A token with its line, counted from 1.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) line: usize,
}

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// A name or a word of the language.
    Name(String),
    /// A whole number.
    Int(i64),
    /// A number with a point or exponent.
    Float(f64),
    /// A text.
    Text(String),
    /// A text with expressions in it, as written between its quotes.
    Formatted(String),
    /// An operator or bracket.
    Sign(&'static str),
    /// The end of a line.
    NewLine,
    /// Lines from here on stand further in.
    Indent,
    /// And no more.
    Dedent,
}

/// The longest first.
const SIGNS: [&str; 43] = [
    "**=", "//=", "==", "!=", "<=", ">=", "->", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "**", "//", ":=", "<<", ">>",
    "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=", "<", ">", "+", "-", "*", "/", "%", "|", "&", "^", "~", "@",
    "!",
];

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    tokens: Vec<Token>,
    indents: Vec<usize>,
    /// Brackets that are open: line ends within them mean nothing.
    open: usize,
}

/// Cuts a program into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut reader = Reader {
        chars: text.replace("\r\n", "\n").chars().collect(),
        at: 0,
        line: 1,
        tokens: Vec::new(),
        indents: vec![0],
        open: 0,
    };
    reader.all()?;
    Ok(reader.tokens)
}

impl Reader {
    fn all(&mut self) -> Result<(), String> {
        self.begin_line()?;
        while let Some(c) = self.peek(0) {
            match c {
                '\n' => {
                    self.at += 1;
                    if self.open == 0 {
                        self.push(Kind::NewLine);
                    }
                    self.line += 1;
                    if self.open == 0 {
                        self.begin_line()?;
                    }
                }
                '#' => self.skip_while(|c| c != '\n'),
                '\\' if self.peek(1) == Some('\n') => {
                    self.at += 2;
                    self.line += 1;
                }
                c if c.is_whitespace() => self.at += 1,
                '0'..='9' => self.number()?,
                '.' if self.peek(1).is_some_and(|c| c.is_ascii_digit()) => self.number()?,
                '"' | '\'' => self.text("")?,
                c if c == '_' || c.is_alphabetic() => self.name()?,
                _ => self.sign()?,
            }
        }
        self.push(Kind::NewLine);
        while self.indents.len() > 1 {
            self.indents.pop();
            self.push(Kind::Dedent);
        }
        Ok(())
    }

    /// The indentation of a line that holds something.
    fn begin_line(&mut self) -> Result<(), String> {
        let start = self.at;
        self.skip_while(|c| c == ' ' || c == '\t');
        if matches!(self.peek(0), None | Some('\n' | '#')) {
            return Ok(());
        }
        let width =
            self.chars.get(start..self.at).unwrap_or_default().iter().map(|c| if *c == '\t' { 8 } else { 1 }).sum();
        // A program that stands further in as a whole is as good as one that does not.
        if self.tokens.is_empty() {
            self.indents = vec![width];
        }
        let now = self.indents.last().copied().unwrap_or(0);
        if width > now {
            self.indents.push(width);
            self.push(Kind::Indent);
        }
        while self.indents.last().is_some_and(|last| width < *last) && self.indents.len() > 1 {
            self.indents.pop();
            self.push(Kind::Dedent);
        }
        if self.indents.last() != Some(&width) && self.indents.len() > 1 {
            return Err(format!("line {}: the indentation fits no line above", self.line));
        }
        Ok(())
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(&wanted) {
            self.at += 1;
        }
    }

    fn push(&mut self, kind: Kind) {
        // Lines without anything end nothing.
        if kind == Kind::NewLine && matches!(self.tokens.last().map(|token| &token.kind), None | Some(Kind::NewLine)) {
            return;
        }
        self.tokens.push(Token { kind, line: self.line });
    }

    fn number(&mut self) -> Result<(), String> {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_digit() || c == '_');
        let mut float = false;
        if self.peek(0) == Some('.')
            && self.peek(1).is_none_or(|c| c.is_ascii_digit() || !(c == '.' || c.is_alphabetic()))
        {
            float = true;
            self.at += 1;
            self.skip_while(|c| c.is_ascii_digit() || c == '_');
        }
        let sign = usize::from(matches!(self.peek(1), Some('+' | '-')));
        if matches!(self.peek(0), Some('e' | 'E')) && self.peek(1 + sign).is_some_and(|c| c.is_ascii_digit()) {
            float = true;
            self.at += 1 + sign;
            self.skip_while(|c| c.is_ascii_digit());
        }
        let text: String = self.chars.get(start..self.at).unwrap_or_default().iter().filter(|c| **c != '_').collect();
        let bad = || format!("line {}: {text} is no number that fits", self.line);
        let kind = if float {
            Kind::Float(text.parse().map_err(|_| bad())?)
        } else {
            Kind::Int(text.parse().map_err(|_| bad())?)
        };
        self.push(kind);
        Ok(())
    }

    fn name(&mut self) -> Result<(), String> {
        let start = self.at;
        self.skip_while(|c| c == '_' || c.is_alphanumeric());
        let name: String = self.chars.get(start..self.at).unwrap_or_default().iter().collect();
        let prefix = name.to_lowercase();
        if matches!(self.peek(0), Some('"' | '\''))
            && matches!(prefix.as_str(), "r" | "f" | "b" | "u" | "rf" | "fr" | "br")
        {
            return self.text(&prefix);
        }
        self.push(Kind::Name(name));
        Ok(())
    }

    fn text(&mut self, prefix: &str) -> Result<(), String> {
        let quote = self.peek(0).unwrap_or('"');
        let triple = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        let line = self.line;
        self.at += if triple { 3 } else { 1 };
        let mut text = String::new();
        loop {
            let ended = || format!("line {line}: a text is not closed");
            let c = self.peek(0).ok_or_else(ended)?;
            let closes = c == quote && (!triple || self.peek(1) == Some(quote) && self.peek(2) == Some(quote));
            if closes {
                self.at += if triple { 3 } else { 1 };
                break;
            }
            match c {
                '\n' if !triple => return Err(ended()),
                '\\' => self.escaped(&mut text, prefix.contains('r')),
                _ => {
                    self.line += usize::from(c == '\n');
                    text.push(c);
                    self.at += 1;
                }
            }
        }
        let formatted = prefix.contains('f');
        // Texts side by side are one.
        if let (false, Some(Token { kind: Kind::Text(before), .. })) = (formatted, self.tokens.last_mut()) {
            before.push_str(&text);
            return Ok(());
        }
        self.push(if formatted { Kind::Formatted(text) } else { Kind::Text(text) });
        Ok(())
    }

    fn escaped(&mut self, text: &mut String, raw: bool) {
        let next = self.peek(1).unwrap_or('\\');
        self.at += 2;
        self.line += usize::from(next == '\n');
        if raw {
            text.extend(['\\', next]);
            return;
        }
        let digits = match next {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let code: String = self.chars.iter().skip(self.at).take(digits).collect();
        match (next, u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)) {
            ('x' | 'u' | 'U', Some(c)) => {
                text.push(c);
                self.at += digits;
            }
            ('n', _) => text.push('\n'),
            ('t', _) => text.push('\t'),
            ('r', _) => text.push('\r'),
            ('0', _) => text.push('\0'),
            ('\n', _) => {}
            ('\\' | '\'' | '"', _) => text.push(next),
            _ => text.extend(['\\', next]),
        }
    }

    fn sign(&mut self) -> Result<(), String> {
        let rest: String = self.chars.iter().skip(self.at).take(3).collect();
        let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
        let sign =
            sign.ok_or_else(|| format!("line {}: {:?} is not expected", self.line, self.peek(0).unwrap_or(' ')))?;
        match sign {
            "(" | "[" | "{" => self.open += 1,
            ")" | "]" | "}" => self.open = self.open.saturating_sub(1),
            _ => {}
        }
        self.at += sign.chars().count();
        self.push(Kind::Sign(sign));
        Ok(())
    }
}
