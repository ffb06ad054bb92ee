# k threads want one lock, m times each, and give way inside: between reading a value and leaving it one greater.

use v5.36;
use warnings FATAL => 'all';

use Coro            qw(cede);
use Coro::Semaphore ();

use Program ();

# Its acquisitions, and the most by others between two of them.
sub take ($i, $section, $m, $program) {
    my ($acquired, $passed, $own) = (0, 0, $section->{value});
    for (1 .. $m) {
        $program->record('ask', $i) if $program;
        my $guard = $section->{lock}->guard;
        $program->record('enter', $i) if $program;
        $section->{inside}++;
        $section->{most} = $section->{inside} if $section->{inside} > $section->{most};
        my $value = $section->{value};
        $passed = $value - $own if $value - $own > $passed;
        if ($section->{contended}) {
            cede;
            $section->{yields}++;
        }
        $own = $section->{value} = $value + 1;
        $section->{inside}--;
        $program->record('leave', $i) if $program;
        $acquired++;
    }
    return [$acquired, $passed];
}

# All of them wait for the lock when it returns, which the root holds.
sub gather ($program, $start, $k, $m) {
    my $lock    = Coro::Semaphore->new;
    my $section = { lock => $lock, value => $program->nonce, contended => $k > 1, inside => 0, most => 0, yields => 0 };
    my $traced  = $program->{trace} ? $program : undef;
    my $held    = $lock->guard;
    my @tasks   = map { $start->(\&take, $_, $section, $m, $traced) } 0 .. $k - 1;
    cede;    # back here, all of them wait
    return { section => $section, held => $held, tasks => \@tasks };
}

sub contend ($crowd) {
    delete $crowd->{held};
    my ($acquired, $finished, $most_passed) = (0, 0, 0);
    for my $task (@{ $crowd->{tasks} }) {
        my ($own, $passed) = @{ $task->join };
        $acquired += $own;
        $most_passed = $passed if $passed > $most_passed;
        $finished++;
    }
    my ($most, $yields, $value) = @{ $crowd->{section} }{qw(most yields value)};
    return $acquired, finished => $finished, most => $most, yields => $yields, passed => $most_passed, checksum => $value;
}

Program::run(
    'mutex',
    { k => 1, m => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->repeated(\&contend, sub { gather($program, $start, $program->get('k'), $program->get('m')) });
    }
);
