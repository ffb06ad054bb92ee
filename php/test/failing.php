<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

// A planted fault: a task that nobody joins fails while the root waits.
Program::run('planted', [], function (Program $program): void {
    $program->start(0, fn () => throw new LogicException('planted'));
    Fiber::suspend();
});
