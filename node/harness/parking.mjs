// Parks n tasks at one gate and holds the process still for the runner to read, before, while and after they live.
import { integer, required } from "./arguments.mjs";
import { collectGarbage } from "./collector.mjs";
import { allReturned, held } from "./program.mjs";
import { traceIfAsked } from "./trace.mjs";

const trace = traceIfAsked();

class Gate {
  parked = 0;
  #places;
  #opened = Promise.withResolvers();
  #allParked = Promise.withResolvers();

  constructor(places) {
    this.#places = places;
  }

  /** A task counts itself parked as its last act before it awaits what this returns. */
  park(i) {
    this.parked += 1;
    if (this.parked === this.#places) this.#allParked.resolve();
    trace?.record("park", i);
    return this.#opened.promise;
  }

  leave() {
    this.parked -= 1;
  }

  get allParked() {
    return this.#allParked.promise;
  }

  open() {
    this.#opened.resolve();
  }
}

/** The program of a memory workload: `taskAt(gate)` returns the async function that is task i, which returns i. */
export function parking(meta, workload, taskAt) {
  return held(
    meta,
    {
      workload,
      parameters: { n: required(integer(1)) },
      expected: allReturned,
    },
    ({ n, nonce }, hold) => parkAll(n, nonce, hold, taskAt),
  );
}

async function parkAll(n, nonce, hold, taskAt) {
  const gate = new Gate(n);
  await hold("base", gate.parked);
  const tasks = start(n, nonce, taskAt(gate));
  const created = tasks.length;
  await gate.allParked;
  await hold("live", gate.parked);
  collectGarbage();
  await hold("live-collected", gate.parked);

  gate.open();
  const { finished, checksum } = await join(tasks);
  tasks.length = 0;
  await hold("released", gate.parked);
  collectGarbage();
  await hold("released-collected", gate.parked);
  return { ops: finished, evidence: { created, finished, checksum } };
}

function start(n, nonce, task) {
  const tasks = [];
  for (let i = nonce, end = nonce + n; i < end; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i));
    trace?.record("spawned", i);
  }
  return tasks;
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
