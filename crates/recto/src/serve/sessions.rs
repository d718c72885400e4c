//! Browsers that have shown a key: a cookie stands for it, so that no page holds the key, and is worth nothing after the
//! server has ended.

use recto_page::ContentHash;

use super::keys::{Grants, Keys, is_same};

/// What cookies are made with.
pub(crate) struct Sessions {
    secret: String,
}

impl Sessions {
    /// Sessions of a server that starts now.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self { secret: random()? })
    }

    /// The cookie for someone who has shown this key; `None` if it is not known.
    pub(crate) fn open(&self, key: &str, keys: &Keys) -> Option<String> {
        keys.grants(Some(key))?;
        Some(self.cookie(ContentHash::of(key.as_bytes()).as_str()))
    }

    /// What the holder of this cookie may do; `None` if it is not one of ours.
    pub(crate) fn grants(&self, cookie: &str, keys: &Keys) -> Option<Grants> {
        let is_meant = |hash: &str| is_same(self.cookie(hash).as_bytes(), cookie.as_bytes());
        keys.hashes().fold(None, |found, hash| if is_meant(hash) { keys.by_hash(hash) } else { found })
    }

    fn cookie(&self, hash: &str) -> String {
        ContentHash::of(format!("{}\0{hash}", self.secret).as_bytes()).as_str().to_owned()
    }
}

/// A name that nobody can guess.
///
/// # Errors
/// When the system gives no randomness.
pub(crate) fn random() -> anyhow::Result<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("no randomness: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_stands_for_its_key_at_its_server_alone() {
        let keys = Keys::parse("aaaaaaaaaaaaaaaa@one:read bbbbbbbbbbbbbbbb").unwrap();
        let (here, elsewhere) = (Sessions::new().unwrap(), Sessions::new().unwrap());
        let cookie = here.open("aaaaaaaaaaaaaaaa", &keys).unwrap();
        let may = |sessions: &Sessions, cookie: &str| sessions.grants(cookie, &keys).is_some();
        assert!(may(&here, &cookie) && !may(&elsewhere, &cookie) && !may(&here, ""));
        assert!(here.grants(&cookie, &keys).unwrap().on("two").is_none());
        assert!(here.open("cccccccccccccccc", &keys).is_none());
    }
}
