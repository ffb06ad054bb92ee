# n parked threads are cancelled, clean up and are joined.

use v5.36;
use warnings FATAL => 'all';

use Crowd   ();
use Program ();

Program::run(
    'cancel',
    { n => 1 },
    sub ($program) {
        my $start = $program->starter;
        $program->hold('base', 0);
        $program->repeated(\&Crowd::cancel, sub { Crowd::gather($program, $start, 0) });
        $program->hold('released', 0);
    }
);
