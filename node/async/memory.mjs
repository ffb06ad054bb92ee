// Parks n tasks at one gate and holds the process still for the runner to read, before, while and after they live.
import { integer, required } from "../harness/arguments.mjs";
import { collectGarbage } from "../harness/collector.mjs";
import { held } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

async function memory({ n }, hold) {
  const gate = Promise.withResolvers();
  const allParked = Promise.withResolvers();
  let parked = 0;

  async function task(i) {
    await undefined; // off the caller's stack
    trace?.record("run", i);
    parked += 1;
    if (parked === n) allParked.resolve();
    trace?.record("park", i);
    await gate.promise;
    parked -= 1;
    trace?.record("done", i);
    return i;
  }

  function start() {
    const tasks = [];
    for (let i = 0; i < n; i++) {
      trace?.record("spawn", i);
      tasks.push(task(i));
      trace?.record("spawned", i);
    }
    return tasks;
  }

  await hold("base", parked);
  const tasks = start();
  const created = tasks.length;
  await allParked.promise;
  await hold("live", parked);
  collectGarbage();
  await hold("live-collected", parked);

  gate.resolve();
  const { finished, checksum } = await join(tasks);
  tasks.length = 0;
  await hold("released", parked);
  collectGarbage();
  await hold("released-collected", parked);
  return { ops: finished, evidence: { created, finished, checksum } };
}

async function join(tasks) {
  let finished = 0;
  let checksum = 0;
  for (const handle of tasks) {
    const result = await handle;
    trace?.record("collect", result);
    finished += 1;
    checksum += result;
  }
  return { finished, checksum };
}

await held(
  import.meta,
  {
    workload: "memory",
    parameters: { n: required(integer(1)) },
    expected: ({ n }) => ({ ops: n, created: n, finished: n, checksum: (n * (n - 1)) / 2 }),
  },
  memory,
);
