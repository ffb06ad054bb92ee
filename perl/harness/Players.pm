package Players;

# The tasks of hand-off and ring.

use v5.36;
use warnings FATAL => 'all';

use Coro          qw(cede);
use Coro::Channel ();

# Takes the token, adds one and passes it on; returns how often it had it.
sub play ($i, $inbox, $outbox, $rounds, $program) {
    my $received = 0;
    while ($received < $rounds) {
        my $token = $inbox->get;
        $program->record('run', $i) if $program;
        $received++;
        $outbox->put($token + 1);
    }
    return $received;
}

# Starts k players in a ring, with a channel each, at which all of them wait when this returns.
sub prepare ($program, $k, $rounds) {
    my $start    = $program->starter(runs => 1);
    my @channels = map { Coro::Channel->new } 1 .. $k;
    my $traced   = $program->{trace} ? $program : undef;
    my @tasks    = map { $start->(\&play, $_, $channels[$_], $channels[($_ + 1) % $k], $rounds, $traced) } 0 .. $k - 1;
    cede;    # back here, all of them wait
    return $channels[0], @tasks;
}

# Gives the first player the token, joins them all, and takes the token that the last one sent.
sub pass ($program, $channel, @tasks) {
    $channel->put($program->nonce);
    my ($finished, $messages) = (0, 0);
    for my $task (@tasks) {
        $messages += $task->join;
        $finished++;
    }
    return $messages, finished => $finished, messages => $messages, checksum => $channel->get;
}

1;
