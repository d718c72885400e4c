//! The resolution that an image file declares. Not its size in pixels.

/// Dots per inch across and down, if a PNG, JPEG or TIFF file declares plausible ones.
pub(crate) fn declared(bytes: &[u8]) -> Option<(f32, f32)> {
    let (x, y) = match bytes {
        [0x89, b'P', b'N', b'G', ..] => png(bytes),
        [0xFF, 0xD8, ..] => jpeg(bytes),
        [b'I', b'I', ..] | [b'M', b'M', ..] => tiff(bytes),
        _ => None,
    }?;
    let plausible = |dpi: f32| (20.0..=4800.0).contains(&dpi);
    (plausible(x) && plausible(y)).then_some((x, y))
}

/// Chunk `pHYs`, in dots per metre; it stands before the pixels.
fn png(bytes: &[u8]) -> Option<(f32, f32)> {
    let mut rest = bytes.get(8..)?;
    loop {
        let length = be32(rest, 0)? as usize;
        match rest.get(4..8)? {
            b"pHYs" => {
                let per_inch = |at| Some(be32(rest, at)? as f32 * 0.0254);
                return if *rest.get(16)? == 1 { Some((per_inch(8)?, per_inch(12)?)) } else { None };
            }
            b"IDAT" => return None,
            _ => rest = rest.get(length.checked_add(12)?..)?,
        }
    }
}

/// Segment `JFIF`, which is the first one, or the first directory of `Exif`.
fn jpeg(bytes: &[u8]) -> Option<(f32, f32)> {
    let mut rest = bytes.get(2..)?;
    let mut found = None;
    while let [0xFF, marker @ 0xE0..=0xEF, high, low, ..] = rest {
        let segment = rest.get(4..2 + usize::from(u16::from_be_bytes([*high, *low])))?;
        match (marker, segment) {
            (0xE0, [b'J', b'F', b'I', b'F', 0, _, _, unit @ 1..=2, x1, x0, y1, y0, ..]) => {
                let factor = if *unit == 1 { 1.0 } else { 2.54 };
                let dpi = |high, low| f32::from(u16::from_be_bytes([high, low])) * factor;
                return Some((dpi(*x1, *x0), dpi(*y1, *y0)));
            }
            (0xE1, [b'E', b'x', b'i', b'f', 0, 0, exif @ ..]) => found = tiff(exif),
            _ => {}
        }
        rest = rest.get(4 + segment.len()..)?;
    }
    found
}

/// Tags 282, 283 (fractions) and 296 (unit) of the first directory.
fn tiff(bytes: &[u8]) -> Option<(f32, f32)> {
    let little = bytes.first()? == &b'I';
    let u16_at = |at: usize| {
        let pair = bytes.get(at..)?.first_chunk::<2>()?;
        Some(usize::from(if little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) }))
    };
    let u32_at = |at: usize| {
        let four = bytes.get(at..)?.first_chunk::<4>()?;
        Some(if little { u32::from_le_bytes(*four) } else { u32::from_be_bytes(*four) })
    };
    let fraction = |entry: usize| {
        let at = u32_at(entry + 8)? as usize;
        Some(u32_at(at)? as f32 / u32_at(at.checked_add(4)?)? as f32)
    };
    let directory = u32_at(4)? as usize;
    let (mut x, mut y, mut factor) = (None, None, 1.0);
    for i in 0..u16_at(directory)? {
        let entry = directory.checked_add(2 + 12 * i)?;
        match u16_at(entry)? {
            282 => x = fraction(entry),
            283 => y = fraction(entry),
            296 if u16_at(entry + 8)? == 3 => factor = 2.54,
            _ => {}
        }
    }
    Some((x? * factor, y? * factor))
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk::<4>().map(|four| u32::from_be_bytes(*four))
}
