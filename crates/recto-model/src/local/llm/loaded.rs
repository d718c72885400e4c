//! A model's files in memory: that they are what they should be, and what is wrong with them.

use std::ffi::CString;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::OnceLock;

use llama_cpp_2::gguf::GgufContext;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::model::{LlamaChatTemplate, LlamaModel};
use llama_cpp_2::mtmd::{MtmdContext, MtmdContextParams};
use llama_cpp_2::{LogOptions, send_logs_to_tracing};
use recto_page::ContentHash;

use super::LocalSpec;
use crate::{ModelError, Result};

/// So much of a file's beginning and end tells it from others.
const TELLING: usize = 1 << 20;
/// Stands for a picture; pictures are evaluated by themselves, so no text has it.
pub(super) const PICTURE: &str = "<__picture__>";

/// A model with its template and, if it sees, its eyes.
pub(super) struct Loaded {
    pub(super) model: LlamaModel,
    pub(super) template: LlamaChatTemplate,
    pub(super) eyes: Option<MtmdContext>,
}

impl Loaded {
    pub(super) fn new(spec: &LocalSpec, threads: u32) -> Result<Self> {
        let backend = backend()?;
        let model = LlamaModel::load_from_file(backend, &spec.file, &LlamaModelParams::default());
        let why = "llama.cpp can't load it: it is broken, or of a kind that this build does not know";
        let model = model.map_err(|_| bad(&spec.file, why))?;
        let template = model.chat_template(None);
        let template =
            template.map_err(|_| bad(&spec.file, "it has no chat template: it is no model that converses"))?;
        let eyes = spec.mmproj.as_ref().map(|file| eyes(file, &model, spec, threads)).transpose()?;
        Ok(Self { model, template, eyes })
    }
}

fn eyes(file: &Path, model: &LlamaModel, spec: &LocalSpec, threads: u32) -> Result<MtmdContext> {
    let marker = CString::new(PICTURE).map_err(|error| bad(file, &error.to_string()))?;
    let params = MtmdContextParams {
        use_gpu: false,
        print_timings: false,
        n_threads: threads.cast_signed(),
        media_marker: marker,
        image_min_tokens: spec.picture.map_or(-1, u32::cast_signed),
        ..MtmdContextParams::default()
    };
    let name = file.to_str().ok_or_else(|| bad(file, "its name is no Unicode"))?;
    let eyes = MtmdContext::init_from_file(name, model, &params);
    let eyes =
        eyes.map_err(|_| bad(file, "it does not fit the model: it is the projector of another one, or broken"))?;
    if eyes.support_vision() { Ok(eyes) } else { Err(bad(file, "it shows no pictures to a model")) }
}

/// llama.cpp, started once in a process, without a word on standard error.
pub(super) fn backend() -> Result<&'static LlamaBackend> {
    static BACKEND: OnceLock<Option<LlamaBackend>> = OnceLock::new();
    let started = BACKEND.get_or_init(|| {
        send_logs_to_tracing(LogOptions::default().with_logs_enabled(false));
        LlamaBackend::init().ok()
    });
    started.as_ref().ok_or_else(|| ModelError::BadReply { why: "llama.cpp did not start".into() })
}

/// What tells the files of a model from all others, after a look at what they say they are.
pub(super) fn identified(spec: &LocalSpec) -> Result<String> {
    backend()?;
    let model = telling(&spec.file)?;
    if architecture(&spec.file).as_deref() == Some("clip") {
        return Err(bad(&spec.file, "it is a projector of pictures, for #mmproj=FILE, and no language model"));
    }
    let Some(mmproj) = &spec.mmproj else { return Ok(model) };
    let eyes = telling(mmproj)?;
    match architecture(mmproj).as_deref() {
        Some("clip") => Ok(format!("{model} {eyes}")),
        _ => Err(bad(mmproj, "it is no projector of pictures (mmproj)")),
    }
}

fn architecture(file: &Path) -> Option<String> {
    let said = GgufContext::from_file(file)?;
    let key = said.find_key("general.architecture");
    // To ask for a text that is none ends the process.
    (key >= 0 && said.kv_type(key) == llama_cpp_sys_2::GGUF_TYPE_STRING).then(|| said.val_str(key).map(Into::into))?
}

/// A hash of a file's length, beginning and end.
fn telling(file: &Path) -> Result<String> {
    let unreadable = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => bad(file, "there is no such file"),
        _ => bad(file, &error.to_string()),
    };
    let mut opened = File::open(file).map_err(unreadable)?;
    let length = opened.metadata().map_err(unreadable)?.len();
    let mut bytes = Vec::new();
    (&mut opened).take(TELLING as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    if !bytes.starts_with(b"GGUF") {
        return Err(bad(file, "it is no GGUF file"));
    }
    opened.seek(SeekFrom::Start(length.saturating_sub(TELLING as u64))).map_err(unreadable)?;
    opened.take(TELLING as u64).read_to_end(&mut bytes).map_err(unreadable)?;
    bytes.extend(length.to_le_bytes());
    let hash = ContentHash::of(&bytes);
    Ok(hash.as_str().get(..16).unwrap_or_default().into())
}

pub(super) fn bad(file: &Path, why: &str) -> ModelError {
    ModelError::BadFile { file: file.into(), why: why.into() }
}
