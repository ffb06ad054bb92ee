// Starts k tasks that each yield m times to the event loop, and joins them.
import { setImmediate as nextTurn } from "node:timers/promises";
import { SPEC, switchingBetween } from "../async/switch.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** The operation for tasks that yield by a promise of the next turn, which `turn()` returns. */
export const yieldingBy = (turn) =>
  switchingBetween(async (i, m, nonce, witness) => {
    await undefined; // off the caller's stack
    witness?.started(i);
    const end = nonce + m;
    let count = nonce;
    while (count < end) {
      await turn();
      count += 1;
      witness?.resumed(i);
    }
    trace?.record("done", i);
    return count;
  });

await timed(import.meta, SPEC, yieldingBy(nextTurn));
