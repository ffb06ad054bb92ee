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

/** A task's body: how often it was resumed, counted from the nonce on. */
function yields(int $task, int $nonce, int $end, Scheduler $scheduler, ?Watcher $watcher): int
{
    for ($count = $nonce; $count < $end; $count++) {
        $scheduler->pass();
        $watcher?->resumed($task);
    }
    return $count;
}

/** Lets k tasks yield m times each. */
function switches(Program $program, int $k, int $m): Outcome
{
    $count = $program->get('count') === 1;
    $watcher = $count || $program->trace !== null ? new Watcher($program->trace) : null;
    $nonce = $program->nonce();
    $end = $nonce + $m;
    $tasks = [];
    for ($i = 0; $i < $k; $i++) {
        $tasks[] = $program->startResuming($i, fn () => yields($i, $nonce, $end, $program->scheduler, $watcher));
    }
    $finished = $checksum = 0;
    foreach ($tasks as $task) {
        $checksum += $task->join();
        $finished++;
    }
    $resumes = $checksum - $k * $nonce;
    $counted = $count ? ['true_switches' => $watcher->switches] : [];
    return new Outcome($resumes, ...['finished' => $finished, 'resumes' => $resumes, 'checksum' => $checksum, ...$counted]);
}

Program::run('switch', ['k' => 1, 'm' => 1], function (Program $program): void {
    $program->repeat(fn () => switches($program, $program->get('k'), $program->get('m')));
}, ['count']);
