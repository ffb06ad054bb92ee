# p producers send m messages each to one consumer through one bounded channel.

use v5.36;
use warnings FATAL => 'all';

use Coro::Channel ();

use Program ();

use constant ROOM => 128;

sub produce ($i, $channel, $value, $m) {
    $channel->put($value) for 1 .. $m;
    return;
}

# How many messages came, and their sum.
sub consume ($i, $channel, $messages) {
    my ($received, $sum) = (0, 0);
    while ($received < $messages) {
        $sum += $channel->get;
        $received++;
    }
    return [$received, $sum];
}

sub gather ($program, $start, $p, $m) {
    my ($channel, $nonce) = (Coro::Channel->new(ROOM), $program->nonce);
    my @tasks = map { $start->(\&produce, $_, $channel, $nonce + $_ + 1, $m) } 0 .. $p - 1;
    push @tasks, $start->(\&consume, $p, $channel, $p * $m);
    my ($finished, $last) = (0);
    for my $task (@tasks) {
        $last = $task->join;
        $finished++;
    }
    return $last->[0], finished => $finished, messages => $last->[0], checksum => $last->[1];
}

Program::run(
    'fan-in',
    { p => 1, m => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->repeated(sub { gather($program, $start, $program->get('p'), $program->get('m')) });
    }
);
