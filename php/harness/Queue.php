<?php

declare(strict_types=1);

/** Hands values over in order, with room for so many: who finds it full or empty waits, first come, first served. */
final class Queue
{
    private SplQueue $values;

    /** @var SplQueue<Fiber> */
    private SplQueue $putters;

    /** @var SplQueue<Fiber> */
    private SplQueue $getters;

    public function __construct(private readonly Scheduler $scheduler, private readonly int $room)
    {
        $this->values = new SplQueue();
        $this->putters = new SplQueue();
        $this->getters = new SplQueue();
    }

    public function put(mixed $value): void
    {
        while (count($this->values) === $this->room) {
            self::waitIn($this->putters);
        }
        $this->values->enqueue($value);
        $this->wakeOne($this->getters);
    }

    public function get(): mixed
    {
        while ($this->values->isEmpty()) {
            self::waitIn($this->getters);
        }
        $value = $this->values->dequeue();
        $this->wakeOne($this->putters);
        return $value;
    }

    /** @param SplQueue<Fiber> $line */
    private static function waitIn(SplQueue $line): void
    {
        $line->enqueue(Fiber::getCurrent());
        Fiber::suspend();
    }

    /** @param SplQueue<Fiber> $line */
    private function wakeOne(SplQueue $line): void
    {
        if (!$line->isEmpty()) {
            $this->scheduler->wake($line->dequeue());
        }
    }
}
