//! The networks in ONNX Runtime, loaded from a shared library that the user names. Feature `ort`.

use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use ort::environment::Environment;
use ort::ep::CPU;
use ort::session::Session;
use ort::value::TensorRef;

use super::net::{Array, Net, Planes};
use crate::{ModelError, Result};

/// The environment of the process. The first library that is loaded stays.
pub(crate) fn environment(library: &Path) -> Result<Environment> {
    static KEPT: OnceLock<Environment> = OnceLock::new();
    if let Some(environment) = KEPT.get() {
        return Ok(environment.clone());
    }
    let bad = |why: String| ModelError::BadFile { file: library.to_owned(), why };
    let builder = ort::init_from(library).map_err(|error| bad(error.to_string()))?;
    let environment = builder.build().map_err(|error| bad(error.to_string()))?;
    Ok(KEPT.get_or_init(|| environment).clone())
}

/// A network; each run needs a session of its own, so those not in use are kept.
pub(crate) struct OrtNet {
    environment: Environment,
    bytes: Vec<u8>,
    idle: Mutex<Vec<Session>>,
}

impl OrtNet {
    /// From the bytes of an ONNX file; `file` is for the error.
    pub(crate) fn load(environment: &Environment, bytes: Vec<u8>, file: &Path) -> Result<Self> {
        let net = Self { environment: environment.clone(), bytes, idle: Mutex::default() };
        let session = net.session().map_err(|why| ModelError::BadFile { file: file.to_owned(), why })?;
        net.keep(session);
        Ok(net)
    }

    fn session(&self) -> std::result::Result<Session, String> {
        let builder = Session::builder(&self.environment).map_err(|error| error.to_string())?;
        let builder = builder.with_intra_threads(1).map_err(|error| error.to_string())?;
        // Every line has another size: memory kept for the next run would only pile up.
        let builder = builder.with_memory_pattern(false).map_err(|error| error.to_string())?;
        let plain = [CPU::default().with_arena_allocator(false).build()];
        let mut builder = builder.with_execution_providers(plain).map_err(|error| error.to_string())?;
        builder.commit_from_memory(&self.bytes).map_err(|error| error.to_string())
    }

    fn keep(&self, session: Session) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(session);
    }
}

impl Net for OrtNet {
    fn run(&self, input: &Planes) -> Result<Array> {
        let bad = |why: String| ModelError::BadReply { why };
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut session = idle.map_or_else(|| self.session(), Ok).map_err(bad)?;
        let output = run(&mut session, input).map_err(|error| bad(error.to_string()))?;
        self.keep(session);
        Ok(output)
    }
}

fn run(session: &mut Session, input: &Planes) -> ort::Result<Array> {
    let shape = [1, 3, input.height, input.width];
    let outputs = session.run(ort::inputs![TensorRef::from_array_view((shape, input.data.as_slice()))?])?;
    let (shape, data) = outputs[0].try_extract_tensor::<f32>()?;
    Ok(Array { columns: shape.last().map_or(0, |columns| *columns as usize), data: data.to_vec() })
}
