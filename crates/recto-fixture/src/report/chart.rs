//! Bar and line charts as vector drawings, each point with its value.

use super::flow::Flow;
use super::markup::{Chart, Point};
use crate::page::Page;

/// Height of a chart as a part of its width, and the most that it may be, in points.
const SHAPE: (f32, f32) = (0.42, 230.0);

/// The height that a chart takes, with its title and a caption.
pub(crate) fn height(flow: &Flow<'_>) -> f32 {
    plot_height(flow) + flow.style.size * 7.0
}

fn plot_height(flow: &Flow<'_>) -> f32 {
    (flow.width * SHAPE.0).min(SHAPE.1)
}

/// Draws a chart across the column.
pub(crate) fn draw(flow: &mut Flow<'_>, chart: &Chart) {
    let style = flow.style;
    flow.draw_text(&chart.title, &style.bold, style.size, flow.x, flow.y + style.size);
    flow.y += style.size * 2.4;
    let plot = Plot::new(flow, chart);
    plot.draw_grid(flow);
    plot.draw_points(flow, chart);
    flow.y = plot.bottom + plot.small * 2.6;
}

/// The area of the points; `bottom` is measured from the top of the page.
struct Plot {
    left: f32,
    bottom: f32,
    width: f32,
    height: f32,
    /// The distance of grid lines in units of the values, and how many there are above the axis.
    step: f32,
    levels: usize,
    /// The size of labels.
    small: f32,
}

impl Plot {
    fn new(flow: &Flow<'_>, chart: &Chart) -> Self {
        let largest = chart.points.iter().map(|point| point.value).fold(0.0, f32::max);
        let step = step(largest);
        let levels = ((largest / step).ceil() as usize).max(1);
        let small = flow.style.size * 0.82;
        let axis = flow.style.regular.width(&label(levels as f32 * step), small) + 6.0;
        let height = plot_height(flow);
        Self { left: flow.x + axis, bottom: flow.y + height, width: flow.width - axis, height, step, levels, small }
    }

    /// How far from the top of the page a value is.
    fn y(&self, value: f32) -> f32 {
        self.bottom - self.height * value / (self.levels as f32 * self.step)
    }

    fn draw_grid(&self, flow: &mut Flow<'_>) {
        let script = &flow.style.regular;
        for n in 0..=self.levels {
            let value = n as f32 * self.step;
            let text = label(value);
            let x = self.left - 5.0 - script.width(&text, self.small);
            flow.draw_text(&text, script, self.small, x, self.y(value) + self.small * 0.35);
            let (up, right) = (flow.up(self.y(value)), self.left + self.width);
            let grey = if n == 0 { "0.2 G" } else { "0.85 G" };
            flow.draw(|page| page.content(grey).line([self.left, up], [right, up], 0.6).content("0 G"));
        }
    }

    fn draw_points(&self, flow: &mut Flow<'_>, chart: &Chart) {
        let (script, accent, base) = (&flow.style.regular, flow.style.accent, flow.up(self.bottom));
        let slot = self.width / chart.points.len().max(1) as f32;
        let centre = |(n, point): (usize, &Point)| [self.left + (n as f32 + 0.5) * slot, flow.up(self.y(point.value))];
        let centres: Vec<[f32; 2]> = chart.points.iter().enumerate().map(centre).collect();
        flow.draw(|page| match chart.line {
            true => line(page, &centres, accent),
            false => bars(page, &centres, base, slot, accent),
        });
        for ([x, up], point) in centres.iter().zip(&chart.points) {
            let width = script.width(&point.written, self.small);
            if chart.line {
                // The label covers the line where both meet.
                let (left, height) = (x - width / 2.0 - 1.0, self.small * 0.85);
                flow.draw(|page| page.content("1 g").rect(left, up + 4.0, width + 2.0, height).content("0 g"));
            }
            flow.draw_text(&point.written, script, self.small, x - width / 2.0, flow.up(*up) - 5.0);
            let left = x - script.width(&point.label, self.small) / 2.0;
            flow.draw_text(&point.label, script, self.small, left, self.bottom + self.small * 1.4);
        }
    }
}

fn bars(page: Page, centres: &[[f32; 2]], base: f32, slot: f32, rgb: [f32; 3]) -> Page {
    let page = centres
        .iter()
        .fold(page.fill(lighter(rgb)), |page, [x, y]| page.rect(x - slot * 0.31, base, slot * 0.62, y - base));
    page.content("0 g")
}

fn line(page: Page, centres: &[[f32; 2]], rgb: [f32; 3]) -> Page {
    let [r, g, b] = lighter(rgb);
    let page = page.content(&format!("{r:.3} {g:.3} {b:.3} RG"));
    let page = centres.windows(2).fold(page, |page, pair| page.line(pair[0], pair[1], 1.6));
    let dot = |page: Page, [x, y]: &[f32; 2]| page.rect(x - 2.2, y - 2.2, 4.4, 4.4);
    centres.iter().fold(page.fill([r, g, b]), dot).content("0 g 0 G")
}

/// Black ink is grey in charts, so that labels stand out.
fn lighter(rgb: [f32; 3]) -> [f32; 3] {
    rgb.map(|c| 0.25 + c * 0.75)
}

/// The distance of grid lines: 1, 2 or 5 times a power of ten, so that there are at most six.
fn step(largest: f32) -> f32 {
    let mut step = 0.001;
    for factor in [2.0, 2.5, 2.0].iter().cycle().take(60) {
        if largest <= step * 5.0 {
            break;
        }
        step *= factor;
    }
    step
}

fn label(value: f32) -> String {
    let rounded = (f64::from(value) * 1000.0).round() / 1000.0;
    if rounded == 0.0 { "0".to_owned() } else { format!("{rounded}") }
}
