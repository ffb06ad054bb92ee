<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

/** A task's body: how often it woke, counted from the nonce on. */
function sleeps(int $task, int $nonce, int $end, Poller $poller, ?Trace $trace): int
{
    for ($count = $nonce; $count < $end; $count++) {
        $poller->sleep(0);
        $trace?->record('run', $task);
    }
    return $count;
}

/** Lets k tasks sleep m times each for no time at all. */
function sleepZero(Program $program, int $k, int $m): Outcome
{
    $nonce = $program->nonce();
    $end = $nonce + $m;
    $tasks = [];
    for ($i = 0; $i < $k; $i++) {
        $tasks[] = $program->startResuming($i, fn () => sleeps($i, $nonce, $end, $program->scheduler->poller, $program->trace));
    }
    $finished = $checksum = 0;
    foreach ($tasks as $task) {
        $checksum += $task->join();
        $finished++;
    }
    return new Outcome($checksum - $finished * $nonce, finished: $finished, checksum: $checksum);
}

Program::run('sleep-zero', ['k' => 1, 'm' => 1], function (Program $program): void {
    $program->repeat(fn () => sleepZero($program, $program->get('k'), $program->get('m')));
});
