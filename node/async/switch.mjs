// Starts k tasks that each yield m times through the microtask queue, and joins them.
import { flag, integer, optional, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** Sees every resume, for a trace or to count true switches; there is none while timing. */
class Witness {
  trueSwitches = 0;
  #last;

  started(i) {
    this.#last = i;
  }

  resumed(i) {
    trace?.record("run", i);
    if (i !== this.#last) this.trueSwitches += 1;
    this.#last = i;
  }
}

async function task(i, m, witness) {
  await undefined; // off the caller's stack: the start is a turn in the queue of its own, as in other runtimes
  witness?.started(i);
  let resumes = 0;
  while (resumes < m) {
    await undefined;
    resumes += 1;
    witness?.resumed(i); // a test for null while timing; it can't be measured (NOTES.md)
  }
  trace?.record("done", i);
  return resumes;
}

/** The operation for tasks that yield in one way or another: `task(i, m, witness)` returns the number of its resumes. */
export const switchingBetween = (task) => (params) => switching(task, params);

async function switching(task, { k, m, count }) {
  const witness = count || trace !== null ? new Witness() : null;
  const tasks = [];
  for (let i = 0; i < k; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i, m, witness));
    trace?.record("spawned", i);
  }

  let finished = 0;
  let resumes = 0;
  for (const [i, handle] of tasks.entries()) {
    const counted = await handle;
    trace?.record("collect", i);
    finished += 1;
    resumes += counted;
  }
  const counts = count ? { true_switches: witness.trueSwitches } : {};
  return { ops: resumes, evidence: { finished, resumes, ...counts } };
}

export const yields = switchingBetween(task);

export const SPEC = {
  workload: "switch",
  parameters: { k: required(integer(1)), m: required(integer(1)) },
  options: { count: optional(flag, false) },
  expected: ({ k, m }) => ({ ops: k * m, finished: k, resumes: k * m }),
};

await timed(import.meta, SPEC, yields);
