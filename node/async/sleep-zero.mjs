// Starts k tasks that each sleep m times for no time at all, and joins them.
import { setTimeout as sleep } from "node:timers/promises";
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

async function task(i, m, nonce) {
  await undefined; // off the caller's stack
  const end = nonce + m;
  let count = nonce;
  while (count < end) {
    await sleep(0);
    count += 1;
    trace?.record("run", i);
  }
  trace?.record("done", i);
  return count;
}

async function sleepZero({ k, m, nonce }) {
  const tasks = [];
  for (let i = 0; i < k; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i, m, nonce));
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
  return { ops: checksum - k * nonce, evidence: { finished, checksum } };
}

export const SPEC = {
  workload: "sleep-zero",
  parameters: { k: required(integer(1)), m: required(integer(1)) },
  expected: ({ k, m, nonce }) => ({ ops: k * m, finished: k, checksum: k * (nonce + m) }),
};

await timed(import.meta, SPEC, sleepZero);
