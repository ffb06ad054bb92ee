// Parks n tasks, then aborts each through a signal of its own and joins them all while k others yield to the event loop.
import { setImmediate as nextTurn } from "node:timers/promises";
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";
import { cancel, park } from "./cancel.mjs";

const trace = traceIfAsked();

/** Yields by a turn of the event loop: beside tasks that yield by `await undefined` no request ever comes in. */
async function load(i, shared) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  await nextTurn();
  shared.active += 1;
  while (!shared.ended) await nextTurn();
  shared.active -= 1;
  trace?.record("done", i);
}

async function parkAndLoad({ n, k }) {
  const shared = { active: 0, ended: false };
  const others = [];
  for (let i = 0; i < k; i++) {
    trace?.record("spawn", i);
    others.push(load(i, shared));
    trace?.record("spawned", i);
  }
  const parked = await park({ n, first: k });
  while (shared.active < k) await nextTurn();
  return { parked, shared, others };
}

async function cancelLoaded(params, { parked, shared }) {
  const { ops, evidence } = await cancel(params, parked);
  return { ops, evidence: { ...evidence, active: shared.active } };
}

async function end({ shared, others }) {
  shared.ended = true;
  await Promise.all(others);
}

export const SPEC = {
  workload: "cancel-loaded",
  parameters: { n: required(integer(1)), k: required(integer(1)) },
  prepare: parkAndLoad,
  release: end,
  expected: ({ n, k }) => ({ ops: n, created: n, cancelled: n, finished: n, active: k }),
};

await timed(import.meta, SPEC, cancelLoaded);
