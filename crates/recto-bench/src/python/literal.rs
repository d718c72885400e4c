//! Python literals, read instead of run: what `ast.literal_eval` takes, without sets, bytes and complex numbers.
//!
//! Some reference code runs `eval` on what a model wrote. Everything that is no literal (names, calls, sums) is an error
//! here, where `eval` might give a value.

use std::iter::Peekable;
use std::str::Chars;

use super::{float_text, int_text, space::is_space, str_repr};

/// A value that a literal stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// A whole number, as Python prints it.
    Int(String),
    /// A number with a point or an exponent.
    Float(f64),
    /// A text.
    Str(String),
    /// `[..]`
    List(Vec<Literal>),
    /// `(..,)`
    Tuple(Vec<Literal>),
    /// `{..: ..}`, in the order written.
    Dict(Vec<(Literal, Literal)>),
}

/// Literals nested deeper are an error; Python's own limit is of the same size.
const MAX_DEPTH: usize = 90;

impl Literal {
    /// Reads a literal, with white space around it; `None` if `text` is anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parser = Parser { rest: text.chars().peekable() };
        let literal = parser.value(0)?;
        parser.next_token().is_none().then_some(literal)
    }

    /// `str(value)`.
    pub fn text(&self) -> String {
        match self {
            Self::Str(text) => text.clone(),
            other => other.repr(),
        }
    }

    /// `repr(value)`.
    pub fn repr(&self) -> String {
        let joined = |items: &[Self]| items.iter().map(Self::repr).collect::<Vec<_>>().join(", ");
        match self {
            Self::None => "None".into(),
            Self::Bool(true) => "True".into(),
            Self::Bool(false) => "False".into(),
            Self::Int(digits) => digits.clone(),
            Self::Float(value) => float_text::repr(*value),
            Self::Str(text) => str_repr::repr(text),
            Self::List(items) => format!("[{}]", joined(items)),
            Self::Tuple(items) if items.len() == 1 => format!("({},)", joined(items)),
            Self::Tuple(items) => format!("({})", joined(items)),
            Self::Dict(pairs) => {
                let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("{}: {}", k.repr(), v.repr())).collect();
                format!("{{{}}}", pairs.join(", "))
            }
        }
    }
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
}

impl Parser<'_> {
    /// The next character that is no white space, left where it is.
    fn next_token(&mut self) -> Option<char> {
        while self.rest.next_if(|c| is_space(*c)).is_some() {}
        self.rest.peek().copied()
    }

    fn take(&mut self, c: char) -> Option<()> {
        self.next_token().filter(|next| *next == c)?;
        self.rest.next().map(drop)
    }

    fn value(&mut self, depth: usize) -> Option<Literal> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.next_token()? {
            '[' => self.items('[', ']', depth).map(|(items, _)| Literal::List(items)),
            '(' => match self.items('(', ')', depth)? {
                (mut items, false) if items.len() == 1 => items.pop(),
                (items, _) => Some(Literal::Tuple(items)),
            },
            '{' => self.dict(depth),
            '\'' | '"' => self.strings(),
            c if c.is_alphabetic() => self.word(),
            _ => self.number(),
        }
    }

    /// The values between brackets, and whether a comma stands after the last.
    fn items(&mut self, open: char, close: char, depth: usize) -> Option<(Vec<Literal>, bool)> {
        self.take(open)?;
        let mut items = Vec::new();
        let mut comma = false;
        while self.next_token()? != close {
            if !items.is_empty() && !comma {
                return None;
            }
            items.push(self.value(depth + 1)?);
            comma = self.take(',').is_some();
        }
        self.take(close)?;
        Some((items, comma))
    }

    fn dict(&mut self, depth: usize) -> Option<Literal> {
        self.take('{')?;
        let mut pairs = Vec::new();
        let mut comma = true;
        while self.next_token()? != '}' {
            if !comma {
                return None;
            }
            let key = self.value(depth + 1)?;
            self.take(':')?;
            pairs.push((key, self.value(depth + 1)?));
            comma = self.take(',').is_some();
        }
        self.take('}')?;
        Some(Literal::Dict(pairs))
    }

    /// Strings that stand side by side are one.
    fn strings(&mut self) -> Option<Literal> {
        let mut text = String::new();
        while let Some('\'' | '"') = self.next_token() {
            self.string(&mut text, false)?;
        }
        Some(Literal::Str(text))
    }

    /// One string in quotes, single or triple, appended to `out`.
    fn string(&mut self, out: &mut String, raw: bool) -> Option<()> {
        let quote = self.rest.next()?;
        let mut quotes = 1;
        while quotes < 3 && self.rest.next_if_eq(&quote).is_some() {
            quotes += 1;
        }
        if quotes == 2 {
            return Some(());
        }
        let mut closing = 0;
        while closing < quotes {
            let c = self.rest.next()?;
            if c == quote {
                closing += 1;
                continue;
            }
            out.extend(std::iter::repeat_n(quote, closing));
            closing = 0;
            match c {
                '\n' if quotes == 1 => return None,
                '\\' if raw => out.extend(['\\', self.rest.next()?]),
                '\\' => self.escape(out)?,
                c => out.push(c),
            }
        }
        Some(())
    }

    fn escape(&mut self, out: &mut String) -> Option<()> {
        let c = self.rest.next()?;
        match c {
            '\n' => {}
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'a' => out.push('\u{7}'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'v' => out.push('\u{b}'),
            '\\' | '\'' | '"' => out.push(c),
            'x' => out.push(self.hex(2)?),
            'u' => out.push(self.hex(4)?),
            'U' => out.push(self.hex(8)?),
            '0'..='7' => {
                let mut code = c.to_digit(8)?;
                for _ in 0..2 {
                    let Some(more) = self.rest.next_if(|c| c.is_digit(8)) else { break };
                    code = code * 8 + more.to_digit(8)?;
                }
                out.push(char::from_u32(code)?);
            }
            // Python keeps what it does not know (and warns).
            _ => out.extend(['\\', c]),
        }
        Some(())
    }

    fn hex(&mut self, digits: usize) -> Option<char> {
        let text: String = self.rest.by_ref().take(digits).collect();
        let all = text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit());
        all.then(|| u32::from_str_radix(&text, 16).ok().and_then(char::from_u32)).flatten()
    }

    /// `None`, `True`, `False`, or a string with a prefix.
    fn word(&mut self) -> Option<Literal> {
        let mut word = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
            word.push(c);
        }
        match (word.as_str(), self.rest.peek()) {
            ("None", _) => Some(Literal::None),
            ("True", _) => Some(Literal::Bool(true)),
            ("False", _) => Some(Literal::Bool(false)),
            ("r" | "R" | "u" | "U", Some('\'' | '"')) => {
                let mut text = String::new();
                self.string(&mut text, word.eq_ignore_ascii_case("r"))?;
                Some(Literal::Str(text))
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Option<Literal> {
        let mut text = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || "+-._".contains(*c)) {
            // A sign inside a number follows its exponent; elsewhere it would be a sum.
            let sign = c == '+' || c == '-';
            if sign && !(text.is_empty() || text.ends_with(['e', 'E'])) {
                return None;
            }
            text.push(c);
        }
        let digits = text.trim_start_matches(['+', '-']);
        if digits.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        if digits.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
            let leading_zero = digits.starts_with('0') && digits.bytes().any(|b| b != b'0' && b != b'_');
            return int_text::parse(&text).filter(|_| !leading_zero).map(Literal::Int);
        }
        float_text::parse(&text).map(Literal::Float)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_read_and_print_as_in_python() {
        for (text, repr) in [
            ("['a', \"it's\"]", "['a', \"it's\"]"),
            (" [1, 2.50, -3, 1e3, 1_000] ", "[1, 2.5, -3, 1000.0, 1000]"),
            ("[None, True, False,]", "[None, True, False]"),
            ("('a')", "'a'"),
            ("('a',)", "('a',)"),
            ("()", "()"),
            ("[[1], (2, 3), {'k': [4]}]", "[[1], (2, 3), {'k': [4]}]"),
            ("['a' 'b' \"c\"]", "['abc']"),
            (r"['\x41\u00e9\n\q\101']", r"['Aé\n\\qA']"),
            ("['''x'y''z''']", "[\"x'y''z\"]"),
            ("[r'\\d', u'é', '']", "['\\\\d', 'é', '']"),
            ("[1,\n 2]", "[1, 2]"),
            ("[-0]", "[0]"),
        ] {
            assert_eq!(Literal::parse(text).map(|l| l.repr()).as_deref(), Some(repr), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let deep = "[".repeat(200_000);
        for text in [
            "['a', b]",
            "['a','b'",
            "[1 2]",
            "[,]",
            "[1+2]",
            "f(1)",
            "[1][0]",
            "",
            "'a",
            "'a\nb'",
            "[08]",
            "{1, 2}",
            "1j",
            "['\\xg0']",
            "[1]]",
            "[nan]",
            "[inf]",
            "__import__('os')",
            "{1:2 3:4}",
            &deep,
        ] {
            assert_eq!(Literal::parse(text), None, "{}", text.get(..20).unwrap_or(text));
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_printed_reads_back(texts in proptest::collection::vec(".*", 0..4)) {
            let list = Literal::List(texts.into_iter().map(Literal::Str).collect());
            proptest::prop_assert_eq!(Literal::parse(&list.repr()), Some(list));
        }
    }
}
