//! Who may do what: keys from the environment, each with a right in some collections or in all.

use std::collections::BTreeMap;

use recto_page::ContentHash;

use crate::exit::usage;

/// Where keys are given.
pub(crate) const VARIABLE: &str = "RECTO_SERVE_KEYS";
/// Shorter keys could be guessed.
const SHORTEST: usize = 16;

/// What may be done. Each right holds those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Right {
    /// Look at what is there, and search it.
    Read,
    /// Ask questions, which may cost money.
    Ask,
    /// Add and remove documents.
    Write,
}

impl Right {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Ask => "ask",
            Self::Write => "write",
        }
    }
}

/// The keys that are known. Without any, everybody may do everything.
#[derive(Clone, Default, Debug)]
pub(crate) struct Keys(Vec<Key>);

#[derive(Clone, Debug)]
struct Key {
    /// Of the key, so that what is compared says nothing of it and is of one length.
    hash: ContentHash,
    everywhere: Option<Right>,
    collections: BTreeMap<String, Right>,
}

/// What a caller may do.
#[derive(Clone, Debug)]
pub(crate) struct Grants {
    everywhere: Option<Right>,
    collections: BTreeMap<String, Right>,
}

impl Keys {
    /// Reads keys as the environment gives them: `KEY` for everything, or `KEY@NAME:RIGHT,NAME:RIGHT`, several parted by
    /// spaces, lines or semicolons. A name of `*` is every collection; a right is read, ask or write (the default).
    ///
    /// # Errors
    /// A [usage error](crate::exit::Usage) that tells which one is wrong, and not what it is.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let entries = text.split(|c: char| c == ';' || c.is_whitespace()).filter(|entry| !entry.is_empty());
        let keys: Vec<Key> =
            entries.zip(1..).map(|(entry, place)| Key::parse(entry, place)).collect::<Result<_, _>>()?;
        if keys.is_empty() {
            return Err(usage(format!("{VARIABLE} is set and holds no key; leave it out, or put keys there")));
        }
        let mut first = BTreeMap::new();
        for (key, place) in keys.iter().zip(1..) {
            if let Some(first) = first.insert(key.hash.as_str(), place) {
                return Err(usage(format!(
                    "{VARIABLE}: key {place} is the same as key {first}; give a key once, with all that it may do"
                )));
            }
        }
        Ok(Self(keys))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names of collections that keys are for.
    pub(crate) fn named(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|key| key.collections.keys().map(String::as_str))
    }

    /// What the sender of this key may do; `None` if it is not known.
    pub(crate) fn grants(&self, sent: Option<&str>) -> Option<Grants> {
        if self.0.is_empty() {
            return Some(Grants::all());
        }
        self.by_hash(ContentHash::of(sent?.as_bytes()).as_str())
    }

    /// The hashes of all keys.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|key| key.hash.as_str())
    }

    /// The same by the hash of the key. All keys are compared, each in the same time.
    pub(crate) fn by_hash(&self, sent: &str) -> Option<Grants> {
        let mut found = None;
        for key in &self.0 {
            if is_same(key.hash.as_str().as_bytes(), sent.as_bytes()) {
                found = Some(key);
            }
        }
        found.map(|key| Grants { everywhere: key.everywhere, collections: key.collections.clone() })
    }
}

impl Key {
    fn parse(entry: &str, place: usize) -> anyhow::Result<Self> {
        let wrong = |what: &str| usage(format!("{VARIABLE}: key {place} {what}"));
        let (secret, scopes) = entry.rsplit_once('@').unwrap_or((entry, "*"));
        if secret.chars().count() < SHORTEST {
            return Err(wrong(&format!("is shorter than {SHORTEST} characters")));
        }
        let mut key = Self { hash: ContentHash::of(secret.as_bytes()), everywhere: None, collections: BTreeMap::new() };
        for scope in scopes.split(',') {
            let (name, right) = scope.split_once(':').unwrap_or((scope, "write"));
            let right = match right {
                "read" => Right::Read,
                "ask" => Right::Ask,
                "write" => Right::Write,
                _ => return Err(wrong("has a right other than read, ask and write")),
            };
            match name {
                "" => return Err(wrong("is for a collection without a name; expected KEY@NAME:RIGHT,NAME:RIGHT")),
                "*" => key.everywhere = Some(right),
                name => {
                    if key.collections.insert(name.into(), right).is_some() {
                        return Err(wrong("names a collection twice"));
                    }
                }
            }
        }
        Ok(key)
    }
}

impl Grants {
    /// Everything.
    pub(crate) fn all() -> Self {
        Self { everywhere: Some(Right::Write), collections: BTreeMap::new() }
    }

    /// What may be done in a collection; `None` if it must not even be seen.
    pub(crate) fn on(&self, collection: &str) -> Option<Right> {
        self.collections.get(collection).copied().max(self.everywhere)
    }

    /// What may be done in every collection.
    pub(crate) fn everywhere(&self) -> Option<Right> {
        self.everywhere
    }
}

/// Looks at all bytes, however early they differ.
pub(crate) fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && std::hint::black_box(differ) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "aaaaaaaaaaaaaaaa";
    const B: &str = "bbbbbbbbbbbbbbbb";

    #[test]
    fn keys_open_what_they_are_for() {
        let keys = Keys::parse(&format!("{A} {B}@one:read,two")).unwrap();
        let on = |key: &str, collection: &str| keys.grants(Some(key)).and_then(|grants| grants.on(collection));
        let table = [
            (A, "one", Some(Right::Write)),
            (A, "three", Some(Right::Write)),
            (B, "one", Some(Right::Read)),
            (B, "two", Some(Right::Write)),
            (B, "three", None),
            ("", "one", None),
            ("aaaaaaaaaaaaaaab", "one", None),
            ("aaaaaaaaaaaaaaaaa", "one", None),
        ];
        for (key, collection, right) in table {
            assert_eq!(on(key, collection), right, "{key} {collection}");
        }
        assert!(keys.grants(None).is_none());
        assert_eq!(Keys::default().grants(None).and_then(|grants| grants.on("any")), Some(Right::Write));
    }

    #[test]
    fn a_key_that_is_given_twice_is_refused() {
        let error = Keys::parse(&format!("{A}@one:read {B}\n{A}@one:write")).unwrap_err().to_string();
        assert!(error.contains("key 3 is the same as key 1") && !error.contains(A), "{error}");
    }

    #[test]
    fn what_is_wrong_is_told_without_the_key() {
        for text in [
            "",
            " ;\n",
            "tiny!",
            &format!("{A}@one:rule"),
            &format!("{A}@:read"),
            &format!("{A} {B}@"),
            &format!("{A}@one:read,one:write"),
        ] {
            let error = Keys::parse(text).unwrap_err().to_string();
            assert!(error.contains(VARIABLE) && !error.contains(A) && !error.contains("tiny!"), "{text:?}: {error}");
        }
    }
}
