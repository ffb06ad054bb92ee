// Parks n tasks that hold nothing but their number.
import { parking } from "../harness/parking.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

const taskAt = (gate) =>
  async function task(i) {
    await undefined; // off the caller's stack
    trace?.record("run", i);
    await gate.park(i);
    gate.leave();
    trace?.record("done", i);
    return i;
  };

await parking(import.meta, "memory", taskAt);
