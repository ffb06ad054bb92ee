// Several producers send to one consumer through a stream of objects with room for 128.
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

const ROOM = 128;

/** A stream that passes on what is written has two buffers, one on each side. */
function boundedQueue() {
  const queue = new PassThrough({ objectMode: true, highWaterMark: ROOM / 2 });
  return queue.setMaxListeners(0); // every waiting producer listens, which Node takes for a leak from the eleventh on
}

async function producer(i, value, m, queue) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  for (let sent = 0; sent < m; sent++) {
    // All who wait are woken together, and the first of them may fill it again.
    while (queue.writableNeedDrain) await once(queue, "drain");
    queue.write(value);
  }
  trace?.record("done", i);
}

async function consumer(i, queue) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  let messages = 0;
  let checksum = 0;
  for await (const value of queue) {
    messages += 1;
    checksum += value;
  }
  trace?.record("done", i);
  return { messages, checksum };
}

async function fanIn({ p, m, nonce }) {
  const queue = boundedQueue();
  const producers = [];
  for (let i = 0; i < p; i++) {
    trace?.record("spawn", i);
    producers.push(producer(i, nonce + i + 1, m, queue));
    trace?.record("spawned", i);
  }
  trace?.record("spawn", p);
  const consuming = consumer(p, queue);
  trace?.record("spawned", p);

  let finished = 0;
  for (const [i, handle] of producers.entries()) {
    await handle;
    trace?.record("collect", i);
    finished += 1;
  }
  queue.end();
  const { messages, checksum } = await consuming;
  trace?.record("collect", p);
  finished += 1;
  return { ops: messages, evidence: { finished, messages, checksum } };
}

await timed(
  import.meta,
  {
    workload: "fan-in",
    parameters: { p: required(integer(1)), m: required(integer(1)) },
    expected: ({ p, m, nonce }) => ({
      ops: p * m,
      finished: p + 1,
      messages: p * m,
      checksum: m * (p * nonce + (p * (p + 1)) / 2),
    }),
  },
  fanIn,
);
