<?php

declare(strict_types=1);

require __DIR__ . '/Arguments.php';
require __DIR__ . '/Scheduler.php';
require __DIR__ . '/Trace.php';

/** What an iteration did: its operations, and what was counted of them. */
final class Outcome
{
    public readonly array $evidence;

    public function __construct(public readonly int $ops, int ...$evidence)
    {
        $this->evidence = $evidence;
    }
}

/** One process: its arguments, its tasks, the lines that it owes the runner, and the loop that times its operation. */
final class Program
{
    private const MOST_ITERATIONS = 10_000;
    private const CHOSEN = ['COROBENCH_FIBER_STACK' => 'fiber.stack_size', 'COROBENCH_COLLECTOR' => 'zend.enable_gc'];

    public readonly Scheduler $scheduler;
    public readonly ?Trace $trace;
    private int $number = -1;

    /** Iterations that are over. */
    private int $done = 0;

    /** When the iteration that is under way began, by the monotonic clock and in CPU time, in nanoseconds. */
    private int $startNs = 0;
    private int $startCpuNs = 0;

    /** @var list<array<string, mixed>> */
    private array $lines = [];

    private function __construct(private readonly string $workload, private readonly Arguments $arguments)
    {
        $this->scheduler = new Scheduler();
        $this->trace = $arguments->get('trace') === 1 ? new Trace() : null;
    }

    /**
     * Runs a workload to its last line; what goes wrong ends the process, with 2 for a wrong command line.
     *
     * @param array<string, int|list<string>> $rules
     * @param callable(Program): void $main
     * @param list<string> $flags
     */
    public static function run(string $workload, array $rules, callable $main, array $flags = []): void
    {
        // Notices and warnings are errors.
        set_error_handler(fn (int $level, string $text, string $file, int $line) => throw new ErrorException($text, 0, $level, $file, $line));
        try {
            self::choose();
            $program = new self($workload, new Arguments(array_slice($_SERVER['argv'], 1), $rules, $flags));
            $program->scheduler->run(fn () => $program->whole($main));
        } catch (UsageError $error) {
            fwrite(STDERR, "usage: {$error->getMessage()}\n");
            exit(2);
        } catch (Throwable $error) {
            fwrite(STDERR, "$error\n");
            exit(1);
        }
    }

    public function get(string $key): int|string
    {
        return $this->arguments->get($key);
    }

    /** The present iteration's own number, which its results contain: none is known beforehand or can be kept for the next one. */
    public function nonce(): int
    {
        return $this->get('nonce') + $this->done;
    }

    /** Starts task i; joining it gives what the body returned. */
    public function start(int $i, callable $body): Task
    {
        if ($this->trace === null) {
            return $this->scheduler->start($body);
        }
        return $this->startResuming($i, function () use ($i, $body): mixed {
            $this->trace->record('run', $i);
            return $body();
        });
    }

    /** The same for a task that records by itself when it is resumed. */
    public function startResuming(int $i, callable $body): Task
    {
        if ($this->trace === null) {
            return $this->scheduler->start($body);
        }
        $this->trace->record('spawn', $i);
        $task = $this->scheduler->start(function () use ($i, $body): mixed {
            $value = $body();
            $this->trace->record('done', $i);
            return $value;
        });
        $this->trace->record('spawned', $i);
        return $task;
    }

    /** The same for a task that others than the root start: its number is the next. */
    public function startNext(callable $body): Task
    {
        return $this->start(++$this->number, $body);
    }

    /**
     * Times the operation until that is enough; what `prepare` returns before each time is handed to it, and then to `finish`,
     * untimed.
     *
     * @param callable(mixed): Outcome $operation
     */
    public function repeat(callable $operation, ?callable $prepare = null, ?callable $finish = null): void
    {
        $warmNs = 0;
        do {
            $prepared = $prepare === null ? null : $prepare();
            $elapsedNs = $this->lap($operation, $prepared);
            if ($finish !== null) {
                $finish($prepared);
            }
            $warmNs += $this->done > 1 ? $elapsedNs : 0;
            $enough = $this->done >= $this->get('iterations') && $warmNs >= $this->get('min_warm_ms') * 1_000_000;
        } while ($this->trace === null && !$enough && $this->done < self::MOST_ITERATIONS);
    }

    /** One iteration, whatever was asked for. */
    public function once(callable $operation): void
    {
        $this->lap($operation, null);
    }

    /**
     * Keeps raw samples in nanoseconds, in the order in which they happened.
     *
     * @param list<int> $values
     */
    public function series(string $name, array $values): void
    {
        $this->lines[] = ['type' => 'series', 'name' => $name, 'values' => $values];
    }

    /**
     * Announces a named point, and waits there until the runner has read the process from outside. That is no time of the
     * iteration that is under way.
     */
    public function hold(string $point, int $units): void
    {
        $cpuNs = self::cpuNs();
        $ns = hrtime(true);
        $this->trace?->record('hold', -1);
        self::write(['type' => 'hold', 'point' => $point, 'units' => $units]);
        if (fgets(STDIN) === false) {
            throw new RuntimeException("stdin ended at the hold $point: the runner is gone");
        }
        $this->startNs += hrtime(true) - $ns;
        $this->startCpuNs += self::cpuNs() - $cpuNs;
    }

    /** A variant may want other settings than PHP's own. */
    private static function choose(): void
    {
        foreach (self::CHOSEN as $name => $setting) {
            $value = getenv($name);
            if ($value !== false && ini_set($setting, $value) === false) {
                throw new UsageError("$name=$value: PHP does not take it");
            }
        }
    }

    private function whole(callable $main): void
    {
        self::write($this->hello());
        $main($this);
        foreach ($this->lines as $line) {
            self::write($line);
        }
        if ($this->trace !== null) {
            self::write(['type' => 'trace', 'events' => $this->trace->events]);
        }
        self::write(['type' => 'end']);
    }

    /** @return array<string, mixed> */
    private function hello(): array
    {
        $runtime = getenv('COROBENCH_RUNTIME');
        $version = sprintf('%d.%d.%d', PHP_MAJOR_VERSION, PHP_MINOR_VERSION, PHP_RELEASE_VERSION);
        return [
            'type' => 'hello', 'protocol' => 1, 'runtime' => $runtime ?: throw new UsageError('COROBENCH_RUNTIME is not set'),
            'version' => $version, 'language_version' => $version, 'workload' => $this->workload,
            'params' => $this->arguments->params,
            'settings' => [
                'gc' => gc_enabled(), 'opcache' => extension_loaded('Zend OPcache'), 'zts' => (bool) PHP_ZTS,
                'fiber_stack_size' => (string) ini_get('fiber.stack_size'), 'memory_limit' => (string) ini_get('memory_limit'),
            ],
        ];
    }

    /** The time that it took, in nanoseconds. */
    private function lap(callable $operation, mixed $prepared): int
    {
        $this->startCpuNs = self::cpuNs();
        $this->startNs = hrtime(true);
        $outcome = $operation($prepared);
        $elapsedNs = hrtime(true) - $this->startNs;
        $this->lines[] = [
            'type' => 'iteration', 'index' => $this->done++, 'elapsed_ns' => $elapsedNs, 'cpu_ns' => self::cpuNs() - $this->startCpuNs,
            'ops' => $outcome->ops, 'evidence' => $outcome->evidence,
        ];
        return $elapsedNs;
    }

    /** User and system time of the process; PHP tells them in microseconds. */
    private static function cpuNs(): int
    {
        $usage = getrusage();
        $microseconds = $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
        return ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1_000_000_000 + $microseconds * 1_000;
    }

    /** @param array<string, mixed> $line */
    private static function write(array $line): void
    {
        $text = json_encode($line, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES) . "\n";
        if (fwrite(STDOUT, $text) !== strlen($text)) {
            throw new RuntimeException('stdout can\'t be written');
        }
    }
}
