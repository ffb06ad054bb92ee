<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Parking.php';

const DEPTH = 8;
const SIZE = 1024;
const VALUES = 251;

function descend(int $i, Parking $gate, int $level): int
{
    if ($level < DEPTH) {
        return descend($i, $gate, $level + 1);
    }
    $state = str_repeat(chr($i % VALUES), SIZE);
    $gate->wait($i);
    return $i - $i % VALUES + ord($state[SIZE - 1]);
}

// Parks n tasks, each eight calls deep with 1 KiB of its own.
Parking::run('memory-state', fn (int $i, Parking $gate): int => descend($i, $gate, 1));
