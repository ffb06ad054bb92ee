<?php

declare(strict_types=1);

/** Fibers that wait for a time or for a stream, by stream_select. */
final class Poller
{
    private const NS_PER_US = 1_000;
    private const US_PER_S = 1_000_000;

    /** @var SplPriorityQueue<int, Fiber> the earliest first: the priority is the time in nanoseconds, negated */
    private SplPriorityQueue $sleepers;

    /** @var array<int, resource> */
    private array $streams = [];

    /** @var array<int, Fiber> those that wait for a stream, by its number */
    private array $readers = [];

    public function __construct()
    {
        $this->sleepers = new SplPriorityQueue();
        $this->sleepers->setExtractFlags(SplPriorityQueue::EXTR_BOTH);
    }

    /** Gives way for so many nanoseconds. */
    public function sleep(int $ns): void
    {
        $this->sleepers->insert(Fiber::getCurrent(), -(hrtime(true) + $ns));
        Fiber::suspend();
    }

    /**
     * The next bytes of a stream that does not block, at most so many; waits for them.
     *
     * @param resource $stream
     */
    public function read($stream, int $most): string
    {
        while (($bytes = fread($stream, $most)) === '') {
            if (feof($stream)) {
                throw new RuntimeException('the other side is gone');
            }
            $this->streams[(int) $stream] = $stream;
            $this->readers[(int) $stream] = Fiber::getCurrent();
            Fiber::suspend();
        }
        return $bytes;
    }

    /**
     * Waits until one fiber or more can go on: these; none where none waits.
     *
     * @return list<Fiber>
     */
    public function awaited(): array
    {
        $found = [];
        while ($found === [] && ($this->readers !== [] || !$this->sleepers->isEmpty())) {
            $found = [...$this->readable($this->leftUs()), ...$this->due()];
        }
        return $found;
    }

    /** Microseconds to the next time, rounded up; null where nobody sleeps. */
    private function leftUs(): ?int
    {
        if ($this->sleepers->isEmpty()) {
            return null;
        }
        return max(0, intdiv(-$this->sleepers->top()['priority'] - hrtime(true) + self::NS_PER_US - 1, self::NS_PER_US));
    }

    /** @return list<Fiber> */
    private function readable(?int $us): array
    {
        if ($this->readers === []) {
            if ($us > 0) {
                usleep($us); // for 0 it would last for as long as the kernel's timers are rounded up, 50 us
            }
            return [];
        }
        $readable = $this->streams;
        $none = null;
        $seconds = $us === null ? null : intdiv($us, self::US_PER_S);
        stream_select($readable, $none, $none, $seconds, $us === null ? null : $us % self::US_PER_S);
        $found = array_intersect_key($this->readers, $readable);
        $this->readers = array_diff_key($this->readers, $readable);
        $this->streams = array_diff_key($this->streams, $readable);
        return array_values($found);
    }

    /** @return list<Fiber> */
    private function due(): array
    {
        $found = [];
        $now = hrtime(true);
        while (!$this->sleepers->isEmpty() && -$this->sleepers->top()['priority'] <= $now) {
            $found[] = $this->sleepers->extract()['data'];
        }
        return $found;
    }
}
