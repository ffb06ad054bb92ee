# k threads, each waiting at a channel, pass a token round.

use v5.36;
use warnings FATAL => 'all';

use Players ();
use Program ();

Program::run(
    'ring',
    { k => 1, rounds => 1 },
    sub ($program) {
        my ($k, $rounds) = map { $program->get($_) } qw(k rounds);
        $program->repeated(sub (@ring) { Players::pass($program, @ring) }, sub { Players::prepare($program, $k, $rounds) });
    }
);
