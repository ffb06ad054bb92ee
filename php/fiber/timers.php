<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

const SPREAD_NS = 1_000_000_000;
const NS_PER_MS = 1_000_000;

/**
 * Sleeps until the deadline; the number of the task, and how many nanoseconds after it the task went on.
 *
 * @return array{int, int}
 */
function sleepUntil(int $deadline, int $i, Poller $poller): array
{
    $poller->sleep(max(0, $deadline - hrtime(true)));
    return [$i, hrtime(true) - $deadline];
}

/**
 * How late each of n tasks was that sleep once, each until a deadline of its own within one second.
 *
 * @param list<int> $lateness
 */
function sleepAll(Program $program, array &$lateness): Outcome
{
    $n = $program->get('n');
    $start = hrtime(true) + $program->get('lead') * NS_PER_MS;
    $tasks = [];
    for ($i = 0; $i < $n; $i++) {
        $deadline = $start + intdiv($i * SPREAD_NS, $n);
        $tasks[] = $program->start($i, fn () => sleepUntil($deadline, $i, $program->scheduler->poller));
    }
    $created = count($tasks);
    $finished = $checksum = $early = 0;
    foreach ($tasks as $task) {
        [$number, $late] = $task->join();
        $early += $late < -NS_PER_MS ? 1 : 0;
        $lateness[] = max(0, $late);
        $checksum += $number;
        $finished++;
    }
    return new Outcome($finished, created: $created, finished: $finished, checksum: $checksum, early: $early);
}

Program::run('timers', ['n' => 1, 'lead' => 0], function (Program $program): void {
    $lateness = [];
    $program->once(function () use ($program, &$lateness): Outcome {
        return sleepAll($program, $lateness);
    });
    $program->series('lateness', $lateness);
});
