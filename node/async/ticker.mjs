// Wakes one task on an absolute schedule while k others yield to the event loop.
import { setImmediate as nextTurn } from "node:timers/promises";
import { integer, required } from "../harness/arguments.mjs";
import { NS_PER_US, now, sleepUntil } from "../harness/clock.mjs";
import { measured } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** Its yields: by a turn of the event loop, as timers never fire while tasks yield by `await undefined`. */
async function load(i, shared) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  shared.running += 1;
  let count = 0;
  while (!shared.ended) {
    await nextTurn();
    count += 1;
  }
  trace?.record("done", i);
  return count;
}

/** How late each tick was. One that is overdue is taken at once. */
async function ticker(i, ticks, period) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  const lateness = [];
  let due = now();
  while (lateness.length < ticks) {
    due += period;
    if (now() < due) await sleepUntil(due);
    lateness.push(now() - due);
  }
  trace?.record("done", i);
  return lateness;
}

function start(i, task, ...words) {
  trace?.record("spawn", i);
  const handle = task(i, ...words);
  trace?.record("spawned", i);
  return handle;
}

async function tick({ k, ticks, period_us }) {
  const shared = { running: 0, ended: false };
  const tasks = [];
  for (let i = 0; i < k; i++) tasks.push(start(i, load, shared));
  while (shared.running < k) await nextTurn();
  const lateness = await start(k, ticker, ticks, period_us * NS_PER_US);
  shared.ended = true;
  const counts = await Promise.all(tasks);
  const evidence = {
    finished: counts.length + 1,
    active: counts.filter((count) => count > 0).length,
    yields: counts.reduce((sum, count) => sum + count),
  };
  return { ops: lateness.length, evidence, series: { lateness } };
}

export const SPEC = {
  workload: "ticker",
  parameters: {
    k: required(integer(1)),
    ticks: required(integer(1)),
    period_us: required(integer(1)),
  },
  expected: ({ k, ticks }) => ({ ops: ticks, finished: k + 1, active: k }),
};

await measured(import.meta, SPEC, tick);
