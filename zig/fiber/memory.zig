//! Parks n tasks that hold nothing but their number.

const Program = @import("harness").Program;
const Parking = @import("Parking.zig");

pub const Params = struct { n: u64 };

fn task(program: *Program, parking: *Parking, i: u64) u64 {
    parking.park(program, i);
    return i;
}

pub fn run(program: *Program, params: Params) !void {
    try Parking.measure(program, params.n, task);
}
