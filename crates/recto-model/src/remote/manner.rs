//! What a server can do, learned from its complaints: asked in the fullest manner first, then in a plainer one for good.

use std::sync::atomic::{AtomicU8, Ordering};

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
}

const OTHER_LIMIT: u8 = 1;
const NO_TEMPERATURE: u8 = 2;
const NO_STOP: u8 = 4;
const NO_DETAIL: u8 = 8;

/// What was learned so far, by all threads.
#[derive(Debug, Default)]
pub(super) struct Learned {
    form: AtomicU8,
    without: AtomicU8,
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
        }
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

    /// Asks for JSON in a plainer form from now on, if there is one.
    pub(super) fn plainer(&self, than: Form) -> bool {
        let next = match than {
            Form::Schema => Form::Object,
            Form::Object => Form::Text,
            Form::Text => return false,
        };
        self.form.fetch_max(next as u8, Ordering::Relaxed);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
