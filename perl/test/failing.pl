# A planted fault: a thread that nobody joins fails while the root waits.

use v5.36;
use warnings FATAL => 'all';

use Coro qw(cede);

use Program ();

Program::run(
    'planted',
    {},
    sub ($program) {
        $program->starter->(sub ($i) { die "planted\n" }, 0);
        cede;
    }
);
