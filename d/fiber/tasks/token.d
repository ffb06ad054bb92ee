/// The tasks of hand-off and ring.
module tasks.token;

import tasks.channel;
import tasks.crew;

alias Box = Channel!long;

struct Ring
{
    private Box[] boxes;
    private Joinable!long[] players;
}

/// Takes the token, adds one and passes it on; returns how often it had it.
private long play(Program program, long i, Box inbox, Box outbox, long rounds)
{
    long received;
    while (received < rounds)
    {
        const token = inbox.receive();
        program.record("run", i);
        received++;
        outbox.send(token + 1);
    }
    return received;
}

private Joinable!long startPlayer(Program program, long i, Box inbox, Box outbox, long rounds)
{
    return program.startResuming(i, () => play(program, i, inbox, outbox, rounds));
}

/// Starts k players in a ring, with a channel with room for one each, at which all of them wait when this returns.
Ring prepare(Program program, long k, long rounds)
{
    Ring ring;
    foreach (_; 0 .. k)
        ring.boxes ~= new Box(1);
    foreach (i; 0 .. k)
        ring.players ~= program.startPlayer(i, ring.boxes[i], ring.boxes[(i + 1) % k], rounds);
    round();
    return ring;
}

/// Gives the first player the token, joins them all, and takes the token that the last one sent.
Outcome pass(Program program, Ring ring)
{
    ring.boxes[0].send(program.nonce);
    long finished, messages;
    foreach (player; ring.players)
    {
        messages += player.join();
        finished++;
    }
    return Outcome(messages, ["finished": finished, "messages": messages, "checksum": ring.boxes[0].receive()]);
}
