// What a worker thread does: one of these bodies, as the thread that started it says.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, threadId, workerData } from "node:worker_threads";
import { Recorder } from "../harness/recorder.mjs";
import { Crew, tellThatItWaits } from "./crew.mjs";

const { i, body, trace, given } = workerData;
const recorder = trace === null ? null : new Recorder(trace, `thread-${threadId}`);

const CHILDREN = 10;
const DEPTH = 8;
const STATE_BYTES = 1024;
const NS_PER_MS = 1e6;

/** Waits at a gate that all threads share, and keeps count of those that do. */
function park(shared) {
  const [gate, parked] = [0, 1];
  recorder?.record("park", i);
  Atomics.add(shared, parked, 1);
  tellThatItWaits(parentPort);
  Atomics.wait(shared, gate, 0);
  Atomics.sub(shared, parked, 1);
}

function parkDeep(level, shared) {
  if (level < DEPTH) return parkDeep(level + 1, shared);
  const state = new Uint8Array(STATE_BYTES).fill(i % 251);
  park(shared);
  return i - (i % 251) + state.at(-1);
}

/** Waits for a message, which asks it to give up; the clean-up counts itself. */
async function cancelled({ counts }) {
  try {
    const told = once(parentPort, "message");
    tellThatItWaits(parentPort);
    await told;
  } finally {
    Atomics.add(counts, 0, 1);
  }
  return i;
}

/** Receives a token `m` times, adds one and sends it on; the first comes from the root, and the last goes there. */
function play({ inbox, next, m, first, last }) {
  return new Promise((resolve) => {
    let received = 0;
    const take = (token) => {
      recorder?.record("run", i);
      received += 1;
      if (last && received === m) {
        resolve({ received, token: token + 1 });
      } else {
        next.postMessage(token + 1);
        if (received === m) resolve({ received });
      }
      if (received === m) inbox.close();
    };
    inbox.on("message", take);
    if (first) parentPort.once("message", take);
    tellThatItWaits(parentPort);
  });
}

/** The same through shared memory: `places` hold the next token of each of two threads, or are empty. */
function playShared({ places, empty, m }) {
  const other = 1 - i;
  let received = 0;
  tellThatItWaits(parentPort);
  while (received < m) {
    Atomics.wait(places, i, empty);
    const token = Atomics.exchange(places, i, empty);
    recorder?.record("run", i);
    received += 1;
    Atomics.store(places, other, token + 1);
    Atomics.notify(places, other);
  }
  return received;
}

async function node({ first, leaves, numbers }) {
  if (leaves === 1) return { finished: 0, sum: first };
  const crew = new Crew(recorder);
  const share = leaves / CHILDREN;
  const children = [];
  for (let c = 0; c < CHILDREN; c++) {
    const child = { first: first + c * share, leaves: share, numbers };
    children.push(crew.start(Atomics.add(numbers, 0, 1), "node", child));
  }
  const total = { finished: 0, sum: 0 };
  for (const { finished, sum } of await crew.joinAll(children)) {
    total.finished += 1 + finished;
    total.sum += sum;
  }
  return total;
}

const now = () => Number(process.hrtime.bigint()); // the same clock in all threads

/** Sleeps until a deadline, and tells its number and by how much it woke too late. */
async function nap({ deadline }) {
  await sleep(Math.max(0, Math.ceil((deadline - now()) / NS_PER_MS)));
  return { number: i, late: now() - deadline };
}

const BODIES = {
  parked: ({ shared }) => {
    park(shared);
    return i;
  },
  parkedDeep: ({ shared }) => parkDeep(1, shared),
  cancelled,
  play,
  playShared,
  node,
  nap,
};

const PLAYERS = ["play", "playShared"];
if (!PLAYERS.includes(body)) recorder?.record("run", i); // a player records each token that it receives instead
const result = await BODIES[body](given);
recorder?.record("done", i);
parentPort.postMessage({ result, events: recorder?.events ?? [] });
