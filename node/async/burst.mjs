// Starts n tasks at once out of a root that has slept, and again; each tells when it first ran.
import { setTimeout as sleep } from "node:timers/promises";
import { integer, required } from "../harness/arguments.mjs";
import { now } from "../harness/clock.mjs";
import { measured } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

async function task(i, start, place, began) {
  await undefined; // off the caller's stack
  start[place] = now() - began;
  trace?.record("run", i);
  trace?.record("done", i);
  return i;
}

async function burst({ n, bursts, idle_ms, nonce }) {
  const start = new Float64Array(n * bursts);
  let created = 0;
  let finished = 0;
  let checksum = 0;
  let last = 0;
  for (let first = 0; first < n * bursts; first += n) {
    await sleep(idle_ms);
    const began = now();
    const tasks = [];
    for (let place = first; place < first + n; place++) {
      trace?.record("spawn", nonce + place);
      tasks.push(task(nonce + place, start, place, began));
      trace?.record("spawned", nonce + place);
    }
    created += tasks.length;
    for (const handle of tasks) {
      const result = await handle;
      trace?.record("collect", result);
      finished += 1;
      checksum += result;
    }
    last += start.subarray(first, first + n).reduce((most, one) => Math.max(most, one));
  }
  const evidence = { created, finished, checksum, last_ns: Math.round(last) };
  return { ops: finished, evidence, series: { start } };
}

export const SPEC = {
  workload: "burst",
  parameters: {
    n: required(integer(1)),
    bursts: required(integer(1)),
    idle_ms: required(integer(1)),
  },
  expected: ({ n, bursts, nonce }) => {
    const all = n * bursts;
    return {
      ops: all,
      created: all,
      finished: all,
      checksum: all * nonce + (all * (all - 1)) / 2,
    };
  },
};

await measured(import.meta, SPEC, burst);
