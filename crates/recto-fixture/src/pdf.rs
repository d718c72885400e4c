//! A whole document: pages, and what belongs to all of them.

use crate::crypt::Encryption;
use crate::file::{Damage, RawFile};
use crate::object::{Object, string};
use crate::outline::{self, Heading};
use crate::page::{Fonts, Numbers, Page};

/// A document of pages.
///
/// ```
/// # use recto_fixture::{Cipher, Encryption, Page, Pdf};
/// let pages = (1..=5).map(|n| Page::new().text_at(72.0, 700.0, 12.0, &format!("Page {n}")));
/// let bytes = Pdf::new()
///     .pages(pages)
///     .label(0, "/S /r")
///     .label(2, "/S /D")
///     .outline(1, "Summary", 3)
///     .encrypt(Encryption::new(Cipher::Aes256, "secret"))
///     .to_bytes();
/// ```
#[derive(Debug, Clone, Default)]
pub struct Pdf {
    pages: Vec<Page>,
    labels: Vec<(usize, String)>,
    outline: Vec<Heading>,
    title: Option<String>,
    entries: String,
    encryption: Option<Encryption>,
    damage: Option<Damage>,
    compact: bool,
}

impl Pdf {
    /// A document without pages.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a page.
    #[must_use]
    pub fn page(mut self, page: Page) -> Self {
        self.pages.push(page);
        self
    }

    /// Adds pages.
    #[must_use]
    pub fn pages(mut self, pages: impl IntoIterator<Item = Page>) -> Self {
        self.pages.extend(pages);
        self
    }

    /// A range of page labels from the page of this 0-based index, as the entries of a label dictionary:
    /// `/S /r` for i, ii, iii; `/S /D /St 5` for 5, 6, 7; `/P (A-) /S /D` for A-1, A-2.
    #[must_use]
    pub fn label(mut self, first: usize, entries: &str) -> Self {
        self.labels.push((first, entries.to_owned()));
        self
    }

    /// An entry of the outline at this level (1 is the top) that leads to the page of this 1-based number.
    #[must_use]
    pub fn outline(mut self, level: u8, title: &str, page: usize) -> Self {
        self.outline.push(Heading { level, title: title.to_owned(), page });
        self
    }

    /// The title in the information dictionary.
    #[must_use]
    pub fn title(self, title: &str) -> Self {
        Self { title: Some(title.to_owned()), ..self }
    }

    /// Anything else in the catalog, e.g. `/Lang (en)`.
    #[must_use]
    pub fn entry(mut self, entry: &str) -> Self {
        self.entries.push(' ');
        self.entries.push_str(entry);
        self
    }

    /// Encrypts the document.
    #[must_use]
    pub fn encrypt(self, encryption: Encryption) -> Self {
        Self { encryption: Some(encryption), ..self }
    }

    /// Packs objects into a stream and writes the cross-reference table as a stream, as newer programs do.
    #[must_use]
    pub fn compact(self) -> Self {
        Self { compact: true, ..self }
    }

    /// Breaks the file in this way.
    #[must_use]
    pub fn damage(self, damage: Damage) -> Self {
        Self { damage: Some(damage), ..self }
    }

    /// The file. Equal documents are equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut file = RawFile::new();
        let (catalog, tree) = (file.reserve(), file.reserve());
        let numbers: Vec<u32> = self.pages.iter().map(|_| file.reserve()).collect();
        let fonts = self.write_fonts(&mut file);
        let mut fields = Vec::new();
        for (page, &number) in self.pages.iter().zip(&numbers) {
            page.write(&mut file, number, tree, &fonts, &mut fields);
        }
        let kids = references(&numbers);
        file.set(tree, Object::new(format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", numbers.len())));
        let outline = outline::write(&mut file, &self.outline, &numbers);
        let entries = format!(
            "{}{outline}{}{}",
            self.labels(),
            form(&fields, &fonts, self.pages.iter().any(Page::needs_appearances)),
            self.entries
        );
        file.set(catalog, Object::new(format!("<< /Type /Catalog /Pages {tree} 0 R{entries} >>")));
        self.finish(file, catalog)
    }

    fn finish(&self, mut file: RawFile, catalog: u32) -> Vec<u8> {
        if let Some(title) = &self.title {
            let info = file.add(Object::new(format!("<< /Title {} >>", string(title))));
            file.info(info);
        }
        if let Some(encryption) = &self.encryption {
            file.encrypt(encryption.clone());
        }
        if let Some(damage) = self.damage {
            file.damage(damage);
        }
        if self.compact {
            file.compact();
        }
        file.to_bytes(catalog)
    }

    fn write_fonts(&self, file: &mut RawFile) -> Numbers {
        let mut all = Fonts::new();
        for (name, (font, chars)) in self.pages.iter().flat_map(|page| &page.fonts) {
            all.entry(name.clone()).or_insert_with(|| (font.clone(), chars.clone())).1.extend(chars);
        }
        all.iter().map(|(name, (font, chars))| (name.clone(), font.write(file, chars))).collect()
    }

    fn labels(&self) -> String {
        if self.labels.is_empty() {
            return String::new();
        }
        let nums: String = self.labels.iter().map(|(first, entries)| format!("{first} << {entries} >> ")).collect();
        format!(" /PageLabels << /Nums [{nums}] >>")
    }
}

fn form(fields: &[u32], fonts: &Numbers, draw: bool) -> String {
    if fields.is_empty() {
        return String::new();
    }
    let helvetica = fonts.get("F1").copied().unwrap_or(0);
    let draw = if draw { " /NeedAppearances true" } else { "" };
    format!(
        " /AcroForm << /Fields [{}] /DA (/F1 10 Tf 0 g) /DR << /Font << /F1 {helvetica} 0 R \
         /ZaDb << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >> >> >>{draw} >>",
        references(fields)
    )
}

fn references(numbers: &[u32]) -> String {
    numbers.iter().map(|n| format!("{n} 0 R")).collect::<Vec<_>>().join(" ")
}
