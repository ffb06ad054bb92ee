/// p producers send m messages each to one consumer through one bounded channel.
module fan_in;

import tasks.channel;
import tasks.crew;

enum room = 128;

struct Received
{
    long messages, sum;
}

Joinable!bool startProducer(Program program, long i, Channel!long queue, long value, long m)
{
    return program.start(i, {
        foreach (_; 0 .. m)
            queue.send(value);
        return true;
    });
}

Received consume(Channel!long queue, long messages)
{
    Received received;
    while (received.messages < messages)
    {
        received.sum += queue.receive();
        received.messages++;
    }
    return received;
}

Outcome gather(Program program, long p, long m)
{
    auto queue = new Channel!long(room);
    const first = program.nonce + 1;
    Joinable!bool[] producers;
    foreach (i; 0 .. p)
        producers ~= program.startProducer(i, queue, first + i, m);
    auto consumer = program.start(p, () => consume(queue, p * m));
    long finished;
    foreach (producer; producers)
        finished += producer.join();
    const received = consumer.join();
    return Outcome(received.messages, ["finished": finished + 1, "messages": received.messages, "checksum": received.sum]);
}

int main(string[] arguments)
{
    return run(arguments, "fan-in", ["p": atLeast(1), "m": atLeast(1)], (program) {
        program.repeat(() => gather(program, program["p"], program["m"]));
    });
}
