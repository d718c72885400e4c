//! Pictures as servers want them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use recto_page::PageImage;

use crate::{ModelError, Result};

/// A picture as a PNG file.
pub(crate) fn png(image: &PageImage) -> Result<Vec<u8>> {
    let bad = |_| ModelError::BadPicture { width: image.width, height: image.height, bytes: image.rgb.len() };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(bad)?;
    writer.write_image_data(&image.rgb).map_err(bad)?;
    drop(writer);
    Ok(bytes)
}

/// A picture as an address that holds it.
pub(super) fn data_url(image: &PageImage) -> Result<String> {
    Ok(format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png(image)?)))
}
