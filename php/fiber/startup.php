<?php

declare(strict_types=1);

/** The smallest process, or one task. The harness is loaded only for other words, and for the report that verify asks for. */
function first_task(): int
{
    require_once __DIR__ . '/../harness/Scheduler.php';
    $result = 0;
    $scheduler = new Scheduler();
    $scheduler->run(function () use ($scheduler, &$result): void {
        $result = $scheduler->start(fn () => 1)->join();
    });
    return $result;
}

function report(): void
{
    require_once __DIR__ . '/../harness/Program.php';
    Program::run('startup', ['mode' => ['bare', 'first-task']], function (Program $program): void {
        $perform = fn () => $program->get('mode') === 'bare' ? 0 : $program->start(0, fn () => 1)->join();
        $program->once(fn () => new Outcome(1, finished: $perform()));
    }, ['report']);
}

match (array_slice($argv, 1)) {
    ['mode=bare'] => null,
    ['mode=first-task'] => exit(1 - first_task()),
    default => report(),
};
