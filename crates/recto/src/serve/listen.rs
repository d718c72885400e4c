//! Connections: so many at once, each with so long to say what it wants; ended in good order by Ctrl-C.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use recto_ingest::discover::real_path;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::DEFAULT;
use super::api::upload::submit_path;
use super::keys::Grants;
use super::patience::Patient;
use super::router::router;
use super::state::App;
use crate::config::Config;
use crate::{output, stop};

/// So long a client may take for the head of a request, and to say nothing between two.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// So long a client may take nothing of an answer.
const TAKE_TIME: Duration = Duration::from_secs(60);
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

/// What is told to those who began a request and did not end its head in time.
const SLOW: &str = "HTTP/1.1 408 Request Timeout\r\nContent-Type: application/json\r\n\
    Connection: close\r\nContent-Length: 129\r\n\r\n{\"error\":{\"code\":\"slow\",\"message\":\"the head of the \
    request was not sent within 20 seconds\",\"next_step\":\"send it again, quicker\"}}";

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
            if let Some(watched) = collection.watched.clone() {
                let app = Arc::clone(&app);
                tokio::task::spawn_blocking(move || watched.keep(&app, &collection, stop));
            }
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
    let router = TowerToHyperService::new(router);
    let answering = service_fn(move |request| Box::pin(router.call(request)));
    let mut served = server.serve_connection(TokioIo::new(Patient::new(stream, TAKE_TIME)), answering);
    let ended = poll_fn(|context| served.poll_without_shutdown(context)).await;
    let parts = served.into_parts();
    let mut stream = parts.io.into_inner();
    // A client that goes away in the middle, or says nothing any more, is nothing to act on.
    if ended.is_err_and(|error| error.is_timeout()) && !parts.read_buf.is_empty() {
        stream.write_all(SLOW.as_bytes()).await.ok();
    }
    stream.shutdown().await.ok();
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
    fn what_is_told_without_the_router_is_as_long_as_it_says() {
        for told in [super::FULL, super::SLOW] {
            let (head, body) = told.split_once("\r\n\r\n").unwrap();
            assert!(head.contains(&format!("Content-Length: {}", body.len())), "{}", body.len());
            serde_json::from_str::<serde_json::Value>(body).unwrap();
        }
    }
}
