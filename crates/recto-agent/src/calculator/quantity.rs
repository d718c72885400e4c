//! A number with its units: sums need units of one kind, products put units together.

use std::cmp::Ordering;

use super::number::Number;
use super::unit::{Base, Unit};

/// A number with its units. Without units it is a bare number.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Quantity {
    pub(super) number: Number,
    pub(super) units: Units,
}

/// Units and their powers, none of them 0.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Units(pub(super) Vec<(&'static Unit, i32)>);

type Result<T> = std::result::Result<T, String>;

impl Units {
    pub(super) fn of(unit: &'static Unit) -> Self {
        Self(vec![(unit, 1)])
    }

    /// What is measured: powers of base units, sorted, none of them 0.
    fn kind(&self) -> Vec<(Base, i32)> {
        let mut kind: Vec<(Base, i32)> = Vec::new();
        let powers = self.0.iter().flat_map(|(unit, power)| unit.kind.iter().map(move |(base, p)| (*base, p * power)));
        for (base, power) in powers {
            match kind.iter_mut().find(|(other, _)| *other == base) {
                Some((_, sum)) => *sum += power,
                None => kind.push((base, power)),
            }
        }
        kind.retain(|(_, power)| *power != 0);
        kind.sort_unstable();
        kind
    }

    /// How many base units one of these is.
    fn factor(&self) -> Result<Number> {
        let mut factor = Number::ONE;
        for (unit, power) in &self.0 {
            let (numerator, denominator) = unit.factor;
            let one = Number::ratio(numerator, denominator)?.to_the(Number::whole((*power).into()))?;
            factor = factor.times(one)?;
        }
        Ok(factor)
    }

    fn told(&self) -> String {
        let power = |(unit, power): &(&Unit, i32)| match power.abs() {
            1 => unit.name.to_owned(),
            power => format!("{}^{power}", unit.name),
        };
        let above: Vec<String> = self.0.iter().filter(|(_, p)| *p > 0).map(power).collect();
        let below: Vec<String> = self.0.iter().filter(|(_, p)| *p < 0).map(power).collect();
        match (above.is_empty(), below.is_empty()) {
            (_, true) => above.join("·"),
            (true, false) => format!("1/{}", below.join("/")),
            (false, false) => format!("{}/{}", above.join("·"), below.join("/")),
        }
    }

    pub(super) fn inverted(mut self) -> Self {
        self.0.iter_mut().for_each(|(_, power)| *power = -*power);
        self
    }
}

impl Quantity {
    pub(super) const fn bare(number: Number) -> Self {
        Self { number, units: Units(Vec::new()) }
    }

    /// The same in other units of the same kind.
    pub(super) fn in_units(&self, units: &Units) -> Result<Self> {
        let (from, to) = (self.units.kind(), units.kind());
        if from != to {
            return Err(self.mismatch(units, &from, &to));
        }
        let number = self.number.times(self.units.factor()?.over(units.factor()?)?)?;
        Ok(Self { number, units: units.clone() })
    }

    fn mismatch(&self, units: &Units, from: &[(Base, i32)], to: &[(Base, i32)]) -> String {
        let money = |kind: &[(Base, i32)]| kind.iter().any(|(base, _)| matches!(base, Base::Money(_)));
        let name = |units: &Units| if units.0.is_empty() { "a bare number".to_owned() } else { units.told() };
        let (a, b) = (name(&self.units), name(units));
        if money(from) && money(to) {
            return format!("{a} and {b} are money of different currencies: multiply by a rate first");
        }
        format!("{a} and {b} are of different kinds")
    }

    pub(super) fn plus(&self, other: &Self) -> Result<Self> {
        let other = other.in_units(&self.units)?;
        Ok(Self { number: self.number.plus(other.number)?, units: self.units.clone() })
    }

    pub(super) fn negated(self) -> Self {
        Self { number: self.number.negated(), units: self.units }
    }

    /// The product. Units of one kind become one unit; shares such as percent become part of the number.
    pub(super) fn times(&self, other: &Self) -> Result<Self> {
        let mut product = Self { number: self.number.times(other.number)?, units: Units::default() };
        for (unit, power) in self.units.0.iter().chain(&other.units.0) {
            product.take_in(unit, *power)?;
        }
        product.units.0.retain(|(_, power)| *power != 0);
        Ok(product)
    }

    fn take_in(&mut self, unit: &'static Unit, power: i32) -> Result<()> {
        let factor = |unit: &Unit| Number::ratio(unit.factor.0, unit.factor.1);
        let held = self.units.0.iter_mut().find(|(held, _)| held.kind == unit.kind);
        let by = match held {
            _ if unit.kind.is_empty() => factor(unit)?,
            Some((held, sum)) => {
                *sum += power;
                factor(unit)?.over(factor(held)?)?
            }
            None => {
                self.units.0.push((unit, power));
                return Ok(());
            }
        };
        self.number = self.number.times(by.to_the(Number::whole(power.into()))?)?;
        Ok(())
    }

    pub(super) fn over(&self, other: &Self) -> Result<Self> {
        let inverse = Self { number: Number::ONE.over(other.number)?, units: other.units.clone().inverted() };
        self.times(&inverse)
    }

    pub(super) fn to_the(&self, exponent: &Self) -> Result<Self> {
        let exponent = exponent.number_alone()?;
        if self.units.0.is_empty() {
            return Ok(Self::bare(self.number.to_the(exponent)?));
        }
        let whole = exponent.as_whole().and_then(|n| i32::try_from(n).ok()).filter(|n| n.abs() <= 6);
        let power = whole.ok_or("a quantity with a unit can be raised to small whole powers only")?;
        let mut units = self.units.clone();
        units.0.iter_mut().for_each(|(_, p)| *p = p.saturating_mul(power));
        units.0.retain(|(_, p)| *p != 0);
        Ok(Self { number: self.number.to_the(exponent)?, units })
    }

    /// The number, if there is no unit but shares such as percent.
    pub(super) fn number_alone(&self) -> Result<Number> {
        let bare = self.in_units(&Units::default());
        bare.map(|bare| bare.number).map_err(|_| format!("a bare number is needed, not one in {}", self.units.told()))
    }

    pub(super) fn compared(&self, other: &Self) -> Result<Ordering> {
        Ok(self.number.compared(other.in_units(&self.units)?.number))
    }

    pub(super) fn told(&self) -> String {
        let unit = self.units.told();
        if unit.is_empty() { self.number.told() } else { format!("{} {unit}", self.number.told()) }
    }
}
