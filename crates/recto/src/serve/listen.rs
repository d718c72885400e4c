//! Connections: so many at once, each with so long to say what it wants; ended in good order by Ctrl-C.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use recto_ingest::discover::real_path;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::DEFAULT;
use super::api::upload::submit_path;
use super::keys::Grants;

use super::router::router;
use super::state::App;
use crate::config::Config;
use crate::{output, stop};

/// So long a client may take for the head of a request, and to say nothing between two.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// So long answers may go on after Ctrl-C.
const GRACE: Duration = Duration::from_secs(5);
/// Workers that draw pages end with the thread that started them: these stay.
const KEEP_ALIVE: Duration = Duration::from_secs(24 * 3600);
/// How often is looked whether the user wants the program to end.
const LOOK: Duration = Duration::from_millis(100);

/// What is told to those for whom there is no place.
const FULL: &str = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n\
    Connection: close\r\nContent-Length: 142\r\n\r\n{\"error\":{\"code\":\"busy\",\"message\":\"more connections are \
    open than --max-connections allows\",\"next_step\":\"try again in a moment, or raise it\"}}";

/// Answers until the user wants the program to end; brings the index of `path` up to date meanwhile.
pub(crate) fn until_stopped(
    address: SocketAddr,
    app: Arc<App>,
    path: Option<PathBuf>,
    config: &Config,
) -> anyhow::Result<()> {
    let stop = stop::requested()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_keep_alive(KEEP_ALIVE).build()?;
    let ended = runtime.block_on(async {
        let listener = TcpListener::bind(address).await.with_context(|| format!("{address}"))?;
        let bound = listener.local_addr()?;
        if let Some(path) = path {
            let (collection, _) = app.collection(DEFAULT, &Grants::all())?;
            submit_path(&app, &collection, real_path(&path), false)?;
        }
        if !config.quiet {
            output::note(format_args!("recto serves http://{bound}/ (Ctrl-C ends it)"));
        }
        let stopped = async {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(LOOK).await;
            }
        };
        tokio::select! {
            () = accept(listener, Arc::clone(&app)) => {}
            () = stopped => {}
        }
        app.jobs.stop_all();
        anyhow::Ok(())
    });
    runtime.shutdown_timeout(GRACE);
    ended
}

async fn accept(listener: TcpListener, app: Arc<App>) {
    let places = Arc::new(Semaphore::new(app.limits.connections));
    let router = router(app);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Files may have run out: it gets better when others end.
            tokio::time::sleep(LOOK).await;
            continue;
        };
        match Arc::clone(&places).try_acquire_owned() {
            Ok(place) => drop(tokio::spawn(connection(stream, router.clone(), place))),
            Err(_) => drop(tokio::spawn(refuse(stream))),
        }
    }
}

async fn connection(stream: TcpStream, router: Router, _place: OwnedSemaphorePermit) {
    stream.set_nodelay(true).ok();
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    // A client that goes away in the middle is nothing to act on.
    server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).await.ok();
}

/// Says that there is no place, to whoever reads at once.
async fn refuse(mut stream: TcpStream) {
    let told = async {
        let mut asked = [0; 1024];
        match stream.read(&mut asked).await {
            Ok(n) if n > 0 => stream.write_all(FULL.as_bytes()).await,
            _ => Ok(()),
        }
    };
    tokio::time::timeout(Duration::from_secs(1), told).await.ok();
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_told_to_those_without_a_place_is_as_long_as_it_says() {
        let (head, body) = super::FULL.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("Content-Length: {}", body.len())), "{}", body.len());
        serde_json::from_str::<serde_json::Value>(body).unwrap();
    }
}
