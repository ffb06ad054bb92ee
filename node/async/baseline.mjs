// Calls a plain function n times and sums what it returns: the language without tasks.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";

function body(i) {
  return i;
}

function baseline({ n, nonce }) {
  let finished = 0;
  let checksum = 0;
  for (let i = nonce, end = nonce + n; i < end; i++) {
    checksum += body(i);
    finished += 1;
  }
  return { ops: finished, evidence: { finished, checksum } };
}

await timed(
  import.meta,
  {
    workload: "baseline",
    parameters: { n: required(integer(1)) },
    expected: ({ n, nonce }) => ({ ops: n, finished: n, checksum: n * nonce + (n * (n - 1)) / 2 }),
  },
  baseline,
);
