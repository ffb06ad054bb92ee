/// p producers send m messages each to c consumers through one channel with room for b.
module channel;

import std.algorithm : max;
import tasks.channel;
import tasks.crew;

struct Received
{
    long messages, sum;
}

Joinable!bool startProducer(Program program, long i, Channel!long queue, long first, long m)
{
    return program.start(i, {
        foreach (message; first .. first + m)
        {
            queue.send(message);
            program.record("run", i);
        }
        return true;
    });
}

Joinable!Received startConsumer(Program program, long i, Channel!long queue)
{
    return program.start(i, {
        Received received;
        long message;
        while (queue.receive(message))
        {
            program.record("run", i);
            received.messages++;
            received.sum += message;
        }
        return received;
    });
}

Outcome pass(Program program, long p, long c, long b, long m)
{
    auto queue = new Channel!long(b);
    const first = program.nonce;
    Joinable!bool[] producers;
    Joinable!Received[] consumers;
    foreach (i; 0 .. p)
        producers ~= program.startProducer(i, queue, first + i * m, m);
    foreach (i; p .. p + c)
        consumers ~= program.startConsumer(i, queue);
    long finished, most;
    Received all;
    foreach (producer; producers)
        finished += producer.join();
    queue.close();
    foreach (consumer; consumers)
    {
        const received = consumer.join();
        finished++;
        most = max(most, received.messages);
        all.messages += received.messages;
        all.sum += received.sum;
    }
    return Outcome(all.messages, ["finished": finished, "messages": all.messages, "most": most, "checksum": all.sum]);
}

int main(string[] arguments)
{
    return run(arguments, "channel", ["p": atLeast(1), "c": atLeast(1), "b": atLeast(1), "m": atLeast(1)], (program) {
        program.repeat(() => pass(program, program["p"], program["c"], program["b"], program["m"]));
    });
}
