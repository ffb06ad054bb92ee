<?php

declare(strict_types=1);

require __DIR__ . '/Program.php';

/** Parks n tasks at one gate and holds the process still before, while and after they live. */
final class Parking
{
    private int $parked = 0;

    /** @var list<Fiber> those that wait at the gate */
    private array $waiting = [];

    private function __construct(private readonly Program $program)
    {
    }

    /**
     * The whole program of a memory workload.
     *
     * @param callable(int, Parking): int $body waits at the gate once, and returns its number
     */
    public static function run(string $workload, callable $body): void
    {
        Program::run($workload, ['n' => 1], function (Program $program) use ($body): void {
            $program->once(fn () => (new self($program))->measure($body));
        });
    }

    /** Parks task i until the gate is opened. */
    public function wait(int $i): void
    {
        $this->program->trace?->record('park', $i);
        $this->parked++;
        $this->waiting[] = Fiber::getCurrent();
        Fiber::suspend();
        $this->parked--;
    }

    private function measure(callable $body): Outcome
    {
        $this->hold('base');
        $tasks = [];
        for ($i = $this->program->nonce(), $end = $i + $this->program->get('n'); $i < $end; $i++) {
            $tasks[] = $this->program->start($i, fn () => $body($i, $this));
        }
        $created = count($tasks);
        $this->program->scheduler->pass(); // back here, all of them wait
        $this->holdTwice('live');
        foreach ($this->waiting as $fiber) {
            $this->program->scheduler->wake($fiber);
        }
        $this->waiting = [];
        $finished = $checksum = 0;
        foreach ($tasks as $task) {
            $checksum += $task->join();
            $finished++;
        }
        unset($tasks, $task, $fiber);
        $this->holdTwice('released');
        return new Outcome($finished, created: $created, finished: $finished, checksum: $checksum);
    }

    /** As it is, and after a forced collection. */
    private function holdTwice(string $point): void
    {
        $this->hold($point);
        gc_collect_cycles();
        gc_mem_caches();
        $this->hold("$point-collected");
    }

    private function hold(string $point): void
    {
        $this->program->hold($point, $this->parked);
    }
}
