//! How many threads an executor runs tasks on. It does not say; the system knows them by their name, of which it keeps 15 letters.

use std::{fs, io, thread};

/// Those whose name starts so, once every thread has its own: beside them there are this one and that of async-io.
///
/// A thread has its starter's name until it runs for the first time. One that is read while it changes may be neither.
///
/// # Errors
/// The system does not tell what threads there are.
pub fn named(start: &[u8]) -> io::Result<usize> {
    let own = fs::read("/proc/thread-self/comm")?;
    loop {
        let threads: Vec<_> = fs::read_dir("/proc/self/task")?.collect::<io::Result<_>>()?;
        let names: Vec<_> =
            threads.iter().map(|thread| fs::read(thread.path().join("comm"))).collect::<io::Result<_>>()?;
        let count = |start: &[u8]| names.iter().filter(|name| name.starts_with(start)).count();
        let found = count(start);
        if count(&own) == 1 && count(b"async-io") == 1 && found + 2 == names.len() {
            return Ok(found);
        }
        thread::yield_now();
    }
}
