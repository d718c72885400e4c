//! From signs to a value, worked out while it is read. `in` binds least, then sums, products, signs, powers, units.

use super::Value;
use super::date::{self, Date};
use super::function;
use super::number::Number;
use super::quantity::{Quantity, Units};
use super::sign::{Sign, signs};
use super::unit::{self, Unit};

/// Parentheses and signs nest no deeper.
const DEEPEST: usize = 64;

type Result<T> = std::result::Result<T, String>;

/// The value of a whole expression.
pub(super) fn value(text: &str) -> Result<Value> {
    let signs = signs(text);
    let mut reader = Reader { signs: &signs, depth: 0 };
    let value = reader.expression()?;
    match reader.signs.first() {
        None => Ok(value),
        Some(sign) => Err(format!("{} is not expected there", told(sign))),
    }
}

struct Reader<'s> {
    signs: &'s [Sign],
    depth: usize,
}

impl Reader<'_> {
    fn expression(&mut self) -> Result<Value> {
        self.deeper(|reader| {
            let value = reader.sum()?;
            if !(reader.takes_word("in") || reader.takes_word("to") || reader.takes_word("as")) {
                return Ok(value);
            }
            let units = reader.units()?;
            Ok(Value::Quantity(quantity(value)?.in_units(&units)?))
        })
    }

    fn sum(&mut self) -> Result<Value> {
        let mut value = self.product()?;
        loop {
            if self.takes('+') {
                value = plus(value, self.product()?)?;
            } else if self.takes('-') {
                value = minus(value, self.product()?)?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<Value> {
        let mut value = self.signed()?;
        loop {
            if self.takes('*') || self.takes_word("of") || self.takes_word("times") {
                value = Value::Quantity(quantity(value)?.times(&quantity(self.signed()?)?)?);
            } else if self.takes('/') || self.takes_word("per") {
                value = Value::Quantity(quantity(value)?.over(&quantity(self.signed()?)?)?);
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<Value> {
        if self.takes('+') {
            return self.deeper(Self::signed);
        }
        if self.takes('-') {
            let value = self.deeper(Self::signed)?;
            return Ok(Value::Quantity(quantity(value)?.negated()));
        }
        let base = self.with_unit()?;
        if !self.takes('^') {
            return Ok(base);
        }
        let exponent = self.deeper(Self::signed)?;
        Ok(Value::Quantity(quantity(base)?.to_the(&quantity(exponent)?)?))
    }

    /// A value and the unit behind it.
    fn with_unit(&mut self) -> Result<Value> {
        let value = self.atom()?;
        let Value::Quantity(quantity) = &value else { return Ok(value) };
        match self.unit_ahead() {
            Some((unit, len)) if !self.is_operator_ahead() => {
                self.signs = self.signs.get(len..).unwrap_or_default();
                Ok(Value::Quantity(quantity.times(&Quantity { number: Number::ONE, units: Units::of(unit) })?))
                    .map(|value| kept_percent(value, quantity, unit))
            }
            _ => Ok(value),
        }
    }

    fn atom(&mut self) -> Result<Value> {
        let Some((first, rest)) = self.signs.split_first() else { return Err("the expression ends too soon".into()) };
        self.signs = rest;
        match first {
            Sign::Number(digits) => self.number(digits),
            Sign::Day(text) => Date::iso(text).unwrap_or_else(|| Err(format!("{text} is no date"))).map(Value::Date),
            Sign::Other('(') => {
                let value = self.expression()?;
                if self.takes(')') { Ok(value) } else { Err("a parenthesis is not closed".into()) }
            }
            Sign::Other(c) => self.money(*c),
            Sign::Word(word) => self.word(word),
        }
    }

    /// A number, with the word for its scale; or the day of a month.
    fn number(&mut self, digits: &str) -> Result<Value> {
        if let [Sign::Word(word), Sign::Number(year), rest @ ..] = self.signs
            && let (Some(month), Ok(day), Ok(year)) = (date::month(word), digits.parse(), year.parse())
        {
            self.signs = rest;
            return Date::new(year, month, day).map(Value::Date);
        }
        let number = Number::decimal(digits)?.times(self.scale(false))?;
        Ok(Value::Quantity(Quantity::bare(number)))
    }

    /// `million` and the like; after money also its letter.
    fn scale(&mut self, of_money: bool) -> Number {
        let Some(Sign::Word(word)) = self.signs.first() else { return Number::ONE };
        let zeros = match word.to_lowercase().as_str() {
            "hundred" => 2,
            "thousand" | "thousands" => 3,
            "million" | "millions" | "mn" | "mio" | "mln" => 6,
            "billion" | "billions" | "bn" | "mrd" => 9,
            "trillion" | "trillions" | "tn" => 12,
            "k" if of_money => 3,
            "m" | "mm" if of_money => 6,
            "b" if of_money => 9,
            "t" if of_money => 12,
            _ => return Number::ONE,
        };
        self.signs = self.signs.get(1..).unwrap_or_default();
        Number::whole(10_i128.pow(zeros))
    }

    /// `$5`, `€3.4bn`.
    fn money(&mut self, sign: char) -> Result<Value> {
        let currency = unit::named(&sign.to_string()).filter(|unit| !unit.kind.is_empty());
        let currency = currency.ok_or_else(|| format!("{sign:?} is not expected there"))?;
        let Some((Sign::Number(digits), rest)) = self.signs.split_first() else {
            return Err(format!("a number must follow {sign}"));
        };
        self.signs = rest;
        let number = Number::decimal(digits)?.times(self.scale(true))?;
        Ok(Value::Quantity(Quantity { number, units: Units::of(currency) }))
    }

    /// A function, `March 1, 2024`, or a currency before its number.
    fn word(&mut self, word: &str) -> Result<Value> {
        if let (Some(month), [Sign::Number(day), rest @ ..]) = (date::month(word), self.signs)
            && let [Sign::Other(','), Sign::Number(year), rest @ ..] | [Sign::Number(year), rest @ ..] = rest
            && let (Ok(day), Ok(year)) = (day.parse(), year.parse())
        {
            self.signs = rest;
            return Date::new(year, month, day).map(Value::Date);
        }
        if self.takes('(') {
            return function::called(word, self.arguments()?);
        }
        if let (Some(unit), Some(Sign::Number(_))) = (unit::named(word), self.signs.first())
            && matches!(unit.kind, [(unit::Base::Money(_), 1)])
        {
            let value = self.deeper(Self::with_unit)?;
            return Ok(Value::Quantity(
                quantity(value)?.times(&Quantity { number: Number::ONE, units: Units::of(unit) })?,
            ));
        }
        match word {
            "pi" => Ok(Value::Quantity(Quantity::bare(Number::About(std::f64::consts::PI)))),
            _ => match unit::named(word) {
                Some(unit) => Ok(Value::Quantity(Quantity { number: Number::ONE, units: Units::of(unit) })),
                None => Err(format!("{word:?} is no number, function or unit that is known")),
            },
        }
    }

    fn arguments(&mut self) -> Result<Vec<Value>> {
        let mut arguments = Vec::new();
        if self.takes(')') {
            return Ok(arguments);
        }
        loop {
            if self.takes('(') {
                // A list, or an expression that begins with a parenthesis.
                let before = self.signs;
                match self.deeper(Self::arguments) {
                    Ok(list) if matches!(self.signs.first(), Some(Sign::Other(',' | ')'))) => arguments.extend(list),
                    _ => {
                        self.signs = before;
                        let value = self.rest_of_parenthesis()?;
                        arguments.push(value);
                    }
                }
            } else {
                arguments.push(self.expression()?);
            }
            if self.takes(')') {
                return Ok(arguments);
            }
            if !(self.takes(',') || self.takes(';')) {
                return Err("arguments are parted by commas, and a parenthesis closes them".into());
            }
        }
    }

    /// An expression whose first parenthesis was read already.
    fn rest_of_parenthesis(&mut self) -> Result<Value> {
        let inside = self.expression()?;
        if !self.takes(')') {
            return Err("a parenthesis is not closed".into());
        }
        let mut value = inside;
        loop {
            value = if self.takes('+') {
                plus(value, self.product()?)?
            } else if self.takes('-') {
                minus(value, self.product()?)?
            } else if self.takes('*') {
                Value::Quantity(quantity(value)?.times(&quantity(self.product()?)?)?)
            } else if self.takes('/') {
                Value::Quantity(quantity(value)?.over(&quantity(self.signed()?)?)?)
            } else {
                return Ok(value);
            };
        }
    }

    /// `km`, `km/h`, `sq ft`.
    fn units(&mut self) -> Result<Units> {
        let mut units = Units::default();
        let mut power = 1;
        loop {
            let Some((unit, len)) = self.unit_ahead() else {
                let what = self.signs.first().map_or_else(|| "nothing".to_owned(), told);
                return Err(format!("{what} is no unit that is known"));
            };
            self.signs = self.signs.get(len..).unwrap_or_default();
            units.0.push((unit, power));
            if self.takes('/') || self.takes_word("per") {
                power = -1;
            } else if !self.takes('*') {
                return Ok(units);
            }
        }
    }

    /// The unit that comes next, and how many signs it is.
    fn unit_ahead(&self) -> Option<(&'static Unit, usize)> {
        match self.signs {
            [Sign::Word(first), Sign::Word(second), ..]
                if let Some(unit) = unit::named(&format!("{}_{}", first.to_lowercase(), second.to_lowercase())) =>
            {
                Some((unit, 2))
            }
            [Sign::Word(word), ..] => unit::named(word).map(|unit| (unit, 1)),
            [Sign::Other(c @ ('%' | '$' | '€' | '£' | '¥' | '₹' | '₩')), ..] => {
                unit::named(&c.to_string()).map(|unit| (unit, 1))
            }
            _ => None,
        }
    }

    /// `5 in` is the beginning of a conversion, not inches.
    fn is_operator_ahead(&self) -> bool {
        matches!(self.signs.first(), Some(Sign::Word(word)) if word == "in")
            || matches!(self.signs, [Sign::Other('$' | '€' | '£' | '¥'), Sign::Number(_), ..])
    }

    fn takes(&mut self, sign: char) -> bool {
        self.takes_if(|first| *first == Sign::Other(sign))
    }

    fn takes_word(&mut self, word: &str) -> bool {
        self.takes_if(|first| matches!(first, Sign::Word(held) if held.eq_ignore_ascii_case(word)))
    }

    fn takes_if(&mut self, is_it: impl Fn(&Sign) -> bool) -> bool {
        match self.signs.split_first() {
            Some((first, rest)) if is_it(first) => {
                self.signs = rest;
                true
            }
            _ => false,
        }
    }

    fn deeper<T>(&mut self, read: impl Fn(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return Err("the expression is nested too deep".into());
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }
}

/// `5%` stays five percent; in products it becomes a number.
fn kept_percent(value: Value, before: &Quantity, unit: &'static Unit) -> Value {
    if unit.kind.is_empty() && before.units.0.is_empty() {
        return Value::Quantity(Quantity { number: before.number, units: Units::of(unit) });
    }
    value
}

pub(super) fn quantity(value: Value) -> Result<Quantity> {
    match value {
        Value::Quantity(quantity) => Ok(quantity),
        Value::Date(date) => Err(format!("{date} is a date, and a number is needed")),
        Value::Text(text) => Err(format!("{text:?} is no number")),
    }
}

fn plus(a: Value, b: Value) -> Result<Value> {
    match (a, b) {
        (Value::Date(_), Value::Date(_)) => Err("two dates can't be added".into()),
        (Value::Date(date), other) | (other, Value::Date(date)) => later(date, &quantity(other)?),
        (a, b) => Ok(Value::Quantity(quantity(a)?.plus(&quantity(b)?)?)),
    }
}

fn minus(a: Value, b: Value) -> Result<Value> {
    match (a, b) {
        (Value::Date(a), Value::Date(b)) => {
            let day = unit::named("day").map(Units::of).unwrap_or_default();
            Ok(Value::Quantity(Quantity { number: Number::whole(a.days_since(b).into()), units: day }))
        }
        (Value::Date(date), other) => later(date, &quantity(other)?.negated()),
        (a, b) => Ok(Value::Quantity(quantity(a)?.plus(&quantity(b)?.negated())?)),
    }
}

/// A date so much later: days or weeks, or months and years by the calendar. A bare number counts days.
fn later(date: Date, by: &Quantity) -> Result<Value> {
    let whole =
        |number: Number| number.as_whole().ok_or("a date can be moved by whole days, weeks, months or years only");
    let of = |name: &str| unit::named(name).map(Units::of).unwrap_or_default();
    if by.units.0.is_empty() {
        return date.plus_days(whole(by.number)?).map(Value::Date);
    }
    if let Ok(days) = by.in_units(&of("day")) {
        return date.plus_days(whole(days.number)?).map(Value::Date);
    }
    let months = by.in_units(&of("month")).map_err(|_| "a date can be moved by days, weeks, months or years only")?;
    date.plus_months(whole(months.number)?).map(Value::Date)
}

fn told(sign: &Sign) -> String {
    match sign {
        Sign::Number(text) | Sign::Day(text) | Sign::Word(text) => format!("{text:?}"),
        Sign::Other(c) => format!("{c:?}"),
    }
}
