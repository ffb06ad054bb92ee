<?php

declare(strict_types=1);

/** n parked tasks, numbered from `first` on, are cancelled, clean up and are joined. */
final class Crowd
{
    private int $cleaned = 0;

    /** @var list<Task> */
    private array $tasks = [];

    /** All of them wait when it is made: after one turn of the scheduler they do, and in another one those that only gave way go on. */
    public function __construct(private readonly Program $program, private readonly int $first = 0)
    {
        for ($i = $first, $end = $first + $program->get('n'); $i < $end; $i++) {
            $this->tasks[] = $program->start($i, fn () => $this->park($i));
        }
        $program->scheduler->pass();
        $program->scheduler->pass();
    }

    public function cancel(): Outcome
    {
        $waited = count($this->tasks) - $this->cleaned;
        foreach ($this->tasks as $task) {
            $task->cancel();
        }
        $finished = 0;
        foreach ($this->tasks as $i => $task) {
            $task->join();
            $this->program->trace?->record('collect', $this->first + $i);
            $finished++;
        }
        return new Outcome($finished, created: $waited, cancelled: $this->cleaned, finished: $finished);
    }

    private function park(int $i): void
    {
        try {
            $this->program->trace?->record('park', $i);
            Fiber::suspend();
            throw new LogicException("task $i ran past its wait");
        } catch (Cancelled) {
            return;
        } finally {
            $this->cleaned++;
        }
    }
}
