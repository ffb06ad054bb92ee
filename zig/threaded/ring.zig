//! k tasks, each waiting at a queue with room for one, pass a token round.

const Io = @import("std").Io;
const Program = @import("harness").Program;
const tasks = @import("tasks.zig");
const Latch = @import("Latch.zig");

pub const Params = struct { k: u64, rounds: u64 };

const Box = Io.Queue(u64);

const Failure = Io.QueueClosedError || Io.Cancelable;

/// A task, and the queue at which it waits.
const Player = struct {
    room: [1]u64,
    inbox: Box,
    future: Io.Future(Failure!u64),
};

/// Takes the token, adds one and passes it on; how often it had it.
fn play(program: *Program, i: u64, waiting: *Latch, inbox: *Box, outbox: *Box, rounds: u64) Failure!u64 {
    waiting.arrive(program.io);
    var received: u64 = 0;
    while (received < rounds) {
        const token = try inbox.getOne(program.io);
        program.event(.run, i);
        received += 1;
        try outbox.putOne(program.io, token + 1);
    }
    return received;
}

/// Each task has the token so often.
pub fn pass(program: *Program, k: u64, rounds: u64) !void {
    const io = program.io;
    const players = try program.gpa.alloc(Player, k);
    defer program.gpa.free(players);
    while (program.wanted()) {
        var waiting: Latch = .{ .expected = k };
        for (players) |*player| player.inbox = .init(&player.room);
        for (players, 0..) |*player, i| {
            const next = &players[(i + 1) % players.len].inbox;
            player.future = try tasks.startResumed(program, i, play, .{ program, i, &waiting, &player.inbox, next, rounds });
        }
        try waiting.all(io);

        var finished: u64 = 0;
        var messages: u64 = 0;
        const lap = program.lap();
        try players[0].inbox.putOne(io, program.nonce());
        for (players) |*player| {
            messages += try player.future.await(io);
            finished += 1;
        }
        const took = lap.stop();
        const token = try players[0].inbox.getOne(io);
        try program.record(took, messages, .{ .finished = finished, .messages = messages, .checksum = token });
    }
}

pub fn run(program: *Program, params: Params) !void {
    try pass(program, params.k, params.rounds);
}
