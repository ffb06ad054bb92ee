<?php

declare(strict_types=1);

/** A wrong command line; the message says what is wrong with it. */
final class UsageError extends Exception
{
}

/** The key=value words of the command line. A rule is the least value of an integer, or the list of known words. */
final class Arguments
{
    private const SHARED = ['iterations' => [1, 1], 'min_warm_ms' => [0, 0], 'trace' => [0, 0], 'nonce' => [0, 0]]; // the least value and the default

    /** @var array<string, int|string> the workload's own */
    public readonly array $params;

    /** @var array<string, int|string> */
    private array $values = [];

    /**
     * @param list<string> $words
     * @param array<string, int|list<string>> $rules
     * @param list<string> $flags keys that may be left out
     */
    public function __construct(array $words, private readonly array $rules, private readonly array $flags = [])
    {
        foreach ($words as $word) {
            $this->read($word);
        }
        foreach (array_keys($rules) as $key) {
            array_key_exists($key, $this->values) || throw new UsageError("$key is missing");
        }
        $this->params = array_replace($rules, array_intersect_key($this->values, $rules));
    }

    /** A key's value; one of the harness's has a default, and a flag is 0 where it was not given. */
    public function get(string $key): int|string
    {
        return $this->values[$key] ?? self::SHARED[$key][1] ?? 0;
    }

    private function read(string $word): void
    {
        [$key, $text] = explode('=', $word, 2) + [1 => null];
        if ($text === null) {
            throw new UsageError("\"$word\" is not key=value");
        }
        if (isset($this->values[$key])) {
            throw new UsageError("$key is given twice");
        }
        $rule = $this->rules[$key] ?? self::SHARED[$key][0] ?? (in_array($key, $this->flags, true) ? 0 : null);
        $this->values[$key] = match (true) {
            $rule === null => throw new UsageError("unknown key $key"),
            is_array($rule) => self::word($key, $text, $rule),
            default => $this->integer($key, $text, $rule),
        };
    }

    private function integer(string $key, string $text, int $least): int
    {
        $value = filter_var($text, FILTER_VALIDATE_INT);
        if ($value === false || $value < $least) {
            throw new UsageError("$key=$text must be an integer of at least $least");
        }
        if ($value > 1 && ($key === 'trace' || in_array($key, $this->flags, true))) {
            throw new UsageError("$key=$text must be 0 or 1");
        }
        return $value;
    }

    /** @param list<string> $known */
    private static function word(string $key, string $text, array $known): string
    {
        return in_array($text, $known, true) ? $text : throw new UsageError("$key=$text must be one of " . implode(', ', $known));
    }
}
