//! What can be called by name.

use std::cmp::Ordering;

use super::Value;
use super::date::Date;
use super::number::{Number, Rounding};
use super::quantity::{Quantity, Units};
use super::read::quantity;
use super::unit;

type Result<T> = std::result::Result<T, String>;

/// The value of a function.
pub(super) fn called(name: &str, arguments: Vec<Value>) -> Result<Value> {
    let lower = name.to_lowercase();
    match lower.as_str() {
        "min" | "max" if arguments.iter().any(|value| matches!(value, Value::Date(_))) => of_dates(&lower, arguments),
        "sum" | "total" | "mean" | "avg" | "average" | "median" | "min" | "max" | "count" => of_many(&lower, arguments),
        "abs" | "round" | "floor" | "ceil" | "ceiling" | "sqrt" | "ln" | "log" | "log10" | "log2" | "exp"
        | "f_to_c" | "c_to_f" => of_one(&lower, arguments),
        "percent_change" | "pct_change" | "share" | "percent_of" | "growth" | "cagr" => compared(&lower, arguments),
        "days" | "months" | "years" | "weekday" | "year" | "month" | "day" | "date" => of_calendar(&lower, arguments),
        _ => Err(format!("there is no function {name:?}; {}", super::HELP)),
    }
}

fn of_many(name: &str, arguments: Vec<Value>) -> Result<Value> {
    let values = arguments.into_iter().map(quantity).collect::<Result<Vec<_>>>()?;
    let n = Number::whole(i128::try_from(values.len()).unwrap_or(i128::MAX));
    let Some(first) = values.first() else { return Err(format!("{name} needs at least one number")) };
    let sum = || values.iter().skip(1).try_fold(first.clone(), |sum, value| sum.plus(value));
    let over = |total: &Quantity, n: Number| total.over(&Quantity::bare(n)).map(|mean| restored(mean, first));
    let value = match name {
        "sum" | "total" => sum()?,
        "count" => Quantity::bare(n),
        "mean" | "avg" | "average" => over(&sum()?, n)?,
        _ => {
            let sorted = sorted(&values)?;
            let at = |at: usize| sorted.get(at).cloned().unwrap_or_else(|| first.clone());
            match name {
                "min" => at(0),
                "max" => at(sorted.len() - 1),
                _ if sorted.len() % 2 == 1 => at(sorted.len() / 2),
                _ => over(&at(sorted.len() / 2 - 1).plus(&at(sorted.len() / 2))?, Number::whole(2))?,
            }
        }
    };
    Ok(Value::Quantity(value))
}

/// A mean of percentages is one.
fn restored(mean: Quantity, like: &Quantity) -> Quantity {
    mean.in_units(&like.units).unwrap_or(mean)
}

fn sorted(values: &[Quantity]) -> Result<Vec<Quantity>> {
    let Some(first) = values.first() else { return Ok(Vec::new()) };
    values.iter().try_for_each(|value| value.compared(first).map(|_| ()))?;
    let mut sorted = values.to_vec();
    sorted.sort_by(|a, b| a.compared(b).unwrap_or(Ordering::Equal));
    Ok(sorted)
}

fn of_dates(name: &str, arguments: Vec<Value>) -> Result<Value> {
    let dates = arguments.into_iter().map(date).collect::<Result<Vec<_>>>()?;
    let found = if name == "min" { dates.into_iter().min() } else { dates.into_iter().max() };
    found.map(Value::Date).ok_or_else(|| format!("{name} needs at least one date"))
}

fn of_one(name: &str, arguments: Vec<Value>) -> Result<Value> {
    let mut arguments = arguments.into_iter().map(quantity);
    let of = arguments.next().ok_or_else(|| format!("{name} needs a number"))??;
    let second = arguments.next().transpose()?;
    let places = match second {
        Some(places) => {
            let whole = places.number_alone()?.as_whole().and_then(|places| i32::try_from(places).ok());
            whole.filter(|places| places.abs() <= 30).ok_or("round(x, places): places is a small whole number")?
        }
        None => 0,
    };
    let with = |number: Number| Quantity { number, units: of.units.clone() };
    let about = |value: f64| Number::about(value).map(Quantity::bare);
    let bare = || of.number_alone().map(Number::value);
    let scaled = |factor: (i128, i128), before: i128, after: i128| {
        let moved = of.number_alone()?.plus(Number::whole(before))?.times(Number::ratio(factor.0, factor.1)?)?;
        moved.plus(Number::whole(after)).map(Quantity::bare)
    };
    let value = match name {
        "abs" if of.number.compared(Number::ZERO) == Ordering::Less => of.clone().negated(),
        "abs" => of.clone(),
        "round" => with(of.number.rounded(places)?),
        "floor" => with(of.number.to_whole(Rounding::Down)?),
        "ceil" | "ceiling" => with(of.number.to_whole(Rounding::Up)?),
        "sqrt" => Quantity::bare(of.number_alone()?.root()?),
        "ln" => about(bare()?.ln())?,
        "log" | "log10" => about(bare()?.log10())?,
        "log2" => about(bare()?.log2())?,
        "exp" => about(bare()?.exp())?,
        "f_to_c" => scaled((5, 9), -32, 0)?,
        _ => scaled((9, 5), 0, 32)?,
    };
    Ok(Value::Quantity(value))
}

/// Changes and shares, in percent.
fn compared(name: &str, arguments: Vec<Value>) -> Result<Value> {
    let values = arguments.into_iter().map(quantity).collect::<Result<Vec<_>>>()?;
    let one = Quantity::bare(Number::ONE);
    let ratio = match (name, values.as_slice()) {
        ("share" | "percent_of", [part, whole]) => part.over(whole)?,
        ("percent_change" | "pct_change", [from, to]) => to.over(from)?.plus(&one.negated())?,
        ("growth" | "cagr", [from, to, periods]) => {
            let root = Quantity::bare(Number::ONE.over(periods.number_alone()?)?);
            to.over(from)?.to_the(&root)?.plus(&one.negated())?
        }
        ("growth" | "cagr", _) => return Err("growth(from, to, periods) needs three numbers".into()),
        _ => return Err(format!("{name} needs two numbers")),
    };
    let percent = unit::named("%").map(Units::of).unwrap_or_default();
    Ok(Value::Quantity(ratio.in_units(&percent)?))
}

fn of_calendar(name: &str, arguments: Vec<Value>) -> Result<Value> {
    let dates = arguments.into_iter().map(date).collect::<Result<Vec<_>>>()?;
    let count = |n: i64| Ok(Value::Quantity(Quantity::bare(Number::whole(n.into()))));
    match (name, dates.as_slice()) {
        ("days", [from, to]) => count(to.days_since(*from)),
        ("months", [from, to]) => count(to.months_since(*from)),
        ("years", [from, to]) => count(to.months_since(*from) / 12),
        ("weekday", [of]) => Ok(Value::Text(of.weekday().into())),
        ("year", [of]) => count(of.civil().0),
        ("month", [of]) => count(of.civil().1),
        ("day", [of]) => count(of.civil().2),
        ("date", [of]) => Ok(Value::Date(*of)),
        ("days" | "months" | "years", _) => Err(format!("{name}(from, to) needs two dates such as 2024-03-01")),
        _ => Err(format!("{name} needs one date such as 2024-03-01")),
    }
}

fn date(value: Value) -> Result<Date> {
    match value {
        Value::Date(date) => Ok(date),
        Value::Quantity(quantity) => Err(format!("{} is no date; write it as 2024-03-01", quantity.told())),
        Value::Text(text) => Err(format!("{text:?} is no date; write it as 2024-03-01")),
    }
}
