//! `recto bench run`: asks a system the items of a benchmark, and keeps what it says.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use recto_bench::row::FaultClass;
use recto_bench::run_dir::{RunConfig, RunDir, hash_of};
use recto_bench::runner::{self, TimeLimits};
use recto_bench::{BenchmarkSet, Item, System};
use recto_page::{Catalog, ContentHash, IndexDir};

use super::names::Names;
use super::systems::Spec;
use super::{agents, baselines, episodes, source, systems, vectors};
use crate::args::BenchRunArgs;
use crate::commands::index;
use crate::config::{Config, in_range};
use crate::exit::{Finish, usage};
use crate::{corpus, output, stop};

pub(crate) fn run(args: &BenchRunArgs, config: &Config) -> anyhow::Result<Finish> {
    let spec = Spec::parse(&args.system)?;
    let source = source::open(&args.set)?;
    let items = chosen(args, &source.set)?;
    let dir = spec.needs_index().then(|| index_dir(args, config)).transpose()?;
    let run = RunConfig {
        version: env!("CARGO_PKG_VERSION").into(),
        set: source.set.name.clone(),
        set_path: source.path.clone(),
        items_hash: hash_of(&items),
        ids: (items.len() < source.set.items.len()).then(|| items.iter().map(|item| item.id.clone()).collect()),
        system: args.system.clone(),
        index: dir.as_ref().map(|dir| std::path::absolute(dir.root())).transpose()?,
        index_hash: dir.as_ref().map(|dir| corpus::fingerprint(&Catalog::open(dir)?)).transpose()?,
    };
    let system = system(args, spec, dir.as_ref(), &source.set, &items, config)?;
    let mut kept = RunDir::open(&args.out, &run, &retried(args)?)?;
    let todo: Vec<&Item> = items.iter().copied().filter(|item| !kept.has(&item.id)).collect();
    let stop = stop::requested()?;
    let (mut failed, n_todo) = (0, todo.len());
    runner::run(&todo, &system, limits(args)?, config.jobs, stop, |timed| {
        if let Some(fault) = &timed.row.fault {
            failed += 1;
            output::note(format_args!("{}: {}", timed.row.id, fault.why));
        }
        kept.add(timed)
    })?;
    anyhow::ensure!(!stop.load(Ordering::Relaxed), "stopped; the same command goes on where it ended");
    kept.finish(&items)?;
    if !config.quiet {
        let asked = output::count(n_todo as u64, "item");
        let there = items.len() - n_todo;
        output::note(format_args!("{asked} asked, {failed} failed, {there} there already: {}", args.out.display()));
        output::note(format_args!("next: recto bench score {}", args.out.display()));
    }
    Ok(Finish::with_problems(failed > 0))
}

fn index_dir(args: &BenchRunArgs, config: &Config) -> anyhow::Result<IndexDir> {
    match &args.documents {
        Some(path) => index::bring_up_to_date(path, config),
        None => Ok(IndexDir::new(config.index_of(".".as_ref()))),
    }
}

fn system(
    args: &BenchRunArgs,
    spec: Spec,
    dir: Option<&IndexDir>,
    set: &BenchmarkSet,
    items: &[&Item],
    config: &Config,
) -> anyhow::Result<Arc<dyn System>> {
    let depth =
        in_range(&args.depth, 1, 100_000).map_err(|e| usage(format!("--depth {:?}: expected {e}", args.depth)))?;
    let depth = depth as usize;
    let dir = match (&spec, dir) {
        (Spec::Read(file), _) => return systems::read(file, set),
        (Spec::Fused(files), _) => return baselines::fused(files, set),
        (Spec::Vectors(files), _) => return vectors::system(files, set, depth),
        (_, dir) => dir.ok_or_else(|| usage("no index"))?,
    };
    let names = Names::new(items, &Catalog::open(dir)?)?;
    if let Some(doc) = names.absent.first() {
        let n = output::count(names.absent.len() as u64, "document");
        output::note(format_args!("the index lacks {n} of the benchmark, such as {doc}; items about them fail"));
    }
    match spec {
        Spec::Texts(baseline) => baselines::of_texts(baseline, dir, names, depth),
        Spec::Episodes(protocol) => Ok(episodes::system(protocol, dir, names, config)),
        Spec::Agent(wanted) => agents::system(wanted, dir, names, config),
        Spec::Indexed(kind) => systems::indexed(kind, dir, names, depth, config),
        Spec::Read(_) | Spec::Fused(_) | Spec::Vectors(_) => Err(usage("no index is needed")),
    }
}

/// The items that are asked: those of `--ids`, at most `--limit`; with `--seed` a random choice instead of the first.
fn chosen<'a>(args: &BenchRunArgs, set: &'a BenchmarkSet) -> anyhow::Result<Vec<&'a Item>> {
    let mut items: Vec<&Item> = set.items.iter().collect();
    if !args.ids.is_empty() {
        if let Some(unknown) = args.ids.iter().find(|id| items.iter().all(|item| item.id != **id)) {
            return Err(usage(format!("--ids {unknown}: the benchmark has no such item")));
        }
        items.retain(|item| args.ids.contains(&item.id));
    }
    let Some(limit) = &args.limit else { return Ok(items) };
    let limit = in_range(limit, 1, 10_000_000).map_err(|e| usage(format!("--limit {limit:?}: expected {e}")))? as usize;
    if let Some(seed) = &args.seed {
        let drawn = |item: &&Item| ContentHash::of(format!("{seed}\0{}", item.id).as_bytes());
        let mut shuffled = items.clone();
        shuffled.sort_by_cached_key(drawn);
        let drawn: BTreeSet<&str> = shuffled.iter().take(limit).map(|item| item.id.as_str()).collect();
        items.retain(|item| drawn.contains(item.id.as_str()));
    }
    items.truncate(limit);
    Ok(items)
}

fn limits(args: &BenchRunArgs) -> anyhow::Result<TimeLimits> {
    let seconds = |flag: &str, text: &Option<String>| {
        let seconds = text.as_deref().map(|text| in_range(text, 1, 10_000_000)).transpose();
        let seconds = seconds.map_err(|expected| usage(format!("{flag}: expected {expected}")))?;
        anyhow::Ok(seconds.map(Duration::from_secs))
    };
    Ok(TimeLimits { item: seconds("--item-time", &args.item_time)?, run: seconds("--time", &args.time)? })
}

/// The kinds of faults that are tried again when a run goes on.
fn retried(args: &BenchRunArgs) -> anyhow::Result<BTreeSet<FaultClass>> {
    let class = |name: &String| {
        serde_json::from_value(serde_json::Value::String(name.clone()))
            .map_err(|_| usage(format!("--retry {name}: expected transient, limit, permanent or internal")))
    };
    args.retry.iter().map(class).collect()
}
