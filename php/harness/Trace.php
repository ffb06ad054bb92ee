<?php

declare(strict_types=1);

/** Records who runs when. Programs hold null in its place where no trace was asked for. */
final class Trace
{
    /** @var list<array{string, int, string}> */
    public array $events = [];

    /** @var list<Fiber> the identity of an object is given anew once it is gone, so none of them goes */
    private array $seen = [];

    public function record(string $kind, int $task): void
    {
        $this->events[] = [$kind, $task, $this->unit()];
    }

    private function unit(): string
    {
        $fiber = Fiber::getCurrent();
        if ($fiber === null) {
            return 'main';
        }
        $this->seen[spl_object_id($fiber)] = $fiber;
        return 'fiber-' . spl_object_id($fiber);
    }
}
