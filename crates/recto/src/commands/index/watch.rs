//! `recto index --watch`: keeps an index up to date with its folders. Looks again and again instead of waiting for messages
//! of the system, which network drives do not send.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use recto_ingest::discover::Discovery;
use recto_page::catalog::SourceStamp;

/// How often Ctrl-C is looked for while waiting.
const STEP: Duration = Duration::from_millis(100);

/// Looks every `pause`, and hands what is there to `update` whenever it has changed, until `stop` is set. While nothing can
/// be seen, as when a drive is away, nothing has changed.
///
/// # Errors
/// The first of `update`.
pub(crate) fn watch(
    pause: Duration,
    stop: &AtomicBool,
    look: impl Fn() -> Option<Discovery>,
    mut update: impl FnMut(Discovery) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut watched = Watched::default();
    while !stop.load(Ordering::Relaxed) {
        if let Some(discovery) = look().and_then(|discovery| watched.changed(discovery)) {
            update(discovery)?;
        }
        let start = Instant::now();
        while start.elapsed() < pause && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(STEP.min(pause));
        }
    }
    Ok(())
}

/// The state of every file that was found.
type Stamps = BTreeMap<PathBuf, SourceStamp>;

/// What was there at the last look, and what of it is in the index.
#[derive(Default)]
struct Watched {
    seen: Stamps,
    indexed: Option<Stamps>,
}

impl Watched {
    /// What is there now, if the index must be updated. A file that has changed since the last look is still being written:
    /// it is left out until it rests.
    fn changed(&mut self, mut discovery: Discovery) -> Option<Discovery> {
        let now: Stamps = discovery.found.iter().map(|file| (file.path.clone(), file.stamp)).collect();
        let seen = std::mem::replace(&mut self.seen, now.clone());
        discovery.found.retain(|file| seen.get(&file.path) == Some(&file.stamp));
        let rests = |path: &PathBuf, stamp: &SourceStamp| seen.get(path) == Some(stamp);
        let held = |path: &PathBuf| self.indexed.as_ref().and_then(|indexed| indexed.get(path)).copied();
        let next: Stamps = now
            .into_iter()
            .filter_map(|(path, stamp)| {
                let stamp = if rests(&path, &stamp) { Some(stamp) } else { held(&path) };
                stamp.map(|stamp| (path, stamp))
            })
            .collect();
        let changed = self.indexed.as_ref().map_or(!next.is_empty(), |indexed| *indexed != next);
        changed.then(|| {
            self.indexed = Some(next);
            discovery
        })
    }
}

#[cfg(test)]
mod tests {
    use recto_ingest::discover::Found;
    use recto_page::DocId;

    use super::*;

    fn found(files: &[(&str, u64)]) -> Discovery {
        let file = |&(name, size): &(&str, u64)| Found {
            name: DocId::new(name),
            root: "/".into(),
            path: name.into(),
            stamp: SourceStamp { size, ..SourceStamp::default() },
        };
        Discovery { found: files.iter().map(file).collect(), ..Discovery::default() }
    }

    /// paperless-ngx#6101, paperless-ngx#14219: files are taken while they are still being copied.
    #[test]
    fn a_file_is_taken_once_it_rests() {
        let mut watched = Watched::default();
        let mut check = |files: &[(&str, u64)], want: Option<&[(&str, u64)]>| {
            assert_eq!(watched.changed(found(files)), want.map(found), "{files:?}");
        };
        check(&[], None);
        check(&[("a", 1)], None);
        check(&[("a", 2)], None);
        check(&[("a", 2)], Some(&[("a", 2)]));
        check(&[("a", 2)], None);
        check(&[("a", 2), ("b", 1)], None);
        check(&[("a", 3), ("b", 1)], Some(&[("b", 1)]));
        check(&[("a", 3), ("b", 1)], Some(&[("a", 3), ("b", 1)]));
        check(&[("b", 1)], Some(&[("b", 1)]));
        check(&[], Some(&[]));
        check(&[], None);
    }
}
