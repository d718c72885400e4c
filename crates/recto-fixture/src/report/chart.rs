//! Bar and line charts as vector drawings, each point with its value.

use super::flow::Flow;
use super::markup::Chart;
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
    let small = style.size * 0.82;
    let height = plot_height(flow);
    flow.draw_text(&chart.title, &style.bold, style.size, flow.x, flow.y + style.size);
    flow.y += style.size * 2.4;

    let step = step(chart.points.iter().map(|point| point.1).fold(0.0, f32::max));
    let levels = (1..).take_while(|n| (*n as f32 - 1.0) * step <= top_value(chart)).last().unwrap_or(1);
    let top = levels as f32 * step;
    let axis = style.regular.width(&label(top), small) + 6.0;
    let (left, bottom, plot) = (flow.x + axis, flow.y + height, flow.width - axis);
    for n in 0..=levels {
        let value = n as f32 * step;
        let y = bottom - height * value / top;
        let text = label(value);
        let x = left - 5.0 - style.regular.width(&text, small);
        flow.draw_text(&text, &style.regular, small, x, y + small * 0.35);
        let up = flow.up(y);
        flow.draw(|page| {
            page.content(if n == 0 { "0.2 G" } else { "0.85 G" })
                .line([left, up], [left + plot, up], 0.6)
                .content("0 G")
        });
    }

    let slot = plot / chart.points.len().max(1) as f32;
    let centres: Vec<[f32; 2]> = (0..)
        .zip(&chart.points)
        .map(|(n, point)| [left + (n as f32 + 0.5) * slot, flow.up(bottom - height * point.1 / top)])
        .collect();
    let base = flow.up(bottom);
    let accent = style.accent;
    flow.draw(|page| if chart.line { line(page, &centres, accent) } else { bars(page, &centres, base, slot, accent) });
    for (centre, (name, _, value)) in centres.iter().zip(&chart.points) {
        let middle = |text: &str| centre[0] - style.regular.width(text, small) / 2.0;
        if chart.line {
            // The label covers the line where both meet.
            let (width, above) = (style.regular.width(value, small), centre[1] + 4.0);
            flow.draw(|page| {
                page.content("1 g").rect(middle(value) - 1.0, above, width + 2.0, small * 0.85).content("0 g")
            });
        }
        flow.draw_text(value, &style.regular, small, middle(value), flow.up(centre[1]) - 5.0);
        flow.draw_text(name, &style.regular, small, middle(name), bottom + small * 1.4);
    }
    flow.y = bottom + small * 2.6;
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

fn top_value(chart: &Chart) -> f32 {
    chart.points.iter().map(|point| point.1).fold(0.0, f32::max)
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
