//! One thread and one queue of fibers that can go on, over the standard library's switch between stacks.

const std = @import("std");
const builtin = @import("builtin");
const Switch = std.Io.fiber.Switch;

pub const stack_size = 64 * 1024;

const Stack = extern struct {
    bytes: [stack_size - 16]u8 align(16),
    next: ?*Stack,
};

pub const Fiber = struct {
    context: std.Io.fiber.Context = undefined,
    next: ?*Fiber = null,
    joiner: ?*Fiber = null,
    ended: bool = false,
    /// Nobody joins it.
    detached: bool = false,
    stack: *Stack = undefined,
    /// No two fibers have the same.
    number: u64 = 0,
    main: *const fn (*Fiber) void = undefined,

    /// Back when the fiber has ended.
    pub fn join(fiber: *Fiber) void {
        if (fiber.ended) return;
        fiber.joiner = current;
        park();
    }
};

/// Those that wait for their turn, or for the same thing.
pub const Line = struct {
    first: ?*Fiber = null,
    last: *Fiber = undefined,

    pub fn push(line: *Line, fiber: *Fiber) void {
        fiber.next = null;
        if (line.first == null) line.first = fiber else line.last.next = fiber;
        line.last = fiber;
    }

    pub fn pop(line: *Line) ?*Fiber {
        const fiber = line.first orelse return null;
        line.first = fiber.next;
        return fiber;
    }
};

var root: Fiber = .{};
var current: *Fiber = &root;
var ready: Line = .{};
var made: u64 = 0;

/// The stacks of those that have ended are for the next ones, as the library's own scheduler keeps them.
var free: ?*Stack = null;

/// What runs; the root has the number 0.
pub fn running() *Fiber {
    return current;
}

/// Lets a fiber go on when its turn comes.
pub fn wake(fiber: *Fiber) void {
    ready.push(fiber);
}

/// Lets the others go on until this fiber is woken. Inlined, a fiber that yields alone would do nothing at all.
pub noinline fn park() void {
    switchTo(ready.pop() orelse @panic("all fibers wait"));
}

pub fn yield() void {
    wake(current);
    park();
}

/// A fiber that runs `function`. It lies at the top of its stack, with the arguments and what the function returns.
pub fn Running(comptime function: anytype) type {
    const Arguments = std.meta.ArgsTuple(@TypeOf(function));
    const Result = @typeInfo(@TypeOf(function)).@"fn".return_type.?;
    return struct {
        fiber: Fiber align(16),
        arguments: Arguments,
        result: Result,

        /// One that nobody has woken yet.
        pub fn make(arguments: Arguments) error{OutOfMemory}!*@This() {
            const stack = try newStack();
            const run: *@This() = @ptrCast(@alignCast(stack.bytes[top..]));
            made += 1;
            run.fiber = .{ .stack = stack, .number = made, .main = main };
            run.arguments = arguments;
            enter(&run.fiber);
            return run;
        }

        /// What the function returned.
        pub fn join(run: *@This()) Result {
            run.fiber.join();
            const result = run.result;
            release(run.fiber.stack);
            return result;
        }

        const top = std.mem.alignBackward(usize, @offsetOf(Stack, "next") - @sizeOf(@This()), 16);

        fn main(fiber: *Fiber) void {
            const run: *@This() = @alignCast(@fieldParentPtr("fiber", fiber));
            run.result = @call(.auto, function, run.arguments);
        }
    };
}

fn newStack() error{OutOfMemory}!*Stack {
    if (free) |stack| {
        free = stack.next;
        return stack;
    }
    return std.heap.page_allocator.create(Stack);
}

fn release(stack: *Stack) void {
    stack.next = free;
    free = stack;
}

/// The first switch to a fiber finds itself in `entry`, with the stack below the fiber.
fn enter(fiber: *Fiber) void {
    fiber.context = switch (builtin.cpu.arch) {
        .x86_64 => .{ .rsp = @intFromPtr(fiber) - 8, .rbp = 0, .rip = @intFromPtr(&entry) },
        .aarch64, .riscv64 => .{ .sp = @intFromPtr(fiber), .fp = 0, .pc = @intFromPtr(&entry) },
        else => |arch| @compileError("no switch between stacks on " ++ @tagName(arch)),
    };
}

fn entry() callconv(.naked) void {
    switch (builtin.cpu.arch) {
        .x86_64 => asm volatile (
            \\ leaq 8(%%rsp), %%rdi
            \\ jmp %[call:P]
            :
            : [call] "X" (&call),
        ),
        .aarch64 => asm volatile (
            \\ mov x0, sp
            \\ b %[call]
            :
            : [call] "X" (&call),
        ),
        .riscv64 => asm volatile (
            \\ mv a0, sp
            \\ tail %[call]@plt
            :
            : [call] "X" (&call),
        ),
        else => unreachable,
    }
}

fn call(fiber: *Fiber) callconv(.c) noreturn {
    current = fiber;
    fiber.main(fiber);
    fiber.ended = true;
    if (fiber.joiner) |joiner| wake(joiner);
    if (fiber.detached) release(fiber.stack); // nothing is made on it before the switch
    park();
    unreachable; // nobody wakes what has ended
}

/// Goes on with another fiber, past the queue. Whoever is switched to is told so; where nobody looks at what is told, LLVM forgets to tell it.
pub fn switchTo(next: *Fiber) void {
    if (next == current) return;
    const switching: Switch = .{ .old = &current.context, .new = &next.context };
    const told = std.Io.fiber.contextSwitch(&switching);
    current = @alignCast(@fieldParentPtr("context", told.new));
}
