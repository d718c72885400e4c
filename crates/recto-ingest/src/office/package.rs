//! The zip archive that an office document is: its parts, and how they refer to each other.

use std::io::{Cursor, Read};

use encoding_rs::UTF_8;
use recto_page::ProblemCode;
use zip::ZipArchive;
use zip::result::ZipError;

use super::refuse;
use super::xml::{self, Tag, Visit};
use crate::Result;
use crate::laid_out::Draft;

/// No part may unpack to more.
const MOST_OF_PART: u64 = 256 << 20;

/// All parts together may not unpack to more.
const MOST: u64 = 512 << 20;

/// An opened archive.
pub(super) struct Package<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    left: u64,
}

/// A reference of a part to another part of the same document.
pub(super) struct Relation {
    /// The name by which the part refers to it.
    pub(super) id: String,
    /// The last word of its type, e.g. `slide`.
    pub(super) kind: String,
    /// The part.
    pub(super) target: String,
}

impl<'b> Package<'b> {
    /// Reads the archive's directory.
    ///
    /// # Errors
    /// [`crate::IngestError::Open`] with the code `damaged`.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self> {
        match ZipArchive::new(Cursor::new(bytes)) {
            Ok(zip) => Ok(Self { zip, left: MOST }),
            Err(error) => refuse(ProblemCode::Damaged, &format!("the archive is damaged: {error}")),
        }
    }

    /// The text of a part; `None` if there is no such part.
    ///
    /// # Errors
    /// When the part is damaged, encrypted, or unpacks to too much.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<String>> {
        Ok(self.bytes(name)?.map(|bytes| UTF_8.decode(&bytes).0.into_owned()))
    }

    /// Gives a draft the pictures that it wants, by the names of their parts. One that can't be read is left out.
    pub(super) fn load_pictures(&mut self, draft: &mut Draft) {
        for name in draft.wanted() {
            if let Ok(Some(bytes)) = self.bytes(&name) {
                draft.pictures.insert(name, bytes);
            }
        }
    }

    fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let file = match self.zip.by_name(name) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                return refuse(ProblemCode::PasswordRequired, "the archive is encrypted: save it without a password");
            }
            Err(error) => return refuse(ProblemCode::Damaged, &format!("its part {name} is damaged: {error}")),
        };
        let most = self.left.min(MOST_OF_PART);
        let mut bytes = Vec::new();
        // What the archive says of its sizes is not believed.
        if let Err(error) = file.take(most + 1).read_to_end(&mut bytes) {
            return refuse(ProblemCode::Damaged, &format!("its part {name} is damaged: {error}"));
        }
        if bytes.len() as u64 > most {
            let detail = format!("its part {name} unpacks to more than {most} bytes");
            return refuse(ProblemCode::UnpacksTooLarge, &detail);
        }
        self.left -= bytes.len() as u64;
        Ok(Some(bytes))
    }

    /// Walks through a part of XML; false if there is no such part.
    ///
    /// # Errors
    /// As for [`Self::part`].
    pub(super) fn walk(&mut self, name: &str, visit: &mut dyn Visit) -> Result<bool> {
        match self.part(name)? {
            Some(xml) => xml::walk(&xml, visit).map(|()| true),
            None => Ok(false),
        }
    }

    /// What a part refers to, in the order of the file; what lies outside of the document is left out. The empty name
    /// stands for the document as a whole.
    ///
    /// # Errors
    /// As for [`Self::part`].
    pub(super) fn relations(&mut self, part: &str) -> Result<Vec<Relation>> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let name = if folder.is_empty() { format!("_rels/{file}.rels") } else { format!("{folder}/_rels/{file}.rels") };
        let mut found = Relations { folder, found: Vec::new() };
        self.walk(&name, &mut found)?;
        Ok(found.found)
    }

    /// The part that the document begins with.
    ///
    /// # Errors
    /// As for [`Self::part`].
    pub(super) fn main_part(&mut self) -> Result<Option<String>> {
        let relations = self.relations("")?;
        Ok(relations.into_iter().find(|relation| relation.kind == "officeDocument").map(|relation| relation.target))
    }
}

struct Relations<'f> {
    folder: &'f str,
    found: Vec<Relation>,
}

impl Visit for Relations<'_> {
    fn open(&mut self, tag: &Tag<'_>) {
        if tag.name() != "Relationship" || tag.get("TargetMode").as_deref() == Some("External") {
            return;
        }
        if let (Some(id), Some(kind), Some(target)) = (tag.get("Id"), tag.get("Type"), tag.get("Target")) {
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            self.found.push(Relation { id, kind, target: resolved(self.folder, &target) });
        }
    }
}

/// The name of a part, from how another part in `folder` names it.
fn resolved(folder: &str, target: &str) -> String {
    let from = if target.starts_with('/') { "" } else { folder };
    let mut names: Vec<&str> = Vec::new();
    for name in from.split('/').chain(target.split('/')) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            other => names.push(other),
        }
    }
    names.join("/")
}
