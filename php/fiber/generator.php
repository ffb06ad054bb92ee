<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

/** A fiber that hands out one more than it was given last; it ends with the n-th. */
function adder(int $n, ?Trace $trace): Fiber
{
    return new Fiber(function (int $value) use ($n, $trace): int {
        for ($i = 0; $i < $n; $i++) {
            $value = Fiber::suspend($value) + 1;
            $trace?->record('run', 0);
        }
        $trace?->record('done', 0);
        return $value;
    });
}

/** Resumes one fiber n times by hand; no scheduler knows it. */
function resumes(Program $program, int $n): Outcome
{
    $nonce = $program->nonce();
    $program->trace?->record('spawn', 0);
    $fiber = adder($n, $program->trace);
    $program->trace?->record('spawned', 0);
    $value = $fiber->start($nonce);
    for ($i = 0; $i < $n; $i++) {
        $value = $fiber->resume($value);
    }
    $value = $fiber->getReturn(); // throws where it has not ended
    return new Outcome($value - $nonce, finished: (int) $fiber->isTerminated(), checksum: $value);
}

Program::run('generator', ['n' => 1], function (Program $program): void {
    $program->repeat(fn () => resumes($program, $program->get('n')));
});
