<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

const NS_PER_US = 1_000;

/** One task wakes on an absolute schedule while k others do nothing but yield. */
final class Ticker
{
    /** @var list<int> of each tick, in nanoseconds */
    public array $lateness = [];

    private int $running = 0;
    private bool $ended = false;

    public function __construct(private readonly Program $program)
    {
    }

    public function measure(): Outcome
    {
        $k = $this->program->get('k');
        $load = [];
        for ($i = 0; $i < $k; $i++) {
            $load[] = $this->program->start($i, $this->yields(...));
        }
        while ($this->running < $k) {
            $this->program->scheduler->pass();
        }
        $ticks = $this->program->start($k, $this->tick(...))->join();
        $this->ended = true;
        $counts = array_map(fn (Task $task): int => $task->join(), $load);
        $active = count(array_filter($counts, fn (int $count): bool => $count > 0));
        return new Outcome($ticks, finished: count($counts) + 1, active: $active, yields: array_sum($counts));
    }

    /** How often it yielded. The poller is asked only when no fiber is ready, so a yield that lets timers fire is a sleep of zero. */
    private function yields(): int
    {
        $poller = $this->program->scheduler->poller;
        $this->running++;
        for ($count = 0; !$this->ended; $count++) {
            $poller->sleep(0);
        }
        return $count;
    }

    /** How many ticks it took; one that is overdue it takes without a sleep. */
    private function tick(): int
    {
        $poller = $this->program->scheduler->poller;
        $ticks = $this->program->get('ticks');
        $period = $this->program->get('period_us') * NS_PER_US;
        $due = hrtime(true);
        for ($taken = 0; $taken < $ticks; $taken++) {
            $due += $period;
            $left = $due - hrtime(true);
            if ($left > 0) {
                $poller->sleep($left);
            }
            $this->lateness[] = max(0, hrtime(true) - $due);
        }
        return $taken;
    }
}

Program::run('ticker', ['k' => 1, 'ticks' => 1, 'period_us' => 1], function (Program $program): void {
    $ticker = new Ticker($program);
    $program->once($ticker->measure(...));
    $program->series('lateness', $ticker->lateness);
});
