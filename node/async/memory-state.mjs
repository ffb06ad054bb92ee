// Parks n tasks that each hold 1 KiB of local bytes eight calls deep.
import { parking } from "../harness/parking.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

const DEPTH = 8;
const STATE_BYTES = 1024;

const taskAt = (gate) => {
  async function descend(level, i) {
    if (level < DEPTH) return await descend(level + 1, i);
    const state = new Uint8Array(STATE_BYTES).fill(i % 251);
    await gate.park(i);
    gate.leave();
    return i - (i % 251) + state.at(-1);
  }

  return async function task(i) {
    await undefined; // off the caller's stack
    trace?.record("run", i);
    const result = await descend(1, i);
    trace?.record("done", i);
    return result;
  };
};

await parking(import.meta, "memory-state", taskAt);
