# The harness, and the programs as processes.

use v5.36;
use warnings FATAL => 'all';

use lib 'harness';
use JSON::PP   qw(decode_json);
use List::Util qw(max sum);
use Test::More;

use Arguments ();

$ENV{COROBENCH_RUNTIME} = 'test';

sub parse ($words) {
    return Arguments::parse([split ' ', $words], { n => 1, phase => ['base', 'spawn'] }, 'count');
}

# Status, what it said, and the lines of its protocol.
sub program ($words, $input = '') {
    my $said   = qx{printf '$input' | $^X -Iharness $words 2>&1};
    my $status = $? >> 8;
    return $status, $said, map { decode_json($_) } grep { /\A\{/ } split /\n/, $said;
}

sub evidence (@lines) {
    return [map { $_->{evidence} // () } @lines];
}

subtest 'values and defaults' => sub {
    my ($values, $params) = parse('phase=spawn n=7');
    is_deeply($values, { phase => 'spawn', n => 7, iterations => 1, min_warm_ms => 0, trace => 0, nonce => 0 });
    is_deeply($params, { phase => 'spawn', n => 7 });
    is((parse('n=7 phase=base count=1'))[0]{count}, 1);
};

my %refused = (
    'nonce=-1'   => 'nonce=-1 must be an integer of at least 0',
    'phase=base' => 'n is missing',
    'n'          => "'n' is not key=value",
    'n=1 n=2'    => 'n is given twice',
    'm=1'        => 'unknown key m',
    'n=0'        => 'n=0 must be an integer of at least 1',
    'n=1.5'      => 'n=1.5 must be an integer of at least 1',
    'trace=2'    => 'trace=2 must be 0 or 1',
    'phase=x'    => 'phase=x must be one of base, spawn',
);
for my $words (sort keys %refused) {
    is(eval { parse($words); 1 }, undef, "$words is refused");
    is($@->{text}, $refused{$words});
}

subtest 'a program iterates as often as asked' => sub {
    my ($status, undef, @lines) = program('coro/spawn.pl n=10 iterations=7');
    is($status, 0);
    is_deeply(evidence(@lines), [map { { checksum => 45 + 10 * $_, created => 10, finished => 10 } } 0 .. 6]);
};

# What each should add up to, given its nonce.
my %sums = (
    'baseline n=10'         => sub ($first) { 10 * $first + 45 },
    'spawn n=10'            => sub ($first) { 10 * $first + 45 },
    'spawn-chain n=10'      => sub ($first) { 10 * $first + 45 },
    'tree n=10'             => sub ($first) { 10 * $first + 45 },
    'fan-in p=2 m=5'        => sub ($first) { 5 * (2 * $first + 3) },
    'hand-off m=5'          => sub ($first) { $first + 10 },
    'ring k=3 rounds=5'     => sub ($first) { $first + 15 },
    'switch k=3 m=10'       => sub ($first) { 3 * ($first + 10) },
    'sleep-zero k=3 m=4'    => sub ($first) { 3 * ($first + 4) },
    'mutex k=3 m=5'         => sub ($first) { $first + 15 },
    'semaphore k=5 s=2 m=4' => sub ($first) { 5 * ($first + 4) },
);
for my $case (sort keys %sums) {
    my ($name, $words) = split / /, $case, 2;
    my (undef, undef, @lines) = program("coro/$name.pl $words nonce=1000000 iterations=3");
    my @sums = map { $_->{checksum} } @{ evidence(@lines) };
    is_deeply(\@sums, [map { $sums{$case}->(1_000_000 + $_) } 0 .. 2], "$case: results contain the nonce, which rises by one");
}

subtest 'tasks are numbered from the nonce on, in a trace as well' => sub {
    my %first = (spawn => 1_000_000, 'spawn-chain' => 1_000_000, tree => 0);
    for my $name (sort keys %first) {
        my (undef, undef, @lines) = program("coro/$name.pl n=1 nonce=1000000 trace=1");
        my ($trace) = grep { $_->{type} eq 'trace' } @lines;
        my @ran = grep { $_->[0] eq 'run' } @{ $trace->{events} };
        is($ran[0][1], $first{$name}, $name);
    }
};

subtest 'a byte goes to and fro' => sub {
    my ($status, undef, @lines) = program('coro/io-switch.pl m=20 iterations=3');
    is($status, 0);
    is_deeply(evidence(@lines), [({ finished => 2, messages => 40 }) x 3]);
};

subtest 'a task that is cancelled cleans up, and is joined' => sub {
    my ($status, undef, @lines) = program('coro/cancel.pl n=10 iterations=3', '\n\n');
    is($status, 0);
    is_deeply(evidence(@lines), [({ cancelled => 10, created => 10, finished => 10 }) x 3]);
};

subtest 'tasks are cancelled while others yield' => sub {
    my ($status, undef, @lines) = program('coro/cancel-loaded.pl n=10 k=3 iterations=3');
    is($status, 0);
    is_deeply(evidence(@lines), [({ active => 3, cancelled => 10, created => 10, finished => 10 }) x 3]);
};

# Whoever comes last to its first turn has been passed by all others, and by no more than all of their turns.
subtest 'all that may be are inside, and no more' => sub {
    my %most = ('mutex.pl k=3 m=5' => 1, 'semaphore.pl k=3 s=1 m=5' => 1, 'semaphore.pl k=3 s=2 m=5' => 2);
    for my $words (sort keys %most) {
        my (undef, undef, @lines) = program("coro/$words");
        my $counted = evidence(@lines)->[0];
        my $passed  = delete $counted->{passed};
        delete $counted->{checksum};
        is_deeply($counted, { finished => 3, most => $most{$words}, yields => 15 }, $words);
        ok($passed >= 3 - $most{$words} && $passed <= 10, "$words: $passed passed");
    }
    for my $words ('mutex.pl k=1 m=5', 'semaphore.pl k=1 s=1 m=5') {
        my (undef, undef, @lines) = program("coro/$words");
        is_deeply(evidence(@lines), [{ checksum => 5, finished => 1, most => 1, yields => 0, passed => 0 }], $words);
    }
};

subtest 'each message comes to one consumer' => sub {
    my ($status, undef, @lines) = program('coro/channel.pl p=3 c=4 b=2 m=10 nonce=1000000');
    is($status, 0);
    my $counted = evidence(@lines)->[0];
    my $most    = delete $counted->{most};
    is_deeply($counted, { checksum => 30_000_435, finished => 7, messages => 30 });
    ok($most >= 8 && $most <= 30);
};

subtest 'every task of every burst tells when it first ran' => sub {
    my ($status, undef, @lines) = program('coro/burst.pl n=10 bursts=3 idle_ms=1 nonce=1000000');
    is($status, 0);
    my ($starts) = map { $_->{values} // () } @lines;
    is(scalar @$starts, 30);
    my $last = sum(map { max(@$starts[10 * $_ .. 10 * $_ + 9]) } 0 .. 2);
    is_deeply(evidence(@lines), [{ checksum => 30_000_435, created => 30, finished => 30, last_ns => $last }]);
};

subtest 'every tick is taken while others yield' => sub {
    my ($status, undef, @lines) = program('coro/ticker.pl k=3 ticks=50 period_us=1');
    is($status, 0);
    my $yields = delete evidence(@lines)->[0]{yields};
    is_deeply(evidence(@lines), [{ active => 3, finished => 4 }]);
    ok($yields >= 3);
    my ($lateness) = map { $_->{values} // () } @lines;
    is(scalar @$lateness, 50);
};

subtest 'a program never iterates more than 10,000 times' => sub {
    my (undef, undef, @lines) = program('coro/baseline.pl n=1 min_warm_ms=600000');
    is(scalar @{ evidence(@lines) }, 10_000);
};

subtest 'memory holds at every point, and ends with its runner' => sub {
    my ($status, undef, @lines) = program('coro/memory-state.pl n=30 nonce=1000000', '\n\n\n');
    is($status, 0);
    my @holds = map { [$_->{point}, $_->{units}] } grep { $_->{type} eq 'hold' } @lines;
    is_deeply(\@holds, [['base', 0], ['live', 30], ['released', 0]]);
    is(evidence(@lines)->[0]{checksum}, 30_000_435);
    my ($ended, $said) = program('coro/memory.pl n=30');
    is($ended, 1);
    like($said, qr/stdin ended at the hold base/);
};

subtest 'a start says nothing unless asked' => sub {
    is_deeply([program('coro/startup.pl mode=first-task')], [0, '']);
    is_deeply([program('coro/startup.pl mode=bare')],       [0, '']);
};

subtest 'a wrong command line ends with 2' => sub {
    is_deeply([program('coro/spawn.pl')], [2, "usage: n is missing\n"]);
};

subtest 'a task that fails ends with 1' => sub {
    my ($status, $said, @lines) = program('test/failing.pl');
    is($status, 1);
    like($said, qr/planted/);
    is_deeply([grep { $_->{type} eq 'end' } @lines], []);
};

done_testing();
