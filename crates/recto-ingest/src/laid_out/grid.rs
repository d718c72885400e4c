//! Where the columns of a table stand: as wide as their text, within limits.

use std::ops::Range;

use super::draft::{Shape, Table};
use super::face::Face;

/// A table that would be wider is cut into slices of columns, set one below the other.
const WIDEST: f32 = 1500.0;

/// Columns are no wider than the first of these that lets the table fit the page.
const CAPS: [f32; 6] = [240.0, 190.0, 150.0, 120.0, 95.0, 75.0];

/// On a sheet the page gets wider instead, once columns are as narrow as this.
const SHEET_CAPS: [f32; 2] = [240.0, 190.0];

/// An empty column has this width.
const NARROWEST: f32 = 14.0;

/// The widths of a table's columns in points, white space beside the text included.
pub(super) struct Grid {
    pub(super) widths: Vec<f32>,
}

impl Grid {
    /// Measures the cells of a table that has `room` on the page.
    pub(super) fn new(table: &Table, face: &mut Face, size: f32, padding: f32, room: f32, shape: Shape) -> Self {
        let mut widths: Vec<f32> = Vec::new();
        for row in &table.rows {
            if widths.len() < row.len() {
                widths.resize(row.len(), NARROWEST);
            }
            for (width, cell) in widths.iter_mut().zip(row) {
                let needed = cell.lines().map(|line| face.width(line)).fold(0.0, f32::max) * size + 2.0 * padding + 0.5;
                *width = width.max(needed);
            }
        }
        let caps: &[f32] = if shape == Shape::Sheet { &SHEET_CAPS } else { &CAPS };
        let total = |cap: f32| widths.iter().map(|width| width.min(cap)).sum::<f32>();
        let fitting = caps.iter().find(|cap| total(**cap) <= room).or(caps.last());
        let cap = fitting.copied().unwrap_or(WIDEST);
        Self { widths: widths.into_iter().map(|width| width.min(cap)).collect() }
    }

    /// Columns that are set beside each other.
    pub(super) fn slices(&self) -> Vec<Range<usize>> {
        let mut slices = Vec::new();
        let (mut start, mut sum) = (0, 0.0);
        for (column, width) in self.widths.iter().enumerate() {
            if sum + width > WIDEST && column > start {
                slices.push(start..column);
                (start, sum) = (column, 0.0);
            }
            sum += width;
        }
        slices.push(start..self.widths.len());
        slices
    }

    /// Width of the widest slice.
    pub(super) fn width(&self) -> f32 {
        let width = |slice: Range<usize>| self.widths.get(slice).unwrap_or_default().iter().sum();
        self.slices().into_iter().map(width).fold(0.0, f32::max)
    }
}
