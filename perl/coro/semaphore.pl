# k threads want one of s permits, m times each, and give way while they have it.

use v5.36;
use warnings FATAL => 'all';

use Coro            qw(cede);
use Coro::Semaphore ();

use Program ();

# Its permits, counted from the nonce on, and the most that others took between two of them.
sub take ($i, $room, $first, $m, $program) {
    my ($taken, $passed, $own) = ($first, 0, 0);
    for (1 .. $m) {
        $program->record('ask', $i) if $program;
        my $guard = $room->{permits}->guard;
        $program->record('enter', $i) if $program;
        $room->{inside}++;
        $room->{most} = $room->{inside} if $room->{inside} > $room->{most};
        my $number = ++$room->{entered};
        $passed = $number - $own - 1 if $number - $own - 1 > $passed;
        if ($room->{contended}) {
            cede;
            $room->{yields}++;
        }
        $own = $number;
        $room->{inside}--;
        $program->record('leave', $i) if $program;
        $taken++;
    }
    return [$taken, $passed];
}

# All of them wait for a permit when it returns; the root holds all.
sub gather ($program, $start, $k, $s, $m) {
    my $permits = Coro::Semaphore->new($s);
    my $room    = { permits => $permits, contended => $k > $s, inside => 0, most => 0, entered => 0, yields => 0 };
    my $traced  = $program->{trace} ? $program : undef;
    my $first   = $program->nonce;
    my @held    = map { $permits->guard } 1 .. $s;
    my @tasks   = map { $start->(\&take, $_, $room, $first, $m, $traced) } 0 .. $k - 1;
    cede;    # back here, all of them wait
    return { room => $room, first => $first, held => \@held, tasks => \@tasks };
}

sub share ($crowd) {
    delete $crowd->{held};
    my ($checksum, $finished, $most_passed) = (0, 0, 0);
    for my $task (@{ $crowd->{tasks} }) {
        my ($taken, $passed) = @{ $task->join };
        $checksum += $taken;
        $most_passed = $passed if $passed > $most_passed;
        $finished++;
    }
    my ($most, $yields) = @{ $crowd->{room} }{qw(most yields)};
    my $ops = $checksum - $finished * $crowd->{first};
    return $ops, finished => $finished, most => $most, yields => $yields, passed => $most_passed, checksum => $checksum;
}

Program::run(
    'semaphore',
    { k => 1, s => 1, m => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->repeated(
            \&share,
            sub {
                gather($program, $start, map { $program->get($_) } qw(k s m));
            }
        );
    }
);
