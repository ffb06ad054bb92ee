// Starts k tasks that each yield m times by awaiting one promise that all of them share, and joins them.
import { SPEC, switchingBetween } from "../async/switch.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();
const resolved = Promise.resolve();

async function task(i, m, nonce, witness) {
  await undefined; // off the caller's stack
  witness?.started(i);
  const end = nonce + m;
  let count = nonce;
  while (count < end) {
    await resolved;
    count += 1;
    witness?.resumed(i);
  }
  trace?.record("done", i);
  return count;
}

await timed(import.meta, SPEC, switchingBetween(task));
