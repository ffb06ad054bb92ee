# Each thread starts the next as its last act; the root waits for the last one only.

use v5.36;
use warnings FATAL => 'all';

use Coro::Channel ();

use Program ();

sub link_of ($i, $chain) {
    $chain->{checksum} += $i;
    $chain->{finished}++;
    if ($i < $chain->{last}) {
        $chain->{start}->(\&link_of, $i + 1, $chain);
    }
    else {
        $chain->{ended}->put(1);
    }
    return;
}

sub chain ($program, $start) {
    my $first = $program->nonce;
    my $last  = $first + $program->get('n') - 1;
    my $chain = { start => $start, last => $last, ended => Coro::Channel->new, checksum => 0, finished => 0 };
    $start->(\&link_of, $first, $chain);
    $chain->{ended}->get;
    return $chain->{finished}, finished => $chain->{finished}, checksum => $chain->{checksum};
}

Program::run(
    'spawn-chain',
    { n => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->repeated(sub { chain($program, $start) });
    }
);
