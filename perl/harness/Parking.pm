package Parking;

# Parks n tasks at one gate and holds the process still before, while and after they live.

use v5.36;
use warnings FATAL => 'all';

use Coro         qw(cede);
use Coro::Signal ();

use Program ();

# Parks task i until the gate is opened.
sub wait ($self, $i) {
    $self->{program}->record('park', $i) if $self->{program}{trace};
    $self->{parked}++;
    $self->{gate}->wait;
    $self->{parked}--;
    return;
}

# How many tasks were started; they are gone, handles and all, when it returns what they added up to.
sub live ($self, $body) {
    my $program = $self->{program};
    my ($start, $first) = ($program->starter, $program->nonce);
    my @tasks = map { $start->($body, $_, $self) } $first .. $first + $program->get('n') - 1;
    cede;    # back here, all of them wait
    $program->hold('live', $self->{parked});
    $self->{gate}->broadcast;
    my ($finished, $checksum) = (0, 0);
    for my $task (@tasks) {
        $checksum += $task->join;
        $finished++;
    }
    return scalar @tasks, $finished, $checksum;
}

# The whole program of a memory workload: `body` gets its number and the gate, waits there once, and returns the number.
sub measure ($workload, $body) {
    Program::run(
        $workload,
        { n => 1 },
        sub ($program) {
            $program->lap(
                sub {
                    my $self = bless { program => $program, parked => 0, gate => Coro::Signal->new };
                    $program->hold('base', 0);
                    my ($created, $finished, $checksum) = $self->live($body);
                    $program->hold('released', $self->{parked});
                    return $finished, created => $created, finished => $finished, checksum => $checksum;
                }
            );
        }
    );
    return;
}

1;
