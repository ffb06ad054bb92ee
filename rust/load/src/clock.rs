//! The monotonic clock, this process's CPU clock, and an alarm on the former.

use rustix::time::{
    ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, clock_gettime, timerfd_create,
    timerfd_settime,
};
use std::{io, time::Duration};
use tokio::{io::AsyncReadExt, net::unix::pipe::Receiver};

/// Nanoseconds of the monotonic clock.
#[must_use]
pub fn now_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// Nanoseconds of CPU time (user and system) that this process has used.
#[must_use]
pub fn cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ProcessCPUTime))
}

fn nanoseconds(time: Timespec) -> u64 {
    time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs()
}

/// Sleeps to a moment of the monotonic clock. The runtime's own timers are a millisecond coarse: a schedule of thousands
/// of requests a second would go out in bursts.
///
/// To the poller a timer's descriptor is like a pipe's: readable, then not.
pub struct Alarm(Receiver);

impl Alarm {
    /// An alarm that is not set. Must be called inside the runtime.
    ///
    /// # Errors
    /// No file descriptor is left.
    pub fn new() -> io::Result<Self> {
        let timer = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        Receiver::from_owned_fd_unchecked(timer).map(Self)
    }

    /// Returns when the monotonic clock has reached `due_ns`, at once where it has already.
    ///
    /// # Errors
    /// The kernel refuses the timer.
    pub async fn sleep_until(&mut self, due_ns: u64) -> io::Result<()> {
        let at = Timespec::try_from(Duration::from_nanos(due_ns)).map_err(io::Error::other)?;
        let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value: at };
        timerfd_settime(&self.0, TimerfdTimerFlags::ABSTIME, &once)?;
        self.0.read_u64().await.map(drop)
    }
}
