<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';
require __DIR__ . '/../harness/Crowd.php';

/** Parked tasks are cancelled, clean up and are joined while k others do nothing but yield. */
final class Loaded
{
    /** Those that have yielded and not ended. */
    private int $active = 0;
    private bool $ended = false;
    private readonly Crowd $crowd;

    /** @var list<Task> */
    private array $load = [];

    public function __construct(private readonly Program $program)
    {
        for ($i = 0, $k = $program->get('k'); $i < $k; $i++) {
            $this->load[] = $program->start($i, $this->yields(...));
        }
        $this->crowd = new Crowd($program, $k);
        while ($this->active < $k) {
            $program->scheduler->pass();
        }
    }

    public function cancel(): Outcome
    {
        $outcome = $this->crowd->cancel();
        return new Outcome($outcome->ops, ...[...$outcome->evidence, 'active' => $this->active]);
    }

    public function stop(): void
    {
        $this->ended = true;
        foreach ($this->load as $task) {
            $task->join();
        }
    }

    private function yields(): void
    {
        $scheduler = $this->program->scheduler;
        $scheduler->pass();
        $this->active++;
        while (!$this->ended) {
            $scheduler->pass();
        }
        $this->active--;
    }
}

Program::run('cancel-loaded', ['n' => 1, 'k' => 1], function (Program $program): void {
    $program->repeat(fn (Loaded $loaded) => $loaded->cancel(), fn () => new Loaded($program), fn (Loaded $loaded) => $loaded->stop());
});
