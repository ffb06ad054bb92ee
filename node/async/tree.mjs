// Fans out to n leaves, ten children a task, and sums what they return on the way back.
import { integer, required, UsageError } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

const CHILDREN = 10;

function powerOfTen(text) {
  const value = integer(1)(text);
  if (!/^10*$/.test(text)) throw new UsageError(`must be a power of ten, not "${text}"`);
  return value;
}

async function tree({ n, nonce }) {
  let started = 0;
  let finished = 0;

  function start(first, leaves) {
    const i = started;
    started += 1;
    trace?.record("spawn", i);
    const handle = task(i, first, leaves);
    trace?.record("spawned", i);
    return handle;
  }

  async function task(i, first, leaves) {
    await undefined; // off the caller's stack
    trace?.record("run", i);
    let sum = first;
    if (leaves > 1) {
      const children = [];
      const share = leaves / CHILDREN;
      for (let c = 0; c < CHILDREN; c++) children.push(start(first + c * share, share));
      sum = 0;
      for (const handle of children) {
        const part = await handle;
        finished += 1;
        sum += part;
      }
    }
    trace?.record("done", i);
    return sum;
  }

  const checksum = await start(nonce, n);
  finished += 1;
  return { ops: started, evidence: { finished, checksum } };
}

export const SPEC = {
  workload: "tree",
  parameters: { n: required(powerOfTen) },
  expected: ({ n, nonce }) => ({
    ops: (10 * n - 1) / 9,
    finished: (10 * n - 1) / 9,
    checksum: n * nonce + (n * (n - 1)) / 2,
  }),
};

await timed(import.meta, SPEC, tree);
