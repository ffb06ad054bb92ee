/// Two tasks pass a byte to and fro over a pair of Unix stream sockets.
module io_switch;

import std.exception : enforce, errnoEnforce;
import std.socket : Socket, socketPair;
import tasks.crew;
import tasks.poller;

void put(Socket socket)
{
    static immutable ubyte[1] letter = 'x';
    errnoEnforce(socket.send(letter) == 1, "send");
}

long take(Socket socket)
{
    ubyte[1] buffer;
    const received = socket.read(buffer);
    enforce(received.length, "the other side is gone");
    return received.length;
}

long ask(Socket socket, long m)
{
    long received;
    while (received < m)
    {
        put(socket);
        received += take(socket);
    }
    return received;
}

long answer(Socket socket, long m)
{
    long received;
    while (received < m)
    {
        received += take(socket);
        put(socket);
    }
    return received;
}

Outcome alternate(Program program, Socket[2] pair, long m)
{
    auto tasks = [program.start(0, () => ask(pair[0], m)), program.start(1, () => answer(pair[1], m))];
    long finished, messages;
    foreach (task; tasks)
    {
        messages += task.join();
        finished++;
    }
    return Outcome(messages / 2, ["finished": finished, "messages": messages]);
}

int main(string[] arguments)
{
    return run(arguments, "io-switch", ["m": atLeast(1)], (program) {
        auto pair = socketPair();
        foreach (socket; pair)
            socket.blocking = false;
        program.repeat(() => alternate(program, pair, program["m"]));
    });
}
