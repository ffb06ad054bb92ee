/// What tasks share: the library's queues and locks are made for threads, and would stop all fibers of one.
module tasks.channel;

import tasks.scheduler;

/// Hands values over in order, with room for so many: who finds it full or empty waits, first come, first served.
final class Channel(T)
{
    private T[] places;
    private size_t first, count;
    private bool closed;
    private Line senders, receivers;

    this(size_t room)
    {
        places = new T[room];
    }

    void send(T value)
    {
        while (count == places.length)
            senders.wait();
        places[place(count++)] = value;
        receivers.wakeOne();
    }

    /// Whether there was another value; there is none when it is closed and empty.
    bool receive(out T value)
    {
        while (count == 0)
        {
            if (closed)
                return false;
            receivers.wait();
        }
        value = places[first];
        first = place(1);
        count--;
        senders.wakeOne();
        return true;
    }

    /// The same where another one must come.
    T receive()
    {
        T value;
        if (!receive(value))
            throw new Exception("the channel is closed");
        return value;
    }

    void close()
    {
        closed = true;
        receivers.wakeAll();
    }

    private size_t place(size_t offset) const
    {
        const at = first + offset;
        return at < places.length ? at : at - places.length;
    }
}
