/// Sleeps, and sockets that have nothing to read: the kernel is asked for them when no task can go on. Sockets are watched by edge, so
/// that a wait after the first one makes no system call of its own.
module tasks.poller;

import core.stdc.errno : EINTR, errno;
import core.sys.linux.epoll;
import core.sys.posix.signal : sigset_t;
import core.sys.posix.time : timespec;
import core.time : Duration, MonoTime;
import std.algorithm : max;
import std.container.array : Array;
import std.container.binaryheap : BinaryHeap;
import std.exception : ErrnoException, errnoEnforce;
import std.socket : Socket, wouldHaveBlocked;
import tasks.scheduler;

// Of the C library since 2.35; the runtime's headers do not have it.
private extern (C) int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* limit, const sigset_t* signals) nothrow @nogc;

private struct Sleeper
{
    MonoTime due;
    Task task;
}

private struct Watch
{
    bool known;
    Task reader;
}

// The earliest first.
private BinaryHeap!(Array!Sleeper, "a.due > b.due") sleepers;
// By descriptor.
private Watch[] watches;
private size_t readers;
private int epoll;

static this()
{
    epoll = epoll_create1(EPOLL_CLOEXEC);
    errnoEnforce(epoll >= 0, "epoll_create1");
    poll = &ask;
}

void sleep(Duration time)
{
    sleepers.insert(Sleeper(MonoTime.currTime + time, self));
    park();
}

/// The bytes that came; none at the end.
ubyte[] read(Socket socket, return scope ubyte[] buffer)
{
    ptrdiff_t received;
    while ((received = socket.receive(buffer)) == Socket.ERROR)
    {
        errnoEnforce(wouldHaveBlocked(), "receive");
        waitFor(socket.handle);
    }
    return buffer[0 .. received];
}

private void waitFor(int socket)
{
    if (watches.length <= socket)
        watches.length = socket + 1;
    if (!watches[socket].known)
    {
        epoll_event event;
        event.events = EPOLLIN | EPOLLET;
        event.data.fd = socket;
        errnoEnforce(epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) == 0, "epoll_ctl");
        watches[socket].known = true;
    }
    watches[socket].reader = self;
    readers++;
    park();
}

/// Waits for the first that happens.
private bool ask()
{
    if (sleepers.empty && !readers)
        return false;
    timespec left;
    if (!sleepers.empty)
    {
        const nanoseconds = max(0, (sleepers.front.due - MonoTime.currTime).total!"nsecs");
        left = timespec(nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
    }
    epoll_event[64] events;
    const count = epoll_pwait2(epoll, events.ptr, events.length, sleepers.empty ? null : &left, null);
    errnoEnforce(count >= 0 || errno == EINTR, "epoll_pwait2");
    foreach (event; events[0 .. max(0, count)])
        wakeReader(watches[event.data.fd]);
    const now = MonoTime.currTime;
    for (; !sleepers.empty && sleepers.front.due <= now; sleepers.removeFront())
        wake(sleepers.front.task);
    return true;
}

private void wakeReader(ref Watch watch)
{
    if (!watch.reader)
        return;
    wake(watch.reader);
    watch.reader = null;
    readers--;
}
