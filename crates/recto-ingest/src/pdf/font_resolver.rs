//! Fonts for files that embed none: the engine's standard fonts, and one font for Chinese, Japanese and Korean.

use std::sync::Arc;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_interpret::font::{FallbackFontQuery, FontData, FontQuery};
use hayro::hayro_interpret::hayro_cmap::CidFamily;

/// Droid Sans Fallback with letters and signs of Roboto and DejaVu Sans: see `assets/README.md`.
pub(crate) static FALLBACK: &[u8] = include_bytes!("../../assets/Fallback.ttf");

/// How page content is interpreted: with annotations, and with these fonts for want of embedded ones.
pub(crate) fn settings() -> InterpreterSettings {
    InterpreterSettings { font_resolver: Arc::new(resolve), ..Default::default() }
}

fn resolve(query: &FontQuery) -> Option<(FontData, u32)> {
    match query {
        FontQuery::Standard(font) => Some(font.get_font_data()),
        FontQuery::Fallback(wanted) if is_cjk(wanted) => Some((Arc::new(FALLBACK), 0)),
        FontQuery::Fallback(wanted) => Some(wanted.pick_standard_font().get_font_data()),
    }
}

fn is_cjk(wanted: &FallbackFontQuery) -> bool {
    let family = wanted.character_collection.as_ref().map(|c| &c.family);
    matches!(family, Some(CidFamily::AdobeGB1 | CidFamily::AdobeCNS1 | CidFamily::AdobeJapan1 | CidFamily::AdobeKorea1))
}
