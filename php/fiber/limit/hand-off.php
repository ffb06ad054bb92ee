<?php

declare(strict_types=1);

require __DIR__ . '/../../harness/Program.php';
require __DIR__ . '/../../harness/players.php';

/** The task: takes the token, adds one and passes it on; returns how often it had it. */
function playByHand(int $i, Mailbox $inbox, Mailbox $outbox, int $rounds, ?Trace $trace): int
{
    $own = Fiber::getCurrent();
    $scheduler = $outbox->scheduler;
    for ($received = 0; $received < $rounds; $received++) {
        if (!$inbox->full) {
            $inbox->waiter = $own;
            Fiber::suspend();
        }
        $inbox->full = false;
        $token = $inbox->value;
        $trace?->record('run', $i);
        if ($outbox->full) {
            throw new LogicException('the mailbox is full');
        }
        $outbox->full = true;
        $outbox->value = $token + 1;
        if ($outbox->waiter !== null) {
            $scheduler->wake($outbox->waiter);
            $outbox->waiter = null;
        }
    }
    return $received;
}

// Two tasks pass a token to and fro, m times each, with what the mailboxes do written out.
Program::run('hand-off', ['m' => 1], function (Program $program): void {
    $program->repeat(fn (array $ring) => passed($program, $ring), fn () => players($program, 2, $program->get('m'), playByHand(...)));
});
