# k threads sleep m times each for no time at all.

use v5.36;
use warnings FATAL => 'all';

use Coro::AnyEvent ();
use EV             ();

use Program ();

# How often it woke, counted from the nonce on.
sub task ($i, $first, $m, $program) {
    my $count = $first;
    for (1 .. $m) {
        Coro::AnyEvent::sleep(0);
        $count++;
        $program->record('run', $i) if $program;
    }
    return $count;
}

sub sleep_zero ($program, $start, $k, $m) {
    my $first  = $program->nonce;
    my $traced = $program->{trace} ? $program : undef;
    my @tasks  = map { $start->(\&task, $_, $first, $m, $traced) } 0 .. $k - 1;
    my ($finished, $checksum) = (0, 0);
    for my $task (@tasks) {
        $checksum += $task->join;
        $finished++;
    }
    return $checksum - $finished * $first, finished => $finished, checksum => $checksum;
}

Program::run(
    'sleep-zero',
    { k => 1, m => 1 },
    sub ($program) {
        my $start = $program->starter(runs => 1);
        $program->repeated(sub { sleep_zero($program, $start, $program->get('k'), $program->get('m')) });
    }
);
