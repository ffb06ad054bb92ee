# Two threads pass a token to and fro, m times each, through channels.

use v5.36;
use warnings FATAL => 'all';

use Players ();
use Program ();

Program::run(
    'hand-off',
    { m => 1 },
    sub ($program) {
        $program->repeated(sub (@ring) { Players::pass($program, @ring) },
            sub { Players::prepare($program, 2, $program->get('m')) });
    }
);
