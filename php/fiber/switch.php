<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

/** Looks at every resume. It is there only with trace=1 or count=1, which are never timed. */
final class Watcher
{
    public int $switches = 0;
    private ?int $last = null;

    public function __construct(private readonly ?Trace $trace)
    {
    }

    public function resumed(int $task): void
    {
        $this->trace?->record('run', $task);
        if ($this->last !== $task) {
            $this->switches++;
        }
        $this->last = $task;
    }
}

/** A task's body: how often it was resumed. */
function yields(int $task, int $m, Scheduler $scheduler, ?Watcher $watcher): int
{
    for ($resumes = 0; $resumes < $m; $resumes++) {
        $scheduler->pass();
        $watcher?->resumed($task);
    }
    return $resumes;
}

/** Lets k tasks yield m times each. */
function switches(Program $program, int $k, int $m): Outcome
{
    $count = $program->get('count') === 1;
    $watcher = $count || $program->trace !== null ? new Watcher($program->trace) : null;
    $tasks = [];
    for ($i = 0; $i < $k; $i++) {
        $tasks[] = $program->startResuming($i, fn () => yields($i, $m, $program->scheduler, $watcher));
    }
    $finished = $resumes = 0;
    foreach ($tasks as $task) {
        $resumes += $task->join();
        $finished++;
    }
    $counted = $count ? ['true_switches' => $watcher->switches] : [];
    return new Outcome($resumes, ...['finished' => $finished, 'resumes' => $resumes, ...$counted]);
}

Program::run('switch', ['k' => 1, 'm' => 1], function (Program $program): void {
    $program->repeat(fn () => switches($program, $program->get('k'), $program->get('m')));
}, ['count']);
