//! The worker's side: opens documents and reads pages until its input ends.

use std::io::{self, Read, Write};
use std::path::Path;

use recto_page::{PageNumber, ProblemCode, Region};

use super::protocol::{Opened, Reply, Request, receive, send};
use crate::document::OpenDocument;
use crate::ingest::read_page;
use crate::ocr::{self, Pictures};
use crate::{IngestError, Limits, with_document};

/// Pages nest as deep as their makers like; the engine follows them by recursion.
const STACK_BYTES: usize = 64 << 20;

/// Answers requests from `input` on `output` until `input` ends, in a thread with a large stack and with the memory
/// limit set for this process. To be called by a process that does nothing else.
///
/// # Errors
/// When the limit can't be set or a pipe breaks.
pub fn serve(input: impl Read + Send, output: impl Write + Send, limits: &Limits) -> io::Result<()> {
    limit_memory(limits.memory)?;
    end_with_parent()?;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let answering = thread.spawn_scoped(scope, || answer_all(input, output, limits))?;
        answering.join().unwrap_or_else(|_| Err(io::Error::other("worker panicked")))
    })
}

fn limit_memory(bytes: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let hard = getrlimit(Resource::As).maximum;
    let bytes = hard.map_or(bytes, |hard| bytes.min(hard));
    setrlimit(Resource::As, Rlimit { current: Some(bytes), maximum: hard })?;
    Ok(())
}

/// A worker that hangs would otherwise outlive a parent that was killed.
fn end_with_parent() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    Ok(())
}

fn answer_all(mut input: impl Read, mut output: impl Write, limits: &Limits) -> io::Result<()> {
    let mut request = receive(&mut input)?;
    while let Some(Request::Open { path, password }) = request {
        request = match read_limited(&path, limits.file_bytes) {
            Err(refusal) => {
                send(&mut output, &refusal)?;
                receive(&mut input)?
            }
            Ok(bytes) => answer_about(bytes, password.as_deref(), &mut input, &mut output, limits)?,
        };
    }
    Ok(())
}

/// Serves one document; returns the request that is not about it any more.
fn answer_about(
    bytes: Vec<u8>,
    password: Option<&str>,
    input: &mut impl Read,
    output: &mut impl Write,
    limits: &Limits,
) -> io::Result<Option<Request>> {
    let served = with_document(bytes, password, |document| {
        let opened = Opened {
            n_pages: document.n_pages(),
            title: document.title(),
            outline: document.outline(),
            problems: document.problems(),
        };
        send(output, &Reply::Opened(opened))?;
        loop {
            match receive(input)? {
                Some(Request::Read { pages, pictures }) => {
                    for number in pages {
                        read(document, number, pictures, output, limits.pixels)?;
                    }
                }
                Some(Request::Draw { page, region, dpi }) => {
                    send(output, &draw(document, page, region, dpi, limits.pixels))?;
                }
                other => return Ok(other),
            }
        }
    });
    match served {
        Ok(next) => next,
        Err(error) => {
            send(output, &refusal(&error))?;
            receive(input)
        }
    }
}

fn read(
    document: &dyn OpenDocument,
    number: PageNumber,
    pictures: Pictures,
    output: &mut impl Write,
    max_pixels: u64,
) -> io::Result<()> {
    let page = Box::new(read_page(document, number));
    let pictures = pictures.of(&page);
    send(output, &Reply::Page { page, pictures: pictures.clone() })?;
    pictures.iter().try_for_each(|region| send(output, &draw(document, number, *region, ocr::DPI, max_pixels)))
}

fn draw(document: &dyn OpenDocument, page: PageNumber, region: Region, dpi: u32, max_pixels: u64) -> Reply {
    match document.render(page, region, dpi, max_pixels) {
        Ok(image) => Reply::Image(image),
        Err(error) => Reply::NotDrawn { why: error.to_string() },
    }
}

fn refusal(error: &IngestError) -> Reply {
    let code = match error {
        IngestError::Open { code, .. } => *code,
        _ => ProblemCode::Damaged,
    };
    Reply::Refused { code, detail: error.to_string() }
}

fn read_limited(path: &Path, max: u64) -> Result<Vec<u8>, Reply> {
    let unreadable = |e: io::Error| Reply::Refused { code: ProblemCode::Unreadable, detail: e.to_string() };
    let size = std::fs::metadata(path).map_err(unreadable)?.len();
    if size > max {
        let detail = format!("{size} bytes; the limit is {max}");
        return Err(Reply::Refused { code: ProblemCode::FileTooLarge, detail });
    }
    std::fs::read(path).map_err(unreadable)
}
