<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';
require __DIR__ . '/fizz.php';

/**
 * The m steps of a task, with a yield after each where there is a scheduler: how many, and what they were worth.
 *
 * @return array{int, int}
 */
function steps(int $task, int $m, ?Scheduler $scheduler): array
{
    $sum = 0;
    for ($done = 0; $done < $m; $done++) {
        $sum += worth($task + $done);
        $scheduler?->pass();
    }
    return [$done, $sum];
}

/** @return list<array{int, int}> */
function collect(Program $program, int $n, int $m, ?Scheduler $scheduler): array
{
    $tasks = $results = [];
    for ($i = 0; $i < $n; $i++) {
        $tasks[] = $program->start($i, fn () => steps($i, $m, $scheduler));
    }
    foreach ($tasks as $i => $task) {
        $results[] = $task->join();
        $program->trace?->record('collect', $i);
    }
    return $results;
}

/** n tasks take m steps of fizzbuzz each: as plain calls, without waiting, or with a yield after each. */
function run(Program $program, int $n, int $m): Outcome
{
    $results = match ($program->get('phase')) {
        'base' => array_map(fn (int $i) => steps($i, $m, null), range(0, $n - 1)),
        'spawn' => collect($program, $n, $m, null),
        'yield' => collect($program, $n, $m, $program->scheduler),
    };
    $finished = count($results);
    return new Outcome(
        $finished,
        finished: $finished,
        steps: array_sum(array_column($results, 0)),
        checksum: array_sum(array_column($results, 1)),
    );
}

Program::run('fizzbuzz', ['phase' => ['base', 'spawn', 'yield'], 'n' => 1, 'm' => 1], function (Program $program): void {
    $program->repeat(fn () => run($program, $program->get('n'), $program->get('m')));
});
