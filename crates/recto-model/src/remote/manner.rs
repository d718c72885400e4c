//! What a server can do, learned from its complaints: asked in the fullest manner first, then in a plainer one for good. One
//! reply that is not in the form asked for teaches nothing; several in a row do.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// How a reply in JSON is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Form {
    /// The server holds the model to the schema.
    Schema = 0,
    /// The server holds the model to JSON; the schema is quoted.
    Object = 1,
    /// The schema is quoted.
    Text = 2,
}

/// In what manner a server is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Manner {
    pub(super) form: Form,
    /// Whether the limit of tokens is called by its other name.
    pub(super) other_limit: bool,
    pub(super) temperature: bool,
    pub(super) stop: bool,
    pub(super) detail: bool,
    /// Whether pictures are shown.
    pub(super) pictures: bool,
}

const OTHER_LIMIT: u8 = 1;
const NO_TEMPERATURE: u8 = 2;
const NO_STOP: u8 = 4;
const NO_DETAIL: u8 = 8;
const NO_PICTURES: u8 = 16;

/// So many replies in a row without the form asked for: the server does not hold the model to it.
const UNFORMED: u8 = 3;
/// No model has less context.
const LEAST_CONTEXT: u64 = 1_024;

/// What servers say whose model sees no pictures.
const BLIND: [&str; 8] = [
    "image input",
    "image_url",
    "support image",
    "support vision",
    "vision is not",
    "images are not",
    "not a multimodal",
    "content must be a string",
];
/// What they say of a picture that is not as it should be, or of too many.
const FAULTY: [&str; 9] =
    ["image format", "mime", "media_type", "too large", "too small", "too many", "dimension", "decode", "base64"];
/// A reply was not in the form, and the server did not give it.
const NOT_FORMED: [&str; 2] = ["json_validate_failed", "failed_generation"];
/// What stands before the number of tokens that a model takes in.
const CONTEXT: [&str; 5] = ["context length is ", "n_ctx\":", "tokens allowed (", "tokens > ", "context size is "];

/// What was learned so far, by all threads.
#[derive(Debug, Default)]
pub(super) struct Learned {
    form: AtomicU8,
    without: AtomicU8,
    /// Replies in a row that were not in the form asked for.
    unformed: AtomicU8,
    /// Tokens of a request with its reply, at most; 0 if nothing was learned of it.
    context: AtomicU64,
}

impl Learned {
    pub(super) fn manner(&self) -> Manner {
        let without = self.without.load(Ordering::Relaxed);
        let form = match self.form.load(Ordering::Relaxed) {
            0 => Form::Schema,
            1 => Form::Object,
            _ => Form::Text,
        };
        Manner {
            form,
            other_limit: without & OTHER_LIMIT != 0,
            temperature: without & NO_TEMPERATURE == 0,
            stop: without & NO_STOP == 0,
            detail: without & NO_DETAIL == 0,
            pictures: without & NO_PICTURES == 0,
        }
    }

    /// Tokens of a request with its reply, at most, if something was learned of it.
    pub(super) fn context(&self) -> Option<u64> {
        Some(self.context.load(Ordering::Relaxed)).filter(|context| *context > 0)
    }

    /// Takes a complaint about a request that was sent in a manner; `sent` is its body's names. Whether the next one will be
    /// plainer. Each manner is left once, so this ends.
    pub(super) fn complaint(&self, manner: Manner, said: &str, asks_for_json: bool) -> bool {
        let said = said.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
        let unknown = says(&[
            "support",
            "unknown",
            "unrecognized",
            "not permitted",
            "instead",
            "only the default",
            "deprecated",
            "extra",
            "not allowed",
            "reject",
        ]);
        let about = [
            (OTHER_LIMIT, !manner.other_limit && says(&["max_tokens", "max_completion_tokens"])),
            (NO_TEMPERATURE, manner.temperature && says(&["temperature"])),
            (NO_STOP, manner.stop && says(&["'stop'", "\"stop\"", "`stop`", "stop_sequences", "parameter: stop"])),
            (NO_DETAIL, manner.detail && says(&["image_url.detail", "'detail'", "\"detail\":", "`detail`"])),
        ];
        if let Some((bit, _)) = about.iter().find(|(_, is)| unknown && *is) {
            self.without.fetch_or(*bit, Ordering::Relaxed);
            return true;
        }
        let form = says(&["response_format", "json_", "json mode", "schema", "output_config", "structured"])
            || says(&["grammar", "guided", "requested parameters"]);
        asks_for_json && form && self.plainer(manner.form)
    }

    /// Takes a complaint about pictures; whether the next request will be without them.
    pub(super) fn blind(&self, manner: Manner, said: &str) -> bool {
        let said = said.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
        let is = manner.pictures && says(&BLIND) && !says(&FAULTY);
        if is {
            self.without.fetch_or(NO_PICTURES, Ordering::Relaxed);
        }
        is
    }

    /// Takes a complaint that a request of so many tokens, as estimated, is too long. Whether the next one will be shorter.
    pub(super) fn narrower(&self, tokens: u64, said: &str) -> bool {
        let now = self.context().unwrap_or(u64::MAX).min(tokens);
        let context = told_context(said).filter(|told| *told < now).unwrap_or(now / 4 * 3);
        let is = context >= LEAST_CONTEXT;
        if is {
            self.context.store(context, Ordering::Relaxed);
        }
        is
    }

    /// A reply in the form asked for.
    pub(super) fn formed(&self) {
        self.unformed.store(0, Ordering::Relaxed);
    }

    /// A reply that is not. The server has paid no heed to the form, or the model failed; after several in a row a plainer
    /// form is asked for.
    pub(super) fn unformed(&self) {
        if self.unformed.fetch_add(1, Ordering::Relaxed) + 1 >= UNFORMED {
            self.formed();
            self.plainer(self.manner().form);
        }
    }

    /// Asks for JSON in a plainer form from now on, if there is one.
    fn plainer(&self, than: Form) -> bool {
        let next = match than {
            Form::Schema => Form::Object,
            Form::Object => Form::Text,
            Form::Text => return false,
        };
        self.form.fetch_max(next as u8, Ordering::Relaxed);
        true
    }
}

/// Whether a server says that the model's reply was not in the form asked for.
pub(super) fn is_unformed(said: &str) -> bool {
    NOT_FORMED.iter().any(|word| said.contains(word))
}

/// The context that a server tells when a request is too long for it.
fn told_context(said: &str) -> Option<u64> {
    let number = |after: &str| {
        let digits: String =
            after.trim_start().chars().filter(|c| *c != ',').take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    CONTEXT.iter().find_map(|words| number(said.split_once(words)?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_sees_nothing_is_known_by_what_its_server_says() {
        let table = [
            ("No endpoints found that support image input", true),
            ("Invalid content type. image_url is only supported by certain models.", true),
            ("messages[1]: unknown variant `image_url`, expected `text`", true),
            ("image input is not supported - hint: you may need to provide the mmproj", true),
            ("/models/x is not a multimodal model", true),
            ("messages[0].content must be a string", true),
            ("image_url: the image format is not supported", false),
            ("image too small", false),
            ("At most 4 image(s) may be provided in one request.", false),
            ("temperature must be between 0 and 1", false),
        ];
        for (said, want) in table {
            let learned = Learned::default();
            assert_eq!(learned.blind(learned.manner(), said), want, "{said}");
            assert_eq!(learned.manner().pictures, !want, "{said}");
        }
    }

    #[test]
    fn the_context_is_learned_from_what_servers_say() {
        let check = |tokens: u64, said: &str, want: Option<u64>| {
            let learned = Learned::default();
            assert_eq!(learned.narrower(tokens, said), want.is_some(), "{said}");
            assert_eq!(learned.context(), want, "{said}");
        };
        let vllm = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (904 in the messages";
        check(9_500, vllm, Some(8_192));
        check(9_500, r#"{"type": "exceed_context_size_error", "n_prompt_tokens": 5000, "n_ctx": 4096}"#, Some(4_096));
        check(9_500, r#"{"n_prompt_tokens":5000,"n_ctx":4096}"#, Some(4_096));
        check(300_000, "prompt is too long: 209000 tokens > 200000 maximum", Some(200_000));
        check(2_000_000, "exceeds the maximum number of tokens allowed (1048576).", Some(1_048_576));
        check(8_000, "the request is too long", Some(6_000));
        check(8_000, vllm, Some(6_000));
        check(60, "maximum context length is 10 tokens", None);
        check(1_000, "too long", None);
        let learned = Learned::default();
        assert!(learned.narrower(9_500, vllm) && learned.narrower(9_000, vllm));
        assert_eq!(learned.context(), Some(6_144), "what was told was too much");
    }

    #[test]
    fn only_several_replies_in_a_row_without_form_teach_something() {
        let learned = Learned::default();
        let form = |replies: &[bool]| {
            replies.iter().for_each(|formed| if *formed { learned.formed() } else { learned.unformed() });
            learned.manner().form
        };
        assert_eq!(form(&[false, false, true, false, false, true]), Form::Schema);
        assert_eq!(form(&[false, false, false]), Form::Object);
        assert_eq!(form(&[false, false]), Form::Object);
        assert_eq!(form(&[false, false, false, false]), Form::Text);
    }

    #[test]
    fn complaints_of_servers_are_understood() {
        let full = Learned::default().manner();
        let limit = Manner { other_limit: true, ..full };
        let cold = Manner { temperature: false, ..full };
        let object = Manner { form: Form::Object, ..full };
        let table = [
            ("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.", Some(limit)),
            ("Unsupported value: 'temperature' does not support 0 with this model.", Some(cold)),
            ("Invalid parameter: 'response_format' of type 'json_schema' is not supported", Some(object)),
            ("This response_format type is unavailable now", Some(object)),
            ("No endpoints found that can handle the requested parameters.", Some(object)),
            ("output_config: Extra inputs are not permitted", Some(object)),
            ("Failed to parse grammar", Some(object)),
            ("stop_sequences: not supported", Some(Manner { stop: false, ..full })),
            ("max_tokens is too large: 8192", None),
            ("Invalid JSON payload received: the image is broken", None),
            ("messages: at least one is required", None),
            ("temperature must be between 0 and 1", None),
        ];
        for (said, want) in table {
            let learned = Learned::default();
            assert_eq!(learned.complaint(full, said, true), want.is_some(), "{said}");
            assert_eq!(learned.manner(), want.unwrap_or(full), "{said}");
        }
        assert!(!Learned::default().complaint(full, "response_format", false));
    }

    #[test]
    fn complaints_end() {
        let learned = Learned::default();
        let all = "unsupported: max_tokens temperature 'stop' 'detail' response_format";
        let complaints = (0..20).filter(|_| learned.complaint(learned.manner(), all, true)).count();
        assert_eq!(complaints, 6);
    }
}
