<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

/** Hands out one more than it was sent last; it ends with the n-th. */
function adder(int $value, int $n, ?Trace $trace): Generator
{
    for ($i = 0; $i < $n; $i++) {
        $value = (yield $value) + 1;
        $trace?->record('run', 0);
    }
    $trace?->record('done', 0);
    return $value;
}

/** Resumes one generator n times by hand. */
function resumes(Program $program, int $n): Outcome
{
    $nonce = $program->nonce();
    $program->trace?->record('spawn', 0);
    $generator = adder($nonce, $n, $program->trace);
    $program->trace?->record('spawned', 0);
    $program->trace?->tellsOf($generator);
    $value = $generator->current();
    for ($i = 0; $i < $n; $i++) {
        $value = $generator->send($value);
    }
    $value = $generator->getReturn(); // throws where it has not ended
    return new Outcome($value - $nonce, finished: (int) !$generator->valid(), checksum: $value);
}

Program::run('generator', ['n' => 1], function (Program $program): void {
    $program->repeat(fn () => resumes($program, $program->get('n')));
});
