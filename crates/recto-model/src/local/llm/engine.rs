//! The one thread that a model computes in: prompts go in, replies come out, one after the other. What it has read of a
//! prompt it need not read again for the next one that begins in the same way.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Duration;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::mtmd::{MtmdBitmap, MtmdContext, MtmdInputChunks, MtmdInputText};
use llama_cpp_2::token::LlamaToken;

use super::LocalSpec;
use super::loaded::{self, Loaded, PICTURE};
use super::picker::Picker;
use super::prompt::{Run, prompt};
use crate::{ChatImage, ChatRequest, Class, Clock, Failure, Limit, ModelError, Part, Result, Usage};

/// Prompts are read in blocks of so many tokens, each beginning at a multiple of it. What is known of an earlier prompt is
/// used in whole blocks, so that each block is always computed in the same way: to the last bit the same reply, whatever was
/// asked before.
const BLOCK: usize = 128;

/// Of the tokens of a reply in a form, at most so many are kept to bring it to its end.
const ENDING: u32 = 128;

/// A request on its way.
pub(super) struct Job {
    pub(super) request: ChatRequest,
    /// When, by the clock, it is to be given up.
    pub(super) deadline: Option<Duration>,
    pub(super) told: SyncSender<Told>,
}

/// What became of it, and what it used.
pub(super) struct Told {
    pub(super) said: Result<Said>,
    pub(super) usage: Usage,
}

/// What a model said.
pub(super) struct Said {
    pub(super) text: String,
    /// Whether it came to its end.
    pub(super) complete: bool,
    /// Tokens of the prompt that there was no room for.
    pub(super) missing: usize,
}

/// Loads a model, says how long its context is, and does what is asked until nobody asks any more.
pub(super) fn work(
    spec: &LocalSpec,
    threads: u32,
    clock: Arc<dyn Clock>,
    jobs: &Receiver<Job>,
    opened: &SyncSender<Result<u32>>,
) {
    let mut loaded = match Loaded::new(spec, threads) {
        Ok(loaded) => loaded,
        Err(error) => return drop(opened.send(Err(error))),
    };
    let eyes = loaded.eyes.take();
    match Engine::new(&loaded, eyes, spec, threads, clock) {
        Ok(mut engine) => {
            drop(opened.send(Ok(engine.context.n_ctx())));
            jobs.iter().for_each(|job| engine.answer(&job));
        }
        Err(error) => drop(opened.send(Err(error))),
    }
}

struct Engine<'a> {
    loaded: &'a Loaded,
    eyes: Option<MtmdContext>,
    context: LlamaContext<'a>,
    batch: LlamaBatch<'static>,
    clock: Arc<dyn Clock>,
    /// Tokens of a reply, at most.
    longest: u32,
    /// What the context holds of the last prompt, in whole blocks.
    known: Vec<LlamaToken>,
    /// Where the next token goes.
    position: i32,
}

impl<'a> Engine<'a> {
    fn new(
        loaded: &'a Loaded,
        eyes: Option<MtmdContext>,
        spec: &LocalSpec,
        threads: u32,
        clock: Arc<dyn Clock>,
    ) -> Result<Self> {
        let threads = threads.cast_signed();
        let params = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(spec.context.min(loaded.model.n_ctx_train())))
            .with_n_batch(BLOCK as u32)
            .with_n_ubatch(BLOCK as u32)
            .with_n_threads(threads)
            .with_n_threads_batch(threads);
        let context = loaded.model.new_context(loaded::backend()?, params);
        let context = context.map_err(|_| loaded::bad(&spec.file, "there is no memory for its context"))?;
        let batch = LlamaBatch::new(BLOCK, 1);
        Ok(Self { loaded, eyes, context, batch, clock, longest: spec.reply, known: Vec::new(), position: 0 })
    }

    fn answer(&mut self, job: &Job) {
        let mut usage = Usage { calls: 1, images: job.request.images(), ..Usage::default() };
        let said = self.say(job, &mut usage);
        // Whoever asked may have gone.
        drop(job.told.send(Told { said, usage }));
    }

    fn say(&mut self, job: &Job, usage: &mut Usage) -> Result<Said> {
        self.in_time(job, &[])?;
        let pictures = self.pictures(&job.request)?;
        let seen: usize = pictures.iter().map(MtmdInputChunks::total_tokens).sum();
        let longest = self.longest.min(job.request.max_tokens);
        let room = (self.context.n_ctx() as usize).saturating_sub(seen + longest as usize);
        let loaded = self.loaded;
        let (runs, missing) = prompt(&loaded.model, &loaded.template, &job.request, room)?;
        match &*runs {
            [Run::Tokens(tokens)] => self.read(tokens, job, usage)?,
            runs => self.see(runs, &pictures, job, usage)?,
        }
        let (text, complete) = self.write(longest, job, usage)?;
        Ok(Said { text, complete, missing })
    }

    /// Reads a prompt of words, from where it differs from the last one.
    fn read(&mut self, tokens: &[LlamaToken], job: &Job, usage: &mut Usage) -> Result<()> {
        let same = self.known.iter().zip(tokens).take_while(|(a, b)| a == b).count();
        // The last token is always read: what follows it is asked for.
        let known = same.min(tokens.len().saturating_sub(1)) / BLOCK * BLOCK;
        let known = if self.keep(known) { known } else { 0 };
        usage.input_tokens += known as u64;
        usage.cached_tokens += known as u64;
        for block in tokens.get(known..).unwrap_or_default().chunks(BLOCK) {
            self.decode(block, job, usage)?;
        }
        self.known = tokens.get(..tokens.len() / BLOCK * BLOCK).unwrap_or_default().to_vec();
        Ok(())
    }

    /// Forgets all but the first tokens. Whether that was possible: some models forget all or nothing.
    fn keep(&mut self, first: usize) -> bool {
        self.known.clear();
        let kept = first > 0 && matches!(self.context.clear_kv_cache_seq(Some(0), Some(first as u32), None), Ok(true));
        if !kept {
            self.context.clear_kv_cache();
        }
        self.position = if kept { first as i32 } else { 0 };
        kept
    }

    /// Reads a prompt with pictures, all of it.
    fn see(&mut self, runs: &[Run], pictures: &[MtmdInputChunks], job: &Job, usage: &mut Usage) -> Result<()> {
        self.keep(0);
        let mut pictures = pictures.iter();
        for run in runs {
            match run {
                Run::Tokens(tokens) => {
                    tokens.chunks(BLOCK).try_for_each(|block| self.decode(block, job, usage))?;
                }
                Run::Picture => {
                    let (Some(picture), Some(eyes)) = (pictures.next(), &mut self.eyes) else { return Err(blind()) };
                    let seen = picture.eval_chunks(eyes, &mut self.context, self.position, 0, BLOCK as i32, true);
                    self.position = seen.map_err(|error| broken(error.to_string()))?;
                    usage.input_tokens += picture.total_tokens() as u64;
                    self.in_time(job, &[])?;
                }
            }
        }
        Ok(())
    }

    /// The pictures of a request as the model sees them.
    fn pictures(&self, request: &ChatRequest) -> Result<Vec<MtmdInputChunks>> {
        let parts = request.messages.iter().flat_map(|message| &message.parts);
        let shown = parts.filter_map(|part| if let Part::Image(image) = part { Some(image) } else { None });
        shown.map(|image| self.picture(image)).collect()
    }

    fn picture(&self, image: &ChatImage) -> Result<MtmdInputChunks> {
        let eyes = self.eyes.as_ref().ok_or_else(blind)?;
        let bad = |_| ModelError::BadPicture { width: image.width, height: image.height, bytes: image.bytes().len() };
        let bitmap = MtmdBitmap::from_buffer(eyes, image.bytes(), false).map_err(bad)?;
        let text = MtmdInputText { text: PICTURE.into(), add_special: false, parse_special: true };
        eyes.tokenize(text, &[&bitmap]).map_err(|error| broken(error.to_string()))
    }

    /// Computes a few tokens; the last one tells what may follow.
    fn decode(&mut self, tokens: &[LlamaToken], job: &Job, usage: &mut Usage) -> Result<()> {
        self.in_time(job, &[])?;
        self.put(tokens)?;
        usage.input_tokens += tokens.len() as u64;
        Ok(())
    }

    fn put(&mut self, tokens: &[LlamaToken]) -> Result<()> {
        self.batch.clear();
        for (n, token) in tokens.iter().enumerate() {
            let added = self.batch.add(*token, self.position, &[0], n + 1 == tokens.len());
            added.map_err(|error| broken(error.to_string()))?;
            self.position += 1;
        }
        self.context.decode(&mut self.batch).map_err(|error| {
            self.known.clear();
            broken(error.to_string())
        })
    }

    /// Writes the reply, and says whether it came to its end.
    fn write(&mut self, longest: u32, job: &Job, usage: &mut Usage) -> Result<(String, bool)> {
        let vocabulary = self.loaded.model.vocab();
        let mut picker = Picker::new(&self.loaded.model, &job.request)?;
        let mut said = Vec::new();
        let ending = longest.saturating_sub((longest / 4).min(ENDING));
        for n in 0..longest {
            self.in_time(job, &said)?;
            let so_far = (n >= ending).then(|| text(&said));
            let token = picker.pick(&self.context, so_far.as_deref());
            let token = token.ok_or_else(|| failed(Class::Schema, "no word of the model has this form", &said))?;
            usage.output_tokens += 1;
            if vocabulary.is_eog(token) {
                return Ok((text(&said), true));
            }
            said.extend(vocabulary.token_to_piece(token, false, None));
            if let Some(until) = stopped(&text(&said), &job.request.stop) {
                return Ok((until, true));
            }
            self.put(&[token])?;
        }
        Ok((text(&said), false))
    }

    fn in_time(&self, job: &Job, said: &[u8]) -> Result<()> {
        if job.deadline.is_none_or(|deadline| self.clock.now() < deadline) {
            return Ok(());
        }
        if said.is_empty() {
            return Err(ModelError::Limit { limit: Limit::Time, why: "the model came to no reply in time".into() });
        }
        Err(failed(Class::Timeout, "the time was over before the reply was", said))
    }
}

fn text(said: &[u8]) -> String {
    String::from_utf8_lossy(said).into_owned()
}

/// What stands before the first of the texts that end a reply, if one is there.
fn stopped(said: &str, stops: &[String]) -> Option<String> {
    let end = stops.iter().filter(|stop| !stop.is_empty()).filter_map(|stop| said.find(stop)).min()?;
    said.get(..end).map(Into::into)
}

fn failed(class: Class, why: &str, said: &[u8]) -> ModelError {
    ModelError::Chat(Box::new(Failure { attempts: 1, ..Failure::new(class, why, &text(said)) }))
}

fn broken(why: String) -> ModelError {
    failed(Class::Server, &why, &[])
}

/// A picture for a model without eyes.
pub(super) fn blind() -> ModelError {
    failed(Class::Request, "it sees no pictures: #mmproj=FILE names what turns them into its tokens", &[])
}
