// Whole programs: what they print, and how they end when something is wrong.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

const LANGUAGE = join(import.meta.dirname, "..");

function run(program, words, input = "", env = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(LANGUAGE, program), ...words],
    { input, encoding: "utf8", env: { COROBENCH_RUNTIME: "node", ...env }, maxBuffer: 16 << 20 },
  );
  const lines = stdout.split("\n").slice(0, -1).map(JSON.parse);
  return { status, stderr, lines, types: lines.map(({ type }) => type) };
}

const EVIDENCE = [
  ["baseline", ["n=100"], { finished: 100, checksum: 4950 }],
  ["spawn", ["n=100"], { created: 100, finished: 100, checksum: 4950 }],
  ["spawn-chain", ["n=100"], { finished: 100, checksum: 4950 }],
  ["switch", ["k=3", "m=50"], { finished: 3, resumes: 150, checksum: 150 }],
  [
    "switch",
    ["k=3", "m=50", "count=1"],
    { finished: 3, resumes: 150, checksum: 150, true_switches: 150 },
  ],
  [
    "switch",
    ["k=1", "m=50", "count=1"],
    { finished: 1, resumes: 50, checksum: 50, true_switches: 0 },
  ],
  ["hand-off", ["m=50"], { finished: 2, messages: 100, checksum: 100 }],
  ["ring", ["k=5", "rounds=3"], { finished: 5, messages: 15, checksum: 15 }],
  ["io-switch", ["m=50"], { finished: 2, messages: 100 }],
  ["fan-in", ["p=1", "m=300"], { finished: 2, messages: 300, checksum: 300 }],
  ["fan-in", ["p=20", "m=20"], { finished: 21, messages: 400, checksum: 4200 }],
  ["mutex", ["k=1", "m=50"], { finished: 1, most: 1, yields: 0, passed: 0, checksum: 50 }],
  ["mutex", ["k=20", "m=50"], { finished: 20, most: 1, yields: 1000, passed: 19, checksum: 1000 }],
  [
    "semaphore",
    ["k=1", "s=1", "m=50"],
    { finished: 1, most: 1, yields: 0, passed: 0, checksum: 50 },
  ],
  [
    "semaphore",
    ["k=20", "s=3", "m=50"],
    { finished: 20, most: 3, yields: 1000, passed: 19, checksum: 1000 },
  ],
  [
    "channel",
    ["p=1", "c=1", "b=1", "m=300"],
    { finished: 2, messages: 300, most: 300, checksum: 44850 },
  ],
  [
    "select",
    ["k=8", "w=4", "m=5"],
    { finished: 2, messages: 40, least: 5, most: 5, checksum: 780 },
  ],
  ["wake-thread", ["m=50"], { finished: 2, messages: 100, threads: 2, checksum: 100 }],
  ["tree", ["n=1"], { finished: 1, checksum: 0 }],
  ["tree", ["n=100"], { finished: 111, checksum: 4950 }],
  ["fizzbuzz", ["phase=base", "n=100", "m=10"], { finished: 100, steps: 1000, checksum: 159373 }],
  ["fizzbuzz", ["phase=spawn", "n=100", "m=10"], { finished: 100, steps: 1000, checksum: 159373 }],
  ["fizzbuzz", ["phase=yield", "n=100", "m=10"], { finished: 100, steps: 1000, checksum: 159373 }],
  ["cancel-loaded", ["n=5", "k=3"], { created: 5, cancelled: 5, finished: 5, active: 3 }],
  ["sleep-zero", ["k=3", "m=5"], { finished: 3, checksum: 15 }],
  ["generator", ["n=100"], { finished: 1, checksum: 100 }],
  ["cancel", ["n=100"], { created: 100, cancelled: 100, finished: 100 }],
  ["scope", ["n=1", "m=2"], { created: 2, failed: 2, cancelled: 0, cleaned: 0, checksum: 1 }],
  ["scope", ["n=20", "m=3"], { created: 60, failed: 3, cancelled: 57, cleaned: 57, checksum: 3 }],
  ["startup", ["mode=bare", "report=1"], { finished: 0 }],
  ["startup", ["mode=first-task", "report=1"], { finished: 1 }],
];

for (const [workload, words, evidence] of EVIDENCE) {
  test(`${workload} ${words.join(" ")}`, () => {
    const { status, stderr, ...said } = run(`async/${workload}.mjs`, words, "\n\n");
    assert.equal(stderr, "");
    assert.equal(status, 0);
    const lines = said.lines.filter(({ type }) => type !== "hold");
    assert.deepEqual(
      lines.map(({ type }) => type),
      ["hello", "iteration", "end"],
    );
    assert.equal(lines[0].runtime, "node");
    assert.equal(lines[0].workload, workload);
    assert.equal(lines[0].params.count, undefined);
    assert.deepEqual(lines[1].evidence, evidence);
  });
}

test("the manifest says whose version it is, and how a task is known in a trace", () => {
  const env = { COROBENCH_IMPLEMENTATION: "v8", COROBENCH_TRACE: "context" };
  const { lines } = run("async/spawn.mjs", ["n=1", "trace=1"], "", env);
  const [hello, , { events }] = lines;
  assert.equal(hello.version, process.versions.v8);
  assert.deepEqual(
    events.filter(([kind]) => kind === "run"),
    [["run", 0, "context-0"]],
  );
});

test("an implementation that is none is refused", () => {
  const env = { COROBENCH_IMPLEMENTATION: "nodus" };
  const { status, stderr } = run("async/spawn.mjs", ["n=1"], "", env);
  assert.equal(status, 2);
  assert.match(
    stderr,
    /^usage: the environment variable COROBENCH_IMPLEMENTATION is nodus, not one/,
  );
});

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

test("tasks that yield to the event loop switch as truly", () => {
  const { status, lines } = run("immediate/switch.mjs", ["k=3", "m=20", "count=1"]);
  assert.equal(status, 0);
  assert.deepEqual(lines[1].evidence, {
    finished: 3,
    resumes: 60,
    checksum: 60,
    true_switches: 60,
  });
});

/** What the checksum of a workload is by its contract, for the nonce N. */
const CHECKSUMS = [
  ["async/baseline", ["n=100"], (N) => 100 * N + 4950],
  ["async/spawn", ["n=100"], (N) => 100 * N + 4950],
  ["resolved/spawn", ["n=100"], (N) => 100 * N + 4950],
  ["async/spawn-chain", ["n=100"], (N) => 100 * N + 4950],
  ["async/tree", ["n=100"], (N) => 100 * N + 4950],
  ["async/fan-in", ["p=20", "m=20"], (N) => 20 * (20 * N + 210)],
  ["async/channel", ["p=3", "c=2", "b=4", "m=20"], (N) => 60 * N + 1770],
  ["async/hand-off", ["m=50"], (N) => N + 100],
  ["async/mutex", ["k=3", "m=50"], (N) => N + 150],
  ["async/scope", ["n=3", "m=4"], (N) => 4 * N + 6],
  ["async/semaphore", ["k=3", "s=2", "m=50"], (N) => 3 * N + 150],
  ["async/select", ["k=4", "w=1", "m=5"], (N) => 20 * N + 190],
  ["async/wake-thread", ["m=50"], (N) => N + 100],
  ["async/ring", ["k=5", "rounds=3"], (N) => N + 15],
  ["async/sleep-zero", ["k=3", "m=5"], (N) => 3 * (N + 5)],
  ["async/generator", ["n=100"], (N) => N + 100],
  ["async/switch", ["k=3", "m=50"], (N) => 3 * (N + 50)],
  ["immediate/switch", ["k=3", "m=50"], (N) => 3 * (N + 50)],
  ["immediate-limit/switch", ["k=3", "m=50"], (N) => 3 * (N + 50)],
  ["resolved/switch", ["k=3", "m=50"], (N) => 3 * (N + 50)],
];

for (const [program, words, checksum] of CHECKSUMS) {
  test(`the results of ${program} contain the nonce, which rises by one with each iteration`, () => {
    const { status, lines } = run(`${program}.mjs`, [...words, "nonce=1000000", "iterations=3"]);
    assert.equal(status, 0);
    assert.deepEqual(
      lines.filter(({ type }) => type === "iteration").map(({ evidence }) => evidence.checksum),
      [1_000_000, 1_000_001, 1_000_002].map(checksum),
    );
    assert.equal(lines[0].params.nonce, undefined);
  });
}

for (const [workload, first] of [
  ["spawn", 1_000_000],
  ["spawn-chain", 1_000_000],
  ["tree", 0],
  ["switch", 0],
  ["generator", 0],
]) {
  test(`the tasks of ${workload} are numbered from ${first} in a trace`, () => {
    const words = { tree: ["n=1"], switch: ["k=1", "m=2"] }[workload] ?? ["n=1"];
    const { lines } = run(`async/${workload}.mjs`, [...words, "nonce=1000000", "trace=1"]);
    const numbers = lines.at(-2).events.map(([, i]) => i);
    assert.deepEqual([...new Set(numbers)], [first]);
  });
}

test("a trace is one iteration", () => {
  const { types } = run("async/switch.mjs", ["k=2", "m=3", "trace=1", "iterations=9"]);
  assert.deepEqual(types, ["hello", "iteration", "trace", "end"]);
});

for (const workload of ["memory", "memory-state"]) {
  test(`${workload} holds at every point and counts its parked tasks`, () => {
    const words = ["n=300", "nonce=1000000"];
    const { status, lines, types } = run(`async/${workload}.mjs`, words, "\n".repeat(5));
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
    const checksum = 300 * 1_000_000 + 44_850;
    assert.deepEqual(lines.at(-2).evidence, { created: 300, finished: 300, checksum });
  });
}

test("cancel holds before the first repetition and after the last", () => {
  const { status, lines } = run("async/cancel.mjs", ["n=5", "iterations=2"], "\n\n");
  assert.equal(status, 0);
  assert.deepEqual(
    lines.map(({ type, point }) => point ?? type),
    ["hello", "base", "released", "iteration", "iteration", "end"],
  );
});

test("every repetition works on what was prepared for it, outside of its time", () => {
  const { status, lines } = run("test/planted/logged.mjs", ["iterations=2"]);
  assert.equal(status, 0);
  const first = ["prepare", "prepared", "clock", "operate 2"];
  const second = ["clock", "release 2", "prepare", "prepared", "clock", "operate 8"];
  assert.deepEqual(lines[1].evidence.log, first);
  assert.deepEqual(lines[2].evidence.log, [...first, ...second]);
});

test("timers write how late each task woke", () => {
  const { status, lines, types } = run("async/timers.mjs", ["n=20", "lead=10"]);
  assert.equal(status, 0);
  assert.deepEqual(types, ["hello", "iteration", "series", "end"]);
  const { early, ...counted } = lines[1].evidence;
  assert.deepEqual(counted, { created: 20, finished: 20, checksum: 190 });
  // libuv's clock may be coarse by milliseconds; without a sleep all are early.
  assert.ok(early < 20);
  assert.equal(lines[2].name, "lateness");
  assert.equal(lines[2].values.length, 20);
  assert.ok(lines[2].values.every((value) => Number.isInteger(value) && value >= 0));
});

test("a burst tells when each of its tasks first ran", () => {
  const words = ["n=5", "bursts=3", "idle_ms=2", "nonce=1000"];
  const { status, lines, types } = run("async/burst.mjs", words);
  assert.equal(status, 0);
  assert.deepEqual(types, ["hello", "iteration", "series", "end"]);
  const { last_ns, ...counted } = lines[1].evidence;
  assert.deepEqual(counted, { created: 15, finished: 15, checksum: 15_105 });
  const { name, values } = lines[2];
  assert.equal(name, "start");
  const latest = [0, 5, 10].map((first) => Math.max(...values.slice(first, first + 5)));
  const sum = latest.reduce((all, one) => all + one);
  assert.ok(Math.abs(last_ns - sum) <= 3, "each sample is rounded, and so is their sum");
});

test("a ticker ticks while all others yield", () => {
  const { status, lines, types } = run("async/ticker.mjs", ["k=3", "ticks=10", "period_us=1000"]);
  assert.equal(status, 0);
  assert.deepEqual(types, ["hello", "iteration", "series", "end"]);
  const { yields, ...counted } = lines[1].evidence;
  assert.deepEqual(counted, { finished: 4, active: 3 });
  assert.ok(yields >= 3);
  assert.equal(lines[2].name, "lateness");
  assert.equal(lines[2].values.length, 10);
});

test("mixed tells what each request took", () => {
  const words = ["c=2", "splits=2", "cpu_us=100", "wait_us=2000", "requests=9", "wait=timer"];
  const { status, lines } = run("async/mixed.mjs", words);
  assert.equal(status, 0);
  const { worked_ns, steady_ns, steady_alive_ns, ...counted } = lines[1].evidence;
  // Between the first two ends and the one that starts the last request are two whole rounds of the two chains.
  assert.deepEqual(counted, {
    finished: 9,
    pieces: 27,
    asked_ns: 900_000,
    most_alive: 2,
    steady_ops: 4,
  });
  assert.ok(steady_ns > 0);
  assert.ok(steady_alive_ns > steady_ns);
  const series = lines.filter(({ type }) => type === "series");
  assert.deepEqual(
    series.map(({ name }) => name),
    ["response", "service", "queueing", "timeline"],
  );
  assert.deepEqual(
    series.slice(0, 3).map(({ values }) => values.length),
    [4, 4, 4],
  );
});

test("mixed asks its companion between the pieces, and never by a wrong answer goes on", async () => {
  for (const [reply, wanted] of [
    [(bytes) => bytes, 0],
    [() => Buffer.alloc(8), 1],
  ]) {
    const asked = [];
    const companion = createServer((socket) => {
      socket.on("data", (bytes) => {
        asked.push(bytes.toString("hex"));
        socket.write(reply(bytes));
      });
    }).listen(0, "127.0.0.1");
    await once(companion, "listening");
    const words = ["c=1", "splits=2", "cpu_us=100", "wait_us=2000", "requests=1", "wait=peer"];
    const program = spawn(process.execPath, [
      join(LANGUAGE, "async/mixed.mjs"),
      ...words,
      `peer=${companion.address().port}`,
    ]);
    const [status] = await once(program, "exit");
    companion.close();
    assert.equal(status, wanted);
    const question = "00000000000003e8";
    assert.deepEqual(asked, wanted === 0 ? [question, question] : [question]);
  }
});

/** Schedules and caps, each longer than the one before: a load that came to no CPU in one has more time in the next. */
const COURSES = [
  ["period_us=1000", "cap_ms=100"],
  ["period_us=50000", "cap_ms=1000"],
  ["period_us=2000000", "cap_ms=20000"],
];

for (const mode of ["idle", "naive", "slices", "microtasks", "worker"]) {
  test(`starvation accounts for every probe, mode ${mode}`, () => {
    const courses = mode === "idle" ? COURSES.slice(0, 1) : COURSES;
    const loaded = courses.some((course) => {
      const words = [`mode=${mode}`, "probes=5", "series_count=2", "job_us=2000", ...course];
      const { status, lines, stderr } = run("async/starvation.mjs", words);
      assert.equal(stderr, "");
      assert.equal(status, 0);
      const { answered, over_limit, asked_ns } = lines[1].evidence;
      assert.equal(answered + over_limit, 5);
      assert.equal(lines[2].values.length, 5);
      assert.equal(lines[3].values.length, mode === "worker" ? 5 : 0);
      return asked_ns > 0;
    });
    assert.equal(loaded, mode !== "idle");
  });
}

test("bare timers are all cleared while they are pending", () => {
  const { status, lines } = run("timer/memory-timer.mjs", ["n=50"], "\n".repeat(5));
  assert.equal(status, 0);
  const units = lines.filter(({ type }) => type === "hold").map((line) => line.units);
  assert.deepEqual(units, [0, 50, 50, 0, 0]);
  assert.deepEqual(lines.at(-2).evidence, { created: 50, finished: 50 });
});

test("fizzbuzz-sleep holds while all tasks sleep for the first time", () => {
  const words = ["n=100", "m=2", "sleep_ms=50"];
  const { status, lines, types } = run("async/fizzbuzz-sleep.mjs", words, "\n\n");
  assert.equal(status, 0);
  assert.deepEqual(types, ["hello", "hold", "hold", "iteration", "series", "end"]);
  assert.deepEqual([lines[1].units, lines[2].units], [0, 100]);
  const counted = { finished: 100, steps: 200, checksum: 31608, most_alive: 100 };
  assert.deepEqual(lines[3].evidence, counted);
});

test("time at a hold is no time of the iteration, and samples below zero are zero", () => {
  const { status, lines } = run("test/planted/waiting.mjs", [], "\n");
  assert.equal(status, 0);
  assert.equal(lines.at(-3).elapsed_ns, 7);
  assert.deepEqual(lines.at(-2), { type: "series", name: "samples", values: [2, 0] });
});

test("http serves its page until a line comes, and nothing else", async () => {
  const server = spawn(process.execPath, [join(LANGUAGE, "async/http.mjs"), "phase=open"]);
  let stdout = "";
  for await (const text of server.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    stdout += text;
    if (stdout.includes('"port"')) break;
  }
  const { port } = JSON.parse(stdout.split("\n")[1]);
  const page = await fetch(`http://127.0.0.1:${port}/`);
  assert.equal(page.headers.get("content-type"), "text/html");
  assert.equal(page.headers.get("content-length"), "5");
  assert.equal(await page.text(), "Blah\n");
  assert.equal((await fetch(`http://127.0.0.1:${port}/other`)).status, 404);
  server.stdin.end("\n");
  const [status] = await once(server, "close");
  assert.equal(status, 0);
});

const FAULTS = [
  ["async/spawn.mjs", [], 2, /"n" is missing/],
  ["async/spawn.mjs", ["n=1", "nonce=-1"], 2, /nonce must be an integer from 0, not "-1"/],
  ["async/startup.mjs", ["mode=warm"], 2, /mode=bare or mode=first-task/],
  ["async/memory.mjs", ["n=10"], 1, /stdin ended/, ["hello", "hold"]],
  ["async/memory-state.mjs", ["n=10"], 1, /stdin ended/, ["hello", "hold"]],
  [
    "async/mixed.mjs",
    ["c=1", "splits=1", "cpu_us=1", "wait_us=1", "requests=1", "wait=peer"],
    2,
    /"peer" is missing/,
    ["hello"],
  ],
  ["async/http.mjs", ["phase=open"], 1, /stdin ended/, ["hello", "hold"]],
  ["async/fizzbuzz.mjs", ["phase=all", "n=1", "m=1"], 2, /phase must be one of base, spawn, yield/],
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
