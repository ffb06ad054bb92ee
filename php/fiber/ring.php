<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';
require __DIR__ . '/../harness/players.php';

// k tasks, each waiting at a mailbox of one, pass a token round.
Program::run('ring', ['k' => 1, 'rounds' => 1], function (Program $program): void {
    $program->repeat(fn (array $ring) => passed($program, $ring), fn () => players($program, $program->get('k'), $program->get('rounds'), play(...)));
});
