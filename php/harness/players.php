<?php

declare(strict_types=1);

/** The task of hand-off and ring: takes the token, adds one and passes it on; returns how often it had it. */
function play(int $i, Mailbox $inbox, Mailbox $outbox, int $rounds, ?Trace $trace): int
{
    for ($received = 0; $received < $rounds; $received++) {
        $token = $inbox->take();
        $trace?->record('run', $i);
        $outbox->put($token + 1);
    }
    return $received;
}

/**
 * Starts k players in a ring, with a mailbox each, at which all of them wait when this returns.
 *
 * @param Closure(int, Mailbox, Mailbox, int, ?Trace): int $play
 * @return array{list<Mailbox>, list<Task>}
 */
function players(Program $program, int $k, int $rounds, Closure $play): array
{
    $boxes = $players = [];
    for ($i = 0; $i < $k; $i++) {
        $boxes[] = new Mailbox($program->scheduler);
    }
    for ($i = 0; $i < $k; $i++) {
        $body = fn () => $play($i, $boxes[$i], $boxes[($i + 1) % $k], $rounds, $program->trace);
        $players[] = $program->startResuming($i, $body);
    }
    $program->scheduler->pass();
    return [$boxes, $players];
}

/**
 * Gives the first player the token, joins them all, and takes the token that the last one sent.
 *
 * @param array{list<Mailbox>, list<Task>} $ring
 */
function passed(Program $program, array $ring): Outcome
{
    [$boxes, $players] = $ring;
    $boxes[0]->put($program->nonce());
    $finished = $messages = 0;
    foreach ($players as $player) {
        $messages += $player->join();
        $finished++;
    }
    return new Outcome($messages, finished: $finished, messages: $messages, checksum: $boxes[0]->take());
}
