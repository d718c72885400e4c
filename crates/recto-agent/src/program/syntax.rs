//! What can be written: statements and expressions.

use std::rc::Rc;

/// Statements in order.
pub(super) type Block = Vec<Statement>;

/// A statement with its line.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Statement {
    pub(super) line: usize,
    pub(super) kind: Kind,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    Expression(Expression),
    Assign(Vec<Expression>, Expression),
    /// `target op= value`.
    Change(Expression, &'static str, Expression),
    If(Vec<(Expression, Block)>, Block),
    For(Expression, Expression, Block),
    While(Expression, Block),
    Define(String, Rc<Function>),
    Return(Option<Expression>),
    /// What is done, the name of what went wrong and what is done then, what is done in any case.
    Try(Block, Option<(Option<String>, Block)>, Block),
    Delete(Expression),
    Raise(Option<Expression>),
    Break,
    Continue,
    Pass,
}

/// A function as written.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Function {
    /// Names, each with what stands for it if nothing is given.
    pub(super) parameters: Vec<(String, Option<Expression>)>,
    pub(super) body: Block,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expression {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Rc<str>),
    Name(String),
    /// Texts, each with the expression behind it.
    Formatted(Vec<(String, Option<Filled>)>),
    List(Vec<Self>),
    Tuple(Vec<Self>),
    Set(Vec<Self>),
    Dict(Vec<(Self, Self)>),
    /// Of a list, set or dict: what each is, and over what.
    Each(Shape, Box<Self>, Option<Box<Self>>, Vec<Loop>),
    Lambda(Rc<Function>),
    Choice(Box<Self>, Box<Self>, Box<Self>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Minus(Box<Self>),
    /// `a < b < c`.
    Compare(Box<Self>, Vec<(&'static str, Self)>),
    Binary(Box<Self>, &'static str, Box<Self>),
    Call(Box<Self>, Vec<Self>, Vec<(String, Self)>),
    Member(Box<Self>, String),
    At(Box<Self>, Box<Self>),
    Slice(Box<Self>, Box<[Option<Self>; 3]>),
}

/// An expression in an f-string.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Filled {
    pub(super) value: Box<Expression>,
    /// As `repr` writes it.
    pub(super) repr: bool,
    pub(super) form: String,
}

/// What a comprehension makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    List,
    Set,
    Dict,
}

/// `for target in values if condition`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Loop {
    pub(super) target: Expression,
    pub(super) values: Expression,
    pub(super) conditions: Vec<Expression>,
}
