<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';
require __DIR__ . '/../harness/Crowd.php';

// n parked tasks are cancelled, clean up and are joined.
Program::run('cancel', ['n' => 1], function (Program $program): void {
    $program->hold('base', 0);
    $program->repeat(fn (Crowd $crowd) => $crowd->cancel(), fn () => new Crowd($program));
    $program->hold('released', 0);
});
