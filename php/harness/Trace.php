<?php

declare(strict_types=1);

/** Records who runs when. Programs hold null in its place where no trace was asked for. */
final class Trace
{
    /** @var list<array{string, int, string}> */
    public array $events = [];

    /** @var list<Fiber> the identity of an object is given anew once it is gone, so none of them goes */
    private array $seen = [];

    private ?Generator $generator = null;

    /** Of a generator, which the language gives no identity while it runs, it is told here: before it is resumed first. */
    public function tellsOf(Generator $generator): void
    {
        $this->generator = $generator;
    }

    public function record(string $kind, int $task): void
    {
        $this->events[] = [$kind, $task, $this->unit()];
    }

    private function unit(): string
    {
        if ($this->generator !== null && self::runs($this->generator)) {
            return 'generator-' . spl_object_id($this->generator);
        }
        $fiber = Fiber::getCurrent();
        if ($fiber === null) {
            return 'main';
        }
        $this->seen[spl_object_id($fiber)] = $fiber;
        return 'fiber-' . spl_object_id($fiber);
    }

    /** One that runs refuses to be resumed. Nobody records anything while it waits, when this would resume it. */
    private static function runs(Generator $generator): bool
    {
        try {
            $generator->next();
            return false;
        } catch (Error $error) {
            return $error->getMessage() === 'Cannot resume an already running generator';
        }
    }
}
