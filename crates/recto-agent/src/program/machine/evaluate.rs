//! Values of expressions, and calls.

use std::rc::Rc;

use super::{ELEMENTS, Flow, Machine, too_large};
use crate::program::syntax::{Expression, Filled, Loop, Shape};
use crate::program::value::{Closure, Result, Stop, Value};
use crate::program::{builtin, format, method, operator};

impl Machine<'_> {
    /// The value of an expression.
    pub(in crate::program) fn value(&mut self, expression: &Expression) -> Result<Value> {
        self.step(1)?;
        match expression {
            Expression::None => Ok(Value::None),
            Expression::Bool(value) => Ok(Value::Bool(*value)),
            Expression::Int(value) => Ok(Value::Int(*value)),
            Expression::Float(value) => Ok(Value::Float(*value)),
            Expression::Text(text) => Value::text(&self.meter, text.as_ref()),
            Expression::Name(name) => self.get(name),
            other => self.deeper(|machine| machine.compound(other)),
        }
    }

    fn compound(&mut self, expression: &Expression) -> Result<Value> {
        match expression {
            Expression::Formatted(parts) => self.formatted(parts),
            Expression::List(items) => {
                let items = self.values(items)?;
                Value::list(&self.meter, items)
            }
            Expression::Tuple(items) => {
                let items = self.values(items)?;
                Value::tuple(&self.meter, items)
            }
            Expression::Set(items) => {
                let items = self.values(items)?;
                builtin::set(self, items)
            }
            Expression::Dict(pairs) => {
                let dict = Value::dict(&self.meter, false, None)?;
                for (key, value) in pairs {
                    let (key, value) = (self.value(key)?, self.value(value)?);
                    dict.set(key, value)?;
                }
                Ok(Value::Dict(dict))
            }
            Expression::Each(shape, item, value, loops) => self.each(*shape, item, value.as_deref(), loops),
            Expression::Lambda(function) => Ok(self.closure("lambda", function)),
            Expression::Choice(condition, value, otherwise) => {
                let chosen = if self.value(condition)?.is_true() { value } else { otherwise };
                self.value(chosen)
            }
            Expression::And(a, b) => {
                let first = self.value(a)?;
                if first.is_true() { self.value(b) } else { Ok(first) }
            }
            Expression::Or(a, b) => {
                let first = self.value(a)?;
                if first.is_true() { Ok(first) } else { self.value(b) }
            }
            Expression::Not(value) => Ok(Value::Bool(!self.value(value)?.is_true())),
            Expression::Minus(value) => match self.value(value)? {
                Value::Int(value) => value.checked_neg().map(Value::Int).ok_or_else(too_large),
                other => Ok(Value::Float(-other.as_float()?)),
            },
            Expression::Compare(first, rest) => self.compare(first, rest),
            Expression::Binary(a, sign, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.binary(&a, sign, &b)
            }
            Expression::Call(of, given, named) => self.call_expression(of, given, named),
            Expression::Member(of, name) => {
                let of = self.value(of)?;
                builtin::member(&of, name)
            }
            Expression::At(of, at) => {
                let (of, at) = (self.value(of)?, self.value(at)?);
                method::at(self, &of, &at)
            }
            Expression::Slice(of, parts) => {
                let of = self.value(of)?;
                let mut bounds = [None, None, None];
                for (bound, part) in bounds.iter_mut().zip(parts.iter()) {
                    if let Some(part) = part {
                        let value = self.value(part)?;
                        *bound = if matches!(value, Value::None) { None } else { Some(value.as_int()?) };
                    }
                }
                method::slice(self, &of, bounds)
            }
            _ => self.value(expression),
        }
    }

    fn values(&mut self, expressions: &[Expression]) -> Result<Vec<Value>> {
        expressions.iter().map(|expression| self.value(expression)).collect()
    }

    fn formatted(&mut self, parts: &[(String, Option<Filled>)]) -> Result<Value> {
        let mut text = String::new();
        for (plain, expression) in parts {
            text.push_str(plain);
            if let Some(Filled { value, repr, form }) = expression {
                let value = self.value(value)?;
                text.push_str(&if *repr { value.repr() } else { format::value(&value, form)? });
            }
        }
        Value::text(&self.meter, text)
    }

    fn compare(&mut self, first: &Expression, rest: &[(&'static str, Expression)]) -> Result<Value> {
        let mut left = self.value(first)?;
        for (sign, right) in rest {
            let right = self.value(right)?;
            if !operator::compare(self, &left, sign, &right)? {
                return Ok(Value::Bool(false));
            }
            left = right;
        }
        Ok(Value::Bool(true))
    }

    pub(in crate::program) fn binary(&mut self, a: &Value, sign: &str, b: &Value) -> Result<Value> {
        operator::binary(self, a, sign, b)
    }

    fn call_expression(
        &mut self,
        of: &Expression,
        given: &[Expression],
        named: &[(String, Expression)],
    ) -> Result<Value> {
        let receiver = match of {
            Expression::Member(of, name) => Some((self.value(of)?, name)),
            _ => None,
        };
        let function = if receiver.is_none() { self.value(of)? } else { Value::None };
        let given = self.values(given)?;
        let named =
            named.iter().map(|(name, value)| Ok((name.clone(), self.value(value)?))).collect::<Result<Vec<_>>>()?;
        match receiver {
            Some((of, name)) => method::call(self, &of, name, given, named),
            None => self.call(&function, given, named),
        }
    }

    /// Calls a function with what is given in order and by name.
    pub(in crate::program) fn call(
        &mut self,
        function: &Value,
        given: Vec<Value>,
        named: Vec<(String, Value)>,
    ) -> Result<Value> {
        self.step(1)?;
        match function {
            Value::Builtin(name) => builtin::call(self, name, given, named),
            Value::Bound(bound) => method::call(self, &bound.0, &bound.1, given, named),
            Value::Function(closure) => self.call_closure(closure, given, named),
            other => Err(format!("TypeError: a {} can't be called", other.kind()).into()),
        }
    }

    fn call_closure(&mut self, closure: &Rc<Closure>, given: Vec<Value>, named: Vec<(String, Value)>) -> Result<Value> {
        let parameters = &closure.function.parameters;
        if given.len() > parameters.len() {
            let (most, n) = (parameters.len(), given.len());
            return Err(format!("TypeError: {}() takes {most} arguments, {n} are given", closure.name).into());
        }
        let mut frame = closure.around.clone();
        // A function knows itself.
        frame.insert(closure.name.clone(), Value::Function(Rc::clone(closure)));
        let mut missing: Vec<&(String, Option<Expression>)> = parameters.iter().skip(given.len()).collect();
        frame.extend(parameters.iter().map(|(name, _)| name.clone()).zip(given));
        for (name, value) in named {
            let Some(at) = missing.iter().position(|(parameter, _)| *parameter == name) else {
                return Err(format!("TypeError: {}() has no parameter {name:?}", closure.name).into());
            };
            missing.remove(at);
            frame.insert(name, value);
        }
        for (name, default) in missing {
            let Some(default) = default else {
                return Err(format!("TypeError: {}() needs {name:?}", closure.name).into());
            };
            let value = self.value(default)?;
            frame.insert(name.clone(), value);
        }
        self.frames.push(frame);
        let depth = self.frames.len();
        let result = self.deeper(|machine| machine.block(&closure.function.body));
        self.frames.truncate(depth - 1);
        match result? {
            Flow::Return(value) => Ok(value),
            _ => Ok(Value::None),
        }
    }

    /// What a loop goes over.
    pub(in crate::program) fn items(&mut self, value: &Value) -> Result<Vec<Value>> {
        let items = match value {
            Value::List(list) => list.items.borrow().clone(),
            Value::Dict(dict) => dict.keys(),
            Value::Text(text) => {
                let one = |c: char| Value::text(&self.meter, c);
                text.text.chars().map(one).collect::<Result<_>>()?
            }
            other => return Err(format!("TypeError: nothing can be taken one by one out of a {}", other.kind()).into()),
        };
        self.step(items.len() as u64 / 16)?;
        Ok(items)
    }

    pub(super) fn items_of(&mut self, expression: &Expression) -> Result<Vec<Value>> {
        let value = self.value(expression)?;
        self.items(&value)
    }

    fn each(&mut self, shape: Shape, item: &Expression, value: Option<&Expression>, loops: &[Loop]) -> Result<Value> {
        let names: Vec<String> = loops.iter().flat_map(|one| names(&one.target)).collect();
        let before: Vec<Option<Value>> = names.iter().map(|name| self.local(name)).collect();
        let mut found = Vec::new();
        let result = self.go_round(loops, item, value, &mut found);
        for (name, before) in names.iter().zip(before) {
            match before {
                Some(value) => self.set(name, value),
                None => drop(self.frames.last_mut().unwrap_or(&mut self.memory.variables).remove(name)),
            }
        }
        result?;
        match shape {
            Shape::List => Value::list(&self.meter, found.into_iter().map(|(item, _)| item).collect()),
            Shape::Set => builtin::set(self, found.into_iter().map(|(item, _)| item).collect()),
            Shape::Dict => {
                let dict = Value::dict(&self.meter, false, None)?;
                found.into_iter().try_for_each(|(key, value)| dict.set(key, value))?;
                Ok(Value::Dict(dict))
            }
        }
    }

    fn local(&self, name: &str) -> Option<Value> {
        self.frames.last().unwrap_or(&self.memory.variables).get(name).cloned()
    }

    fn go_round(
        &mut self,
        loops: &[Loop],
        item: &Expression,
        value: Option<&Expression>,
        found: &mut Vec<(Value, Value)>,
    ) -> Result<()> {
        let Some((first, rest)) = loops.split_first() else {
            let item = self.value(item)?;
            let value = value.map_or(Ok(Value::None), |value| self.value(value))?;
            found.push((item, value));
            return if found.len() > ELEMENTS { Err(Stop::Limit("a list is too long".into())) } else { Ok(()) };
        };
        for one in self.items_of(&first.values)? {
            self.step(1)?;
            self.assign(&first.target, one)?;
            let mut wanted = true;
            for condition in &first.conditions {
                wanted = wanted && self.value(condition)?.is_true();
            }
            if wanted {
                self.go_round(rest, item, value, found)?;
            }
        }
        Ok(())
    }
}

fn names(target: &Expression) -> Vec<String> {
    match target {
        Expression::Name(name) => vec![name.clone()],
        Expression::Tuple(targets) | Expression::List(targets) => targets.iter().flat_map(names).collect(),
        _ => Vec::new(),
    }
}
