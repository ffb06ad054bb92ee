// A task that returns its number. A script: to load a module each thread would first have to set up what loads modules.
const { parentPort, threadId, workerData } = require("node:worker_threads");

const { i, trace } = workerData;

const end = (events) => parentPort.postMessage({ result: i, events });

/** The recorder is a module, so that it is loaded only where it is asked for. */
async function traced() {
  const { Recorder } = await import("../harness/recorder.mjs");
  const recorder = new Recorder(trace, `thread-${threadId}`);
  recorder.record("run", i);
  recorder.record("done", i);
  return recorder.events;
}

if (trace === null) end([]);
else traced().then(end);
