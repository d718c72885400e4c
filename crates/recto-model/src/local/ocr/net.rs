//! One forward pass of a neural network: numbers in, numbers out. The only file that knows the runtime.

use std::path::Path;

use rten::{Model, RunOptions};
use rten_tensor::NdTensorView;
use rten_tensor::prelude::*;

use crate::local::own_thread::own_thread;
use crate::{ModelError, Result};

/// A network with one input and one output.
pub(crate) trait Net: Send + Sync {
    /// Its output for one picture.
    fn run(&self, input: &Planes) -> Result<Array>;
}

/// A picture as networks want it: three planes of `height` rows of `width` values.
pub(crate) struct Planes {
    pub(crate) height: usize,
    pub(crate) width: usize,
    pub(crate) data: Vec<f32>,
}

/// What a network gave: `data` in rows of `columns` values.
pub(crate) struct Array {
    pub(crate) columns: usize,
    pub(crate) data: Vec<f32>,
}

/// A network that rten runs.
pub(crate) struct RtenNet(Model);

impl RtenNet {
    /// From the bytes of an ONNX file; `file` is for the error.
    pub(crate) fn load(bytes: Vec<u8>, file: &Path) -> Result<Self> {
        let bad = |why: String| ModelError::BadFile { file: file.to_owned(), why };
        Model::load(bytes).map(Self).map_err(|error| bad(error.to_string()))
    }
}

impl Net for RtenNet {
    fn run(&self, input: &Planes) -> Result<Array> {
        let bad = |why: String| ModelError::BadReply { why };
        let view = NdTensorView::try_from_data([1, 3, input.height, input.width], input.data.as_slice())
            .map_err(|error| bad(error.to_string()))?;
        let options = RunOptions::default().with_thread_pool(Some(own_thread()));
        let value = self.0.run_one(view.into(), Some(options)).map_err(|error| bad(error.to_string()))?;
        let tensor = value.into_tensor::<f32>().ok_or_else(|| bad("not numbers".into()))?;
        let columns = tensor.shape().last().copied().unwrap_or_default();
        Ok(Array { columns, data: tensor.into_data() })
    }
}
