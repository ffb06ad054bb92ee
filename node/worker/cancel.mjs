// Parks n threads, then tells each by a message to give up, and joins them all.
import { SPEC } from "../async/cancel.mjs";
import { timed } from "../harness/program.mjs";
import { crew, settings, sharedCounts } from "./root.mjs";

async function park({ n }) {
  const counts = sharedCounts(1);
  const tasks = [];
  for (let i = 0; i < n; i++) tasks.push(crew.start(i, "cancelled", { counts }));
  for (const task of tasks) await task.waits;
  return { tasks, counts };
}

async function cancel(_params, { tasks, counts }) {
  for (const { worker } of tasks) worker.postMessage("give up");
  const finished = (await crew.joinAll(tasks)).length;
  const [cancelled] = counts;
  return { ops: finished, evidence: { created: tasks.length, cancelled, finished } };
}

await timed(import.meta, { ...SPEC, settings, prepare: park }, cancel);
