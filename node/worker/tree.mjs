// Fans out to n leaves, ten threads a thread, and sums what they return on the way back.
import { SPEC } from "../async/tree.mjs";
import { timed } from "../harness/program.mjs";
import { crew, settings, sharedCounts } from "./root.mjs";

async function tree({ n, nonce }) {
  const numbers = sharedCounts(1);
  const top = crew.start(Atomics.add(numbers, 0, 1), "node", { first: nonce, leaves: n, numbers });
  const { finished: below, sum } = await crew.join(top);
  const finished = below + 1;
  return { ops: finished, evidence: { finished, checksum: sum } };
}

await timed(import.meta, { ...SPEC, settings }, tree);
