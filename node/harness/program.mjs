// Runs one workload as a program: arguments, hello, iterations or holds, trace, end, exit status.
import { realpathSync } from "node:fs";
import module from "node:module";
import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { flag, integer, optional, parseArguments, UsageError } from "./arguments.mjs";
import { lineFrom, waitForLine, writeLines } from "./lines.mjs";
import { traceIfAsked } from "./trace.mjs";

const trace = traceIfAsked();

const MOST_ITERATIONS = 10_000;

const CONTROL = {
  iterations: optional(integer(1), 1),
  min_warm_ms: optional(integer(0), 0),
  trace: optional(flag, false),
  nonce: optional(integer(0), 0),
  peer: optional(integer(1), null), // the companion's port
};

/** What n tasks owe that are numbered from the nonce on, and of which each returns its number. */
export const allReturned = ({ n, nonce }) => ({
  ops: n,
  created: n,
  finished: n,
  checksum: n * nonce + (n * (n - 1)) / 2,
});

/**
 * Repeats `operation(params)`, which returns `{ ops, evidence }`, and prints every repetition. `params.nonce` is the repetition's
 * own number, which results contain: none is known beforehand or can be kept for the next one.
 * `spec.expected(params)` is what an honest run must have counted; `spec.options` are keys that hello does not echo;
 * `await spec.settings()` is what it says beyond what every program does.
 * `await spec.prepare(params)` makes what `operation(params, prepared)` works on and `await spec.release(prepared)` puts it
 * away, for each repetition anew and outside of its time. `spec.held`: the process is held at `base`, before the first, and at
 * `released`, after the last.
 * Does nothing when the program is imported, not run.
 */
export function timed(meta, spec, operation) {
  return program(meta, spec, async (params, control) => {
    const iterations = [];
    let warmNs = 0;
    const enough = () =>
      iterations.length >= control.iterations && warmNs >= control.min_warm_ms * 1e6;
    if (spec.held) holdAt("base", 0);
    do {
      const index = iterations.length;
      const given = { ...params, nonce: control.nonce + index };
      const prepared = await spec.prepare?.(given);
      const iteration = await timeOne(index, () => operation(given, prepared));
      await spec.release?.(prepared);
      check(iteration, spec.expected(given));
      iterations.push(iteration);
      if (index > 0) warmNs += iteration.elapsed_ns;
    } while (trace === null && !enough() && iterations.length < MOST_ITERATIONS);
    if (spec.held) holdAt("released", 0);
    return iterations;
  });
}

/**
 * Runs `operation(params, hold)` once, which returns `{ ops, evidence, series }`; `series` is optional, samples in ns by name.
 * `await hold(point, units)` announces a point and waits to be let go; the clocks stand still meanwhile.
 */
export function held(meta, spec, operation) {
  return program(meta, spec, async (params, { nonce }) => {
    const clocks = new Clocks();
    const hold = async (point, units) => {
      clocks.stop();
      await nextTurn(); // a hold in the middle of a drain of the microtask queue would count the queue as well
      holdAt(point, units);
      clocks.start();
    };
    const given = { ...params, nonce };
    return once(given, spec, () => operation(given, hold), clocks);
  });
}

/** Announces a point and waits, doing nothing, until the runner has read the process. */
function holdAt(point, units) {
  trace?.record("hold", -1);
  writeLines([{ type: "hold", point, units }]);
  waitForLine();
}

/**
 * Runs `operation(params, prepared)` once, which returns `{ ops, evidence, series }` as for `held`; `params.nonce` as for `timed`.
 * `await spec.prepare(params, control)` makes `prepared` before the clocks start, `await spec.release(prepared)` puts it away;
 * `control.peer` is the port of the companion.
 */
export function measured(meta, spec, operation) {
  return program(meta, spec, async (params, control) => {
    const given = { ...params, nonce: control.nonce };
    const prepared = await spec.prepare?.(given, control);
    const lines = await once(given, spec, () => operation(given, prepared));
    await spec.release?.(prepared);
    return lines;
  });
}

/** Serves with what `listen(params)` returns, a node:http server that accepts connections, until the runner sends a line. */
export function served(meta, spec, listen) {
  return program(meta, spec, async (params) => {
    const server = await listen(params);
    writeLines([{ type: "hold", point: "serving", units: 0, port: server.address().port }]);
    await lineFrom(process.stdin);
    process.stdin.destroy();
    server.close();
    server.closeAllConnections();
    return [];
  });
}

async function once(params, spec, operation, clocks = new Clocks()) {
  let series = {};
  const iteration = await timeOne(
    0,
    async () => {
      const { series: samples = {}, ...rest } = await operation();
      series = samples;
      return rest;
    },
    clocks,
  );
  check(iteration, spec.expected(params));
  return [iteration, ...Object.entries(series).map(([name, values]) => seriesLine(name, values))];
}

/** Samples below zero count as zero. */
const seriesLine = (name, values) => ({
  type: "series",
  name,
  values: Array.from(values, (ns) => Math.max(0, Math.round(ns))),
});

/** Wall and CPU time of a region, which may be stopped and started again. */
class Clocks {
  elapsed = 0n;
  cpu = 0;
  #from;
  #cpuFrom;

  start() {
    this.#cpuFrom = process.cpuUsage();
    this.#from = process.hrtime.bigint();
  }

  stop() {
    this.elapsed += process.hrtime.bigint() - this.#from;
    const { user, system } = process.cpuUsage(this.#cpuFrom);
    this.cpu += (user + system) * 1000;
  }
}

async function timeOne(index, operation, clocks = new Clocks()) {
  // Between two iterations the event loop turns, as in any server, so that V8 can finish compiling and collecting.
  // It also lets the tasks that were started in preparation run on until all of them wait.
  await nextTurn();
  clocks.start();
  const { ops, evidence } = await operation();
  clocks.stop();
  return {
    type: "iteration",
    index,
    elapsed_ns: Number(clocks.elapsed),
    cpu_ns: clocks.cpu,
    ops,
    evidence,
  };
}

function check({ ops, evidence }, expected) {
  const counted = { ops, ...evidence };
  for (const [key, value] of Object.entries(expected)) {
    if (counted[key] !== value) throw new Error(`${key} is ${counted[key]}, expected ${value}`);
  }
}

async function program(meta, spec, run) {
  if (meta.filename !== realpathSync(process.argv[1])) return;
  const { workload, parameters, options = {}, settings } = spec;
  try {
    const given = parseArguments(process.argv.slice(2), { ...parameters, ...options, ...CONTROL });
    writeLines([hello(workload, pick(given, parameters), await settings?.())]);
    const lines = await run(pick(given, { ...parameters, ...options }), pick(given, CONTROL));
    if (trace !== null) lines.push({ type: "trace", events: trace.events });
    writeLines([...lines, { type: "end" }]);
  } catch (error) {
    fail(error);
  }
}

const pick = (values, keys) =>
  Object.fromEntries(Object.keys(keys).map((key) => [key, values[key]]));

/** Ends the process at once: tasks that are still queued have nothing more to say. */
function fail(error) {
  const usage = error instanceof UsageError;
  console.error(usage ? `usage: ${error.message}` : error);
  process.exit(usage ? 2 : 1);
}

/** Others that run the language also give a version of Node, which they imitate: their manifests say whose version is theirs. */
function version() {
  const { versions, env } = process;
  const implementation = env.COROBENCH_IMPLEMENTATION ?? "node";
  if (!Object.hasOwn(versions, implementation)) {
    const known = Object.keys(versions).join(", ");
    throw new UsageError(
      `the environment variable COROBENCH_IMPLEMENTATION is ${implementation}, not one of ${known}`,
    );
  }
  return versions[implementation];
}

/** What the process is, asked of the process, and what else is set; the runner compares it with the manifest. */
export function hello(workload, params, settings = {}) {
  return {
    type: "hello",
    protocol: 1,
    runtime: process.env.COROBENCH_RUNTIME ?? "unnamed",
    version: version(),
    language_version: version(),
    workload,
    params,
    settings: {
      v8: process.versions.v8,
      exec_argv: process.execArgv,
      node_options: process.env.NODE_OPTIONS ?? "",
      compile_cache: module.getCompileCacheDir?.() !== undefined,
      available_parallelism: availableParallelism(),
      heap_size_limit: getHeapStatistics().heap_size_limit,
      ...settings,
    },
  };
}
