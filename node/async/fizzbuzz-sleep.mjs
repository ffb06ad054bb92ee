// Starts n tasks that do m steps each, and sleep after each step.
import { setTimeout as sleep } from "node:timers/promises";
import { integer, required } from "../harness/arguments.mjs";
import { NS_PER_MS, now } from "../harness/clock.mjs";
import { step } from "../harness/fizzbuzz.mjs";
import { held } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

class Crowd {
  alive = 0;
  #asleep = 0; // all that ever slept: the first may end before the last is there
  #places;
  #allAsleep = Promise.withResolvers();

  constructor(places) {
    this.#places = places;
  }

  /** A task counts itself as its last act before its first sleep. */
  enter(i) {
    this.alive += 1;
    this.#asleep += 1;
    trace?.record("park", i);
    if (this.#asleep === this.#places) this.#allAsleep.resolve();
  }

  leave() {
    this.alive -= 1;
  }

  get allAsleep() {
    return this.#allAsleep.promise;
  }
}

async function task(i, m, sleepMs, crowd) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  let sum = 0;
  let steps = 0;
  let late = 0;
  while (steps < m) {
    sum += step(i + steps);
    if (steps === 0) crowd.enter(i);
    steps += 1;
    const due = now() + sleepMs * NS_PER_MS;
    await sleep(sleepMs);
    late = now() - due;
  }
  crowd.leave();
  trace?.record("done", i);
  return { steps, sum, late };
}

async function fizzbuzzSleep({ n, m, sleep_ms }, hold) {
  const crowd = new Crowd(n);
  await hold("base", crowd.alive);
  const tasks = [];
  for (let i = 0; i < n; i++) {
    trace?.record("spawn", i);
    tasks.push(task(i, m, sleep_ms, crowd));
    trace?.record("spawned", i);
  }
  await crowd.allAsleep;
  const evidence = { finished: 0, steps: 0, checksum: 0, most_alive: crowd.alive };
  await hold("live", crowd.alive);

  const lateness = new Float64Array(n);
  for (const [i, handle] of tasks.entries()) {
    const { steps, sum, late } = await handle;
    trace?.record("collect", i);
    evidence.finished += 1;
    evidence.steps += steps;
    evidence.checksum += sum;
    lateness[i] = late;
  }
  return { ops: evidence.steps, evidence, series: { lateness } };
}

await held(
  import.meta,
  {
    workload: "fizzbuzz-sleep",
    parameters: {
      n: required(integer(1)),
      m: required(integer(1)),
      sleep_ms: required(integer(1)),
    },
    expected: ({ n, m }) => ({ ops: n * m, finished: n, steps: n * m, most_alive: n }),
  },
  fizzbuzzSleep,
);
