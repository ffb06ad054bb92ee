// Resumes one generator n times by next, which hands a value in and gets one out.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { isRunning, traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** Hands out one more than it was sent last. */
function* adder(n, first, record) {
  let value = first;
  for (let turn = 0; turn < n; turn++) {
    value = (yield value) + 1;
    record?.("run");
  }
  record?.("done");
  return value;
}

function resume({ n, nonce }) {
  // A generator has no asynchronous id: its name in a trace is given here, and that it runs is asked of the language.
  const record =
    trace && ((kind) => trace.record(kind, 0, isRunning(coroutine) ? "generator" : "main"));
  trace?.record("spawn", 0);
  const coroutine = adder(n, nonce, record);
  trace?.record("spawned", 0);
  let { value, done } = coroutine.next();
  while (!done) ({ value, done } = coroutine.next(value));
  return { ops: value - nonce, evidence: { finished: Number(done), checksum: value } };
}

export const SPEC = {
  workload: "generator",
  parameters: { n: required(integer(1)) },
  expected: ({ n, nonce }) => ({ ops: n, finished: 1, checksum: nonce + n }),
};

await timed(import.meta, SPEC, resume);
