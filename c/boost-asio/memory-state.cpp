// Parks n tasks at a gate, each eight calls deep with 1 KiB of local bytes, and holds before, while and after they live.
#include "boost-asio/holds.hpp"

static constexpr int depth = 8;

static awaitable<long> innermost(long i, parking &lot) {
    std::array<unsigned char, 1024> bytes;
    bytes.fill(static_cast<unsigned char>(i % 251));
    // The compiler must take them all for read, else it could keep only the last.
    asm volatile("" : : "r"(bytes.data()) : "memory");
    lot.leave(co_await lot.park(i));
    co_return i - i % 251 + bytes.back();
}

static awaitable<long> level(int at, long i, parking &lot) {
    if (at + 1 == depth) co_return co_await innermost(i, lot);
    co_return co_await level(at + 1, i, lot);
}

static awaitable<long> body(long i, parking &lot) {
    event("run", i);
    long result = co_await level(1, i, lot);
    event("done", i);
    co_return result;
}

int main(int argc, char **argv) {
    begin_program("memory-state", argc, argv, {"n"});
    hold_tasks(parameter("n"), body);
    end();
}
