/// Parks n tasks that hold nothing but their number.
module memory;

import tasks.gate;

long wait(Gate gate, long i)
{
    gate.wait(i);
    return i;
}

int main(string[] arguments)
{
    return measure(arguments, "memory", &wait);
}
