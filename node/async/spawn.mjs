// Starts n tasks, then collects and sums their results.
import { integer, required } from "../harness/arguments.mjs";
import { allReturned, timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

async function task(i) {
  await undefined; // until its first await an async function runs on its caller's stack; from here on it is queued
  trace?.record("run", i);
  trace?.record("done", i);
  return i;
}

export async function spawn({ n, nonce }) {
  const tasks = [];
  for (let i = nonce, end = nonce + n; i < end; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i));
    trace?.record("spawned", i);
  }
  const created = tasks.length;

  let finished = 0;
  let checksum = 0;
  for (const handle of tasks) {
    const result = await handle;
    trace?.record("collect", result);
    finished += 1;
    checksum += result;
  }
  return { ops: finished, evidence: { created, finished, checksum } };
}

export const SPEC = {
  workload: "spawn",
  parameters: { n: required(integer(1)) },
  expected: allReturned,
};

await timed(import.meta, SPEC, spawn);
