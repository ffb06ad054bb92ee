// Starts k tasks that each yield m times by awaiting one promise that all of them share, and joins them.
import { SPEC, switchingBetween } from "../async/switch.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();
const resolved = Promise.resolve();

async function task(i, m, witness) {
  await undefined; // off the caller's stack
  witness?.started(i);
  let resumes = 0;
  while (resumes < m) {
    await resolved;
    resumes += 1;
    witness?.resumed(i);
  }
  trace?.record("done", i);
  return resumes;
}

await timed(import.meta, SPEC, switchingBetween(task));
