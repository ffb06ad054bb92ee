<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Parking.php';

// Parks n tasks that hold nothing but their number.
Parking::run('memory', function (int $i, Parking $gate): int {
    $gate->wait($i);
    return $i;
});
