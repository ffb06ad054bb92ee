<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

/** @param resource $socket */
function send($socket, string $byte): void
{
    fwrite($socket, $byte) === 1 || throw new RuntimeException('the socket takes no byte');
}

/**
 * How many bytes came back.
 *
 * @param resource $socket
 */
function ask($socket, int $m, Poller $poller): int
{
    $received = 0;
    for ($i = 0; $i < $m; $i++) {
        send($socket, 'x');
        $received += strlen($poller->read($socket, 1));
    }
    return $received;
}

/**
 * How many bytes came, and were sent back.
 *
 * @param resource $socket
 */
function answer($socket, int $m, Poller $poller): int
{
    $received = 0;
    for ($i = 0; $i < $m; $i++) {
        $byte = $poller->read($socket, 1);
        $received += strlen($byte);
        send($socket, $byte);
    }
    return $received;
}

/** @return array{resource, resource} */
function pair(): array
{
    $ends = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    foreach ($ends as $end) {
        stream_set_blocking($end, false);
        stream_set_read_buffer($end, 0);
    }
    return $ends;
}

/** @param array{resource, resource} $ends */
function alternate(Program $program, array $ends): Outcome
{
    [$left, $right] = $ends;
    $m = $program->get('m');
    $poller = $program->scheduler->poller;
    $tasks = [
        $program->start(0, fn () => ask($left, $m, $poller)),
        $program->start(1, fn () => answer($right, $m, $poller)),
    ];
    $finished = $messages = 0;
    foreach ($tasks as $task) {
        $messages += $task->join();
        $finished++;
    }
    return new Outcome(intdiv($messages, 2), finished: $finished, messages: $messages);
}

// Two tasks pass a byte to and fro over a pair of Unix stream sockets.
Program::run('io-switch', ['m' => 1], function (Program $program): void {
    $ends = pair();
    $program->repeat(fn () => alternate($program, $ends));
});
