//! From tokens to statements.

use std::rc::Rc;

use super::syntax::{Block, Expression, Function, Kind as Do, Loop, Shape, Statement};
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

    /// One name, or several with commas between.
    fn targets(&mut self) -> Result<Expression> {
        let first = self.postfix()?;
        if !self.is_sign(",") {
            return Ok(first);
        }
        let mut targets = vec![first];
        while self.sign(",") {
            if self.is_word("in") || self.is_sign("=") {
                break;
            }
            targets.push(self.postfix()?);
        }
        Ok(Expression::Tuple(targets))
    }

    /// One expression, or a tuple without brackets.
    fn expressions(&mut self) -> Result<Expression> {
        let first = self.expression()?;
        if !self.is_sign(",") {
            return Ok(first);
        }
        let mut all = vec![first];
        while self.sign(",") {
            if matches!(self.peek(), None | Some(Kind::NewLine))
                || self.is_sign("=")
                || self.is_sign(")")
                || self.is_sign("]")
            {
                break;
            }
            all.push(self.expression()?);
        }
        Ok(Expression::Tuple(all))
    }

    fn expression(&mut self) -> Result<Expression> {
        self.deeper(|parser| {
            if parser.word("lambda") {
                let parameters = parser.parameters(":")?;
                let line = parser.line();
                parser.needs(":")?;
                let value = parser.expression()?;
                let body = vec![Statement { line, kind: Do::Return(Some(value)) }];
                return Ok(Expression::Lambda(Rc::new(Function { parameters, body })));
            }
            let value = parser.either()?;
            if !parser.word("if") {
                return Ok(value);
            }
            let condition = parser.either()?;
            if !parser.word("else") {
                return parser.fault("\"else\" is expected");
            }
            let otherwise = parser.expression()?;
            Ok(Expression::Choice(Box::new(condition), Box::new(value), Box::new(otherwise)))
        })
    }

    fn either(&mut self) -> Result<Expression> {
        let mut value = self.both()?;
        while self.word("or") {
            value = Expression::Or(Box::new(value), Box::new(self.both()?));
        }
        Ok(value)
    }

    fn both(&mut self) -> Result<Expression> {
        let mut value = self.negation()?;
        while self.word("and") {
            value = Expression::And(Box::new(value), Box::new(self.negation()?));
        }
        Ok(value)
    }

    fn negation(&mut self) -> Result<Expression> {
        if self.word("not") {
            return self.deeper(|parser| Ok(Expression::Not(Box::new(parser.negation()?))));
        }
        let first = self.binary(0)?;
        let mut rest = Vec::new();
        while let Some(sign) = self.comparison() {
            rest.push((sign, self.binary(0)?));
        }
        Ok(if rest.is_empty() { first } else { Expression::Compare(Box::new(first), rest) })
    }

    fn comparison(&mut self) -> Option<&'static str> {
        for sign in ["==", "!=", "<=", ">=", "<", ">"] {
            if self.sign(sign) {
                return Some(sign);
            }
        }
        let not_in = self.is_word("not")
            && matches!(self.tokens.get(self.at + 1).map(|token| &token.kind), Some(Kind::Name(word)) if word == "in");
        if not_in {
            self.at += 2;
            return Some("not in");
        }
        if self.word("in") {
            return Some("in");
        }
        if self.word("is") {
            return Some(if self.word("not") { "is not" } else { "is" });
        }
        None
    }

    /// Operators from the weakest level on.
    fn binary(&mut self, level: usize) -> Result<Expression> {
        const LEVELS: [&[&str]; 5] = [&["|"], &["^"], &["&"], &["+", "-"], &["*", "//", "/", "%"]];
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut value = self.binary(level + 1)?;
        while let Some(sign) = signs.iter().find(|sign| self.sign(sign)) {
            value = Expression::Binary(Box::new(value), sign, Box::new(self.binary(level + 1)?));
        }
        Ok(value)
    }

    fn unary(&mut self) -> Result<Expression> {
        if self.sign("-") {
            return self.deeper(|parser| Ok(Expression::Minus(Box::new(parser.unary()?))));
        }
        if self.sign("+") {
            return self.deeper(Self::unary);
        }
        let base = self.postfix()?;
        if !self.sign("**") {
            return Ok(base);
        }
        let exponent = self.deeper(Self::unary)?;
        Ok(Expression::Binary(Box::new(base), "**", Box::new(exponent)))
    }

    fn postfix(&mut self) -> Result<Expression> {
        let mut value = self.atom()?;
        loop {
            if self.sign("(") {
                let (given, named) = self.deeper(Self::arguments)?;
                value = Expression::Call(Box::new(value), given, named);
            } else if self.sign("[") {
                value = self.deeper(|parser| parser.subscript(value))?;
            } else if self.sign(".") {
                value = Expression::Member(Box::new(value), self.name()?);
            } else {
                return Ok(value);
            }
        }
    }

    fn arguments(&mut self) -> Result<(Vec<Expression>, Vec<(String, Expression)>)> {
        let (mut given, mut named) = (Vec::new(), Vec::new());
        while !self.sign(")") {
            let is_named = matches!(self.peek(), Some(Kind::Name(_)))
                && matches!(self.tokens.get(self.at + 1).map(|token| &token.kind), Some(Kind::Sign("=")));
            if is_named {
                let name = self.name()?;
                self.at += 1;
                named.push((name, self.expression()?));
            } else {
                let value = self.expression()?;
                given.push(if self.is_word("for") { self.each(Shape::List, value, None)? } else { value });
            }
            if !self.sign(",") && !self.is_sign(")") {
                return self.unexpected();
            }
        }
        Ok((given, named))
    }

    fn subscript(&mut self, of: Expression) -> Result<Expression> {
        let mut parts: [Option<Expression>; 3] = [None, None, None];
        let mut colons = 0;
        while !self.sign("]") {
            if self.sign(":") {
                colons += 1;
                if colons > 2 {
                    return self.unexpected();
                }
            } else {
                let value = self.expressions()?;
                match parts.get_mut(colons) {
                    Some(place) if place.is_none() => *place = Some(value),
                    _ => return self.unexpected(),
                }
            }
        }
        if colons > 0 {
            return Ok(Expression::Slice(Box::new(of), Box::new(parts)));
        }
        match parts {
            [Some(place), ..] => Ok(Expression::At(Box::new(of), Box::new(place))),
            _ => self.fault("an index is expected"),
        }
    }

    fn atom(&mut self) -> Result<Expression> {
        let Some(token) = self.tokens.get(self.at) else { return self.unexpected() };
        self.at += 1;
        match &token.kind {
            Kind::Int(value) => Ok(Expression::Int(*value)),
            Kind::Float(value) => Ok(Expression::Float(*value)),
            Kind::Text(text) => self.more_text(Expression::Text(text.as_str().into())),
            Kind::Formatted(text) => {
                let parts = formatted(text, token.line, self.depth)?;
                self.more_text(parts)
            }
            Kind::Name(name) => match name.as_str() {
                "None" => Ok(Expression::None),
                "True" => Ok(Expression::Bool(true)),
                "False" => Ok(Expression::Bool(false)),
                "and" | "or" | "not" | "in" | "is" | "if" | "else" | "elif" | "for" | "while" | "def" | "return"
                | "lambda" | "import" | "class" | "except" | "try" | "yield" | "await" => {
                    self.at -= 1;
                    self.unexpected()
                }
                _ => Ok(Expression::Name(name.clone())),
            },
            Kind::Sign("(") => self.deeper(Self::parenthesis),
            Kind::Sign("[") => self.deeper(Self::list),
            Kind::Sign("{") => self.deeper(Self::braces),
            _ => {
                self.at -= 1;
                self.unexpected()
            }
        }
    }

    /// Texts side by side are one.
    fn more_text(&mut self, first: Expression) -> Result<Expression> {
        let mut text = first;
        while matches!(self.peek(), Some(Kind::Text(_) | Kind::Formatted(_))) {
            let Some(token) = self.tokens.get(self.at) else { break };
            self.at += 1;
            let next = match &token.kind {
                Kind::Formatted(text) => formatted(text, token.line, self.depth)?,
                Kind::Text(text) => Expression::Text(text.as_str().into()),
                _ => break,
            };
            text = Expression::Binary(Box::new(text), "+", Box::new(next));
        }
        Ok(text)
    }

    fn parenthesis(&mut self) -> Result<Expression> {
        if self.sign(")") {
            return Ok(Expression::Tuple(Vec::new()));
        }
        let first = self.expression()?;
        if self.is_word("for") {
            let each = self.each(Shape::List, first, None)?;
            self.needs(")")?;
            return Ok(each);
        }
        if self.sign(")") {
            return Ok(first);
        }
        let mut all = vec![first];
        while !self.sign(")") {
            self.needs(",")?;
            if !self.is_sign(")") {
                all.push(self.expression()?);
            }
        }
        Ok(Expression::Tuple(all))
    }

    fn list(&mut self) -> Result<Expression> {
        let mut all = Vec::new();
        while !self.sign("]") {
            let value = self.expression()?;
            if all.is_empty() && self.is_word("for") {
                let each = self.each(Shape::List, value, None)?;
                self.needs("]")?;
                return Ok(each);
            }
            all.push(value);
            if !self.sign(",") && !self.is_sign("]") {
                return self.unexpected();
            }
        }
        Ok(Expression::List(all))
    }

    fn braces(&mut self) -> Result<Expression> {
        let (mut pairs, mut values) = (Vec::new(), Vec::new());
        while !self.sign("}") {
            let key = self.expression()?;
            if self.sign(":") {
                let value = self.expression()?;
                if pairs.is_empty() && self.is_word("for") {
                    let each = self.each(Shape::Dict, key, Some(value))?;
                    self.needs("}")?;
                    return Ok(each);
                }
                pairs.push((key, value));
            } else if values.is_empty() && self.is_word("for") {
                let each = self.each(Shape::Set, key, None)?;
                self.needs("}")?;
                return Ok(each);
            } else {
                values.push(key);
            }
            if !self.sign(",") && !self.is_sign("}") {
                return self.unexpected();
            }
        }
        match (pairs.is_empty(), values.is_empty()) {
            (false, false) => self.fault("a dict and a set can't be mixed"),
            (true, false) => Ok(Expression::Set(values)),
            _ => Ok(Expression::Dict(pairs)),
        }
    }

    fn each(&mut self, shape: Shape, item: Expression, value: Option<Expression>) -> Result<Expression> {
        let mut loops = Vec::new();
        while self.word("for") {
            let target = self.targets()?;
            if !self.word("in") {
                return self.fault("\"in\" is expected");
            }
            let values = self.either()?;
            let mut conditions = Vec::new();
            while self.word("if") {
                conditions.push(self.either()?);
            }
            loops.push(Loop { target, values, conditions });
        }
        Ok(Expression::Each(shape, Box::new(item), value.map(Box::new), loops))
    }
}

fn operator(sign: &str) -> &'static str {
    ["+", "-", "*", "//", "/", "%", "**", "|", "&"]
        .into_iter()
        .find(|op| sign.strip_suffix('=') == Some(op))
        .unwrap_or("+")
}

/// The parts of an f-string: what stands before an expression, the expression, whether as `repr`, its form.
fn formatted(text: &str, line: usize, depth: usize) -> Result<Expression> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        if let Some(after) = from.strip_prefix("{{").or_else(|| from.strip_prefix("}}")) {
            plain.push_str(from.get(..1).unwrap_or_default());
            rest = after;
            continue;
        }
        let end = closing(from).ok_or_else(|| format!("line {line}: a {{ of an f-string is not closed"))?;
        let inside = from.get(1..end).unwrap_or_default();
        rest = from.get(end + 1..).unwrap_or_default();
        let (inside, form) = match outermost(inside, ':') {
            Some(at) => (inside.get(..at).unwrap_or_default(), inside.get(at + 1..).unwrap_or_default()),
            None => (inside, ""),
        };
        let (inside, repr) = inside.strip_suffix("!r").map_or((inside, false), |inside| (inside, true));
        let inside = inside.strip_suffix("!s").unwrap_or(inside);
        let (inside, shown) = inside
            .strip_suffix('=')
            .filter(|i| !i.ends_with(['=', '!', '<', '>']))
            .map_or((inside, false), |i| (i, true));
        if shown {
            plain.push_str(&format!("{inside}="));
        }
        let tokens = tokens(inside)?;
        let mut parser = Parser { tokens: &tokens, at: 0, depth: depth + 1 };
        let value = parser.expressions()?;
        parts.push((std::mem::take(&mut plain), Some((Box::new(value), repr || shown, form.to_owned()))));
    }
    plain.push_str(rest);
    parts.push((plain, None));
    Ok(Expression::Formatted(parts))
}

/// Where the brace that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('{' | '(' | '[', None) => depth += 1,
            ('}' | ')' | ']', None) => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where a sign stands in no bracket and no text.
fn outermost(text: &str, sign: char) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('{' | '(' | '[', None) => depth += 1,
            ('}' | ')' | ']', None) => depth = depth.saturating_sub(1),
            (c, None) if c == sign && depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}
