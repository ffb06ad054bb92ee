<?php

declare(strict_types=1);

function fizzbuzz(int $value): string
{
    return match (0) {
        $value % 15 => 'FizzBuzz',
        $value % 3 => 'Fizz',
        $value % 5 => 'Buzz',
        default => (string) $value,
    };
}

/** What a step adds to the sum. */
function worth(int $value): int
{
    $text = fizzbuzz($value);
    return 31 * strlen($text) + ord($text);
}
