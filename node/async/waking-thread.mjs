// The thread of wake-thread: it blocks until it has a token, adds one to it and posts it to the task.
import { parentPort, threadId, workerData } from "node:worker_threads";
import { Recorder } from "../harness/recorder.mjs";
import { BlockingInbox } from "./blocking-inbox.mjs";

const { m, memory, count } = workerData;
const inbox = new BlockingInbox(memory);
const recorder = count === null ? null : new Recorder(count, `thread-${threadId}`);

parentPort.postMessage("about to wait");
let received = 0;
while (received < m) {
  const token = inbox.take();
  received += 1;
  recorder?.record("run", 0);
  parentPort.postMessage(token + 1);
}
recorder?.record("done", 0);
parentPort.postMessage({ received, threadId, events: recorder?.events ?? [] });
