<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';
require __DIR__ . '/../harness/Queue.php';

const ROOM = 128;

function produce(int $value, int $m, Queue $queue): void
{
    for ($sent = 0; $sent < $m; $sent++) {
        $queue->put($value);
    }
}

/**
 * How many messages came, and their sum.
 *
 * @return array{int, int}
 */
function consume(int $messages, Queue $queue): array
{
    $sum = 0;
    for ($received = 0; $received < $messages; $received++) {
        $sum += $queue->get();
    }
    return [$received, $sum];
}

/** p producers send m messages each to one consumer through one bounded queue. */
function gather(Program $program, int $p, int $m): Outcome
{
    $queue = new Queue($program->scheduler, ROOM);
    $nonce = $program->nonce();
    $producers = [];
    for ($i = 0; $i < $p; $i++) {
        $value = $nonce + $i + 1;
        $producers[] = $program->start($i, fn () => produce($value, $m, $queue));
    }
    $consumer = $program->start($p, fn () => consume($p * $m, $queue));
    $finished = 0;
    foreach ($producers as $producer) {
        $producer->join();
        $finished++;
    }
    [$messages, $checksum] = $consumer->join();
    return new Outcome($messages, finished: $finished + 1, messages: $messages, checksum: $checksum);
}

Program::run('fan-in', ['p' => 1, 'm' => 1], function (Program $program): void {
    $program->repeat(fn () => gather($program, $program->get('p'), $program->get('m')));
});
