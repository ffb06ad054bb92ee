# One thread wakes on an absolute schedule while k others do nothing but yield.

use v5.36;
use warnings FATAL => 'all';

use Coro           qw(cede);
use Coro::AnyEvent ();
use List::Util     qw(max);

use Program ();
use Sleep   ();

use constant US => 1_000;

# How often it yielded. While threads are ready cede never comes to the loop: poll is the yield that lets timers fire.
sub yields ($i, $load) {
    $load->{running}++;
    my $count = 0;
    until ($load->{ended}) {
        Coro::AnyEvent::poll;
        $count++;
    }
    return $count;
}

# How many ticks it took; one that is overdue it takes without a sleep.
sub tick ($i, $ticks, $period, $lateness) {
    my $due = Program::clock();
    for (1 .. $ticks) {
        $due += $period;
        my $left = $due - Program::clock();
        Sleep::for_ns($left) if $left > 0;
        push @$lateness, max(0, Program::clock() - $due);
    }
    return scalar @$lateness;
}

sub measure ($program, $start, $lateness) {
    my $k     = $program->get('k');
    my $load  = { running => 0, ended => 0 };
    my @tasks = map { $start->(\&yields, $_, $load) } 0 .. $k - 1;
    cede until $load->{running} == $k;
    my $taken = $start->(\&tick, $k, $program->get('ticks'), $program->get('period_us') * US, $lateness)->join;
    $load->{ended} = 1;
    my ($finished, $active, $yields) = (1, 0, 0);
    for my $task (@tasks) {
        my $count = $task->join;
        $yields += $count;
        $active++ if $count > 0;
        $finished++;
    }
    return $taken, finished => $finished, active => $active, yields => $yields;
}

Program::run(
    'ticker',
    { k => 1, ticks => 1, period_us => 1 },
    sub ($program) {
        my ($start, $lateness) = ($program->starter, []);
        $program->lap(sub { measure($program, $start, $lateness) });
        $program->series('lateness', $lateness);
    }
);
