// The main thread, which is the root of every workload: its crew, its trace and its settings.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Recorder } from "../harness/recorder.mjs";
import { traceIfAsked } from "../harness/trace.mjs";
import { Crew, LIMITS } from "./crew.mjs";

const trace = traceIfAsked();
const recorder = trace === null ? null : new Recorder(new SharedArrayBuffer(4), "main");
if (trace !== null) {
  // The process's recorder knows one thread; here its words go to the one that puts those of all in order.
  trace.record = (kind, i) => recorder.record(kind, i);
  Object.defineProperty(trace, "events", { get: () => recorder.trace });
}

export const crew = new Crew(recorder);

export const sharedCounts = (length) =>
  new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));

/** What a thread was given, asked of one. */
export async function settings() {
  const probe = new Worker(
    "const w = require('node:worker_threads'); w.parentPort.postMessage(w.resourceLimits)",
    { eval: true, ...LIMITS },
  );
  const said = [once(probe, "message"), once(probe, "exit")]; // its end may follow at once
  const [[{ codeRangeSizeMb }]] = await Promise.all(said);
  return { code_range_mb: codeRangeSizeMb };
}
