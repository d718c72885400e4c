//! A chat whose model runs in this process, in a thread of its own.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use super::LocalSpec;
use super::engine::{Job, Said, Told, blind, work};
use super::loaded::identified;
use crate::chat::Reach;
use crate::ledger::Estimate;
use crate::{Chat, ChatReply, ChatRequest, Class, Clock, Failure, Ledger, ModelError, Result, Usage, json_text};

/// A language model in this process. Requests are answered one after the other; the same request has the same reply.
#[derive(Debug)]
pub struct LocalChat {
    name: String,
    fingerprint: String,
    sees: bool,
    context: u32,
    longest: u32,
    /// `None` only while it is dropped.
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl LocalChat {
    /// Loads a model. `threads` compute, unless the spec says how many; deadlines are told by `clock`.
    ///
    /// # Errors
    /// [`ModelError::BadFile`] for a file that is not there, or not what it should be.
    pub fn open(spec: &LocalSpec, threads: u32, clock: Arc<dyn Clock>) -> Result<Self> {
        let identity = identified(spec)?;
        let threads = spec.threads.unwrap_or(threads).max(1);
        let (jobs, taken) = mpsc::channel();
        let (opened, told) = mpsc::sync_channel(1);
        let of_thread = spec.clone();
        let thread = thread::Builder::new().name("language model".into());
        let thread = thread.spawn(move || work(&of_thread, threads, clock, &taken, &opened));
        let thread = thread.map_err(|error| ModelError::Unavailable { why: error.to_string(), retry_after: None })?;
        let context = told.recv().map_err(|_| gone())??;
        let (name, sees, longest) = (spec.to_string(), spec.mmproj.is_some(), spec.reply);
        let picture = spec.picture.map(|tokens| format!(" picture={tokens}")).unwrap_or_default();
        let fingerprint = format!("{name} {identity} context={context} reply={longest}{picture}");
        Ok(Self { name, fingerprint, sees, context, longest, jobs: Some(jobs), thread: Some(thread) })
    }

    /// The most that a request can use: it is cut to the context.
    fn most(&self, request: &ChatRequest) -> Estimate {
        let longest = self.longest.min(request.max_tokens);
        let tokens = request.tokens().saturating_add(longest.into()).min(self.context.into());
        Estimate { tokens, nano_dollars: Some(0) }
    }

    fn told(&self, request: &ChatRequest, ledger: &Ledger) -> Result<Told> {
        let (told, answer) = mpsc::sync_channel(1);
        let job = Job { request: request.clone(), deadline: ledger.deadline(), told };
        let jobs = self.jobs.as_ref().ok_or_else(gone)?;
        jobs.send(job).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())
    }
}

impl Chat for LocalChat {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn reach(&self) -> Reach {
        Reach { pictures: self.sees, tokens: Some((self.context - self.longest).into()), is_quick: false }
    }

    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> Result<ChatReply> {
        request.check()?;
        if request.images() > 0 && !self.sees {
            return Err(blind());
        }
        let booked = ledger.reserve(self.most(request))?;
        let Told { said, usage } = self.told(request, ledger)?;
        if let Some(booked) = booked {
            booked.settle(&usage);
        }
        self.finished(request, said?, usage)
    }
}

impl LocalChat {
    fn finished(&self, request: &ChatRequest, said: Said, usage: Usage) -> Result<ChatReply> {
        let text = json_text::without_thoughts(&said.text).trim().to_owned();
        let failed = |class: Class, why: String| {
            ModelError::Chat(Box::new(Failure { attempts: 1, ..Failure::new(class, why, &said.text) }))
        };
        let formed = request.schema.as_ref().map(|schema| json_text::find(&text, schema)).transpose();
        let class = if said.complete { Class::Schema } else { Class::OutOfTokens };
        let json = formed.map_err(|why| failed(class, why))?;
        match (text.is_empty(), said.complete) {
            (true, true) => return Err(failed(Class::Empty, "it has no text".into())),
            (true, false) => return Err(failed(Class::OutOfTokens, "all tokens went into its reasoning".into())),
            _ => {}
        }
        let missing = (said.missing > 0).then_some(said.missing);
        let notes =
            missing.map(|n| format!("{n} tokens of text were left out: the model's context has {}", self.context));
        let (notes, raw) = (notes.into_iter().collect(), crate::failure::bounded(&said.text));
        Ok(ChatReply { text, json, complete: said.complete, model: self.name.clone(), usage, raw, notes })
    }
}

/// Lets the thread end before the process does: llama.cpp is taken apart when the process ends.
impl Drop for LocalChat {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Whatever ended it was told to whoever asked.
            drop(thread.join());
        }
    }
}

fn gone() -> ModelError {
    ModelError::Unavailable { why: "the model's thread has ended".into(), retry_after: None }
}
