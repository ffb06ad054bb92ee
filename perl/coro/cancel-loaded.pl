# n parked threads are cancelled, clean up and are joined while k others do nothing but yield.

use v5.36;
use warnings FATAL => 'all';

use Coro qw(cede);

use Crowd   ();
use Program ();

# `active` are those that have yielded and not ended.
sub yields ($i, $load) {
    cede;
    $load->{active}++;
    cede until $load->{ended};
    $load->{active}--;
    return;
}

sub prepare ($program, $start, $k) {
    my $load = { active => 0, ended => 0 };
    $load->{tasks} = [map { $start->(\&yields, $_, $load) } 0 .. $k - 1];
    $load->{crowd} = Crowd::gather($program, $start, $k);
    cede until $load->{active} == $k;
    return $load;
}

sub cancel ($load) {
    my ($ops, %evidence) = $load->{crowd}->cancel;
    return $ops, %evidence, active => $load->{active};
}

sub stop ($load) {
    $load->{ended} = 1;
    $_->join for @{ $load->{tasks} };
    return;
}

Program::run(
    'cancel-loaded',
    { n => 1, k => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->repeated(\&cancel, sub { prepare($program, $start, $program->get('k')) }, \&stop);
    }
);
