# n parked threads are cancelled by an exception where they wait, clean up in a guard, and are joined.

use v5.36;
use warnings FATAL => 'all';

use Coro         qw(cede);
use Coro::Signal ();
use Guard        qw(scope_guard);

use Program ();

use constant CANCELLED => \'cancelled';

sub work ($i, $crowd) {
    scope_guard { $crowd->{cleaned}++ };
    $crowd->{program}->record('park', $i) if $crowd->{program}{trace};
    $crowd->{gate}->wait;
    return;
}

# An exception that no thread catches ends the process.
sub park ($i, $crowd) {
    eval { work($i, $crowd); 1 } and die "a task ran past its wait\n";
    die $@ if !ref $@ || $@ != CANCELLED;
    return;
}

# All of them wait when it returns: after one turn of the scheduler they do, and in another one those that only gave way go on.
sub gather ($program, $start) {
    my $crowd = { program => $program, gate => Coro::Signal->new, cleaned => 0 };
    $crowd->{tasks} = [map { $start->(\&park, $_, $crowd) } 0 .. $program->get('n') - 1];
    cede;
    cede;
    return $crowd;
}

# A thread to which an exception was thrown goes on only when it is ready.
sub cancel ($program, $crowd) {
    my @tasks  = @{ $crowd->{tasks} };
    my $waited = @tasks - $crowd->{cleaned};
    for my $task (@tasks) {
        $task->throw(CANCELLED);
        $task->ready;
    }
    my $finished = 0;
    for my $task (@tasks) {
        $task->join;
        $program->record('collect', $finished) if $program->{trace};
        $finished++;
    }
    return $finished, created => $waited, cancelled => $crowd->{cleaned}, finished => $finished;
}

Program::run(
    'cancel',
    { n => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->hold('base', 0);
        $program->repeated(sub ($crowd) { cancel($program, $crowd) }, sub { gather($program, $start) });
        $program->hold('released', 0);
    }
);
