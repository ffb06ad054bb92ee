<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

function body(int $i): int
{
    return $i;
}

/** Calls a plain function n times and sums what it returns: the language without tasks. */
function call(int $first, int $n): Outcome
{
    $finished = $checksum = 0;
    for ($i = $first, $end = $first + $n; $i < $end; $i++) {
        $checksum += body($i);
        $finished++;
    }
    return new Outcome($finished, finished: $finished, checksum: $checksum);
}

Program::run('baseline', ['n' => 1], function (Program $program): void {
    $program->repeat(fn () => call($program->nonce(), $program->get('n')));
});
