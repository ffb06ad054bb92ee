<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

/** Starts n tasks, then collects and sums what they return. */
function spawn(Program $program, int $n): Outcome
{
    $tasks = [];
    for ($i = $program->nonce(), $end = $i + $n; $i < $end; $i++) {
        $tasks[] = $program->start($i, fn () => $i);
    }
    $created = count($tasks);
    $finished = $checksum = 0;
    foreach ($tasks as $task) {
        $result = $task->join();
        $program->trace?->record('collect', $result);
        $checksum += $result;
        $finished++;
    }
    return new Outcome($finished, created: $created, finished: $finished, checksum: $checksum);
}

Program::run('spawn', ['n' => 1], function (Program $program): void {
    $program->repeat(fn () => spawn($program, $program->get('n')));
});
