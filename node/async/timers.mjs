// Starts n tasks that each sleep to a deadline of their own; the deadlines are spread over a second.
import { integer, required } from "../harness/arguments.mjs";
import { NS_PER_MS, NS_PER_S, now, sleepUntil } from "../harness/clock.mjs";
import { measured } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

const GRACE = NS_PER_MS; // a task that woke earlier than this before its deadline woke too early

async function task(i, deadline, lateness) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  await sleepUntil(deadline);
  lateness[i] = now() - deadline;
  trace?.record("done", i);
  return i;
}

async function timers({ n, lead }) {
  const first = now() + lead * NS_PER_MS;
  const lateness = new Float64Array(n);
  const tasks = [];
  for (let i = 0; i < n; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i, first + (i * NS_PER_S) / n, lateness));
    trace?.record("spawned", i);
  }
  const created = tasks.length;

  let finished = 0;
  let checksum = 0;
  for (const handle of tasks) {
    const result = await handle;
    trace?.record("collect", result);
    finished += 1;
    checksum += result;
  }
  const early = lateness.filter((late) => late < -GRACE).length;
  return { ops: finished, evidence: { created, finished, checksum, early }, series: { lateness } };
}

export const SPEC = {
  workload: "timers",
  parameters: { n: required(integer(1)), lead: required(integer(1)) },
  expected: ({ n }) => ({
    ops: n,
    created: n,
    finished: n,
    checksum: (n * (n - 1)) / 2,
  }),
};

await measured(import.meta, SPEC, timers);
