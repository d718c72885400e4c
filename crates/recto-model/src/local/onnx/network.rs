//! One forward pass of a network with named inputs, to the rows of its output.

use std::path::Path;

use rten::{Model, ModelOptions, NodeId, RunOptions, ValueOrView};
use rten_tensor::prelude::*;

use crate::local::own_thread::own_thread;
use crate::{ModelError, MultiVector, Result};

/// A network of which one output is wanted.
pub(crate) struct Network {
    model: Model,
    output: NodeId,
    dim: usize,
}

impl Network {
    /// From the bytes of an ONNX file; `file` is for the error.
    pub(crate) fn load(bytes: Vec<u8>, file: &Path, output: Option<&str>, dim: u32) -> Result<Self> {
        let bad = |why: String| ModelError::BadFile { file: file.to_owned(), why };
        // Weights are laid out once instead of with every text.
        let model =
            ModelOptions::with_all_ops().prepack_weights(true).load(bytes).map_err(|error| bad(error.to_string()))?;
        let first = model.output_ids().first().copied();
        let output = output.map_or(first, |name| model.find_node(name)).ok_or_else(|| bad("no such output".into()))?;
        Ok(Self { model, output, dim: dim as usize })
    }

    /// The place of an input.
    pub(crate) fn input(&self, name: &str, file: &Path) -> Result<NodeId> {
        let bad = || ModelError::BadFile { file: file.to_owned(), why: format!("no input {name}") };
        self.model.find_node(name).filter(|id| self.model.input_ids().contains(id)).ok_or_else(bad)
    }

    /// The output as rows of `dim` numbers, all of them finite.
    pub(crate) fn rows(&self, inputs: Vec<(NodeId, ValueOrView<'_>)>) -> Result<MultiVector> {
        let bad = |why: String| ModelError::BadReply { why };
        let options = RunOptions::default().with_thread_pool(Some(own_thread()));
        let outputs = self.model.run(inputs, &[self.output], Some(options)).map_err(|error| bad(error.to_string()))?;
        let tensor = outputs.into_iter().next().and_then(|value| value.into_tensor::<f32>());
        let tensor = tensor.ok_or_else(|| bad("not numbers".into()))?;
        if tensor.shape().last() != Some(&self.dim) {
            return Err(bad(format!("the output has the shape {:?}, not {} columns", tensor.shape(), self.dim)));
        }
        let data = tensor.into_data();
        if !data.iter().all(|value| value.is_finite()) {
            return Err(bad("a number that is none".into()));
        }
        Ok(data.chunks(self.dim).map(<[f32]>::to_vec).collect())
    }
}
