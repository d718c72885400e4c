//! Composite fonts whose codes lead to the numbered characters of a published collection (Adobe-Japan1 and its kin), and
//! through it to Unicode.

use std::cell::OnceCell;

use hayro::hayro_interpret::hayro_cmap::{BfString, CMap, CMapName, CidFamily};
use hayro::hayro_interpret::{CMapResolverFn, InterpreterSettings};
use hayro::hayro_syntax::object::dict::keys::{
    BASE_FONT, CIDSYSTEMINFO, DESCENDANT_FONTS, ENCODING, ORDERING, REGISTRY,
};
use hayro::hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};

/// A font whose codes lead to the numbered characters of a published collection.
pub(super) struct Composite {
    codes: CMap,
    collection: CMapName<'static>,
    /// Read once a character is asked for: these maps are large.
    characters: OnceCell<Option<CMap>>,
    resolver: CMapResolverFn,
}

impl Composite {
    /// Reads a font dictionary; gives the font's name too.
    pub(super) fn new(font: &Dict<'_>, settings: &InterpreterSettings) -> Option<(String, Self)> {
        let name = font.get::<Name<'_>>(BASE_FONT)?;
        let codes = encoding(&font.get::<Object<'_>>(ENCODING)?, settings)?;
        let descendant = font.get::<Array<'_>>(DESCENDANT_FONTS)?.iter::<Dict<'_>>().next()?;
        let family = match codes.metadata().character_collection.as_ref() {
            Some(collection) if collection.family != CidFamily::AdobeIdentity => collection.family.clone(),
            _ => family(&descendant)?,
        };
        let (collection, resolver) = (family.ucs2_cmap()?, settings.cmap_resolver.clone());
        let font = Self { codes, collection, characters: OnceCell::new(), resolver };
        Some((without_subset_prefix(name.as_str()).to_owned(), font))
    }

    /// The character that a code stands for.
    pub(super) fn char_of(&self, code: u32) -> Option<char> {
        let cid = (1..=4).find_map(|length| self.codes.lookup_cid_code(code, length))?;
        let characters = self.characters.get_or_init(|| named_cmap(self.collection, &self.resolver));
        match characters.as_ref()?.lookup_bf_string(cid)? {
            BfString::Char(char) => Some(char),
            BfString::String(text) => text.chars().next(),
        }
    }
}

fn encoding(object: &Object<'_>, settings: &InterpreterSettings) -> Option<CMap> {
    match object {
        Object::Name(name) => match CMapName::from_bytes(name) {
            CMapName::IdentityH => Some(CMap::identity_h()),
            CMapName::IdentityV => Some(CMap::identity_v()),
            name => named_cmap(name, &settings.cmap_resolver),
        },
        Object::Stream(stream) => streamed_cmap(stream, settings),
        _ => None,
    }
}

fn named_cmap(name: CMapName<'_>, resolver: &CMapResolverFn) -> Option<CMap> {
    let resolver = resolver.clone();
    CMap::parse(resolver(name)?, move |name| resolver(name))
}

fn streamed_cmap(stream: &Stream<'_>, settings: &InterpreterSettings) -> Option<CMap> {
    let resolver = settings.cmap_resolver.clone();
    CMap::parse(&stream.decoded_data().ok()?, move |name| resolver(name))
}

fn family(descendant: &Dict<'_>) -> Option<CidFamily> {
    let info = descendant.get::<Dict<'_>>(CIDSYSTEMINFO)?;
    let registry = info.get::<PdfString<'_>>(REGISTRY)?;
    let ordering = info.get::<PdfString<'_>>(ORDERING)?;
    Some(CidFamily::from_registry_ordering(registry.as_bytes(), ordering.as_bytes()))
}

/// `ABCDEF+Name` is a subset of the font `Name`.
fn without_subset_prefix(name: &str) -> &str {
    match name.split_once('+') {
        Some((prefix, rest)) if prefix.len() == 6 => rest,
        _ => name,
    }
}
