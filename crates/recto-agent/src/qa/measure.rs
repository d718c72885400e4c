//! What a value measures, told by its unit or by the noun that asks for it. Not the value itself.

use super::number::Scale;
use super::term::{lists, terms};

/// What a unit measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Measure {
    Length,
    Area,
    Volume,
    Weight,
    Time,
    Money,
    Temperature,
    Pressure,
    Torque,
    Power,
    Energy,
    Voltage,
    Current,
    Speed,
    Flow,
    Concentration,
    Frequency,
    Loudness,
    Share,
}

use Measure::{
    Area, Concentration, Current, Energy, Flow, Frequency, Length, Loudness, Money, Power, Pressure, Share, Speed,
    Temperature, Time, Torque, Voltage, Volume, Weight,
};

/// Units as they are written. Short ones keep their case: `m` is no `M`.
const UNITS: &[(Measure, &str)] = &[
    (
        Length,
        "mm cm dm m km metre metres meter meters millimetre millimetres millimeter millimeters centimetre centimetres \
        centimeter centimeters kilometre kilometres kilometer kilometers mile miles inch inches feet ft yards 米 厘米 毫米 公里",
    ),
    (Area, "mm² cm² m² km² m2 km2 ha hectare hectares acre acres 平方米 平方公里 公顷 亩"),
    (Volume, "m³ m3 km³ cm³ l ml litre litres liter liters gallon gallons barrel barrels 升 立方米 万立方米 亿立方米"),
    (Weight, "mg g kg t gram grams kilogram kilograms tonne tonnes ton tons lb lbs pounds ounces 克 公斤 千克 吨 万吨"),
    (
        Time,
        "ms s sec min h hr hrs second seconds minute minutes hour hours day days week weeks month months year years \
        秒 分钟 小时 天 日 周 个月 年",
    ),
    (
        Money,
        "euro euros dollar dollars crown crowns franc francs yen rupee rupees peso pesos yuan krona kroner pence cents \
        USD EUR GBP CHF CNY JPY RMB $ € £ ¥ 元 万元 亿元 美元",
    ),
    (Temperature, "°C °F ℃ K degrees 度"),
    (Pressure, "bar mbar Pa kPa kpa MPa mpa hPa hpa psi mmHg mmhg"),
    (Torque, "Nm N·m"),
    (Power, "W kW MW GW hp watt watts kilowatts megawatts 千瓦"),
    (Energy, "J kJ MJ Wh kWh MWh GWh TWh kcal joules 度电"),
    (Voltage, "mV V kV volt volts"),
    (Current, "mA A amp amps ampere amperes"),
    (Speed, "km/h m/s mph knots"),
    (Flow, "m³/s m³/h m3/s m3/h l/s l/min l/h"),
    (Concentration, "mg/l µg/l g/l mg/kg ppm"),
    (Frequency, "Hz kHz MHz GHz rpm"),
    (Loudness, "dB dB(A)"),
    (Share, "% percent ％"),
];

/// Nouns, adjectives and verbs that ask for a measure.
const ASKING: &[(Measure, &str)] = &[
    (Length, "length width height depth diameter distance thickness radius altitude high tall wide deep far rainfall"),
    (Area, "area"),
    (Volume, "volume capacity"),
    (Weight, "weight mass weigh weighs heavy"),
    (Time, "duration time period age life lifetime"),
    (
        Money,
        "cost costs price prices fee fees salary budget amount spent spend paid pay income revenue allowance fine rent \
        expenditure spending",
    ),
    (Temperature, "temperature hot cold warm"),
    (Pressure, "pressure"),
    (Torque, "torque"),
    (Power, "power wattage"),
    (Energy, "energy consumption"),
    (Voltage, "voltage"),
    (Current, "current"),
    (Speed, "speed fast"),
    (Flow, "flow"),
    (Concentration, "concentration"),
    (Frequency, "frequency"),
    (Loudness, "noise loudness"),
    (Share, "discount"),
];

/// What this unit measures; of `元/立方米` and the like what stands before the stroke.
pub(crate) fn of_unit(unit: &str) -> Option<Measure> {
    let known = |unit: &str| {
        let lower = if unit.chars().count() > 3 { unit.to_lowercase() } else { unit.to_owned() };
        UNITS.iter().find(|(_, names)| lists(names, &lower) || lists(names, unit)).map(|(measure, _)| *measure)
    };
    if unit.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    known(unit).or_else(|| known(unit.split_once('/')?.0))
}

/// The unit at the beginning of `words`: how many words it takes, and what it measures. `cubic metres`, `thousand crowns`.
pub(crate) fn leading<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<(usize, Measure)> {
    let mut power = None;
    for (i, word) in words.into_iter().take(3).enumerate() {
        let bare = word.trim_end_matches([',', '.', ';', ':', ')', '?', '，', '。', '；']);
        match bare {
            "cubic" => power = Some(Volume),
            "square" => power = Some(Area),
            "per" if i == 0 && bare == word => {}
            "cent" if i == 1 => return Some((2, Share)),
            _ if Scale::parse(bare).is_some() => {}
            _ => return of_unit(bare).map(|measure| (i + 1, power.unwrap_or(measure))),
        }
        if bare != word {
            return None;
        }
    }
    None
}

/// The unit in the brackets of a column head or caption, or after `in`: `(mm per month)`, `(thousand crowns)`.
pub(crate) fn in_heading(heading: &str) -> Option<(String, Measure)> {
    let parts = heading.split(['(', '（', '[']).skip(1).chain(heading.split(" in ").skip(1));
    parts.into_iter().find_map(|part| {
        let inner = part.split([')', '）', ']', '(']).next()?.replace("/ ", "/");
        let words: Vec<&str> = inner.split_whitespace().collect();
        let (n, measure) = leading(words.iter().copied())?;
        Some((words[..n].join(" "), measure))
    })
}

/// What a question wants to have measured, and the terms by which it says so.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) measures: Vec<Measure>,
    pub(crate) terms: Vec<String>,
    /// True if the question names the unit, so that the answer needs none.
    pub(crate) unit: bool,
    /// The last word of the unit in which alone the answer may be given: `in mmHg`.
    pub(crate) exact: Option<String>,
}

/// Reads a question in lower case.
pub(crate) fn asked(lower: &str) -> Asked {
    let words: Vec<&str> =
        lower.split(|c: char| c.is_whitespace() || ",?;？".contains(c)).filter(|w| !w.is_empty()).collect();
    let after = |a: &str, b: &str| words.windows(2).position(|pair| pair == [a, b]).map(|i| &words[i + 2..]);
    if let Some((rest, (n, measure))) =
        after("how", "many").and_then(|rest| Some((rest, leading(rest.iter().copied())?)))
    {
        return Asked {
            measures: vec![measure],
            terms: rest[..n].iter().flat_map(|w| terms(w)).collect(),
            unit: true,
            exact: None,
        };
    }
    if let Some(rest) = after("how", "long") {
        let still = matches!(rest.first(), Some(&("is" | "was" | "are" | "were")));
        return by(if still { &[Time, Length] } else { &[Time] }, "long");
    }
    if let Some(unit) = spaceless_unit(lower).or_else(|| spaceless_noun(lower)) {
        return Asked { measures: vec![unit], ..Asked::default() };
    }
    if let Some((unit, measure)) = named_unit(&words) {
        let terms: Vec<String> = unit.iter().flat_map(|w| terms(w)).collect();
        return Asked { measures: vec![measure], exact: terms.last().cloned(), terms, unit: true };
    }
    let how_much = after("how", "much").is_some();
    let verb = words
        .iter()
        .find(|w| matches!(**w, "cost" | "costs" | "weigh" | "weighs" | "spent" | "spend" | "paid" | "pay"));
    let verb =
        verb.filter(|w| how_much || lower.starts_with("what do") || lower.starts_with("what did") && **w != "paid");
    let adjective = words.windows(2).find(|pair| pair[0] == "how").map(|pair| &pair[1]);
    let word = verb.or(adjective).copied().or_else(|| head(&words));
    word.and_then(|word| Some(by(&[measured(word)?], word))).unwrap_or_default()
}

fn by(measures: &[Measure], word: &str) -> Asked {
    Asked { measures: measures.to_vec(), terms: terms(word), ..Asked::default() }
}

/// The unit that the question wants: `in square feet`. `In years` and `in dollars` say too little to hold an answer to it.
fn named_unit<'w, 'a>(words: &'w [&'a str]) -> Option<(&'w [&'a str], Measure)> {
    let after = words.iter().enumerate().filter(|(_, word)| **word == "in").map(|(at, _)| &words[at + 1..]);
    let mut known = after.filter_map(|rest| leading(rest.iter().copied()).map(|(n, measure)| (&rest[..n], measure)));
    known.find(|(_, measure)| !matches!(measure, Time | Money | Share))
}

fn measured(word: &str) -> Option<Measure> {
    ASKING.iter().find(|(_, words)| lists(words, word)).map(|(measure, _)| *measure)
}

/// `几年`, `多少元`: the unit after the question word.
fn spaceless_unit(lower: &str) -> Option<Measure> {
    let rest = ["多少", "几"].iter().find_map(|ask| lower.split_once(ask))?.1;
    let longest = (1..=3).rev().filter_map(|n| rest.char_indices().map(|(i, c)| i + c.len_utf8()).nth(n - 1));
    longest.filter_map(|end| rest.get(..end)).find_map(of_unit)
}

/// The last noun of a question in a script without spaces that asks for a measure.
fn spaceless_noun(lower: &str) -> Option<Measure> {
    const NOUNS: &[(Measure, &str)] = &[
        (Money, "单价 价格 费用 金额 补贴 收入 成本"),
        (Time, "年限 时间 期限 寿命"),
        (Length, "长度 高度 深度 宽度"),
        (Area, "面积"),
        (Volume, "容量 库容"),
        (Weight, "重量"),
        (Temperature, "温度"),
        (Pressure, "压力"),
        (Power, "功率"),
    ];
    let found = |names: &str| names.split(' ').filter_map(|noun| lower.rfind(noun)).max();
    let nouns = NOUNS.iter().filter_map(|(measure, names)| Some((found(names)?, *measure)));
    nouns.max_by_key(|(at, _)| *at).map(|(_, measure)| measure)
}

/// The last word of what `what` asks for: `torque` of `with what torque are ..`, `price` of `what is the list price of ..`.
fn head<'a>(words: &[&'a str]) -> Option<&'a str> {
    const VERBS: &str = "is are was were should must does do did has have had can will may applies needs";
    const ENDS: &str = "of for in at on by to with from when under during per that which between without";
    let what = words.iter().position(|w| *w == "what")? + 1;
    let start = what + usize::from(words.get(what).is_some_and(|w| lists(VERBS, w)));
    let phrase = words.get(start..)?;
    let end = phrase.iter().position(|w| lists(VERBS, w) || lists(ENDS, w)).unwrap_or(phrase.len());
    let (last, before) = (phrase.get(..end)?.last()?, end.checked_sub(2).and_then(|at| phrase.get(at)));
    // Not every power is measured in watts.
    let other =
        *last == "power" && before.is_some_and(|word| lists("purchasing buying spending market economic", word));
    (!other).then_some(*last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_ask_for_measures() {
        let table: &[(&str, &[Measure], bool)] = &[
            ("with what torque are the bolts tightened?", &[Torque], false),
            ("how many million cubic metres were stored?", &[Volume], true),
            ("how many hours does it last?", &[Time], true),
            ("how many herons were seen?", &[], false),
            ("what does the lamp cost?", &[Money], false),
            ("which cost centre is charged?", &[], false),
            ("what is the list price of the kettle?", &[Money], false),
            ("how long is the guarantee?", &[Time, Length], false),
            ("how long does a visit take?", &[Time], false),
            ("滤芯使用年限是几年？", &[Time], false),
            ("what pressure in mmhg is right?", &[Pressure], true),
            ("what is the floor space in square feet?", &[Area], true),
            ("what is the buying power of the town?", &[], false),
            ("", &[], false),
        ];
        for (question, measures, unit) in table {
            let got = asked(question);
            assert_eq!((got.measures.as_slice(), got.unit), (*measures, *unit), "{question}");
        }
    }

    #[test]
    fn headings_hold_units() {
        let table: &[(&str, Option<&str>)] = &[
            ("Table 2: Sales (thousand crowns)", Some("thousand crowns")),
            ("Rain (mm per month)", Some("mm")),
            ("Parts and their price in euros (2022).", Some("euros")),
            ("单价（元/ 立方米）", Some("元/立方米")),
            ("Visitors (adults)", None),
            ("", None),
        ];
        for (heading, unit) in table {
            assert_eq!(in_heading(heading).map(|(unit, _)| unit).as_deref(), *unit, "{heading}");
        }
    }
}
