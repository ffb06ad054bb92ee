# Calls a plain function n times and sums what it returns: the language without tasks.

use v5.36;
use warnings FATAL => 'all';

use Program ();

sub body ($i) {
    return $i;
}

sub call ($program) {
    my ($first, $finished, $checksum) = ($program->nonce, 0, 0);
    for my $i ($first .. $first + $program->get('n') - 1) {
        $checksum += body($i);
        $finished++;
    }
    return $finished, finished => $finished, checksum => $checksum;
}

Program::run(
    'baseline',
    { n => 1 },
    sub ($program) {
        $program->repeated(sub { call($program) });
    }
);
