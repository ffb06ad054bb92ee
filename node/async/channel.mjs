// p producers send m messages each to c consumers, which share one bounded channel.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";

const trace = traceIfAsked();

/** The language has no channel, and a stream of Node has one reader: this is what one writes, and what libraries ship. */
class Channel {
  #room;
  #closed = false;
  #messages = [];
  #senders = []; // where there is no room
  #receivers = []; // where there is no message

  constructor(room) {
    this.#room = room;
  }

  /** To be awaited. */
  send(value) {
    const receive = this.#receivers.shift();
    if (receive !== undefined) {
      receive({ value, done: false });
      return;
    }
    if (this.#messages.length < this.#room) {
      this.#messages.push(value);
      return;
    }
    return new Promise((resolve) => {
      this.#senders.push({ value, resolve });
    });
  }

  /** The channel is its own iterator, which several may share. */
  next() {
    if (this.#messages.length > 0) {
      const value = this.#messages.shift();
      const sender = this.#senders.shift();
      if (sender !== undefined) {
        this.#messages.push(sender.value);
        sender.resolve();
      }
      return Promise.resolve({ value, done: false });
    }
    if (this.#closed) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.#receivers.push(resolve);
    });
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  close() {
    this.#closed = true;
    for (const receive of this.#receivers.splice(0)) receive({ value: undefined, done: true });
  }
}

async function producer(i, first, m, channel) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  for (let message = first; message < first + m; message++) {
    await channel.send(message);
    trace?.record("run", i);
  }
  trace?.record("done", i);
}

async function consumer(i, channel) {
  await undefined; // off the caller's stack
  trace?.record("run", i);
  let messages = 0;
  let checksum = 0;
  for await (const message of channel) {
    trace?.record("run", i);
    messages += 1;
    checksum += message;
  }
  trace?.record("done", i);
  return { messages, checksum };
}

async function pass({ p, c, b, m, nonce }) {
  const channel = new Channel(b);
  const producers = [];
  for (let i = 0; i < p; i++) {
    trace?.record("spawn", i);
    producers.push(producer(i, nonce + i * m, m, channel));
    trace?.record("spawned", i);
  }
  const consumers = [];
  for (let i = p; i < p + c; i++) {
    trace?.record("spawn", i);
    consumers.push(consumer(i, channel));
    trace?.record("spawned", i);
  }

  let finished = 0;
  for (const [i, handle] of producers.entries()) {
    await handle;
    trace?.record("collect", i);
    finished += 1;
  }
  channel.close();
  let messages = 0;
  let most = 0;
  let checksum = 0;
  for (const [i, handle] of consumers.entries()) {
    const received = await handle;
    trace?.record("collect", p + i);
    finished += 1;
    messages += received.messages;
    most = Math.max(most, received.messages);
    checksum += received.checksum;
  }
  return { ops: messages, evidence: { finished, messages, most, checksum } };
}

await timed(
  import.meta,
  {
    workload: "channel",
    parameters: {
      p: required(integer(1)),
      c: required(integer(1)),
      b: required(integer(1)),
      m: required(integer(1)),
    },
    expected: ({ p, c, m, nonce }) => ({
      ops: p * m,
      finished: p + c,
      messages: p * m,
      checksum: p * m * nonce + (p * m * (p * m - 1)) / 2,
    }),
  },
  pass,
);
