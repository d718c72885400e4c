//! `round(x, n)`: Python's, which rounds the exact value, and NumPy's, which rounds a product.

/// `round(value, digits)` of a Python float: the nearest decimal of the exact binary value, halves to even.
pub fn round(value: f64, digits: usize) -> f64 {
    // Beyond 323 digits every float is its own rounding, and Python says so.
    if !value.is_finite() || digits > 323 {
        return value;
    }
    format!("{value:.digits$}").parse().unwrap_or(value)
}

/// `round(value, digits)` of a NumPy float: `rint(value * 10^digits) / 10^digits`.
pub fn round_numpy(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    let rounded = (value * scale).round_ties_even() / scale;
    if rounded.is_finite() { rounded } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_to_even() {
        for (value, digits, rounded) in [
            (0.125, 2, 0.12),
            (0.375, 2, 0.38),
            (2.675, 2, 2.67),
            (0.5, 0, 0.0),
            (1.5, 0, 2.0),
            (2.5, 0, 2.0),
            (-0.125, 2, -0.12),
            (1e300, 2, 1e300),
            (1.005, 2, 1.0),
            (0.285, 2, 0.28),
            (5e-324, 400, 5e-324),
        ] {
            assert_eq!(round(value, digits), rounded, "{value} {digits}");
        }
        assert!(round(f64::NAN, 2).is_nan());
    }

    #[test]
    fn numpy_rounds_the_product() {
        for (value, rounded) in [(2.675, 2.68), (0.285, 0.28), (1.115, 1.12), (1.0 / 3.0, 0.33)] {
            assert_eq!(round_numpy(value, 2), rounded, "{value}");
        }
    }
}
