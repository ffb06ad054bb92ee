<?php

declare(strict_types=1);

require __DIR__ . '/Poller.php';

/** What a task is cancelled by. */
final class Cancelled extends Exception
{
}

/** A task: its fiber, and what came of it. */
final class Task
{
    public readonly Fiber $fiber;
    public mixed $value = null;
    private bool $done = false;
    private ?Fiber $waiter = null;

    public function __construct(private readonly Scheduler $scheduler, callable $body)
    {
        $this->fiber = new Fiber(function () use ($body): void {
            $this->value = $body();
            $this->done = true;
            if ($this->waiter !== null) {
                $this->scheduler->wake($this->waiter);
            }
        });
    }

    /** What the body returned; waits for it. */
    public function join(): mixed
    {
        if (!$this->done) {
            $this->waiter = Fiber::getCurrent();
            Fiber::suspend();
        }
        return $this->value;
    }

    /** Ends the task where it waits, by an exception: it goes on at once, until it ends or waits again. */
    public function cancel(): void
    {
        $this->fiber->throw(new Cancelled());
    }
}

/**
 * PHP has fibers, and leaves what resumes them to libraries: this is a queue of those that are ready, first in, first out,
 * and, once that is empty, a poller.
 */
final class Scheduler
{
    public readonly Poller $poller;

    /** @var SplQueue<Fiber> */
    private SplQueue $ready;

    public function __construct()
    {
        $this->poller = new Poller();
        $this->ready = new SplQueue();
    }

    /** Starts a task, which waits for its turn. */
    public function start(callable $body): Task
    {
        $task = new Task($this, $body);
        $this->ready->enqueue($task->fiber);
        return $task;
    }

    public function wake(Fiber $fiber): void
    {
        $this->ready->enqueue($fiber);
    }

    /** One cooperative yield. */
    public function pass(): void
    {
        $this->ready->enqueue(Fiber::getCurrent());
        Fiber::suspend();
    }

    /** Runs the root and all that it starts; LogicException where all wait for each other. */
    public function run(callable $root): void
    {
        $ended = false;
        $this->start(function () use ($root, &$ended): void {
            $root();
            $ended = true;
        });
        do {
            while (!$this->ready->isEmpty()) {
                $fiber = $this->ready->dequeue();
                $fiber->isStarted() ? $fiber->resume() : $fiber->start();
            }
            foreach ($this->poller->awaited() as $fiber) {
                $this->ready->enqueue($fiber);
            }
        } while (!$this->ready->isEmpty());
        if (!$ended) {
            throw new LogicException('every fiber waits for another');
        }
    }
}

/** Hands over one value at a time from one task to one other: the language has no queue in which a fiber can wait. */
final class Mailbox
{
    public bool $full = false;
    public mixed $value = null;
    public ?Fiber $waiter = null;

    public function __construct(public readonly Scheduler $scheduler)
    {
    }

    public function put(mixed $value): void
    {
        if ($this->full) {
            throw new LogicException('the mailbox is full');
        }
        $this->full = true;
        $this->value = $value;
        if ($this->waiter !== null) {
            $this->scheduler->wake($this->waiter);
            $this->waiter = null;
        }
    }

    public function take(): mixed
    {
        if (!$this->full) {
            $this->waiter = Fiber::getCurrent();
            Fiber::suspend();
        }
        $this->full = false;
        return $this->value;
    }
}
