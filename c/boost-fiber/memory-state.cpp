// Parks n tasks at a gate, each eight calls deep with 1 KiB of local bytes, and holds before, while and after they live.
#include "boost-fiber/holds.hpp"

static constexpr int depth = 8;

// Not inlined and no tail call: each level has a frame of its own.
static __attribute__((noinline, noclone)) long level(int at, long i, parking &lot) {
    long result;
    if (at < depth) {
        result = level(at + 1, i, lot);
        asm volatile("" : "+r"(result));
    } else {
        std::array<unsigned char, 1024> bytes;
        bytes.fill(static_cast<unsigned char>(i % 251));
        // The compiler must take them all for read, else it could keep only the last.
        asm volatile("" : : "r"(bytes.data()) : "memory");
        lot.park(i);
        result = i - i % 251 + bytes.back();
    }
    return result;
}

static long body(long i, parking &lot) {
    event("run", i);
    long result = level(1, i, lot);
    event("done", i);
    return result;
}

int main(int argc, char **argv) {
    begin_program("memory-state", argc, argv, {"n"});
    hold_tasks(parameter("n"), body);
    end();
    return 0;
}
