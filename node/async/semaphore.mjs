// k tasks take one of s permits m times each, and give way while they have it.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** The language has no semaphore: who finds no permit leaves a promise in a queue, and is handed the next one. */
class Semaphore {
  #free;
  #waiting = [];

  constructor(permits) {
    this.#free = permits;
  }

  async acquire() {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise((resolve) => this.#waiting.push(resolve));
  }

  release() {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

/** What the tasks share: how many have a permit, how many have had one, and how often one gave way. */
class Room {
  inside = 0;
  entered = 0;
  yields = 0;
}

/** Its permits, counted from the nonce on; the most tasks that it saw inside; the most permits of others between two of its own. */
async function task(i, m, nonce, contended, semaphore, room) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  const end = nonce + m;
  let taken = nonce;
  let most = 0;
  let passed = 0;
  let own = 0;
  while (taken < end) {
    trace?.record("ask", i);
    await semaphore.acquire();
    try {
      trace?.record("enter", i);
      room.inside += 1;
      most = Math.max(most, room.inside);
      room.entered += 1;
      const number = room.entered;
      passed = Math.max(passed, number - own - 1);
      if (contended) {
        await undefined;
        room.yields += 1;
      }
      own = number;
      room.inside -= 1;
      trace?.record("leave", i);
    } finally {
      semaphore.release();
    }
    taken += 1;
  }
  trace?.record("done", i);
  return { taken, most, passed };
}

/** The tasks ask while the root holds all permits: the harness lets the event loop turn before the time starts. */
async function form({ k, s, m, nonce }) {
  const semaphore = new Semaphore(s);
  const room = new Room();
  for (let permit = 0; permit < s; permit++) await semaphore.acquire();
  const tasks = [];
  for (let i = 0; i < k; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i, m, nonce, k > s, semaphore, room));
    trace?.record("spawned", i);
  }
  return { semaphore, room, tasks };
}

async function share({ k, s, nonce }, { semaphore, room, tasks }) {
  for (let permit = 0; permit < s; permit++) semaphore.release();
  const counted = { finished: 0, most: 0, yields: 0, passed: 0, checksum: 0 };
  for (const { taken, most, passed } of await Promise.all(tasks)) {
    counted.finished += 1;
    counted.most = Math.max(counted.most, most);
    counted.passed = Math.max(counted.passed, passed);
    counted.checksum += taken;
  }
  counted.yields = room.yields;
  return { ops: counted.checksum - k * nonce, evidence: counted };
}

await timed(
  import.meta,
  {
    workload: "semaphore",
    parameters: { k: required(integer(1)), s: required(integer(1)), m: required(integer(1)) },
    prepare: form,
    expected: ({ k, s, m, nonce }) => ({
      ops: k * m,
      finished: k,
      most: s,
      yields: k > s ? k * m : 0,
      checksum: k * (nonce + m),
    }),
  },
  share,
);
