# Lets k threads yield m times each, by cede.

use v5.36;
use warnings FATAL => 'all';

use Coro qw(cede);

use Program ();

# How often it was resumed, counted from the nonce on. Without trace=1 or count=1, which are never timed, nothing watches it.
sub task ($i, $first, $stop, $watch) {
    my $count = $first;
    while ($count < $stop) {
        cede;
        $count++;
        $watch->($i) if $watch;
    }
    return $count;
}

sub switch ($program, $start, $k, $m) {
    my $first = $program->nonce;
    my ($last, $switches) = (-1, 0);
    my $watch = ($program->{trace} || $program->get('count')) && sub ($i) {
        $program->record('run', $i) if $program->{trace};
        $switches++                 if $i != $last;
        $last = $i;
    };
    my @tasks = map { $start->(\&task, $_, $first, $first + $m, $watch) } 0 .. $k - 1;
    my ($finished, $checksum) = (0, 0);
    for my $task (@tasks) {
        $checksum += $task->join;
        $finished++;
    }
    my $resumes = $checksum - $k * $first;
    my %counted = $program->get('count') ? (true_switches => $switches) : ();
    return $resumes, finished => $finished, resumes => $resumes, checksum => $checksum, %counted;
}

Program::run(
    'switch',
    { k => 1, m => 1 },
    sub ($program) {
        my $start = $program->starter(runs => 1);
        $program->repeated(sub { switch ($program, $start, $program->get('k'), $program->get('m')) });
    },
    'count'
);
