//! Connections: so many at once, each with so long to say what it wants; ended in good order by Ctrl-C.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::router::router;
use super::state::App;
use crate::config::Config;
use crate::{output, stop};

/// So long a client may take for the head of a request, and to say nothing between two.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// So long answers may go on after Ctrl-C.
const GRACE: Duration = Duration::from_secs(5);
/// How often is looked whether the user wants the program to end.
const LOOK: Duration = Duration::from_millis(100);

/// Answers until the user wants the program to end.
pub(crate) fn until_stopped(address: SocketAddr, app: Arc<App>, config: &Config) -> anyhow::Result<()> {
    let stop = stop::requested()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let listener = TcpListener::bind(address).await.with_context(|| format!("{address}"))?;
        let bound = listener.local_addr()?;
        if !config.quiet {
            output::note(format_args!("recto serves http://{bound}/ (Ctrl-C ends it)"));
        }
        let stopped = async {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(LOOK).await;
            }
        };
        tokio::select! {
            () = accept(listener, app) => {}
            () = stopped => {}
        }
        anyhow::Ok(())
    });
    runtime.shutdown_timeout(GRACE);
    ended
}

async fn accept(listener: TcpListener, app: Arc<App>) {
    let places = Arc::new(Semaphore::new(app.limits.connections));
    let router = router(app);
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let router = router.clone();
        tokio::spawn(async move {
            connection(stream, router).await;
            drop(place);
        });
    }
}

async fn connection(stream: TcpStream, router: Router) {
    stream.set_nodelay(true).ok();
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    // A client that goes away in the middle is nothing to act on.
    server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).with_upgrades().await.ok();
}
