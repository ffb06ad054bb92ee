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

async function task(i, m, nonce, witness) {
  await undefined; // off the caller's stack: the start is a turn in the queue of its own, as in other runtimes
  witness?.started(i);
  const end = nonce + m;
  let count = nonce;
  while (count < end) {
    await undefined;
    count += 1;
    witness?.resumed(i); // a test for null while timing; it can't be measured (NOTES.md)
  }
  trace?.record("done", i);
  return count;
}

/** The operation for tasks that yield in one way or another: `task(i, m, nonce, witness)` counts its resumes from the nonce on. */
export const switchingBetween = (task) => (params) => switching(task, params);

async function switching(task, { k, m, count, nonce }) {
  const witness = count || trace !== null ? new Witness() : null;
  const tasks = [];
  for (let i = 0; i < k; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i, m, nonce, witness));
    trace?.record("spawned", i);
  }

  let finished = 0;
  let checksum = 0;
  for (const [i, handle] of tasks.entries()) {
    const counted = await handle;
    trace?.record("collect", i);
    finished += 1;
    checksum += counted;
  }
  const resumes = checksum - k * nonce;
  const counts = count ? { true_switches: witness.trueSwitches } : {};
  return { ops: resumes, evidence: { finished, resumes, checksum, ...counts } };
}

export const yields = switchingBetween(task);

export const SPEC = {
  workload: "switch",
  parameters: { k: required(integer(1)), m: required(integer(1)) },
  options: { count: optional(flag, false) },
  expected: ({ k, m, nonce }) => ({
    ops: k * m,
    finished: k,
    resumes: k * m,
    checksum: k * (nonce + m),
  }),
};

await timed(import.meta, SPEC, yields);
