//! Which encoder serves which route: what users write, and the encoder that it names.
//!
//! | written | what |
//! |---|---|
//! | `potion` | potion-base-8M, static vectors: `dense` |
//! | `minilm` | all-MiniLM-L6-v2: `dense`, or the vectors of its tokens: `late` |
//! | a folder | a user's own networks, described by the `encoder.json` in it |
//! | `http://host:8000/v1/embeddings#model=NAME&dim=1024` | a server; more behind the `#` by `&`: see [`Server`] |

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recto_model::local::{OnnxEncoder, StaticEncoder};
use recto_model::remote::{EmbeddingApi, Endpoint, Key, RemoteEncoder, RemoteTokenEncoder};
use recto_model::{Identity, Pooling, Prefix};
use recto_page::Pages;
use recto_search::{Query, Ranking, Route, RouteEncoder};

use crate::config::Config;
use crate::exit::usage;
use crate::output;
use crate::percent;

/// An encoder as a user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Spec {
    Potion,
    MiniLm,
    Folder(PathBuf),
    Server(Server),
}

/// A server and what its vectors are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Server {
    /// As it was written.
    text: String,
    url: String,
    /// `openai`, `base64`, `chat`, `cohere`; or `pooling` for several vectors.
    api: Option<EmbeddingApi>,
    identity: Identity,
    /// Inputs of a request.
    batch: usize,
}

/// One request of an encoder takes at most so long; and so long it is asked again where waiting can help.
const TIMEOUT: Duration = Duration::from_secs(120);
const PATIENCE: Duration = Duration::from_secs(60);

impl Spec {
    /// Reads what the user wrote.
    ///
    /// # Errors
    /// What was expected.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text {
            "potion" => Ok(Self::Potion),
            "minilm" => Ok(Self::MiniLm),
            _ if text.contains("://") => Ok(Self::Server(Server::parse(text)?)),
            _ if Path::new(text).join("encoder.json").is_file() => {
                let folder = std::fs::canonicalize(text).map_err(|error| error.to_string())?;
                Ok(Self::Folder(folder))
            }
            _ => Err("potion, minilm, a folder with encoder.json, or http://...#model=NAME&dim=NUMBER".into()),
        }
    }

    /// What the index notes: [`Spec::parse`] reads it.
    pub(crate) fn as_text(&self) -> String {
        match self {
            Self::Potion => "potion".into(),
            Self::MiniLm => "minilm".into(),
            Self::Folder(folder) => folder.display().to_string(),
            Self::Server(server) => server.text.clone(),
        }
    }

    /// What the index notes, without looking whether it is still there.
    pub(crate) fn noted(text: &str) -> Self {
        Self::parse(text).unwrap_or_else(|_| Self::Folder(text.into()))
    }

    /// What serves a route where the user names nothing.
    pub(crate) const fn default_of(route: Route) -> Option<Self> {
        match route {
            Route::Dense => Some(Self::Potion),
            Route::Late => Some(Self::MiniLm),
            Route::Bm25 | Route::Page => None,
        }
    }

    /// True if it can serve the route.
    fn serves(&self, route: Route) -> bool {
        match self {
            Self::Potion => route == Route::Dense,
            Self::MiniLm => matches!(route, Route::Dense | Route::Late),
            Self::Folder(_) => route != Route::Bm25,
            Self::Server(server) => match (server.api, server.identity.dpi) {
                (None, _) => route == Route::Late,
                (Some(_), None) => route == Route::Dense,
                (Some(_), Some(_)) => matches!(route, Route::Dense | Route::Page),
            },
        }
    }
}

/// Encoders by route: `potion`, or `dense=potion` and `late=minilm` on lines of their own. What names no route serves all
/// that it can.
///
/// # Errors
/// What was expected.
pub(crate) fn parse(text: &str) -> Result<BTreeMap<Route, Spec>, String> {
    let mut specs = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let named = line.split_once('=').and_then(|(name, spec)| Some((name.parse::<Route>().ok()?, spec)));
        match named {
            Some((route, text)) => {
                let spec = Spec::parse(text)?;
                if !spec.serves(route) {
                    return Err(format!("an encoder for the route {route}, which {text} is not"));
                }
                specs.insert(route, spec);
            }
            None => {
                let spec = Spec::parse(line)?;
                let routes = Route::VECTORS.into_iter().filter(|route| spec.serves(*route));
                specs.extend(routes.map(|route| (route, spec.clone())));
            }
        }
    }
    Ok(specs)
}

impl Server {
    fn parse(text: &str) -> Result<Self, String> {
        let (url, rest) = text.split_once('#').unwrap_or((text, ""));
        let mut server = Self {
            text: text.into(),
            url: url.into(),
            api: if url.ends_with("/pooling") { None } else { Some(EmbeddingApi::OpenAi) },
            identity: Identity {
                model: String::new(),
                revision: String::new(),
                dim: 0,
                normalised: true,
                prefix: Prefix::default(),
                dpi: None,
                pooling: Pooling::Given,
            },
            batch: 32,
        };
        for (key, value) in rest.split('&').filter(|pair| !pair.is_empty()).filter_map(|pair| pair.split_once('=')) {
            server.set(key, &percent::decoded(value)).ok_or_else(|| format!("another {key} than {value:?}"))?;
        }
        if server.identity.model.is_empty() || server.identity.dim == 0 {
            return Err("#model=NAME&dim=NUMBER at the end of the address".into());
        }
        Ok(server)
    }

    /// Sets what stands behind the `#`; `None` if it is of no use.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "model" => self.identity.model = value.into(),
            "revision" => self.identity.revision = value.into(),
            "dim" => self.identity.dim = value.parse().ok().filter(|dim| (1..=65_536).contains(dim))?,
            "dpi" => self.identity.dpi = Some(value.parse().ok().filter(|dpi| (10..=600).contains(dpi))?),
            "normalise" => self.identity.normalised = value.parse().ok()?,
            "query" => self.identity.prefix.query = value.into(),
            "page" => self.identity.prefix.page = value.into(),
            "batch" => self.batch = value.parse().ok().filter(|batch| (1..=4096).contains(batch))?,
            "api" => {
                self.api = match value {
                    "openai" => Some(EmbeddingApi::OpenAi),
                    "base64" => Some(EmbeddingApi::OpenAiBase64),
                    "chat" => Some(EmbeddingApi::VllmChat),
                    "cohere" => Some(EmbeddingApi::Cohere),
                    "pooling" => None,
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn open(&self, route: Route, key: Option<Key>) -> recto_model::Result<RouteEncoder> {
        let (model, url, identity) = (self.identity.model.clone(), self.url.clone(), self.identity.clone());
        let endpoint = Endpoint { url, key, model, timeout: TIMEOUT, patience: PATIENCE, batch: self.batch };
        let Some(api) = self.api else {
            return Ok(RouteEncoder::Late(Arc::new(RemoteTokenEncoder::new(endpoint, identity)?)));
        };
        let encoder = Arc::new(RemoteEncoder::new(endpoint, api, identity)?);
        Ok(if route == Route::Page { RouteEncoder::Page(encoder) } else { RouteEncoder::Dense(encoder) })
    }
}

/// Opens encoders, each file once.
pub(crate) struct Encoders {
    config: Config,
    routes: Mutex<BTreeMap<Route, Arc<RouteEncoder>>>,
    networks: Mutex<Vec<(Spec, Arc<OnnxEncoder>)>>,
}

impl Encoders {
    pub(crate) fn new(config: &Config) -> Self {
        Self { config: config.clone(), routes: Mutex::default(), networks: Mutex::default() }
    }

    /// The encoder of a route, kept open: what the user names now, else what the index notes.
    ///
    /// # Errors
    /// Those of [`Encoders::open`].
    pub(crate) fn of(&self, route: Route, noted: &str) -> anyhow::Result<Arc<RouteEncoder>> {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(encoder) = routes.get(&route) {
            return Ok(Arc::clone(encoder));
        }
        let encoder = self.open(&chosen(route, Some(noted), &self.config)?, route)?;
        routes.insert(route, Arc::clone(&encoder));
        Ok(encoder)
    }

    /// The encoder that is named, for a route.
    ///
    /// # Errors
    /// When its files are not there or of no use, or its address is none.
    pub(crate) fn open(&self, spec: &Spec, route: Route) -> anyhow::Result<Arc<RouteEncoder>> {
        Ok(Arc::new(match spec {
            Spec::Potion => RouteEncoder::Dense(Arc::new(StaticEncoder::open(&self.models())?)),
            Spec::Server(server) => server.open(route, self.config.encoder_key.clone())?,
            Spec::MiniLm | Spec::Folder(_) => {
                let network = self.network(spec)?;
                match route {
                    Route::Late => RouteEncoder::Late(network),
                    Route::Page => RouteEncoder::Page(network),
                    Route::Dense | Route::Bm25 => RouteEncoder::Dense(network),
                }
            }
        }))
    }

    /// How many pages a reranker looks at; none if there is no reranker.
    pub(crate) fn reranked(&self) -> usize {
        self.config.rerank.as_ref().map_or(0, |spec| spec.top)
    }

    /// The ranking as the reranker orders it; as it is, with a note, where there is none or it fails.
    pub(crate) fn rerank(&self, ranking: Ranking, query: &Query, pages: &dyn Pages) -> Ranking {
        let Some(spec) = self.config.rerank.as_ref().filter(|_| !ranking.0.is_empty()) else { return ranking };
        spec.rerank(ranking.clone(), query, pages, self.config.rerank_key.clone()).unwrap_or_else(|error| {
            output::note(format_args!("the pages are not reranked: {error:#}"));
            ranking
        })
    }

    fn network(&self, spec: &Spec) -> anyhow::Result<Arc<OnnxEncoder>> {
        let mut networks = self.networks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, network)) = networks.iter().find(|(known, _)| known == spec) {
            return Ok(Arc::clone(network));
        }
        let network = Arc::new(match spec {
            Spec::Folder(folder) => OnnxEncoder::open(folder)?,
            _ => OnnxEncoder::open_minilm(&self.models())?,
        });
        networks.push((spec.clone(), Arc::clone(&network)));
        Ok(network)
    }

    fn models(&self) -> PathBuf {
        self.config.models_folder().join("text")
    }
}

/// The encoder of a route: what the user names now, else what the index notes, else the default.
///
/// # Errors
/// A [usage error](crate::exit::Usage) where none of them is.
pub(crate) fn chosen(route: Route, noted: Option<&str>, config: &Config) -> anyhow::Result<Spec> {
    let named = config.encoders.get(&route).cloned();
    let spec = named.or_else(|| noted.map(Spec::noted)).or_else(|| Spec::default_of(route));
    spec.ok_or_else(|| usage(format!("the route {route} needs an encoder: --encoder {route}=FOLDER, or an address")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoders_are_named_by_route_or_serve_what_they_can() {
        let minilm = parse("minilm").unwrap();
        assert_eq!(minilm.keys().copied().collect::<Vec<_>>(), [Route::Dense, Route::Late]);
        let both = parse("late=minilm\ndense=potion\n").unwrap();
        assert_eq!(both, BTreeMap::from([(Route::Dense, Spec::Potion), (Route::Late, Spec::MiniLm)]));
        assert_eq!(parse(""), Ok(BTreeMap::new()));
        for wrong in ["late=potion", "bm25=potion", "nothing", "dense=", "page=minilm"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_server_says_what_its_vectors_are() {
        let text = "http://h:1/v1/embeddings#model=a%2Fb&dim=8&query=query:%20&dpi=72&api=chat&batch=4";
        let Ok(Spec::Server(server)) = Spec::parse(text) else { panic!("{text}") };
        assert_eq!((server.url.as_str(), server.api), ("http://h:1/v1/embeddings", Some(EmbeddingApi::VllmChat)));
        let Identity { model, dim, prefix, dpi, normalised, .. } = server.identity.clone();
        assert_eq!(
            (model.as_str(), dim, prefix.query.as_str(), dpi, normalised),
            ("a/b", 8, "query: ", Some(72), true)
        );
        assert_eq!(Spec::parse(&Spec::Server(server).as_text()), Spec::parse(text));
        assert!(parse("http://h/pooling#model=m&dim=8").unwrap().contains_key(&Route::Late));
        for wrong in [
            "http://h/",
            "http://h/#model=m",
            "http://h/#model=m&dim=0",
            "http://h/#model=m&dim=8&api=x",
            "http://h/#model=m&dim=8&what=x",
        ] {
            assert!(Spec::parse(wrong).is_err(), "{wrong}");
        }
    }
}
