# n threads sleep once, each until a deadline of its own within one second.

use v5.36;
use warnings FATAL => 'all';

use Coro::AnyEvent ();
use EV             ();
use List::Util     qw(max);

use Program ();

use constant { SPREAD => 1_000_000_000, MS => 1_000_000, NS => 1_000_000_000 };

# The loop's own time is that of its last turn, from which a timer would count. It is brought up to date when what is left is known:
# a task that lost its CPU in between would wake as much too early the other way round.
sub sleeper ($i, $deadline) {
    my $left = max(0, $deadline - Program::clock);
    AnyEvent->now_update;
    Coro::AnyEvent::sleep($left / NS);
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
