// A thread that blocks and a task of the event loop pass a token to each other.
import { once } from "node:events";
import { join } from "node:path";
import { threadId, Worker } from "node:worker_threads";
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { Recorder } from "../harness/recorder.mjs";
import { traceIfAsked } from "../harness/trace.mjs";
import { BlockingInbox } from "./blocking-inbox.mjs";
import { Mailbox } from "./token.mjs";

const trace = traceIfAsked();
const THREAD = join(import.meta.dirname, "waking-thread.mjs");

/** Events of the main thread are counted with the other's, so that all can be put in order. */
const recorder = trace === null ? null : new Recorder(new SharedArrayBuffer(4));

const note =
  recorder &&
  ((kind, i) => {
    trace.record(kind, i);
    recorder.record(...trace.events.pop());
  });

async function task(m, box, inbox) {
  await undefined; // off the caller's stack
  let received = 0;
  while (received < m) {
    const token = await box.take();
    received += 1;
    note?.("run", 1);
    inbox.put(token + 1);
  }
  note?.("done", 1);
  return { received, threadId };
}

/** Messages are tokens, but for the last, which tells how the thread ended. */
function delivers(thread, box) {
  return new Promise((resolve, reject) => {
    thread.on("error", reject);
    thread.on("message", (message) => {
      if (typeof message === "number") box.put(message);
      else resolve(message);
    });
  });
}

/** Settled when the thread of the last repetition has left, so that this takes no time of the next one. */
let left = Promise.resolve();

async function start({ m }) {
  await left;
  const memory = new SharedArrayBuffer(BlockingInbox.BYTES);
  const inbox = new BlockingInbox(memory);
  const box = new Mailbox();
  note?.("spawn", 0);
  const thread = new Worker(THREAD, { workerData: { m, memory, count: recorder?.memory ?? null } });
  note?.("spawned", 0);
  left = new Promise((resolve) => thread.once("exit", resolve));
  await once(thread, "message"); // it is about to wait
  const ended = delivers(thread, box);
  note?.("spawn", 1);
  const running = task(m, box, inbox);
  note?.("spawned", 1);
  return { inbox, players: [ended, running] };
}

/** A thread is joined when it has told how it ended: what it then takes to leave is no part of the waking. */
async function pass({ nonce }, { inbox, players }) {
  inbox.put(nonce);
  const ended = await Promise.all(players);
  if (recorder) {
    recorder.events.push(...ended[0].events);
    trace.events.push(...recorder.trace);
  }
  const checksum = inbox.take(); // the task answered once more than the thread took
  return {
    ops: ended[1].received,
    evidence: {
      finished: ended.length,
      messages: ended[0].received + ended[1].received,
      threads: new Set(ended.map((one) => one.threadId)).size,
      checksum,
    },
  };
}

await timed(
  import.meta,
  {
    workload: "wake-thread",
    parameters: { m: required(integer(1)) },
    prepare: start,
    expected: ({ m, nonce }) => ({
      ops: m,
      finished: 2,
      messages: 2 * m,
      threads: 2,
      checksum: nonce + 2 * m,
    }),
  },
  pass,
);
