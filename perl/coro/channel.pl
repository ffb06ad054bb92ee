# p producers send m messages each to c consumers through one bounded channel.

use v5.36;
use warnings FATAL => 'all';

use Coro::Channel ();

use Program ();

sub produce ($i, $channel, $first, $m, $program) {
    for my $message ($first .. $first + $m - 1) {
        $channel->put($message);
        $program->record('run', $i) if $program;
    }
    return;
}

# How many messages came, and their sum. A channel that is shut down and empty gives undef.
sub consume ($i, $channel, $program) {
    my ($received, $sum) = (0, 0);
    while (defined(my $message = $channel->get)) {
        $program->record('run', $i) if $program;
        $received++;
        $sum += $message;
    }
    return [$received, $sum];
}

sub pass ($program, $start, $p, $c, $m) {
    my ($channel, $nonce) = (Coro::Channel->new($program->get('b')), $program->nonce);
    my $traced    = $program->{trace} ? $program : undef;
    my @producers = map { $start->(\&produce, $_, $channel, $nonce + $_ * $m, $m, $traced) } 0 .. $p - 1;
    my @consumers = map { $start->(\&consume, $_, $channel, $traced) } $p .. $p + $c - 1;
    my ($finished, $messages, $most, $checksum) = (0, 0, 0, 0);
    for my $task (@producers) {
        $task->join;
        $finished++;
    }
    $channel->shutdown;
    for my $task (@consumers) {
        my ($received, $sum) = @{ $task->join };
        $messages += $received;
        $most = $received if $received > $most;
        $checksum += $sum;
        $finished++;
    }
    return $messages, finished => $finished, messages => $messages, most => $most, checksum => $checksum;
}

Program::run(
    'channel',
    { p => 1, c => 1, b => 1, m => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->repeated(
            sub {
                pass($program, $start, map { $program->get($_) } qw(p c m));
            }
        );
    }
);
