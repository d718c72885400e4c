//! Units: what each is called, what it measures, and how many base units it is (exact, by definition; BTU by the
//! International Table, ounces avoirdupois, gallons and barrels of the United States unless they say otherwise).

/// What is measured by itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Base {
    /// Metres.
    Length,
    /// Kilograms.
    Mass,
    /// Seconds.
    Time,
    /// Months: a month is no number of seconds.
    Month,
    /// Bytes.
    Data,
    /// Units of this currency: no rates are known.
    Money(&'static str),
}

/// A unit.
#[derive(PartialEq, Debug)]
pub(super) struct Unit {
    /// As it is written in results.
    pub(super) name: &'static str,
    /// Other names, in lower case; words without the plural's `s`.
    pub(super) also: &'static [&'static str],
    pub(super) kind: &'static [(Base, i32)],
    /// Numerator and denominator.
    pub(super) factor: (i128, i128),
}

const L: &[(Base, i32)] = &[(Base::Length, 1)];
const A: &[(Base, i32)] = &[(Base::Length, 2)];
const V: &[(Base, i32)] = &[(Base::Length, 3)];
const M: &[(Base, i32)] = &[(Base::Mass, 1)];
const T: &[(Base, i32)] = &[(Base::Time, 1)];
const MONTH: &[(Base, i32)] = &[(Base::Month, 1)];
const DATA: &[(Base, i32)] = &[(Base::Data, 1)];
const ENERGY: &[(Base, i32)] = &[(Base::Length, 2), (Base::Mass, 1), (Base::Time, -2)];
const POWER: &[(Base, i32)] = &[(Base::Length, 2), (Base::Mass, 1), (Base::Time, -3)];
const PRESSURE: &[(Base, i32)] = &[(Base::Length, -1), (Base::Mass, 1), (Base::Time, -2)];
const SPEED: &[(Base, i32)] = &[(Base::Length, 1), (Base::Time, -1)];

macro_rules! unit {
    ($name:literal, $also:expr, $kind:expr, $numerator:expr, $denominator:expr) => {
        Unit { name: $name, also: &$also, kind: $kind, factor: ($numerator, $denominator) }
    };
}

macro_rules! money {
    ($($code:literal $also:expr),*) => {
        [$(Unit { name: $code, also: &$also, kind: &[(Base::Money($code), 1)], factor: (1, 1) }),*]
    };
}

static CURRENCIES: [Unit; 14] = money![
    "USD" ["usd", "dollar", "us$", "$"], "EUR" ["eur", "euro", "€"], "GBP" ["gbp", "pound_sterling", "£"],
    "JPY" ["jpy", "yen", "¥"], "CNY" ["cny", "rmb", "yuan"], "INR" ["inr", "rupee", "₹"], "CHF" ["chf", "franc"],
    "CAD" ["cad", "c$"], "AUD" ["aud", "a$"], "HKD" ["hkd", "hk$"], "SGD" ["sgd", "s$"], "SEK" ["sek", "krona"],
    "KRW" ["krw", "won", "₩"], "BRL" ["brl", "r$"]
];

static UNITS: &[Unit] = &[
    unit!("%", ["percent", "pct", "％"], &[], 1, 100),
    unit!("percentage_point", ["pp"], &[], 1, 100),
    unit!("bp", ["basis_point", "bps"], &[], 1, 10_000),
    unit!("m", ["metre", "meter"], L, 1, 1),
    unit!("km", ["kilometre", "kilometer"], L, 1000, 1),
    unit!("cm", ["centimetre", "centimeter"], L, 1, 100),
    unit!("mm", ["millimetre", "millimeter"], L, 1, 1000),
    unit!("um", ["µm", "micrometre", "micrometer", "micron"], L, 1, 1_000_000),
    unit!("nm", ["nanometre", "nanometer"], L, 1, 1_000_000_000),
    unit!("mile", ["mi"], L, 1_609_344, 1000),
    unit!("yd", ["yard"], L, 9144, 10_000),
    unit!("ft", ["foot", "feet"], L, 3048, 10_000),
    unit!("inch", ["in.", "inche"], L, 254, 10_000),
    unit!("nmi", ["nautical_mile"], L, 1852, 1),
    unit!("m2", ["sq_m", "sqm", "m²", "square_metre", "square_meter"], A, 1, 1),
    unit!("km2", ["sq_km", "km²", "square_kilometre", "square_kilometer"], A, 1_000_000, 1),
    unit!("cm2", ["sq_cm", "cm²", "square_centimetre", "square_centimeter"], A, 1, 10_000),
    unit!("ha", ["hectare"], A, 10_000, 1),
    unit!("acre", ["ac"], A, 40_468_564_224, 10_000_000),
    unit!("ft2", ["sq_ft", "sqft", "ft²", "square_foot", "square_feet"], A, 9_290_304, 100_000_000),
    unit!("mi2", ["sq_mi", "mi²", "square_mile"], A, 2_589_988_110_336, 1_000_000),
    unit!("m3", ["cu_m", "m³", "cubic_metre", "cubic_meter"], V, 1, 1),
    unit!("L", ["l", "litre", "liter"], V, 1, 1000),
    unit!("mL", ["ml", "millilitre", "milliliter"], V, 1, 1_000_000),
    unit!("gal", ["gallon", "us_gallon"], V, 3_785_411_784, 1_000_000_000_000),
    unit!("imperial_gallon", ["imp_gal"], V, 454_609, 100_000_000),
    unit!("bbl", ["barrel"], V, 158_987_294_928, 1_000_000_000_000),
    unit!("ft3", ["cu_ft", "ft³", "cubic_foot", "cubic_feet"], V, 28_316_846_592, 1_000_000_000_000),
    unit!("acre_foot", ["acre_feet", "acft"], V, 123_348_183_754_752, 100_000_000_000),
    unit!("bushel", ["bu"], V, 3_523_907_016_688, 100_000_000_000_000),
    unit!("kg", ["kilogram", "kilo"], M, 1, 1),
    unit!("g", ["gram", "gramme"], M, 1, 1000),
    unit!("mg", ["milligram"], M, 1, 1_000_000),
    unit!("t", ["tonne", "metric_ton"], M, 1000, 1),
    unit!("lb", ["lbs", "pound"], M, 45_359_237, 100_000_000),
    unit!("oz", ["ounce"], M, 45_359_237, 1_600_000_000),
    unit!("short_ton", ["us_ton"], M, 90_718_474, 100_000),
    unit!("long_ton", ["imperial_ton"], M, 10_160_469_088, 10_000_000),
    unit!("s", ["sec", "second"], T, 1, 1),
    unit!("ms", ["millisecond"], T, 1, 1000),
    unit!("min", ["minute"], T, 60, 1),
    unit!("h", ["hr", "hour"], T, 3600, 1),
    unit!("day", ["d"], T, 86_400, 1),
    unit!("week", ["wk"], T, 604_800, 1),
    unit!("month", ["mo"], MONTH, 1, 1),
    unit!("quarter", [], MONTH, 3, 1),
    unit!("year", ["yr", "annum"], MONTH, 12, 1),
    unit!("decade", [], MONTH, 120, 1),
    unit!("B", ["byte"], DATA, 1, 1),
    unit!("kB", ["kb", "kilobyte"], DATA, 1000, 1),
    unit!("MB", ["mb", "megabyte"], DATA, 1_000_000, 1),
    unit!("GB", ["gb", "gigabyte"], DATA, 1_000_000_000, 1),
    unit!("TB", ["tb", "terabyte"], DATA, 1_000_000_000_000, 1),
    unit!("KiB", ["kib"], DATA, 1 << 10, 1),
    unit!("MiB", ["mib"], DATA, 1 << 20, 1),
    unit!("GiB", ["gib"], DATA, 1 << 30, 1),
    unit!("J", ["joule"], ENERGY, 1, 1),
    unit!("kJ", ["kj"], ENERGY, 1000, 1),
    unit!("MJ", ["mj"], ENERGY, 1_000_000, 1),
    unit!("GJ", ["gj"], ENERGY, 1_000_000_000, 1),
    unit!("Wh", ["wh"], ENERGY, 3600, 1),
    unit!("kWh", ["kwh"], ENERGY, 3_600_000, 1),
    unit!("MWh", ["mwh"], ENERGY, 3_600_000_000, 1),
    unit!("GWh", ["gwh"], ENERGY, 3_600_000_000_000, 1),
    unit!("TWh", ["twh"], ENERGY, 3_600_000_000_000_000, 1),
    unit!("BTU", ["btu"], ENERGY, 105_505_585_262, 100_000_000),
    unit!("cal", ["calorie"], ENERGY, 4184, 1000),
    unit!("kcal", ["kilocalorie"], ENERGY, 4184, 1),
    unit!("W", ["w", "watt"], POWER, 1, 1),
    unit!("kW", ["kw", "kilowatt"], POWER, 1000, 1),
    unit!("MW", ["mw", "megawatt"], POWER, 1_000_000, 1),
    unit!("GW", ["gw", "gigawatt"], POWER, 1_000_000_000, 1),
    unit!("hp", ["horsepower"], POWER, 74_569_987_158_227_022, 100_000_000_000_000),
    unit!("Pa", ["pascal"], PRESSURE, 1, 1),
    unit!("kPa", ["kpa"], PRESSURE, 1000, 1),
    unit!("bar", [], PRESSURE, 100_000, 1),
    unit!("atm", ["atmosphere"], PRESSURE, 101_325, 1),
    unit!("psi", [], PRESSURE, 6_894_757_293_168_361, 1_000_000_000_000),
    unit!("kph", ["kmh", "kmph"], SPEED, 5, 18),
    unit!("mph", [], SPEED, 44_704, 100_000),
    unit!("knot", ["kn"], SPEED, 463, 900),
];

/// The unit that is called so: exactly, else without regard to case and plural.
pub(super) fn named(word: &str) -> Option<&'static Unit> {
    let all = || UNITS.iter().chain(&CURRENCIES);
    let lower = word.to_lowercase();
    let by = |name: &str| all().find(|unit| unit.name.eq_ignore_ascii_case(name) || unit.also.contains(&name));
    let exact = all().find(|unit| unit.name == word);
    let singular = lower.strip_suffix('s').filter(|word| word.chars().count() > 2);
    exact.or_else(|| by(&lower)).or_else(|| by(singular?))
}
