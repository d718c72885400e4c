//! Charts with axes as inline SVG: lines, steps and dots. Colours, dashes and fonts come from the page's style, so that a
//! chart follows light, dark and print. Bars and heat maps are table cells, see [`super::table`].

use super::esc;
use crate::report::text::quantity;

/// Size of the drawing and of its margins, in units of the view box: about the pixels of a phone.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 270.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 42.0;

/// A chart with its caption and legend.
pub(super) struct Chart {
    /// What is seen, in a few words.
    pub(super) title: String,
    /// How to read it, with the measure's id.
    pub(super) note: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
}

/// One axis.
pub(super) struct Axis {
    pub(super) label: String,
    /// The values that must be on it; the data's extent where `None`.
    pub(super) range: Option<(f64, f64)>,
    /// Powers of ten at equal distances.
    pub(super) log: bool,
}

/// What belongs together.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) mark: Mark,
    /// x, y and the text that a pointer shows; only dots have one.
    pub(super) points: Vec<(f64, f64, String)>,
    /// Which of the eight colours; `None`: the colour of a rule.
    pub(super) colour: Option<usize>,
}

/// How points are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Joined.
    Line,
    /// Joined, each value holding until the next.
    Steps,
    /// On their own.
    Dots,
}

impl Series {
    /// Points without texts.
    pub(super) fn plain(name: &str, mark: Mark, colour: Option<usize>, points: &[(f64, f64)]) -> Self {
        let points = points.iter().map(|(x, y)| (*x, *y, String::new())).collect();
        Self { name: name.into(), mark, points, colour }
    }

    fn class(&self) -> String {
        self.colour.map_or_else(|| "rule".into(), |at| format!("s{}", at % 8))
    }
}

impl Axis {
    /// A linear axis over the data.
    pub(super) fn new(label: impl Into<String>, range: Option<(f64, f64)>) -> Self {
        Self { label: label.into(), range, log: false }
    }
}

impl Chart {
    /// The chart as a `figure`; empty without points.
    pub(super) fn figure(&self) -> String {
        let all = || self.series.iter().flat_map(|series| &series.points);
        let (Some(x), Some(y)) =
            (Scale::of(&self.x, all().map(|point| point.0)), Scale::of(&self.y, all().map(|point| point.1)))
        else {
            return String::new();
        };
        let (x, y) = (x.over(LEFT, WIDTH - RIGHT), y.over(HEIGHT - BOTTOM, TOP));
        let series: String = self.series.iter().map(|series| drawn(series, &x, &y)).collect();
        format!(
            "<figure><figcaption><b>{}</b> {}</figcaption>{}<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
             aria-label=\"{}\">{}{}{series}</svg></figure>\n",
            esc(&self.title),
            esc(&self.note),
            self.legend(),
            esc(&format!("{}: {} against {}", self.title, self.y.label, self.x.label)),
            self.across(&x),
            self.upward(&y),
        )
    }

    fn legend(&self) -> String {
        let named = self.series.iter().filter(|series| !series.name.is_empty());
        let entry = |series: &Series| {
            let key = match series.mark {
                Mark::Dots => "<circle cx=\"12\" cy=\"6\" r=\"4\"/>",
                _ => "<path d=\"M0 6H24\"/>",
            };
            let class = series.class();
            format!(
                "<li><svg class=\"key\" viewBox=\"0 0 24 12\" aria-hidden=\"true\"><g class=\"{class}\">{key}</g></svg>{}</li>",
                esc(&series.name)
            )
        };
        format!("<ul class=\"legend\">{}</ul>", named.map(entry).collect::<String>())
    }

    fn across(&self, scale: &Scale) -> String {
        let ticks = scale.ticks.iter().map(|tick| {
            let at = scale.at(*tick);
            format!(
                "<text x=\"{at:.1}\" y=\"{}\" class=\"mid\">{}</text><path class=\"tick\" d=\"M{at:.1} {}v4\"/>",
                HEIGHT - BOTTOM + 17.0,
                quantity(*tick),
                HEIGHT - BOTTOM
            )
        });
        let label = esc(&self.x.label);
        let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
        format!(
            "{}<text x=\"{middle}\" y=\"{}\" class=\"mid label\">{label}</text>",
            ticks.collect::<String>(),
            HEIGHT - 7.0
        )
    }

    fn upward(&self, scale: &Scale) -> String {
        let ticks = scale.ticks.iter().map(|tick| {
            let at = scale.at(*tick);
            format!(
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{}\"/><text x=\"{}\" y=\"{:.1}\" class=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0,
                quantity(*tick)
            )
        });
        let middle = f64::midpoint(TOP, HEIGHT - BOTTOM);
        format!(
            "{}<text transform=\"translate(13 {middle}) rotate(-90)\" class=\"mid label\">{}</text>",
            ticks.collect::<String>(),
            esc(&self.y.label)
        )
    }
}

fn drawn(series: &Series, x: &Scale, y: &Scale) -> String {
    let points = series.points.iter().filter(|(px, py, _)| px.is_finite() && py.is_finite());
    let placed = points.map(|(px, py, text)| (x.at(*px), y.at(*py), text.as_str()));
    let marks = if series.mark == Mark::Dots { placed.map(dot).collect() } else { path(series.mark, placed) };
    format!("<g class=\"{}\">{marks}</g>", series.class())
}

fn dot((x, y, text): (f64, f64, &str)) -> String {
    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{}</title></circle>", esc(text))
}

/// Points on one pixel are drawn as the last of them.
fn path<'a>(mark: Mark, points: impl Iterator<Item = (f64, f64, &'a str)>) -> String {
    let points: Vec<_> = points.collect();
    let seen = |at: usize, x: f64| points.get(at + 1).is_some_and(|next| (next.0 - x).abs() < 0.5);
    let mut d = String::new();
    for (at, (x, y, _)) in points.iter().enumerate() {
        match mark {
            _ if at == 0 => d += &format!("M{x:.1} {y:.1}"),
            _ if seen(at, *x) => {}
            Mark::Steps => d += &format!("H{x:.1}V{y:.1}"),
            _ => d += &format!("L{x:.1} {y:.1}"),
        }
    }
    format!("<path d=\"{d}\"/>")
}

/// Values to places.
struct Scale {
    from: f64,
    to: f64,
    log: bool,
    ticks: Vec<f64>,
    places: (f64, f64),
}

impl Scale {
    /// A scale that has round ends around the values; `None` without values.
    fn of(axis: &Axis, values: impl Iterator<Item = f64>) -> Option<Self> {
        let meant = axis.range.map(|(from, to)| [from, to]).into_iter().flatten();
        // Beyond this, differences and powers of ten overflow.
        let usable = |value: &f64| value.abs() < 1e300 && (!axis.log || *value > 1e-300);
        let values: Vec<f64> = values.filter(usable).collect();
        let ends = values.iter().copied().chain(meant).filter(usable);
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        if values.is_empty() {
            return None;
        }
        let ticks = if axis.log { powers(low, high) } else { round_ticks(low, high) };
        Some(Self { from: *ticks.first()?, to: *ticks.last()?, log: axis.log, ticks, places: (0.0, 1.0) })
    }

    fn over(self, from: f64, to: f64) -> Self {
        Self { places: (from, to), ..self }
    }

    fn at(&self, value: f64) -> f64 {
        let place = |v: f64| if self.log { v.max(f64::MIN_POSITIVE).log10() } else { v };
        let share = (place(value) - place(self.from)) / (place(self.to) - place(self.from));
        self.places.0 + share.clamp(0.0, 1.0) * (self.places.1 - self.places.0)
    }
}

/// Multiples of 1, 2, 2.5 or 5 times a power of ten, four to eight of them, around the values.
fn round_ticks(low: f64, high: f64) -> Vec<f64> {
    let span = if high - low > 1e-12 * high.abs().max(1e-300) { high - low } else { high.abs().max(1.0) };
    let magnitude = 10_f64.powf((span / 5.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * magnitude);
    let step = steps.into_iter().find(|step| span / step <= 5.5).unwrap_or(span);
    let first = (low / step + 1e-9).floor();
    let n = ((high / step - 1e-9).ceil() - first).clamp(1.0, 12.0) as u32;
    (0..=n).map(|at| (first + f64::from(at)) * step).collect()
}

fn powers(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    (first..=last.max(first + 1)).map(|power| 10_f64.powi(power)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_enclose_the_values() {
        for (low, high, want) in [
            (0.0, 1.0, &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0][..]),
            (0.0, 12.0, &[0.0, 2.5, 5.0, 7.5, 10.0, 12.5]),
            (-3.0, 1.0, &[-3.0, -2.0, -1.0, 0.0, 1.0]),
            (7.0, 7.0, &[6.0, 8.0]),
        ] {
            let ticks: Vec<f64> = round_ticks(low, high).iter().map(|tick| (tick * 1e9).round() / 1e9).collect();
            assert_eq!(ticks, want, "{low} to {high}");
        }
        assert_eq!(powers(0.02, 30.0), [0.01, 0.1, 1.0, 10.0, 100.0]);
    }

    #[test]
    fn no_value_breaks_a_chart() {
        let values = [0.0, -1.0, 3.0, 1e308, -1e308, 1e-308, f64::NAN, f64::INFINITY];
        for log in [true, false] {
            let axis = || Axis { label: "<".into(), range: None, log };
            let points: Vec<_> = values.iter().flat_map(|x| values.iter().map(|y| (*x, *y))).collect();
            let series = vec![Series::plain("<", Mark::Steps, Some(9), &points)];
            let chart = Chart { title: "<".into(), note: String::new(), x: axis(), y: axis(), series };
            let drawn = chart.figure();
            assert!(drawn.contains("<path d=\"M") && !drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        }
    }
}
