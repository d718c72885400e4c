//! 16-bit floats (IEEE 754 binary16) from and to 32-bit ones: one number at a time, exact, to the nearest even.

/// The nearest 16-bit float, as its bits. What is too large becomes infinity.
pub fn from_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    let rest = match magnitude {
        0x7f80_0001.. => 0x7e00,
        // 65,520 and above: half a step beyond the largest, so infinity.
        0x477f_f000.. => 0x7c00,
        0x3880_0000.. => round(magnitude - 0x3800_0000, 13),
        // Subnormal: the significand with its hidden bit, in steps of 2^-24.
        0x3300_0000.. => round((magnitude & 0x7f_ffff) | 0x80_0000, 126 - (magnitude >> 23)),
        _ => 0,
    };
    sign | rest
}

/// `value / 2^shift`, halves to the even neighbour.
fn round(value: u32, shift: u32) -> u16 {
    let half = (1_u32 << (shift - 1)) - 1;
    let odd = (value >> shift) & 1;
    ((value + half + odd) >> shift) as u16
}

/// The number that the bits of a 16-bit float stand for.
pub fn to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let magnitude = u32::from(bits & 0x7fff) << 13;
    // Both factors are powers of two: the product has no rounding and turns subnormals into normal numbers.
    let scaled = f32::from_bits(magnitude) * f32::from_bits(0x7780_0000);
    let infinite = if magnitude >= 0x0f80_0000 { 0x7f80_0000 } else { 0 };
    f32::from_bits(scaled.to_bits() | sign | infinite)
}
