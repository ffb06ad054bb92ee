// Opens scopes of n tasks, of which one fails; the others are aborted for it, and all are joined.
import { setMaxListeners } from "node:events";
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** Its value tells whose error it is. */
class Failure extends Error {
  constructor(value) {
    super(`failed with ${value}`);
    this.value = value;
  }
}

/** A promise can't be cancelled from outside: what waits listens to the signal that it was given. */
function aborted(signal) {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** The language has no scopes: the first task that fails aborts the others, and all are awaited. */
async function open(first, n, value, counted) {
  const controller = new AbortController();
  const { signal } = controller;
  setMaxListeners(0, signal); // all of them listen, which Node takes for a leak from the eleventh on
  const allWait = Promise.withResolvers();
  let missing = n - 1;

  async function wait(i) {
    await undefined; // off the caller's stack
    trace?.record("run", i);
    try {
      missing -= 1;
      if (missing === 0) allWait.resolve();
      await aborted(signal);
    } finally {
      counted.cleaned += 1;
      trace?.record("done", i);
    }
  }

  async function fail(i) {
    await undefined; // off the caller's stack
    trace?.record("run", i);
    try {
      if (missing > 0) await allWait.promise;
      trace?.record("fail", i);
      throw new Failure(value);
    } catch (error) {
      controller.abort();
      throw error;
    }
  }

  const last = first + n - 1;
  const children = [];
  for (let i = first; i <= last; i++) {
    trace?.record("spawn", i);
    children.push(i < last ? wait(i) : fail(i));
    trace?.record("spawned", i);
  }
  counted.created += children.length;
  for (const { reason } of await Promise.allSettled(children)) {
    if (reason === signal.reason) {
      counted.cancelled += 1;
    } else if (reason instanceof Failure) {
      counted.failed += 1;
      counted.checksum += reason.value;
    } else {
      throw reason ?? new Error("a task ran past its wait");
    }
  }
}

async function scopes({ n, m, nonce }) {
  const counted = { created: 0, failed: 0, cancelled: 0, cleaned: 0, checksum: 0 };
  for (let i = 0; i < m; i++) {
    trace?.record("open", i);
    await open(i * n, n, nonce + i, counted);
    trace?.record("close", i);
  }
  return { ops: counted.cancelled + counted.failed, evidence: counted };
}

await timed(
  import.meta,
  {
    workload: "scope",
    parameters: { n: required(integer(1)), m: required(integer(1)) },
    expected: ({ n, m, nonce }) => ({
      ops: n * m,
      created: n * m,
      failed: m,
      cancelled: (n - 1) * m,
      cleaned: (n - 1) * m,
      checksum: m * nonce + (m * (m - 1)) / 2,
    }),
  },
  scopes,
);
