# The smallest process, or one thread. Coro is loaded only for that one, and the harness for the report that verify asks for.

use v5.36;
use warnings FATAL => 'all';

sub first_task () {
    require Coro;
    return Coro::async(sub { return 1 })->join;
}

sub report () {
    require Program;
    Program::run(
        'startup',
        { mode => ['bare', 'first-task'] },
        sub ($program) {
            my $start = $program->starter;
            $program->lap(
                sub {
                    return 1, finished => $program->get('mode') eq 'bare' ? 0 : $start->(sub ($i) { return 1 }, 0)->join;
                }
            );
        },
        'report'
    );
    return;
}

if    ("@ARGV" eq 'mode=first-task') { exit(first_task() != 1) }
elsif ("@ARGV" ne 'mode=bare')       { report() }
