<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

/** Each task starts the next as its last act; the root waits for the last one only. */
final class Chain
{
    private int $finished = 0;
    private int $checksum = 0;
    private readonly Mailbox $ended;

    public function __construct(private readonly Program $program, private readonly int $n)
    {
        $this->ended = new Mailbox($program->scheduler);
    }

    public function measure(): Outcome
    {
        $this->program->start(0, fn () => $this->link(0));
        $this->ended->take();
        return new Outcome($this->finished, finished: $this->finished, checksum: $this->checksum);
    }

    private function link(int $i): void
    {
        $this->checksum += $i;
        $this->finished++;
        if ($i + 1 < $this->n) {
            $this->program->start($i + 1, fn () => $this->link($i + 1));
        } else {
            $this->ended->put(true);
        }
    }
}

Program::run('spawn-chain', ['n' => 1], function (Program $program): void {
    $program->repeat(fn () => (new Chain($program, $program->get('n')))->measure());
});
