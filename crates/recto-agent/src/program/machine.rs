//! What happens: statements are carried out, expressions have values, and each step is counted.

mod evaluate;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use super::builtin;
use super::method;
use super::syntax::{Block, Expression, Function, Kind, Statement};
use super::value::{Closure, Meter, Result, Stop, Value};
use super::{Library, Limits};

/// Calls and expressions within each other, together.
const DEEPEST: usize = 150;
/// Elements of one list.
pub(super) const ELEMENTS: usize = 4_000_000;

/// The variables of programs that ran before.
#[derive(Debug)]
pub struct Memory {
    pub(super) meter: Rc<Meter>,
    variables: BTreeMap<String, Value>,
}

impl Default for Memory {
    fn default() -> Self {
        Self { meter: Meter::new(), variables: BTreeMap::new() }
    }
}

/// What runs a program.
pub(super) struct Machine<'a> {
    pub(super) meter: Rc<Meter>,
    memory: &'a mut Memory,
    pub(super) library: &'a dyn Library,
    limits: Limits,
    clock: &'a dyn Fn() -> Duration,
    start: Duration,
    /// Time in which something else worked.
    waited: Duration,
    steps: u64,
    depth: usize,
    /// Variables of functions that are under way.
    frames: Vec<BTreeMap<String, Value>>,
    line: usize,
    output: String,
    left_out: usize,
}

/// How a block ended.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        memory: &'a mut Memory,
        library: &'a dyn Library,
        limits: Limits,
        clock: &'a dyn Fn() -> Duration,
    ) -> Self {
        let meter = Rc::clone(&memory.meter);
        meter.limit(limits.bytes);
        let start = clock();
        Self {
            meter,
            memory,
            library,
            limits,
            clock,
            start,
            waited: Duration::ZERO,
            steps: 0,
            depth: 0,
            frames: Vec::new(),
            line: 1,
            output: String::new(),
            left_out: 0,
        }
    }

    /// Carries a program out. What its last line is worth is printed, as where one types.
    pub(super) fn run(&mut self, program: &Block) -> std::result::Result<(), String> {
        let result = match program.split_last() {
            Some((Statement { line, kind: Kind::Expression(last) }, before)) => {
                self.block(before).and_then(|flow| match flow {
                    Flow::Next => {
                        self.line = *line;
                        let value = self.value(last)?;
                        if !matches!(value, Value::None) {
                            self.print(&(value.repr() + "\n"));
                        }
                        Ok(())
                    }
                    _ => Ok(()),
                })
            }
            _ => self.block(program).map(|_| ()),
        };
        result.map_err(|stop| match stop {
            Stop::Fault(why) | Stop::Limit(why) => format!("line {}: {why}", self.line),
        })
    }

    /// What was printed.
    pub(super) fn printed(&self) -> String {
        let mut printed = self.output.trim_end().to_owned();
        if self.left_out > 0 {
            printed.push_str(&format!("\n[{} more characters are left out: print less]", self.left_out));
        }
        printed
    }

    pub(super) fn print(&mut self, text: &str) {
        let room = self.limits.output.saturating_sub(self.output.chars().count());
        let shown: String = text.chars().take(room).collect();
        self.left_out += text.chars().count() - shown.chars().count();
        self.output.push_str(&shown);
    }

    /// Counts a step, or several.
    pub(super) fn step(&mut self, n: u64) -> Result<()> {
        let before = self.steps;
        self.steps = self.steps.saturating_add(n);
        if self.steps > self.limits.steps {
            return Err(Stop::Limit(format!("the program takes more than {} steps", self.limits.steps)));
        }
        if before >> 12 != self.steps >> 12 {
            self.check_time()?;
        }
        Ok(())
    }

    pub(super) fn check_time(&self) -> Result<()> {
        let spent = (self.clock)().saturating_sub(self.start).saturating_sub(self.waited);
        if spent > self.limits.time {
            return Err(Stop::Limit(format!("the program takes longer than {} s", self.limits.time.as_secs())));
        }
        Ok(())
    }

    /// Something else works, whose time is not the program's.
    pub(super) fn wait<T>(&mut self, work: impl FnOnce(&dyn Library) -> T) -> T {
        let before = (self.clock)();
        let done = work(self.library);
        self.waited = self.waited.saturating_add((self.clock)().saturating_sub(before));
        done
    }

    fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEEPEST {
            return Err("RecursionError: calls are nested too deep".into());
        }
        self.depth += 1;
        let value = work(self);
        self.depth -= 1;
        value
    }

    fn block(&mut self, block: &[Statement]) -> Result<Flow> {
        for statement in block {
            self.step(1)?;
            self.line = statement.line;
            match self.statement(&statement.kind)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn inner(&mut self, block: &[Statement]) -> Result<Flow> {
        self.deeper(|machine| machine.block(block))
    }

    fn statement(&mut self, kind: &Kind) -> Result<Flow> {
        match kind {
            Kind::Expression(value) => drop(self.value(value)?),
            Kind::Assign(targets, value) => {
                let value = self.value(value)?;
                targets.iter().try_for_each(|target| self.assign(target, value.clone()))?;
            }
            Kind::Change(target, sign, value) => self.change(target, sign, value)?,
            Kind::If(cases, otherwise) => {
                for (condition, block) in cases {
                    if self.value(condition)?.is_true() {
                        return self.inner(block);
                    }
                }
                return self.inner(otherwise);
            }
            Kind::For(target, values, block) => {
                for value in self.items_of(values)? {
                    self.step(1)?;
                    self.assign(target, value)?;
                    match self.inner(block)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            Kind::While(condition, block) => {
                while self.value(condition)?.is_true() {
                    self.step(1)?;
                    match self.inner(block)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            Kind::Define(name, function) => {
                let closure = self.closure(name, function)?;
                self.set(name, closure);
            }
            Kind::Return(value) => {
                let value = value.as_ref().map(|value| self.value(value)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or(Value::None)));
            }
            Kind::Try(body, handler, last) => return self.attempt(body, handler.as_ref(), last),
            Kind::Delete(target) => self.delete(target)?,
            Kind::Raise(value) => {
                let why = value.as_ref().map(|value| self.value(value)).transpose()?;
                return Err(why.map_or_else(|| "an error was raised".into(), |why| why.told()).into());
            }
            Kind::Break => return Ok(Flow::Break),
            Kind::Continue => return Ok(Flow::Continue),
            Kind::Pass => {}
        }
        Ok(Flow::Next)
    }

    fn attempt(&mut self, body: &Block, handler: Option<&(Option<String>, Block)>, last: &Block) -> Result<Flow> {
        let frames = self.frames.len();
        let mut result = self.inner(body);
        if let (Err(Stop::Fault(why)), Some((name, block))) = (&result, handler) {
            self.frames.truncate(frames);
            if let Some(name) = name {
                let why = Value::text(&self.meter, why.clone())?;
                self.set(name, why);
            }
            result = self.inner(block);
        }
        match self.inner(last)? {
            Flow::Next => result,
            other => Ok(other),
        }
    }

    fn change(&mut self, target: &Expression, sign: &'static str, value: &Expression) -> Result<()> {
        let before = self.value(target)?;
        let by = self.value(value)?;
        if let (Value::List(list), "+", false) = (&before, sign, matches!(&before, Value::List(list) if list.is_tuple))
        {
            for item in self.items(&by)? {
                list.push(item)?;
            }
            return Ok(());
        }
        let after = self.binary(&before, sign, &by)?;
        self.assign(target, after)
    }

    fn delete(&mut self, target: &Expression) -> Result<()> {
        match target {
            Expression::Name(name) => {
                let frame = self.frames.last_mut().unwrap_or(&mut self.memory.variables);
                frame.remove(name).map(drop).ok_or_else(|| format!("NameError: {name} is not defined").into())
            }
            Expression::At(of, at) => {
                let (of, at) = (self.value(of)?, self.value(at)?);
                method::remove_at(&of, &at).map(drop)
            }
            _ => Err("this can't be deleted".into()),
        }
    }

    fn assign(&mut self, target: &Expression, value: Value) -> Result<()> {
        match target {
            Expression::Name(name) => self.set(name, value),
            Expression::Tuple(targets) | Expression::List(targets) => {
                let values = self.items(&value)?;
                if values.len() != targets.len() {
                    return Err(format!("ValueError: {} values for {} names", values.len(), targets.len()).into());
                }
                for (target, value) in targets.iter().zip(values) {
                    self.assign(target, value)?;
                }
            }
            Expression::At(of, at) => {
                let (of, at) = (self.value(of)?, self.value(at)?);
                method::set_at(&of, at, value)?;
            }
            _ => return Err("nothing can be assigned to this".into()),
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: Value) {
        let frame = self.frames.last_mut().unwrap_or(&mut self.memory.variables);
        frame.insert(name.to_owned(), value);
    }

    fn get(&mut self, name: &str) -> Result<Value> {
        let local = self.frames.last().and_then(|frame| frame.get(name));
        if let Some(value) = local.or_else(|| self.memory.variables.get(name)) {
            return Ok(value.clone());
        }
        if name == "corpus" {
            let corpus = super::corpus::whole(self)?;
            self.memory.variables.insert(name.into(), corpus.clone());
            return Ok(corpus);
        }
        builtin::named(name).ok_or_else(|| format!("NameError: {name} is not defined").into())
    }

    fn closure(&self, name: &str, function: &Rc<Function>) -> Result<Value> {
        let around = self.frames.last().cloned().unwrap_or_default();
        Closure::value(&self.meter, name, function, around)
    }
}

pub(super) fn too_large() -> Stop {
    "OverflowError: the number is too large".into()
}
