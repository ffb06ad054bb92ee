// Whole programs: what they print, and how they end when something is wrong.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const LANGUAGE = join(import.meta.dirname, "..");

function run(program, words, input = "") {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(LANGUAGE, program), ...words],
    { input, encoding: "utf8", env: { COROBENCH_RUNTIME: "node" }, maxBuffer: 16 << 20 },
  );
  const lines = stdout.split("\n").slice(0, -1).map(JSON.parse);
  return { status, stderr, lines, types: lines.map(({ type }) => type) };
}

const EVIDENCE = [
  ["baseline", ["n=100"], { finished: 100, checksum: 4950 }],
  ["spawn", ["n=100"], { created: 100, finished: 100, checksum: 4950 }],
  ["spawn-chain", ["n=100"], { finished: 100, checksum: 4950 }],
  ["switch", ["k=3", "m=50"], { finished: 3, resumes: 150 }],
  ["switch", ["k=3", "m=50", "count=1"], { finished: 3, resumes: 150, true_switches: 150 }],
  ["switch", ["k=1", "m=50", "count=1"], { finished: 1, resumes: 50, true_switches: 0 }],
  ["hand-off", ["m=50"], { finished: 2, messages: 100, checksum: 100 }],
  ["ring", ["k=5", "rounds=3"], { finished: 5, messages: 15, checksum: 15 }],
  ["io-switch", ["m=50"], { finished: 2, messages: 100 }],
  ["fan-in", ["p=1", "m=300"], { finished: 2, messages: 300, checksum: 300 }],
  ["fan-in", ["p=20", "m=20"], { finished: 21, messages: 400, checksum: 4200 }],
  ["tree", ["n=1"], { finished: 1, checksum: 0 }],
  ["tree", ["n=100"], { finished: 111, checksum: 4950 }],
  ["cancel", ["n=100"], { created: 100, cancelled: 100, finished: 100 }],
  ["startup", ["mode=bare", "report=1"], { finished: 0 }],
  ["startup", ["mode=first-task", "report=1"], { finished: 1 }],
];

for (const [workload, words, evidence] of EVIDENCE) {
  test(`${workload} ${words.join(" ")}`, () => {
    const { status, lines, types, stderr } = run(`async/${workload}.mjs`, words);
    assert.equal(stderr, "");
    assert.equal(status, 0);
    assert.deepEqual(types, ["hello", "iteration", "end"]);
    assert.equal(lines[0].runtime, "node");
    assert.equal(lines[0].workload, workload);
    assert.equal(lines[0].params.count, undefined);
    assert.deepEqual(lines[1].evidence, evidence);
  });
}

test("startup writes nothing unless asked", () => {
  for (const mode of ["bare", "first-task"]) {
    const { status, lines, stderr } = run("async/startup.mjs", [`mode=${mode}`]);
    assert.deepEqual({ status, lines, stderr }, { status: 0, lines: [], stderr: "" });
  }
});

test("iterates until both limits are reached", () => {
  const few = run("async/spawn.mjs", ["n=10", "iterations=7", "min_warm_ms=0"]);
  assert.equal(few.types.filter((type) => type === "iteration").length, 7);

  const { lines } = run("async/spawn.mjs", ["n=1000", "iterations=2", "min_warm_ms=20"]);
  const warm = lines.filter(({ type, index }) => type === "iteration" && index > 0);
  const elapsed = warm.map((line) => line.elapsed_ns);
  const total = elapsed.reduce((sum, ns) => sum + ns, 0);
  assert.ok(total >= 20e6 && total - elapsed.at(-1) < 20e6);
});

test("never iterates more than 10,000 times", () => {
  const { types } = run("async/baseline.mjs", ["n=1", "min_warm_ms=600000"]);
  assert.equal(types.filter((type) => type === "iteration").length, 10_000);
});

test("a trace is one iteration", () => {
  const { types } = run("async/switch.mjs", ["k=2", "m=3", "trace=1", "iterations=9"]);
  assert.deepEqual(types, ["hello", "iteration", "trace", "end"]);
});

for (const workload of ["memory", "memory-state"]) {
  test(`${workload} holds at every point and counts its parked tasks`, () => {
    const { status, lines, types } = run(`async/${workload}.mjs`, ["n=300"], "\n".repeat(5));
    assert.equal(status, 0);
    assert.deepEqual(
      lines.filter(({ type }) => type === "hold").map(({ point, units }) => [point, units]),
      [
        ["base", 0],
        ["live", 300],
        ["live-collected", 300],
        ["released", 0],
        ["released-collected", 0],
      ],
    );
    assert.deepEqual(types.slice(-2), ["iteration", "end"]);
    assert.deepEqual(lines.at(-2).evidence, { created: 300, finished: 300, checksum: 44850 });
  });
}

test("every repetition works on what was prepared for it, outside of its time", () => {
  const { status, lines } = run("test/planted/logged.mjs", ["iterations=2"]);
  assert.equal(status, 0);
  const first = ["prepare", "prepared", "clock", "operate 2"];
  const second = ["clock", "release 2", "prepare", "prepared", "clock", "operate 8"];
  assert.deepEqual(lines[1].evidence.log, first);
  assert.deepEqual(lines[2].evidence.log, [...first, ...second]);
});

const FAULTS = [
  ["async/spawn.mjs", [], 2, /"n" is missing/],
  ["async/startup.mjs", ["mode=warm"], 2, /mode=bare or mode=first-task/],
  ["async/memory.mjs", ["n=10"], 1, /stdin ended/, ["hello", "hold"]],
  ["async/memory-state.mjs", ["n=10"], 1, /stdin ended/, ["hello", "hold"]],
  ["async/tree.mjs", ["n=20"], 2, /n must be a power of ten, not "20"/],
  ["test/planted/unprepared.mjs", [], 1, /planted/, ["hello"]],
  ["test/planted/unheard.mjs", [], 1, /planted/, ["hello"]],
  ["test/planted/miscounted.mjs", [], 1, /checksum is 2, expected 1/, ["hello"]],
  ["test/planted/stuck.mjs", [], 13, /unsettled top-level await/, ["hello"]],
];

for (const [program, words, wanted, message, printed = []] of FAULTS) {
  test(`${program} ${words.join(" ")} ends with ${wanted}`, () => {
    const { status, stderr, types } = run(program, words);
    assert.equal(status, wanted);
    assert.match(stderr, message);
    assert.deepEqual(types, printed);
  });
}
