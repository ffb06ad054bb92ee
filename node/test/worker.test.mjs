// Programs whose tasks are worker threads. Few threads: each is an engine of its own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const LANGUAGE = join(import.meta.dirname, "..");

function run(program, words, { input = "", env = {} } = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(LANGUAGE, program), ...words],
    { input, encoding: "utf8", env: { COROBENCH_RUNTIME: "node-worker", ...env } },
  );
  const lines = stdout.split("\n").slice(0, -1).map(JSON.parse);
  return { status, stderr, lines };
}

const EVIDENCE = [
  ["spawn", ["n=3"], { created: 3, finished: 3, checksum: 3 }],
  ["hand-off", ["m=50"], { finished: 2, messages: 100, checksum: 100 }],
  ["ring", ["k=3", "rounds=3"], { finished: 3, messages: 9, checksum: 9 }],
  ["spawn", ["n=3", "nonce=1000000"], { created: 3, finished: 3, checksum: 3_000_003 }],
  ["hand-off", ["m=50", "nonce=1000000"], { finished: 2, messages: 100, checksum: 1_000_100 }],
  ["ring", ["k=3", "rounds=3", "nonce=1000000"], { finished: 3, messages: 9, checksum: 1_000_009 }],
  ["tree", ["n=10", "nonce=1000000"], { finished: 11, checksum: 10_000_045 }],
  ["tree", ["n=1"], { finished: 1, checksum: 0 }],
  ["tree", ["n=10"], { finished: 11, checksum: 45 }],
  ["cancel", ["n=3"], { created: 3, cancelled: 3, finished: 3 }],
  ["timers", ["n=3", "lead=100"], { created: 3, finished: 3, checksum: 3 }],
  ["startup", ["mode=first-task", "report=1"], { finished: 1 }],
];

for (const [workload, words, evidence] of EVIDENCE) {
  test(`${workload} ${words.join(" ")} in threads`, () => {
    const { status, stderr, ...said } = run(`worker/${workload}.mjs`, words, { input: "\n\n" });
    assert.equal(stderr, "");
    assert.equal(status, 0);
    const lines = said.lines.filter(({ type }) => type !== "hold");
    assert.equal(lines[0].settings.code_range_mb, 0);
    // libuv's clock may be coarse by milliseconds; without a sleep all timers are early.
    const { early = 0, ...counted } = lines[1].evidence;
    assert.deepEqual(counted, evidence);
    assert.ok(early < 3);
  });
}

test("hand-off through shared memory, traced", () => {
  const { status, lines, stderr } = run("worker-limit/hand-off.mjs", [
    "m=3",
    "nonce=1000000",
    "trace=1",
  ]);
  assert.equal(stderr, "");
  assert.equal(status, 0);
  assert.deepEqual(lines[1].evidence, { finished: 2, messages: 6, checksum: 1_000_006 });
  const received = lines.at(-2).events.filter(([kind]) => kind === "run");
  assert.deepEqual(
    received.map(([, i]) => i),
    [0, 1, 0, 1, 0, 1],
  );
  assert.equal(new Set(received.map(([, , unit]) => unit)).size, 2);
});

test("startup writes nothing unless asked", () => {
  for (const mode of ["bare", "first-task"]) {
    const { status, lines, stderr } = run("worker/startup.mjs", [`mode=${mode}`]);
    assert.deepEqual({ status, lines, stderr }, { status: 0, lines: [], stderr: "" });
  }
});

test("a thread has as much address space for code as the variant says", () => {
  const env = { COROBENCH_CODE_RANGE_MB: "16" };
  const { status, lines } = run("worker/spawn.mjs", ["n=1"], { env });
  assert.equal(status, 0);
  assert.equal(lines[0].settings.code_range_mb, 16);
});

for (const workload of ["memory", "memory-state"]) {
  test(`${workload} counts its parked threads`, () => {
    const { status, lines } = run(`worker/${workload}.mjs`, ["n=3", "nonce=1000000"], {
      input: "\n\n\n",
    });
    assert.equal(status, 0);
    assert.deepEqual(
      lines.filter(({ type }) => type === "hold").map(({ point, units }) => [point, units]),
      [
        ["base", 0],
        ["live", 3],
        ["released", 0],
      ],
    );
    assert.deepEqual(lines.at(-2).evidence, { created: 3, finished: 3, checksum: 3_000_003 });
  });
}

test("a trace has the events of all threads, in order", () => {
  const { status, lines } = run("worker/tree.mjs", ["n=10", "trace=1"]);
  assert.equal(status, 0);
  const { events } = lines.at(-2);
  const of = (kind) => events.filter(([name]) => name === kind);
  assert.equal(new Set(of("run").map(([, , unit]) => unit)).size, 11);
  const starter = of("run").find(([, i]) => i === 0)[2];
  const starters = of("spawn").map(([, , unit]) => unit);
  assert.deepEqual(starters, ["main", ...Array(10).fill(starter)]);
  for (const [, i] of of("done")) {
    const at = (kind) => events.findIndex(([name, number]) => name === kind && number === i);
    assert.ok(at("spawn") < at("run") && at("run") < at("done") && at("done") < at("collect"));
  }
});

test("a thread that fails ends the program with 1", () => {
  const { status, stderr } = run("test/planted/failing-thread.mjs", []);
  assert.equal(status, 1);
  assert.match(stderr, /TypeError/);
});
