# n threads sleep once, each until a deadline of its own within one second.

use v5.36;
use warnings FATAL => 'all';

use List::Util qw(max);

use Program ();
use Sleep   ();

use constant { SPREAD => 1_000_000_000, MS => 1_000_000 };

sub sleeper ($i, $deadline) {
    Sleep::for_ns(max(0, $deadline - Program::clock));
    return [$i, Program::clock() - $deadline];
}

sub sleep_all ($program, $start, $n, $lateness) {
    my $begin = Program::clock() + $program->get('lead') * MS;
    my @tasks = map { $start->(\&sleeper, $_, $begin + int($_ * SPREAD / $n)) } 0 .. $n - 1;
    my ($finished, $checksum, $early) = (0, 0, 0);
    for my $task (@tasks) {
        my ($number, $late) = @{ $task->join };
        $early++ if $late < -MS;
        push @$lateness, max(0, $late);
        $checksum += $number;
        $finished++;
    }
    return $finished, created => scalar @tasks, finished => $finished, checksum => $checksum, early => $early;
}

Program::run(
    'timers',
    { n => 1, lead => 0 },
    sub ($program) {
        my ($start, $lateness) = ($program->starter, []);
        $program->lap(sub { sleep_all($program, $start, $program->get('n'), $lateness) });
        $program->series('lateness', $lateness);
    }
);
