<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';
require __DIR__ . '/../harness/Queue.php';

function produce(int $i, int $first, int $m, Queue $queue, ?Trace $trace): void
{
    for ($message = $first, $end = $first + $m; $message < $end; $message++) {
        $queue->put($message);
        $trace?->record('run', $i);
    }
}

/**
 * How many messages came, and their sum; null says that no more will come.
 *
 * @return array{int, int}
 */
function consume(int $i, Queue $queue, ?Trace $trace): array
{
    $received = $sum = 0;
    while (($message = $queue->get()) !== null) {
        $trace?->record('run', $i);
        $received++;
        $sum += $message;
    }
    return [$received, $sum];
}

/** p producers send m messages each to c consumers through one bounded queue. */
function channel(Program $program, int $p, int $c, int $m): Outcome
{
    $queue = new Queue($program->scheduler, $program->get('b'));
    $nonce = $program->nonce();
    $producers = $consumers = [];
    for ($i = 0; $i < $p; $i++) {
        $producers[] = $program->start($i, fn () => produce($i, $nonce + $i * $m, $m, $queue, $program->trace));
    }
    for ($i = $p; $i < $p + $c; $i++) {
        $consumers[] = $program->start($i, fn () => consume($i, $queue, $program->trace));
    }
    $finished = $messages = $most = $checksum = 0;
    foreach ($producers as $producer) {
        $producer->join();
        $finished++;
    }
    foreach ($consumers as $_) {
        $queue->put(null);
    }
    foreach ($consumers as $consumer) {
        [$received, $sum] = $consumer->join();
        $messages += $received;
        $most = max($most, $received);
        $checksum += $sum;
        $finished++;
    }
    return new Outcome($messages, finished: $finished, messages: $messages, most: $most, checksum: $checksum);
}

Program::run('channel', ['p' => 1, 'c' => 1, 'b' => 1, 'm' => 1], function (Program $program): void {
    $program->repeat(fn () => channel($program, $program->get('p'), $program->get('c'), $program->get('m')));
});
