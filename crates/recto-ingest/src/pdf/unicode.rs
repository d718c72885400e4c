//! Characters of glyphs for which the PDF gives none: from the character collection of a CID font, from the cmap of the
//! embedded font program, from the character code. Also the ascent and descent of fonts, which come from the same place.

use std::collections::{HashMap, HashSet};

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_interpret::font::{Glyph, GlyphIdentifier, OutlineFontData, OutlineGlyph};
use hayro::hayro_syntax::object::dict::keys::{DESCENDANT_FONTS, RESOURCES};
use hayro::hayro_syntax::object::{Dict, ObjectIdentifier};
use hayro::hayro_syntax::page::Resources;
use hayro_font::{Font, FontCache, FontGlyph};
use rustc_hash::FxHashMap;
use skrifa::MetadataProvider;
use skrifa::instance::{LocationRef, Size};

use super::composite::Composite;
use super::glyph_names;

/// Ascent and descent in ems where the font does not say, or says nonsense.
const USUAL: (f64, f64) = (0.8, 0.2);

/// How deep forms may nest for their fonts to be found.
const MAX_FORM_DEPTH: u32 = 4;

/// How many forms of a page are searched for fonts.
const MAX_FORMS: usize = 500;

/// What is known of the fonts of a document beyond what hayro tells. Each font is read once.
pub(crate) struct Fonts<'a> {
    settings: InterpreterSettings,
    cache: FontCache<'a>,
    /// Resources of the page at hand, until a glyph without a character makes their fonts worth reading.
    unread: Option<Resources<'a>>,
    read: HashSet<ObjectIdentifier>,
    programs: HashMap<u128, Program>,
    /// Ascent and descent of the fonts of glyphs: the engine takes long to describe a font.
    extents: FxHashMap<GlyphIdentifier, (f64, f64)>,
    /// Composite fonts by their names, which is all that their glyphs tell of them.
    composite: HashMap<String, Vec<Composite>>,
    /// Characters of simple fonts by glyph and code.
    simple: HashMap<(u128, u32), char>,
    /// Composite fonts whose codes are numbers of glyphs and say nothing of characters.
    mute: Vec<Font<'a>>,
}

impl<'a> Fonts<'a> {
    /// Nothing read yet.
    pub(crate) fn new(settings: InterpreterSettings) -> Self {
        Self {
            settings,
            cache: FontCache::new(),
            unread: None,
            read: HashSet::new(),
            programs: HashMap::new(),
            extents: FxHashMap::default(),
            composite: HashMap::new(),
            simple: HashMap::new(),
            mute: Vec::new(),
        }
    }

    /// Names the resources of the page whose glyphs follow.
    pub(super) fn turn_to(&mut self, resources: &Resources<'a>) {
        self.unread = Some(resources.clone());
    }

    /// A character for a glyph that has none, if there is one.
    pub(super) fn recover(&mut self, glyph: &Glyph<'_>) -> Option<char> {
        let code = glyph.char_code();
        let Glyph::Outline(glyph) = glyph else { return printable(code) };
        if let Some(resources) = self.unread.take() {
            self.read_fonts(&resources, 0, &mut 0);
        }
        let named = self.simple.get(&(glyph.identifier().cache_key(), code)).copied();
        named.or_else(|| match glyph.font_data() {
            Some(data) => self.by_collection(&data, code).or_else(|| self.by_cmap(glyph, &data)),
            None => printable(code).filter(|_| !self.is_mute(glyph)),
        })
    }

    fn is_mute(&self, glyph: &OutlineGlyph) -> bool {
        let code = glyph.char_code();
        let own = |font: &Font<'_>| match font.glyph(font.map_code(code), code) {
            FontGlyph::Outline(other) => other.identifier() == glyph.identifier(),
            FontGlyph::Type3(_) => false,
        };
        self.mute.iter().any(own)
    }

    /// Ascent and descent of the glyph's font in ems, both positive.
    pub(super) fn ascent_and_descent(&mut self, glyph: &Glyph<'_>) -> (f64, f64) {
        let Glyph::Outline(glyph) = glyph else { return USUAL };
        let identifier = glyph.identifier();
        if let Some(known) = self.extents.get(&identifier) {
            return *known;
        }
        let extent = glyph.font_data().map_or(USUAL, |data| self.program(&data).extent);
        self.extents.insert(identifier, extent);
        extent
    }

    fn program(&mut self, font: &OutlineFontData) -> &mut Program {
        self.programs.entry(font.cache_key).or_insert_with(|| Program::new(font))
    }

    fn by_cmap(&mut self, glyph: &OutlineGlyph, data: &OutlineFontData) -> Option<char> {
        let program = self.program(data);
        program.chars.get_or_insert_with(|| chars_of_glyphs(data)).get(&glyph.glyph_id().to_u32()).copied()
    }

    fn by_collection(&self, data: &OutlineFontData, code: u32) -> Option<char> {
        self.composite.get(data.postscript_name.as_deref()?)?.iter().find_map(|font| font.char_of(code))
    }

    fn read_fonts(&mut self, resources: &Resources<'a>, depth: u32, forms: &mut usize) {
        for name in resources.fonts.keys() {
            if let Some(font) = resources.get_font(&name)
                && font.obj_id().is_none_or(|id| self.read.insert(id))
            {
                self.read_font(&font);
            }
        }
        if depth < MAX_FORM_DEPTH {
            self.read_fonts_of_forms(resources, depth, forms);
        }
    }

    fn read_font(&mut self, dict: &Dict<'a>) {
        if let Some((name, font)) = Composite::new(dict, &self.settings) {
            return self.composite.entry(name).or_default().push(font);
        }
        let chars = glyph_names::chars_of_codes(dict);
        let is_composite = dict.contains_key(DESCENDANT_FONTS);
        if chars.is_empty() && !is_composite {
            return;
        }
        // The engine's glyphs don't tell their font, so the font is loaded again to see which glyphs are its own.
        let Some(font) = self.cache.font(dict, &self.settings.font_resolver, &self.settings.cmap_resolver) else {
            return;
        };
        for (code, char) in chars {
            if let FontGlyph::Outline(glyph) = font.glyph(font.map_code(code), code) {
                self.simple.insert((glyph.identifier().cache_key(), code), char);
            }
        }
        self.mute.extend(is_composite.then_some(font));
    }

    fn read_fonts_of_forms(&mut self, resources: &Resources<'a>, depth: u32, forms: &mut usize) {
        for name in resources.x_objects.keys() {
            *forms += 1;
            if *forms > MAX_FORMS {
                return;
            }
            let form = resources.get_x_object(&name).and_then(|form| form.dict().get::<Dict<'a>>(RESOURCES));
            if let Some(inner) = form {
                self.read_fonts(&Resources::new(inner), depth + 1, forms);
            }
        }
    }
}

/// What a code stands for in Windows-1252, which is what most fonts without names mean.
pub(super) fn printable(code: u32) -> Option<char> {
    const FROM_80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let char = match code {
        0x80..=0x9f => FROM_80.get(code as usize - 0x80).copied(),
        _ => char::from_u32(code),
    };
    char.filter(|c| *c <= '\u{ff}' && !c.is_control() || FROM_80.contains(c) && !c.is_control())
}

/// What was read from an embedded font program.
struct Program {
    extent: (f64, f64),
    chars: Option<HashMap<u32, char>>,
}

impl Program {
    fn new(font: &OutlineFontData) -> Self {
        Self { extent: extent(font).unwrap_or(USUAL), chars: None }
    }
}

fn extent(font: &OutlineFontData) -> Option<(f64, f64)> {
    let font = skrifa::FontRef::new((*font.data).as_ref()).ok()?;
    let metrics = font.metrics(Size::unscaled(), LocationRef::default());
    let em = f64::from(metrics.units_per_em);
    let (ascent, descent) = (f64::from(metrics.ascent) / em, -f64::from(metrics.descent) / em);
    let sane = (0.3..=1.6).contains(&ascent) && (0.0..=1.0).contains(&descent);
    sane.then_some((ascent, descent))
}

/// The cmap of a font program turned round. Of several characters the smallest outside the private use area is taken.
fn chars_of_glyphs(font: &OutlineFontData) -> HashMap<u32, char> {
    let mut chars = HashMap::new();
    if let Ok(font) = skrifa::FontRef::new((*font.data).as_ref()) {
        for (code, glyph) in font.charmap().mappings() {
            let char = char::from_u32(code).filter(|c| !is_private(*c) && !c.is_control());
            if let Some(char) = char {
                chars.entry(glyph.to_u32()).and_modify(|c: &mut char| *c = char.min(*c)).or_insert(char);
            }
        }
    }
    chars
}

fn is_private(char: char) -> bool {
    matches!(char, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..)
}
