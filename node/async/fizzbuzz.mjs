// Does n times m steps: as plain calls, in n tasks, or in n tasks that yield after each step.
import { integer, required, word } from "../harness/arguments.mjs";
import { step } from "../harness/fizzbuzz.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** The m steps of one task. */
function through(i, m) {
  let sum = 0;
  let steps = 0;
  for (; steps < m; steps++) sum += step(i + steps);
  return { steps, sum };
}

async function straight(i, m) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  const result = through(i, m);
  trace?.record("done", i);
  return result;
}

async function yielding(i, m) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  let sum = 0;
  let steps = 0;
  for (; steps < m; steps++) {
    sum += step(i + steps);
    await undefined;
  }
  trace?.record("done", i);
  return { steps, sum };
}

function base(n, m) {
  const total = { finished: 0, steps: 0, checksum: 0 };
  for (let i = 0; i < n; i++) add(total, through(i, m));
  return total;
}

async function tasked(n, m, task) {
  const tasks = [];
  for (let i = 0; i < n; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i, m));
    trace?.record("spawned", i);
  }
  const total = { finished: 0, steps: 0, checksum: 0 };
  for (const [i, handle] of tasks.entries()) {
    const result = await handle;
    trace?.record("collect", i);
    add(total, result);
  }
  return total;
}

function add(total, { steps, sum }) {
  total.finished += 1;
  total.steps += steps;
  total.checksum += sum;
}

const PHASES = {
  base,
  spawn: (n, m) => tasked(n, m, straight),
  yield: (n, m) => tasked(n, m, yielding),
};

await timed(
  import.meta,
  {
    workload: "fizzbuzz",
    parameters: {
      phase: required(word(...Object.keys(PHASES))),
      n: required(integer(1)),
      m: required(integer(1)),
    },
    expected: ({ n, m }) => ({ ops: n, finished: n, steps: n * m }),
  },
  async ({ phase, n, m }) => {
    const evidence = await PHASES[phase](n, m);
    return { ops: evidence.finished, evidence };
  },
);
