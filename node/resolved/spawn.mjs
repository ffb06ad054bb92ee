// Starts n tasks that leave the caller's stack by awaiting one promise that all of them share, then sums their results.
import { SPEC } from "../async/spawn.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();
const resolved = Promise.resolve();

async function task(i) {
  await resolved; // off the caller's stack
  trace?.record("run", i);
  trace?.record("done", i);
  return i;
}

async function spawn({ n, nonce }) {
  const tasks = [];
  for (let i = nonce, end = nonce + n; i < end; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i));
    trace?.record("spawned", i);
  }
  const created = tasks.length;

  let finished = 0;
  let checksum = 0;
  for (const result of await Promise.all(tasks)) {
    trace?.record("collect", result);
    finished += 1;
    checksum += result;
  }
  return { ops: finished, evidence: { created, finished, checksum } };
}

await timed(import.meta, SPEC, spawn);
