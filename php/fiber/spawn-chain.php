<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

/** Each task starts the next as its last act; the root waits for the last one only. */
final class Chain
{
    private int $finished = 0;
    private int $checksum = 0;
    private readonly Mailbox $ended;

    private readonly int $end;

    public function __construct(private readonly Program $program, private readonly int $first, int $n)
    {
        $this->end = $first + $n;
        $this->ended = new Mailbox($program->scheduler);
    }

    public function measure(): Outcome
    {
        $this->program->start($this->first, fn () => $this->link($this->first));
        $this->ended->take();
        return new Outcome($this->finished, finished: $this->finished, checksum: $this->checksum);
    }

    private function link(int $i): void
    {
        $this->checksum += $i;
        $this->finished++;
        if ($i + 1 < $this->end) {
            $this->program->start($i + 1, fn () => $this->link($i + 1));
        } else {
            $this->ended->put(true);
        }
    }
}

Program::run('spawn-chain', ['n' => 1], function (Program $program): void {
    $program->repeat(fn () => (new Chain($program, $program->nonce(), $program->get('n')))->measure());
});
