<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';
require __DIR__ . '/fizz.php';

const NS_PER_MS = 1_000_000;

/** n tasks take m steps of fizzbuzz each and sleep after every one; the process is held still when all of them sleep. */
final class Sleepers
{
    /** @var list<int> how many nanoseconds late the last sleep of each ended */
    public array $lateness = [];

    private int $alive = 0;
    /** All that ever slept: the first may end before the last is there. */
    private int $asleep = 0;
    private readonly Mailbox $allAsleep;

    public function __construct(private readonly Program $program)
    {
        $this->allAsleep = new Mailbox($program->scheduler);
    }

    public function hold(string $point): int
    {
        $units = $this->alive;
        $this->program->hold($point, $units);
        return $units;
    }

    public function run(): Outcome
    {
        $tasks = [];
        for ($i = 0, $n = $this->program->get('n'); $i < $n; $i++) {
            $tasks[] = $this->program->start($i, fn () => $this->body($i));
        }
        $this->allAsleep->take();
        $mostAlive = $this->hold('live');
        $finished = $steps = $checksum = 0;
        foreach ($tasks as $i => $task) {
            [$done, $sum, $late] = $task->join();
            $this->program->trace?->record('collect', $i);
            $finished++;
            $steps += $done;
            $checksum += $sum;
            $this->lateness[] = $late;
        }
        return new Outcome($steps, finished: $finished, steps: $steps, checksum: $checksum, most_alive: $mostAlive);
    }

    /**
     * The steps that a task did, what they were worth, and how many nanoseconds late its last sleep ended.
     *
     * @return array{int, int, int}
     */
    private function body(int $task): array
    {
        $ns = $this->program->get('sleep_ms') * NS_PER_MS;
        $done = $sum = $late = 0;
        for ($m = $this->program->get('m'); $done < $m; $done++) {
            $sum += worth($task + $done);
            if ($done === 0) {
                $this->enter($task);
            }
            $due = hrtime(true) + $ns;
            $this->program->scheduler->poller->sleep($ns);
            $late = max(0, hrtime(true) - $due);
        }
        $this->alive--;
        return [$done, $sum, $late];
    }

    /** A task counts itself as its last act before its first sleep; the last of all tells the root. */
    private function enter(int $task): void
    {
        $this->program->trace?->record('park', $task);
        $this->alive++;
        $this->asleep++;
        if ($this->asleep === $this->program->get('n')) {
            $this->allAsleep->put(true);
        }
    }
}

Program::run('fizzbuzz-sleep', ['n' => 1, 'm' => 1, 'sleep_ms' => 1], function (Program $program): void {
    $sleepers = new Sleepers($program);
    $sleepers->hold('base');
    $program->once($sleepers->run(...));
    $program->series('lateness', $sleepers->lateness);
});
