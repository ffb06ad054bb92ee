// Starts one task, which starts the next as its last act, n times over; the last one signals the root.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

async function chain({ n, nonce }) {
  const end = nonce + n;
  const last = Promise.withResolvers();
  let finished = 0;
  let checksum = 0;

  function start(i) {
    trace?.record("spawn", i);
    // Nobody awaits a link, that would nest n deep; one that fails is an unhandled rejection, which ends Node with 1.
    link(i);
    trace?.record("spawned", i);
  }

  async function link(i) {
    await undefined; // off the caller's stack
    trace?.record("run", i);
    checksum += i;
    finished += 1;
    if (i + 1 < end) start(i + 1);
    else last.resolve();
    trace?.record("done", i);
  }

  start(nonce);
  await last.promise;
  return { ops: finished, evidence: { finished, checksum } };
}

await timed(
  import.meta,
  {
    workload: "spawn-chain",
    parameters: { n: required(integer(1)) },
    expected: ({ n, nonce }) => ({ ops: n, finished: n, checksum: n * nonce + (n * (n - 1)) / 2 }),
  },
  chain,
);
