//! A bounded queue of numbers, at which fibers wait in the order in which they came.

const scheduler = @import("scheduler.zig");
const Queue = @This();

places: []u64,
first: usize = 0,
messages: usize = 0,
closed: bool = false,
senders: scheduler.Line = .{},
receivers: scheduler.Line = .{},

pub fn put(queue: *Queue, message: u64) void {
    while (queue.messages == queue.places.len) {
        queue.senders.push(scheduler.running());
        scheduler.park();
    }
    var place = queue.first + queue.messages;
    if (place >= queue.places.len) place -= queue.places.len;
    queue.places[place] = message;
    queue.messages += 1;
    if (queue.receivers.pop()) |receiver| scheduler.wake(receiver);
}

/// Null if the queue is closed and there is nothing left in it.
pub fn get(queue: *Queue) ?u64 {
    while (queue.messages == 0) {
        if (queue.closed) return null;
        queue.receivers.push(scheduler.running());
        scheduler.park();
    }
    const message = queue.places[queue.first];
    queue.first += 1;
    if (queue.first == queue.places.len) queue.first = 0;
    queue.messages -= 1;
    if (queue.senders.pop()) |sender| scheduler.wake(sender);
    return message;
}

pub fn close(queue: *Queue) void {
    queue.closed = true;
    while (queue.receivers.pop()) |receiver| scheduler.wake(receiver);
}
