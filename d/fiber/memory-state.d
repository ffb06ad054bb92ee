/// Parks n tasks, each eight calls deep with 1 KiB of its own on its stack.
module memory_state;

import ldc.llvmasm : __asm;
import tasks.gate;

enum depth = 8, size = 1024, values = 251;

pragma(inline, false) long descend(Gate gate, long i, int level)
{
    // A call in the last place would leave no frame behind.
    return level == depth ? carry(gate, i) : used(descend(gate, i, level + 1));
}

pragma(inline, false) long carry(Gate gate, long i)
{
    ubyte[size] state = cast(ubyte)(i % values);
    // The compiler must take all of them for read, or could keep the last alone.
    __asm("", "r,~{memory}", state.ptr);
    gate.wait(i);
    return i - i % values + state[$ - 1];
}

long used(long value)
{
    return __asm!long("", "=r,0", value);
}

int main(string[] arguments)
{
    return measure(arguments, "memory-state", (gate, i) => descend(gate, i, 1));
}
