package Crowd;

# n parked threads are cancelled by an exception where they wait, clean up in a guard, and are joined.

use v5.36;
use warnings FATAL => 'all';

use Coro         qw(cede);
use Coro::Signal ();
use Guard        qw(scope_guard);

use Program ();

use constant CANCELLED => \'cancelled';

sub work ($i, $self) {
    scope_guard { $self->{cleaned}++ };
    $self->{program}->record('park', $i) if $self->{program}{trace};
    $self->{gate}->wait;
    return;
}

# An exception that no thread catches ends the process.
sub park ($i, $self) {
    eval { work($i, $self); 1 } and die "a task ran past its wait\n";
    die $@ if !ref $@ || $@ != CANCELLED;
    return;
}

# Starts them, numbered from `first` on. All of them wait when it returns: after one turn of the scheduler they do, and in another
# one those that only gave way go on.
sub gather ($program, $start, $first) {
    my $self = bless { program => $program, first => $first, gate => Coro::Signal->new, cleaned => 0 };
    $self->{tasks} = [map { $start->(\&park, $_, $self) } $first .. $first + $program->get('n') - 1];
    cede;
    cede;
    return $self;
}

# A thread to which an exception was thrown goes on only when it is ready.
sub cancel ($self) {
    my ($program, @tasks) = ($self->{program}, @{ $self->{tasks} });
    my $waited = @tasks - $self->{cleaned};
    for my $task (@tasks) {
        $task->throw(CANCELLED);
        $task->ready;
    }
    my $finished = 0;
    for my $task (@tasks) {
        $task->join;
        $program->record('collect', $self->{first} + $finished) if $program->{trace};
        $finished++;
    }
    return $finished, created => $waited, cancelled => $self->{cleaned}, finished => $finished;
}

1;
