//! Tells when every one of n tasks is about to wait.

const std = @import("std");
const Io = std.Io;
const Latch = @This();

expected: u64,
waiting: std.atomic.Value(u64) = .init(0),
full: Io.Event = .unset,

/// One more task is here, and goes on to its wait.
pub fn arrive(latch: *Latch, io: Io) void {
    if (latch.waiting.fetchAdd(1, .acq_rel) + 1 == latch.expected) latch.full.set(io);
}

/// A task's wait is over.
pub fn leave(latch: *Latch) void {
    _ = latch.waiting.fetchSub(1, .acq_rel);
}

/// How many wait now.
pub fn count(latch: *const Latch) u64 {
    return latch.waiting.load(.acquire);
}

/// Waits for the last.
pub fn all(latch: *Latch, io: Io) Io.Cancelable!void {
    try latch.full.wait(io);
}
