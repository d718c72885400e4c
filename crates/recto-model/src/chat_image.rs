//! Pictures as chats are shown them: PNG or JPEG files, encoded once and shared.

use std::sync::Arc;

use recto_page::{ContentHash, PageImage};

use crate::{ModelError, Result};

/// A picture to be shown to a model. Clones share its bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct ChatImage {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// How closely the model is to look, where it can be told.
    pub detail: Detail,
    media_type: &'static str,
    bytes: Arc<[u8]>,
    hash: ContentHash,
}

/// How closely a model is to look at a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// As the server thinks best.
    #[default]
    Auto,
    /// A glance, for few tokens.
    Low,
    /// Closely.
    High,
}

impl Detail {
    /// As servers call it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Low => "low",
            Self::High => "high",
        }
    }
}

impl ChatImage {
    /// A page's picture, as PNG.
    ///
    /// # Errors
    /// [`ModelError::BadPicture`] if its size and its bytes do not agree.
    pub fn of(image: &PageImage) -> Result<Self> {
        let bytes = crate::remote::png(image)?;
        Ok(Self::known(image.width, image.height, "image/png", bytes))
    }

    /// A PNG or JPEG file.
    ///
    /// # Errors
    /// [`ModelError::BadPicture`] if it is neither.
    pub fn from_file(bytes: Vec<u8>) -> Result<Self> {
        let known = png_size(&bytes).map(|size| (size, "image/png"));
        match known.or_else(|| jpeg_size(&bytes).map(|size| (size, "image/jpeg"))) {
            Some(((width, height), media_type)) => Ok(Self::known(width, height, media_type, bytes)),
            None => Err(ModelError::BadPicture { width: 0, height: 0, bytes: bytes.len() }),
        }
    }

    fn known(width: u32, height: u32, media_type: &'static str, bytes: Vec<u8>) -> Self {
        let hash = ContentHash::of(&bytes);
        Self { width, height, detail: Detail::Auto, media_type, bytes: bytes.into(), hash }
    }

    /// The same picture with another detail.
    #[must_use]
    pub const fn with_detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// `image/png` or `image/jpeg`.
    pub const fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The hash of the file.
    pub const fn hash(&self) -> &ContentHash {
        &self.hash
    }
}

impl std::fmt::Debug for ChatImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} x {} ({:.12})", self.media_type, self.width, self.height, self.hash.as_str())
    }
}

fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let head = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?.get(8..16)?;
    let number = |at: usize| Some(u32::from_be_bytes(head.get(at..at + 4)?.try_into().ok()?));
    Some((number(0)?, number(4)?))
}

/// The size that the first frame header of a JPEG file gives.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut rest = bytes.strip_prefix(b"\xff\xd8")?;
    loop {
        let [0xff, marker, high, low, ..] = *rest else { return None };
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let number = |at: usize| Some(u32::from(u16::from_be_bytes(rest.get(at..at + 2)?.try_into().ok()?)));
            return Some((number(7)?, number(5)?));
        }
        rest = rest.get(2 + usize::from(u16::from_be_bytes([high, low]))..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_tell_their_size() {
        let page = PageImage { width: 3, height: 2, dpi: 72, rgb: vec![9; 18] };
        let image = ChatImage::of(&page).unwrap();
        assert_eq!((image.width, image.height, image.media_type()), (3, 2, "image/png"));
        assert_eq!(ChatImage::from_file(image.bytes().to_vec()), Ok(image));
        let jpeg = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08\x00\x05\x00\x07rest".to_vec();
        let image = ChatImage::from_file(jpeg.clone()).unwrap();
        assert_eq!((image.width, image.height, image.media_type()), (7, 5, "image/jpeg"));
        for bad in [&b""[..], b"GIF89a", b"\x89PNG\r\n\x1a\n\0\0", b"\xff\xd8\xff", &jpeg[..12]] {
            assert!(matches!(ChatImage::from_file(bad.to_vec()), Err(ModelError::BadPicture { .. })), "{bad:?}");
        }
        assert!(ChatImage::of(&PageImage { rgb: vec![], ..page }).is_err());
    }
}
