//! What parent and worker say to each other: postcard messages, each behind its length as four bytes, little-endian.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use recto_page::{OutlineEntry, Page, PageImage, PageNumber, Problem, ProblemCode, Region};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ocr::Pictures;

/// What the parent asks for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Open a document and forget the one before. Answered by `Opened` or `Refused`.
    Open { path: PathBuf, password: Option<String> },
    /// Read these pages. Answered by one `Page` each, in order; if `pictures` are asked for, each is followed by an
    /// `Image` or `NotDrawn` for every part of it that only its picture can tell.
    Read { pages: Vec<PageNumber>, pictures: Pictures },
    /// Draw a part of a page. Answered by `Image` or `NotDrawn`.
    Draw { page: PageNumber, region: Region, dpi: u32 },
}

/// What the worker answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    Opened(Opened),
    Refused { code: ProblemCode, detail: String },
    Page { page: Box<Page>, pictures: Vec<Region> },
    Image(PageImage),
    NotDrawn { why: String },
}

/// What is known of a document once it is open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Opened {
    /// Number of pages.
    pub n_pages: u32,
    /// The title that the file declares.
    pub title: Option<String>,
    /// Its table of contents.
    pub outline: Vec<OutlineEntry>,
    /// Problems of the document as a whole.
    pub problems: Vec<Problem>,
}

/// No message is longer: a picture at the default pixel budget needs half of it.
const MAX_MESSAGE: usize = 256 << 20;

/// Writes one message and flushes.
pub(super) fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&bytes)?;
    to.flush()
}

/// Reads one message; `None` at the end of the stream.
pub(super) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_MESSAGE {
        return Err(io::Error::other("message too long"));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    postcard::from_bytes(&bytes).map(Some).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_pipe_and_rubbish_is_an_error() {
        let request = Request::Draw { page: PageNumber::FIRST, region: Region::FULL, dpi: 144 };
        let mut pipe = Vec::new();
        send(&mut pipe, &request).unwrap();
        send(&mut pipe, &request).unwrap();
        let mut reader = pipe.as_slice();
        assert_eq!(receive(&mut reader).unwrap(), Some(request.clone()));
        assert_eq!(receive(&mut reader).unwrap(), Some(request));
        assert_eq!(receive::<Request>(&mut reader).unwrap(), None);
        for rubbish in [&b"\xff\xff\xff\xff"[..], b"\x05\0\0\0\xff\xff\xff\xff\xff", b"\x05\0\0\0\x01"] {
            assert!(receive::<Request>(&mut &*rubbish).is_err(), "{rubbish:?}");
        }
    }
}
