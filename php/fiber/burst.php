<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

const NS_PER_MS = 1_000_000;

/** Out of a root that has slept n tasks are started at once, and again; each tells when it first ran. */
final class Bursts
{
    /** @var array<int, int> of each task, in nanoseconds from the beginning of its burst */
    public array $starts = [];

    private readonly int $first;

    public function __construct(private readonly Program $program)
    {
        $this->first = $program->nonce();
    }

    public function measure(): Outcome
    {
        $n = $this->program->get('n');
        $bursts = $this->program->get('bursts');
        $created = $finished = $checksum = 0;
        for ($burst = 0; $burst < $bursts; $burst++) {
            $this->program->scheduler->poller->sleep($this->program->get('idle_ms') * NS_PER_MS);
            $tasks = $this->burst($this->first + $burst * $n, $n);
            $created += count($tasks);
            foreach ($tasks as $task) {
                $i = $task->join();
                $this->program->trace?->record('collect', $i);
                $checksum += $i;
                $finished++;
            }
        }
        $last = array_sum(array_map(max(...), array_chunk($this->starts, $n)));
        return new Outcome($finished, created: $created, finished: $finished, checksum: $checksum, last_ns: $last);
    }

    /** @return list<Task> */
    private function burst(int $first, int $n): array
    {
        $tasks = [];
        $began = hrtime(true);
        for ($i = $first, $end = $first + $n; $i < $end; $i++) {
            $tasks[] = $this->program->start($i, function () use ($i, $began): int {
                $this->starts[$i - $this->first] = hrtime(true) - $began;
                return $i;
            });
        }
        return $tasks;
    }
}

Program::run('burst', ['n' => 1, 'bursts' => 1, 'idle_ms' => 1], function (Program $program): void {
    $bursts = new Bursts($program);
    $program->once($bursts->measure(...));
    $program->series('start', $bursts->starts);
});
