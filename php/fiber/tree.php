<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

const CHILDREN = 10;

/**
 * How many tasks were joined in a task, itself included, and the sum of its leaves.
 *
 * @return array{int, int}
 */
function node(Program $program, int $first, int $leaves): array
{
    if ($leaves === 1) {
        return [1, $first];
    }
    $share = intdiv($leaves, CHILDREN);
    $children = [];
    for ($i = 0; $i < CHILDREN; $i++) {
        $children[] = $program->startNext(fn () => node($program, $first + $i * $share, $share));
    }
    $tasks = 1;
    $sum = 0;
    foreach ($children as $child) {
        [$joined, $part] = $child->join();
        $tasks += $joined;
        $sum += $part;
    }
    return [$tasks, $sum];
}

/** A task for a range of leaves starts ten for the tenths of it, down to a task for each leaf. */
function grow(Program $program): Outcome
{
    $nonce = $program->nonce();
    [$tasks, $sum] = $program->startNext(fn () => node($program, $nonce, $program->get('n')))->join();
    return new Outcome($tasks, finished: $tasks, checksum: $sum);
}

Program::run('tree', ['n' => 1], function (Program $program): void {
    $n = $program->get('n');
    preg_match('/^10*$/', (string) $n) === 1 || throw new UsageError("n=$n must be a power of ten");
    $program->repeat(fn () => grow($program));
});
