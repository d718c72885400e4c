//! What a program works with. Everything that takes room is charged to one meter as long as it exists.

mod buried;
mod told;

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::syntax::Function;

/// Lists in lists are looked into no deeper.
const DEEPEST: usize = 24;

/// Why something can't go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// A fault of the program: `try` takes it.
    Fault(String),
    /// A limit is reached: nothing takes it.
    Limit(String),
}

impl From<String> for Stop {
    fn from(why: String) -> Self {
        Self::Fault(why)
    }
}

impl From<&str> for Stop {
    fn from(why: &str) -> Self {
        Self::Fault(why.into())
    }
}

pub(super) type Result<T> = std::result::Result<T, Stop>;

/// How much room there is.
#[derive(Debug)]
pub(super) struct Meter {
    used: Cell<usize>,
    most: Cell<usize>,
}

impl Meter {
    pub(super) fn new() -> Rc<Self> {
        Rc::new(Self { used: Cell::new(0), most: Cell::new(usize::MAX) })
    }

    pub(super) fn limit(&self, most: usize) {
        self.most.set(most);
    }

    fn take(&self, bytes: usize) -> Result<()> {
        let used = self.used.get().saturating_add(bytes);
        if used > self.most.get() {
            return Err(Stop::Limit("the program's values take too much memory: keep less of the texts".into()));
        }
        self.used.set(used);
        Ok(())
    }
}

/// Room that is taken until it is dropped.
#[derive(Debug)]
pub(super) struct Charge {
    meter: Rc<Meter>,
    bytes: Cell<usize>,
}

impl Charge {
    fn new(meter: &Rc<Meter>, bytes: usize) -> Result<Self> {
        meter.take(bytes)?;
        Ok(Self { meter: Rc::clone(meter), bytes: Cell::new(bytes) })
    }

    fn grow(&self, bytes: usize) -> Result<()> {
        self.meter.take(bytes)?;
        self.bytes.set(self.bytes.get().saturating_add(bytes));
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.meter.used.set(self.meter.used.get().saturating_sub(self.bytes.get()));
    }
}

/// The longest text, in bytes.
pub(super) const LONGEST_TEXT: usize = 64 << 20;

/// What is said of a text that would be longer.
pub(super) fn too_long() -> Stop {
    Stop::Limit("the text is too long".into())
}

/// What an element of a list takes, and an entry of a dict.
const ELEMENT: usize = 32;
const ENTRY: usize = 120;
/// What a text takes beside its bytes.
const TEXT: usize = 96;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Rc<Text>),
    List(Rc<List>),
    Dict(Rc<Dict>),
    Function(Rc<Closure>),
    /// A function or a kind that is there from the beginning.
    Builtin(&'static str),
    /// `re` and `math`.
    Module(&'static str),
    /// A method of a value.
    Bound(Rc<(Value, String)>),
    Match(Rc<Match>),
}

/// A text.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) ascii: bool,
    _charge: Charge,
}

/// A list, or a tuple, which does not change.
#[derive(Debug)]
pub(super) struct List {
    pub(super) items: RefCell<Vec<Value>>,
    pub(super) is_tuple: bool,
    charge: Charge,
}

/// A dict, or a set.
#[derive(Debug)]
pub(super) struct Dict {
    table: RefCell<Table>,
    pub(super) is_set: bool,
    /// What makes the value of a key that is not there.
    pub(super) default: Option<Value>,
    charge: Charge,
}

#[derive(Debug, Default)]
struct Table {
    entries: Vec<(Value, Value)>,
    places: HashMap<Key, usize>,
}

/// What keys are compared by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    None,
    Int(i64),
    Float(u64),
    Text(Box<str>),
    Tuple(Vec<Key>),
}

/// A function of the program, with the variables around it when it was made.
#[derive(Debug)]
pub(super) struct Closure {
    pub(super) name: String,
    pub(super) function: Rc<Function>,
    pub(super) around: BTreeMap<String, Value>,
    _charge: Charge,
}

/// What a pattern found: all of it, then its groups, each with its place in characters.
#[derive(Debug)]
pub(super) struct Match {
    pub(super) groups: Vec<Option<(Value, usize, usize)>>,
    pub(super) names: Vec<Option<String>>,
    _charge: Charge,
}

impl Value {
    pub(super) fn text(meter: &Rc<Meter>, text: impl Into<String>) -> Result<Self> {
        let text = text.into();
        let charge = Charge::new(meter, text.len() + TEXT)?;
        Ok(Self::Text(Rc::new(Text { ascii: text.is_ascii(), text, _charge: charge })))
    }

    pub(super) fn list(meter: &Rc<Meter>, items: Vec<Self>) -> Result<Self> {
        Self::sequence(meter, items, false)
    }

    pub(super) fn tuple(meter: &Rc<Meter>, items: Vec<Self>) -> Result<Self> {
        Self::sequence(meter, items, true)
    }

    pub(super) fn sequence(meter: &Rc<Meter>, items: Vec<Self>, is_tuple: bool) -> Result<Self> {
        let charge = Charge::new(meter, items.len() * ELEMENT + 64)?;
        Ok(Self::List(Rc::new(List { items: RefCell::new(items), is_tuple, charge })))
    }

    pub(super) fn dict(meter: &Rc<Meter>, is_set: bool, default: Option<Self>) -> Result<Rc<Dict>> {
        let charge = Charge::new(meter, 96)?;
        Ok(Rc::new(Dict { table: RefCell::default(), is_set, default, charge }))
    }

    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != 0,
            Self::Float(value) => *value != 0.0,
            Self::Text(text) => !text.text.is_empty(),
            Self::List(list) => !list.items.borrow().is_empty(),
            Self::Dict(dict) => dict.len() > 0,
            _ => true,
        }
    }

    /// What kind of value it is, in Python's words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Text(_) => "str",
            Self::List(list) if list.is_tuple => "tuple",
            Self::List(_) => "list",
            Self::Dict(dict) if dict.is_set => "set",
            Self::Dict(_) => "dict",
            Self::Match(_) => "match",
            Self::Module(_) => "module",
            Self::Function(_) | Self::Builtin(_) | Self::Bound(_) => "function",
        }
    }

    /// A text, or what is wrong.
    pub(super) fn as_text(&self) -> Result<&str> {
        match self {
            Self::Text(text) => Ok(&text.text),
            other => Err(format!("TypeError: a str is needed, not {}", other.kind()).into()),
        }
    }

    pub(super) fn as_int(&self) -> Result<i64> {
        match self {
            Self::Int(value) => Ok(*value),
            Self::Bool(value) => Ok((*value).into()),
            Self::Float(value) if value.fract() == 0.0 && value.abs() < 9e15 => Ok(*value as i64),
            other => Err(format!("TypeError: an int is needed, not {}", other.kind()).into()),
        }
    }

    pub(super) fn as_float(&self) -> Result<f64> {
        match self {
            Self::Int(value) => Ok(*value as f64),
            Self::Bool(value) => Ok(f64::from(u8::from(*value))),
            Self::Float(value) => Ok(*value),
            other => Err(format!("TypeError: a number is needed, not {}", other.kind()).into()),
        }
    }

    pub(super) fn equals(&self, other: &Self) -> bool {
        self.equals_within(other, 0)
    }

    fn equals_within(&self, other: &Self, depth: usize) -> bool {
        if depth > DEEPEST {
            return false;
        }
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Text(a), Self::Text(b)) => a.text == b.text,
            (Self::List(a), Self::List(b)) => {
                let (a_items, b_items) = (a.items.borrow(), b.items.borrow());
                let same = |(a, b): (&Self, &Self)| a.equals_within(b, depth + 1);
                a.is_tuple == b.is_tuple
                    && a_items.len() == b_items.len()
                    && a_items.iter().zip(b_items.iter()).all(same)
            }
            (Self::Dict(a), Self::Dict(b)) => {
                let same = |(key, value): &(Self, Self)| {
                    b.get(key).ok().flatten().is_some_and(|other| value.equals_within(&other, depth + 1))
                };
                a.len() == b.len() && a.is_set == b.is_set && a.table.borrow().entries.iter().all(same)
            }
            (Self::Builtin(a), Self::Builtin(b)) => a == b,
            _ => self.compared(other) == Some(Ordering::Equal),
        }
    }

    /// Which comes first; `None` where that can't be said.
    pub(super) fn compared(&self, other: &Self) -> Option<Ordering> {
        self.compared_within(other, 0)
    }

    fn compared_within(&self, other: &Self, depth: usize) -> Option<Ordering> {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => Some(a.text.cmp(&b.text)),
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::List(a), Self::List(b)) if depth < DEEPEST => {
                let (a, b) = (a.items.borrow(), b.items.borrow());
                for (a, b) in a.iter().zip(b.iter()) {
                    match a.compared_within(b, depth + 1)? {
                        Ordering::Equal => {}
                        other => return Some(other),
                    }
                }
                Some(a.len().cmp(&b.len()))
            }
            _ => self.as_float().ok()?.partial_cmp(&other.as_float().ok()?),
        }
    }

    fn key(&self, depth: usize) -> Result<Key> {
        Ok(match self {
            Self::None => Key::None,
            Self::Bool(value) => Key::Int((*value).into()),
            Self::Int(value) => Key::Int(*value),
            Self::Float(value) if value.fract() == 0.0 && value.abs() < 9e15 => Key::Int(*value as i64),
            Self::Float(value) => Key::Float(value.to_bits()),
            Self::Text(text) => Key::Text(text.text.as_str().into()),
            Self::List(list) if list.is_tuple && depth < DEEPEST => {
                Key::Tuple(list.items.borrow().iter().map(|item| item.key(depth + 1)).collect::<Result<_>>()?)
            }
            other => return Err(format!("TypeError: a {} can't be a key", other.kind()).into()),
        })
    }
}

impl Closure {
    pub(super) fn value(
        meter: &Rc<Meter>,
        name: &str,
        function: &Rc<Function>,
        around: BTreeMap<String, Value>,
    ) -> Result<Value> {
        let charge = Charge::new(meter, 96 + around.len() * 64)?;
        let (name, function) = (name.to_owned(), Rc::clone(function));
        Ok(Value::Function(Rc::new(Self { name, function, around, _charge: charge })))
    }
}

impl Match {
    pub(super) fn value(
        meter: &Rc<Meter>,
        groups: Vec<Option<(Value, usize, usize)>>,
        names: Vec<Option<String>>,
    ) -> Result<Value> {
        let charge = Charge::new(meter, 96 + groups.len() * 64)?;
        Ok(Value::Match(Rc::new(Self { groups, names, _charge: charge })))
    }
}

impl List {
    pub(super) fn push(&self, value: Value) -> Result<()> {
        self.changeable()?;
        self.charge.grow(ELEMENT)?;
        self.items.borrow_mut().push(value);
        Ok(())
    }

    pub(super) fn changeable(&self) -> Result<()> {
        if self.is_tuple { Err("TypeError: a tuple does not change".into()) } else { Ok(()) }
    }
}

impl Dict {
    pub(super) fn len(&self) -> usize {
        self.table.borrow().entries.len()
    }

    pub(super) fn get(&self, key: &Value) -> Result<Option<Value>> {
        let key = key.key(0)?;
        let table = self.table.borrow();
        Ok(table.places.get(&key).and_then(|at| table.entries.get(*at)).map(|(_, value)| value.clone()))
    }

    pub(super) fn set(&self, key: Value, value: Value) -> Result<()> {
        let place = key.key(0)?;
        let mut table = self.table.borrow_mut();
        let at = table.places.get(&place).copied();
        match at.and_then(|at| table.entries.get_mut(at)) {
            Some(entry) => entry.1 = value,
            None => {
                self.charge.grow(ENTRY)?;
                let at = table.entries.len();
                table.places.insert(place, at);
                table.entries.push((key, value));
            }
        }
        Ok(())
    }

    pub(super) fn remove(&self, key: &Value) -> Result<Option<Value>> {
        let key = key.key(0)?;
        let mut table = self.table.borrow_mut();
        let Some(at) = table.places.remove(&key) else { return Ok(None) };
        let (_, value) = table.entries.remove(at);
        table.places.values_mut().filter(|place| **place > at).for_each(|place| *place -= 1);
        Ok(Some(value))
    }

    pub(super) fn clear(&self) {
        self.table.take();
    }

    /// Keys and values, in the order in which they came.
    pub(super) fn entries(&self) -> Vec<(Value, Value)> {
        self.table.borrow().entries.clone()
    }

    pub(super) fn keys(&self) -> Vec<Value> {
        self.table.borrow().entries.iter().map(|(key, _)| key.clone()).collect()
    }
}
