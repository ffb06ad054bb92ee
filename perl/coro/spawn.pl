# Starts n threads, then joins each and sums what they return.

use v5.36;
use warnings FATAL => 'all';

use Program ();

sub body ($i) {
    return $i;
}

sub spawn ($program, $start) {
    my $first   = $program->nonce;
    my @tasks   = map { $start->(\&body, $_) } $first .. $first + $program->get('n') - 1;
    my $created = @tasks;
    my ($finished, $checksum) = (0, 0);
    for my $task (@tasks) {
        my $value = $task->join;
        $program->record('collect', $value) if $program->{trace};
        $checksum += $value;
        $finished++;
    }
    return $finished, created => $created, finished => $finished, checksum => $checksum;
}

Program::run(
    'spawn',
    { n => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->repeated(sub { spawn($program, $start) });
    }
);
