//! Expressions, from the weakest operator to the strongest.

use std::rc::Rc;

use super::formatted::formatted;
use super::{Parser, Result};
use crate::program::syntax::{Expression, Function, Kind as Do, Loop, Shape, Statement};
use crate::program::token::Kind;

/// What is given in order, and by name.
type Arguments = (Vec<Expression>, Vec<(String, Expression)>);

impl Parser<'_> {
    /// One name, or several with commas between.
    pub(super) fn targets(&mut self) -> Result<Expression> {
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
    pub(super) fn expressions(&mut self) -> Result<Expression> {
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

    pub(super) fn expression(&mut self) -> Result<Expression> {
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

    pub(super) fn postfix(&mut self) -> Result<Expression> {
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

    fn arguments(&mut self) -> Result<Arguments> {
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
