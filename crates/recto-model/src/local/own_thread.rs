//! A thread for the networks of the calling thread: who works in parallel shares the models, not the threads.

use std::cell::OnceCell;
use std::sync::Arc;

use rten::ThreadPool;

/// The one thread on which networks run that the calling thread asks for.
pub(crate) fn own_thread() -> Arc<ThreadPool> {
    thread_local! {
        static POOL: OnceCell<Arc<ThreadPool>> = const { OnceCell::new() };
    }
    POOL.with(|pool| Arc::clone(pool.get_or_init(|| Arc::new(ThreadPool::with_num_threads(1)))))
}
