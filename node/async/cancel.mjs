// Parks n tasks, then aborts each through a signal of its own and joins them all.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** A promise can't be cancelled from outside: what waits listens to the signal that it was given. */
function aborted(signal) {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

export async function park({ n, first = 0 }) {
  const counted = { parked: 0, cancelled: 0 };
  const allParked = Promise.withResolvers();

  async function task(i, signal) {
    await undefined; // off the caller's stack
    trace?.record("run", i);
    try {
      counted.parked += 1;
      if (counted.parked === n) allParked.resolve();
      await aborted(signal);
    } finally {
      counted.cancelled += 1;
      trace?.record("done", i);
    }
  }

  const controllers = [];
  const tasks = [];
  for (let i = first; i < first + n; i++) {
    const controller = new AbortController();
    controllers.push(controller);
    trace?.record("spawn", i);
    tasks.push(task(i, controller.signal));
    trace?.record("spawned", i);
  }
  await allParked.promise;
  return { first, controllers, tasks, counted };
}

export async function cancel(_params, { first, controllers, tasks, counted }) {
  for (const controller of controllers) controller.abort();
  let finished = 0;
  for (const [i, { reason }] of (await Promise.allSettled(tasks)).entries()) {
    trace?.record("collect", first + i);
    if (reason !== controllers[i].signal.reason)
      throw reason ?? new Error(`task ${first + i} ran past its wait`);
    finished += 1;
  }
  return {
    ops: finished,
    evidence: { created: counted.parked, cancelled: counted.cancelled, finished },
  };
}

export const SPEC = {
  workload: "cancel",
  parameters: { n: required(integer(1)) },
  prepare: park,
  held: true,
  expected: ({ n }) => ({ ops: n, created: n, cancelled: n, finished: n }),
};

await timed(import.meta, SPEC, cancel);
