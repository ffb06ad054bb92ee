<?php

declare(strict_types=1);

require __DIR__ . '/../harness/Program.php';

// Each test is a function that throws where something is not as it should be; all are run.

function same(mixed $expected, mixed $actual): void
{
    $expected === $actual || throw new LogicException('expected ' . var_export($expected, true) . ', got ' . var_export($actual, true));
}

function parsed(string $words): Arguments
{
    return new Arguments($words === '' ? [] : explode(' ', $words), ['n' => 1, 'phase' => ['base', 'spawn']], ['count']);
}

/**
 * @param array<string, string> $chosen more of the environment
 * @return array{int, list<array<string, mixed>>, string} status, lines, and what was written to stderr
 */
function program(string $file, string $words = '', string $input = '', array $chosen = []): array
{
    $command = [PHP_BINARY, '-n', __DIR__ . "/../$file", ...($words === '' ? [] : explode(' ', $words))];
    $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes, null, ['COROBENCH_RUNTIME' => 'test', ...getenv(), ...$chosen]);
    fwrite($pipes[0], $input);
    fclose($pipes[0]);
    $lines = array_filter(explode("\n", stream_get_contents($pipes[1])));
    $errors = stream_get_contents($pipes[2]);
    return [proc_close($process), array_map(fn (string $line) => json_decode($line, true, 512, JSON_THROW_ON_ERROR), $lines), $errors];
}

$tests = [
    'values and defaults' => function (): void {
        same(['n' => 7, 'phase' => 'spawn'], parsed('phase=spawn n=7')->params);
        same([1, 0, 0, 0], array_map(parsed('n=7 phase=base')->get(...), ['iterations', 'trace', 'nonce', 'count']));
        same(1, parsed('n=7 phase=base count=1')->get('count'));
    },
    'wrong command lines are refused' => function (): void {
        $wrong = [
            '' => 'n is missing', 'n' => '"n" is not key=value', 'n=1 n=2' => 'n is given twice', 'm=1' => 'unknown key m',
            'n=0' => 'n=0 must be an integer of at least 1', 'n=1.5' => 'n=1.5 must be an integer of at least 1',
            'nonce=-1' => 'nonce=-1 must be an integer of at least 0', 'trace=2' => 'trace=2 must be 0 or 1',
            'phase=x' => 'phase=x must be one of base, spawn',
        ];
        foreach ($wrong as $words => $message) {
            try {
                parsed($words);
            } catch (UsageError $error) {
                same($message, $error->getMessage());
                continue;
            }
            throw new LogicException("\"$words\" was taken");
        }
    },
    'tasks take turns' => function (): void {
        $scheduler = new Scheduler();
        $log = [];
        $scheduler->run(function () use ($scheduler, &$log): void {
            foreach ([0, 1] as $i) {
                $tasks[] = $scheduler->start(function () use ($i, $scheduler, &$log): void {
                    for ($turn = 0; $turn < 2; $turn++) {
                        $log[] = [$turn, $i];
                        $scheduler->pass();
                    }
                });
            }
            foreach ($tasks as $task) {
                $task->join();
            }
        });
        same([[0, 0], [0, 1], [1, 0], [1, 1]], $log);
    },
    'tasks that wait for each other are told of' => function (): void {
        try {
            (new Scheduler())->run(fn () => Fiber::suspend());
        } catch (LogicException $error) {
            same('every fiber waits for another', $error->getMessage());
            return;
        }
        throw new LogicException('it ended');
    },
    'a program iterates as often as asked' => function (): void {
        [$status, $lines, $errors] = program('fiber/spawn.php', 'n=10 iterations=7');
        same([0, ''], [$status, $errors]);
        same(['hello', ...array_fill(0, 7, 'iteration'), 'end'], array_column($lines, 'type'));
        same(['created' => 10, 'finished' => 10, 'checksum' => 45], $lines[1]['evidence']);
    },
    'results contain the nonce, which rises by one with each iteration' => function (): void {
        $tasks = fn (int $nonce): int => 10 * $nonce + 45;
        $cases = [
            'baseline' => ['n=10', $tasks], 'spawn' => ['n=10', $tasks], 'spawn-chain' => ['n=10', $tasks], 'tree' => ['n=10', $tasks],
            'fan-in' => ['p=2 m=5', fn (int $nonce): int => 5 * (2 * $nonce + 3)],
            'hand-off' => ['m=5', fn (int $nonce): int => $nonce + 10],
            'limit/hand-off' => ['m=5', fn (int $nonce): int => $nonce + 10],
            'ring' => ['k=3 rounds=5', fn (int $nonce): int => $nonce + 15],
            'switch' => ['k=3 m=10', fn (int $nonce): int => 3 * ($nonce + 10)],
        ];
        foreach ($cases as $name => [$words, $checksum]) {
            [$status, $lines, $errors] = program("fiber/$name.php", "$words nonce=1000000 iterations=3");
            same([0, ''], [$status, $errors]);
            $sums = array_column(array_column($lines, 'evidence'), 'checksum');
            same(array_map($checksum, [1_000_000, 1_000_001, 1_000_002]), $sums);
        }
    },
    'tasks are numbered from the nonce on, in a trace as well' => function (): void {
        foreach (['spawn' => 1_000_000, 'spawn-chain' => 1_000_000, 'tree' => 0] as $name => $first) {
            $events = program("fiber/$name.php", 'n=1 nonce=1000000 trace=1')[1][2]['events'];
            same([$first], array_values(array_unique(array_column($events, 1))));
        }
    },
    'a yield is one more from the nonce on' => function (): void {
        $evidence = program('fiber/switch.php', 'k=3 m=10 count=1 nonce=1000000')[1][1]['evidence'];
        same(['finished' => 3, 'resumes' => 30, 'checksum' => 3_000_030, 'true_switches' => 30], $evidence);
    },
    'a program never iterates more than 10,000 times' => fn () => same(10_002, count(program('fiber/baseline.php', 'n=1 min_warm_ms=600000')[1])),
    'memory holds at every point' => function (): void {
        $lines = program('fiber/memory.php', 'n=30 nonce=1000000', "\n\n\n\n\n")[1];
        same([0, 30, 30, 0, 0], array_column($lines, 'units'));
        same([30_000_435], array_column(array_column($lines, 'evidence'), 'checksum'));
        [$status, , $errors] = program('fiber/memory.php', 'n=30');
        same([1, true], [$status, str_contains($errors, 'stdin ended')]);
    },
    'fizzbuzz is worth what it is in every language' => function (): void {
        foreach (['base', 'spawn', 'yield'] as $phase) {
            [$status, $lines, $errors] = program('fiber/fizzbuzz.php', "phase=$phase n=100 m=10");
            same([0, ''], [$status, $errors]);
            same(['finished' => 100, 'steps' => 1000, 'checksum' => 159_373], $lines[1]['evidence']);
        }
    },
    'a variant has its own stacks, and no collector' => function (): void {
        $settings = fn (array $chosen): array => program('fiber/spawn.php', 'n=1', chosen: $chosen)[1][0]['settings'];
        $plain = $settings([]);
        same(true, $plain['gc']);
        same(['gc' => false] + $plain, $settings(['COROBENCH_COLLECTOR' => '0']));
        same('256K', $settings(['COROBENCH_FIBER_STACK' => '256K'])['fiber_stack_size']);
    },
    'all sleep at the hold, and late is what is over' => function (): void {
        [$status, $lines, $errors] = program('fiber/fizzbuzz-sleep.php', 'n=100 m=2 sleep_ms=20', "\n\n");
        same([0, ''], [$status, $errors]);
        same(['hello', 'hold', 'hold', 'iteration', 'series', 'end'], array_column($lines, 'type'));
        same([0, 100], array_column($lines, 'units'));
        same(['finished' => 100, 'steps' => 200, 'checksum' => 31_608, 'most_alive' => 100], $lines[3]['evidence']);
        same(100, count($lines[4]['values']));
    },
    'those that sleep go on in the order of their times' => function (): void {
        $scheduler = new Scheduler();
        $log = [];
        $start = hrtime(true);
        $scheduler->run(function () use ($scheduler, &$log): void {
            foreach ([3, 1, 2] as $ms) {
                $tasks[] = $scheduler->start(function () use ($ms, $scheduler, &$log): void {
                    $scheduler->poller->sleep($ms * 1_000_000);
                    $log[] = $ms;
                });
            }
            foreach ($tasks as $task) {
                $task->join();
            }
        });
        same([[1, 2, 3], true], [$log, hrtime(true) - $start >= 3_000_000]);
    },
    'a task that is cancelled cleans up, and is joined' => function (): void {
        [$status, $lines, $errors] = program('fiber/cancel.php', 'n=10 iterations=3', "\n\n");
        same([0, ''], [$status, $errors]);
        same(['base', 'released'], array_column($lines, 'point'));
        same(['created' => 10, 'cancelled' => 10, 'finished' => 10], $lines[3]['evidence']);
    },
    'what else was done is counted anew in each iteration' => function (): void {
        $cases = [
            'sleep-zero' => ['k=3 m=4', fn (int $nonce): array => ['finished' => 3, 'checksum' => 3 * ($nonce + 4)]],
            'generator' => ['n=5', fn (int $nonce): array => ['finished' => 1, 'checksum' => $nonce + 5]],
            'cancel-loaded' => ['n=10 k=3', fn (): array => ['created' => 10, 'cancelled' => 10, 'finished' => 10, 'active' => 3]],
        ];
        foreach ($cases as $name => [$words, $expected]) {
            [$status, $lines, $errors] = program("fiber/$name.php", "$words nonce=1000000 iterations=3");
            same([0, ''], [$status, $errors]);
            same(array_map($expected, [1_000_000, 1_000_001, 1_000_002]), array_column($lines, 'evidence'));
        }
    },
    'a generator is resumed by hand, and a trace knows that it runs' => function (): void {
        [$status, $lines, $errors] = program('generator/generator.php', 'n=5 nonce=1000000 iterations=2');
        same([0, ''], [$status, $errors]);
        same(['finished' => 1, 'checksum' => 1_000_005], $lines[1]['evidence']);
        same(['finished' => 1, 'checksum' => 1_000_006], $lines[2]['evidence']);
        $events = program('generator/generator.php', 'n=2 trace=1')[1][2]['events'];
        same(['spawn', 'spawned', 'run', 'run', 'done'], array_column($events, 0));
        same([1, 1], [count(array_unique(array_column(array_slice($events, 0, 2), 2))), count(array_unique(array_column(array_slice($events, 2), 2)))]);
        same(false, $events[0][2] === $events[2][2]);
    },
    'each message comes to one consumer' => function (): void {
        $counts = program('fiber/channel.php', 'p=3 c=4 b=2 m=10 nonce=1000000')[1][1]['evidence'];
        $most = $counts['most'];
        same(['finished' => 7, 'messages' => 30, 'most' => $most, 'checksum' => 30_000_435], $counts);
        same(true, $most >= 8 && $most <= 30);
    },
    'every task of every burst tells when it first ran' => function (): void {
        $lines = program('fiber/burst.php', 'n=10 bursts=3 idle_ms=1 nonce=1000000')[1];
        $starts = $lines[2]['values'];
        same(30, count($starts));
        same(true, min($starts) >= 0);
        $last = array_sum(array_map(max(...), array_chunk($starts, 10)));
        same(['created' => 30, 'finished' => 30, 'checksum' => 30_000_435, 'last_ns' => $last], $lines[1]['evidence']);
    },
    'every tick is taken while others yield' => function (): void {
        [$status, $lines, $errors] = program('fiber/ticker.php', 'k=3 ticks=50 period_us=1');
        same([0, ''], [$status, $errors]);
        $yields = $lines[1]['evidence']['yields'];
        same([50, ['finished' => 4, 'active' => 3, 'yields' => $yields]], [$lines[1]['ops'], $lines[1]['evidence']]);
        same([true, 50], [$yields >= 3, count($lines[2]['values'])]);
    },
    'by hand the same is done' => function (): void {
        [$status, $lines, $errors] = program('fiber/limit/hand-off.php', 'm=10 iterations=2');
        same([0, ''], [$status, $errors]);
        same(['finished' => 2, 'messages' => 20, 'checksum' => 20], $lines[1]['evidence']);
    },
    'a byte goes to and fro' => function (): void {
        [$status, $lines, $errors] = program('fiber/io-switch.php', 'm=20 iterations=3');
        same([0, ''], [$status, $errors]);
        same(['finished' => 2, 'messages' => 40], $lines[1]['evidence']);
    },
    'a start says nothing unless asked' => fn () => same([0, [], ''], program('fiber/startup.php', 'mode=first-task')),
    'a wrong command line ends with 2' => function (): void {
        same([2, [], "usage: n is missing\n"], program('fiber/spawn.php'));
        same(2, program('fiber/spawn.php', 'n=1 nonce=1.5')[0]);
    },
    'a task that fails ends with 1' => function (): void {
        [$status, $lines, $errors] = program('test/failing.php');
        same([1, ['hello'], true], [$status, array_column($lines, 'type'), str_contains($errors, 'planted')]);
    },
];

$failed = 0;
foreach ($tests as $name => $test) {
    try {
        $test();
    } catch (Throwable $error) {
        $failed++;
        fwrite(STDERR, "FAILED $name: {$error->getMessage()}\n");
    }
}
printf("%d tests, %d failed\n", count($tests), $failed);
exit($failed === 0 ? 0 : 1);
