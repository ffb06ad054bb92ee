package Program;

# One process: its arguments, the lines that it owes the runner, and the loop that times its operation.

use v5.36;
use warnings FATAL => 'all';

use Coro         ();
use JSON::PP     ();
use Scalar::Util qw(blessed refaddr);
use Time::HiRes  qw(clock_gettime CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID);

use Arguments ();

use constant { MOST_ITERATIONS => 10_000, NS => 1_000_000_000, MS => 1_000_000 };

my $json = JSON::PP->new->canonical;

# A thread that dies ends the process, with a status that depends on errno.
END { $? = 1 if $? && $? != 2 }

# The monotonic clock in nanoseconds.
sub clock () {
    return int(NS * clock_gettime(CLOCK_MONOTONIC));
}

# User and system time of the process in nanoseconds.
sub cpu () {
    return int(NS * clock_gettime(CLOCK_PROCESS_CPUTIME_ID));
}

sub write_line ($line) {
    print STDOUT $json->encode($line), "\n" or die "stdout can't be written: $!\n";
    return;
}

# Runs a workload to its last line: `main` gets the program.
sub run ($workload, $rules, $main, @flags) {
    my $fine = eval {
        my ($values, $params) = Arguments::parse(\@ARGV, $rules, @flags);
        my $program = bless { values => $values, workload => $workload, params => $params, lines => [], done => 0 };
        $program->{trace} = [] if $values->{trace};
        $program->hello;
        $main->($program);
        write_line($_) for @{ $program->{lines} };
        write_line({ type => 'trace', events => $program->{trace} }) if $program->{trace};
        write_line({ type => 'end' });
        close STDOUT or die "stdout can't be written: $!\n";
        1;
    };
    return if $fine;
    my $usage = blessed $@ && $@->isa('Arguments::Usage');
    print STDERR $usage ? "usage: $@->{text}\n" : $@;
    exit($usage ? 2 : 1);
}

sub hello ($self) {
    my $version = sprintf '%vd', $^V;
    write_line(
        {
            type             => 'hello',
            protocol         => 1,
            runtime          => $ENV{COROBENCH_RUNTIME} // Arguments::usage('COROBENCH_RUNTIME is not set'),
            version          => $version,
            language_version => $version,
            workload         => $self->{workload},
            params           => $self->{params},
            settings         => {
                coro => "$Coro::VERSION",
                defined &AnyEvent::detect ? (event_loop => AnyEvent::detect()) : (),
            },
        }
    );
    return;
}

sub get ($self, $key) {
    return $self->{values}{$key};
}

# The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one.
sub nonce ($self) {
    return $self->{values}{nonce} + $self->{done};
}

# Records who runs when. The identity of an object is given anew once it is gone, so none of them goes.
sub record ($self, $kind, $i) {
    my $thread = $Coro::current;
    $self->{seen}{ refaddr $thread } = $thread;
    push @{ $self->{trace} }, [$kind, $i, $thread == $Coro::main ? 'main' : 'coro-' . refaddr $thread];
    return;
}

# What starts a task: it is given a body and its arguments, of which the first is the task's number. Coro's own async, but where
# a trace was asked for. With `runs` the body records by itself when it runs; with `counts` tasks are numbered as they come.
sub starter ($self, %how) {
    return \&Coro::async unless $self->{trace};
    my $next = 0;
    return sub ($body, @arguments) {
        my $i = $how{counts} ? $next++ : $arguments[0];
        $self->record('spawn', $i);
        my $task = Coro::async {
            $self->record('run', $i) unless $how{runs};
            my $value = $body->(@arguments);
            $self->record('done', $i);
            $value;
        };
        $self->record('spawned', $i);
        return $task;
    };
}

# The time that an iteration took, in nanoseconds. The operation returns its operations and its evidence.
sub lap ($self, $operation, @prepared) {
    $self->{cpu}   = cpu;
    $self->{start} = clock;
    my ($ops, %evidence) = $operation->(@prepared);
    my $elapsed = clock() - $self->{start};
    my $cpu     = cpu() - $self->{cpu};
    push @{ $self->{lines} },
      {
        type       => 'iteration',
        index      => $self->{done}++,
        elapsed_ns => $elapsed,
        cpu_ns     => $cpu,
        ops        => $ops,
        evidence   => \%evidence
      };
    return $elapsed;
}

# Times the operation until that is enough; what `prepare` returns before each time is handed to it, and then to `finish`, untimed.
sub repeated ($self, $operation, $prepare = sub { }, $finish = sub { }) {
    my $warm = 0;
    while (1) {
        my @prepared = $prepare->();
        my $elapsed  = $self->lap($operation, @prepared);
        $finish->(@prepared);
        $warm += $elapsed if $self->{done} > 1;
        return            if $self->{trace} || $self->{done} >= MOST_ITERATIONS;
        return            if $self->{done} >= $self->get('iterations') && $warm >= $self->get('min_warm_ms') * MS;
    }
}

# Announces a named point, and waits there until the runner has read the process from outside. That is no time of the iteration
# that is under way.
sub hold ($self, $point, $units) {
    my ($cpu, $start) = (cpu, clock);
    $self->record('hold', -1) if $self->{trace};
    write_line({ type => 'hold', point => $point, units => $units });
    STDOUT->flush           or die "stdout can't be written: $!\n";
    defined readline(STDIN) or die "stdin ended at the hold $point: the runner is gone\n";
    $self->{start} += clock() - $start;
    $self->{cpu}   += cpu() - $cpu;
    return;
}

# Raw samples in nanoseconds, in the order in which they happened.
sub series ($self, $name, $values) {
    push @{ $self->{lines} }, { type => 'series', name => $name, values => $values };
    return;
}

1;
