# Out of a root that has slept n threads are started at once, and again; each tells when it first ran.

use v5.36;
use warnings FATAL => 'all';

use List::Util qw(max);

use Program ();
use Sleep   ();

use constant MS => 1_000_000;

# Its number, and how many nanoseconds after the beginning of the burst it first ran.
sub body ($i, $began) {
    return [$i, Program::clock() - $began];
}

sub measure ($program, $start, $starts) {
    my ($n, $first) = ($program->get('n'), $program->nonce);
    my ($created, $finished, $checksum, $last_ns) = (0, 0, 0, 0);
    for my $burst (1 .. $program->get('bursts')) {
        Sleep::for_ns($program->get('idle_ms') * MS);
        my $began = Program::clock();
        my @tasks = map { $start->(\&body, $_, $began) } $first .. $first + $n - 1;
        $created += @tasks;
        my $last = 0;
        for my $task (@tasks) {
            my ($i, $ran) = @{ $task->join };
            $program->record('collect', $i) if $program->{trace};
            push @$starts, $ran;
            $last = max($last, $ran);
            $checksum += $i;
            $finished++;
        }
        $last_ns += $last;
        $first   += $n;
    }
    return $finished, created => $created, finished => $finished, checksum => $checksum, last_ns => $last_ns;
}

Program::run(
    'burst',
    { n => 1, bursts => 1, idle_ms => 1 },
    sub ($program) {
        my ($start, $starts) = ($program->starter, []);
        $program->lap(sub { measure($program, $start, $starts) });
        $program->series('start', $starts);
    }
);
