// k tasks take one lock m times each, and give way inside.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** The language has no lock: each who asks for it waits for the promise of the one who asked before. */
class Mutex {
  #last = Promise.resolve();

  /** Returns, once it is held, what releases it. */
  async acquire() {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers();
    this.#last = promise;
    await before;
    return resolve;
  }
}

/**
 * What the lock guards: those who are inside, the most that ever were, and a value that each of them makes one greater.
 * They give way between reading it and writing it: two that are inside at once lose an increment.
 */
class Section {
  inside = 0;
  most = 0;
  yields = 0;

  constructor(nonce) {
    this.value = nonce;
  }

  /** The value that is found. */
  enter() {
    this.inside += 1;
    this.most = Math.max(this.most, this.inside);
    return this.value;
  }

  leave(value) {
    this.value = value;
    this.inside -= 1;
  }
}

/** Its acquisitions, and the most by others between two of them. */
async function task(i, m, nonce, contended, mutex, section) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  let own = nonce;
  let acquired = 0;
  let passed = 0;
  while (acquired < m) {
    trace?.record("ask", i);
    const release = await mutex.acquire();
    try {
      trace?.record("enter", i);
      const value = section.enter();
      passed = Math.max(passed, value - own);
      if (contended) {
        await undefined;
        section.yields += 1;
      }
      own = value + 1;
      section.leave(own);
      trace?.record("leave", i);
    } finally {
      release();
    }
    acquired += 1;
  }
  trace?.record("done", i);
  return { acquired, passed };
}

/** The tasks ask while the root holds the lock: the harness lets the event loop turn before the time starts. */
async function form({ k, m, nonce }) {
  const mutex = new Mutex();
  const section = new Section(nonce);
  const release = await mutex.acquire();
  const tasks = [];
  for (let i = 0; i < k; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i, m, nonce, k > 1, mutex, section));
    trace?.record("spawned", i);
  }
  return { release, section, tasks };
}

async function contend(_params, { release, section, tasks }) {
  release();
  let ops = 0;
  let finished = 0;
  let longest = 0;
  for (const { acquired, passed } of await Promise.all(tasks)) {
    ops += acquired;
    finished += 1;
    longest = Math.max(longest, passed);
  }
  const { most, yields, value } = section;
  return { ops, evidence: { finished, most, yields, passed: longest, checksum: value } };
}

await timed(
  import.meta,
  {
    workload: "mutex",
    parameters: { k: required(integer(1)), m: required(integer(1)) },
    prepare: form,
    expected: ({ k, m, nonce }) => ({
      ops: k * m,
      finished: k,
      most: 1,
      yields: k > 1 ? k * m : 0,
      checksum: nonce + k * m,
    }),
  },
  contend,
);
