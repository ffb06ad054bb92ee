package Sleep;

# Sleeps in nanoseconds.

use v5.36;
use warnings FATAL => 'all';

use Coro::AnyEvent ();
use EV             ();

use constant NS => 1_000_000_000;

# The loop's own time is that of its last turn, from which a timer would count. It is brought up to date when what is left is known:
# a task that lost its CPU in between would wake as much too early the other way round.
sub for_ns ($left) {
    AnyEvent->now_update;
    Coro::AnyEvent::sleep($left / NS);
    return;
}

1;
