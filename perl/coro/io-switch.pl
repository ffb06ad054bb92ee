# Two threads pass a byte to and fro over a pair of Unix stream sockets.

use v5.36;
use warnings FATAL => 'all';

use Coro::AnyEvent ();
use Coro::Handle   qw(unblock);
use EV             ();
use Socket         qw(AF_UNIX PF_UNSPEC SOCK_STREAM);

use Program ();

sub pair () {
    socketpair my $one, my $other, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die "socketpair: $!\n";
    return unblock($one), unblock($other);
}

sub put ($handle) {
    ($handle->syswrite('x') // 0) == 1 or die "write: $!\n";
    return;
}

sub take ($handle) {
    my $read = $handle->sysread(my $byte, 1) // die "read: $!\n";
    return $read || die "the other side is gone\n";
}

sub ask ($i, $handle, $m) {
    my $received = 0;
    while ($received < $m) {
        put($handle);
        $received += take($handle);
    }
    return $received;
}

sub answer ($i, $handle, $m) {
    my $received = 0;
    while ($received < $m) {
        $received += take($handle);
        put($handle);
    }
    return $received;
}

sub alternate ($program, $start, $one, $other) {
    my $m     = $program->get('m');
    my @tasks = ($start->(\&ask, 0, $one, $m), $start->(\&answer, 1, $other, $m));
    my ($finished, $messages, $trips) = (0, 0, 0);
    for my $task (@tasks) {
        $trips = $task->join;    # as many for each of the two
        $messages += $trips;
        $finished++;
    }
    return $trips, finished => $finished, messages => $messages;
}

Program::run(
    'io-switch',
    { m => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->repeated(sub (@ends) { alternate($program, $start, @ends) }, \&pair);
    }
);
