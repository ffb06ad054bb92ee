//! k tasks, each waiting at a queue with room for one, pass a token round.

const Program = @import("harness").Program;
const Queue = @import("Queue.zig");
const scheduler = @import("scheduler.zig");
const tasks = @import("tasks.zig");

pub const Params = struct { k: u64, rounds: u64 };

/// A task, and the queue at which it waits.
const Player = struct {
    room: [1]u64,
    inbox: Queue,
    task: tasks.ResumedTask(play),
};

/// Takes the token, adds one and passes it on; how often it had it.
fn play(program: *Program, i: u64, inbox: *Queue, outbox: *Queue, rounds: u64) u64 {
    var received: u64 = 0;
    while (received < rounds) {
        const token = inbox.get().?;
        program.event(.run, i);
        received += 1;
        outbox.put(token + 1);
    }
    return received;
}

/// Each task has the token so often.
pub fn pass(program: *Program, k: u64, rounds: u64) !void {
    const players = try program.gpa.alloc(Player, k);
    defer program.gpa.free(players);
    while (program.wanted()) {
        for (players) |*player| player.inbox = .{ .places = &player.room };
        for (players, 0..) |*player, i| {
            const next = &players[(i + 1) % players.len].inbox;
            player.task = try tasks.startResumed(program, i, play, .{ program, i, &player.inbox, next, rounds });
        }
        scheduler.yield(); // all of them wait when the turn comes back

        var finished: u64 = 0;
        var messages: u64 = 0;
        const lap = program.lap();
        players[0].inbox.put(program.nonce());
        for (players) |*player| {
            messages += player.task.join();
            finished += 1;
        }
        const took = lap.stop();
        const token = players[0].inbox.get().?;
        try program.record(took, messages, .{ .finished = finished, .messages = messages, .checksum = token });
    }
}

pub fn run(program: *Program, params: Params) !void {
    try pass(program, params.k, params.rounds);
}
