<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';
require __DIR__ . '/../harness/players.php';

// Two tasks pass a token to and fro, m times each, through mailboxes of one.
Program::run('hand-off', ['m' => 1], function (Program $program): void {
    $program->repeat(fn (array $ring) => passed($program, $ring), fn () => players($program, 2, $program->get('m'), play(...)));
});
