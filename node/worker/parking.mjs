// Parks n threads at one gate and holds the process still for the runner to read, before, while and after they live.
import { integer, required } from "../harness/arguments.mjs";
import { allReturned, held } from "../harness/program.mjs";
import { crew, settings, sharedCounts } from "./root.mjs";

const GATE = 0;
const PARKED = 1;

async function parkAll(n, nonce, hold, body) {
  const shared = sharedCounts(2);
  const parked = () => Atomics.load(shared, PARKED);
  await hold("base", parked());
  const tasks = [];
  for (let i = nonce; i < nonce + n; i++) tasks.push(crew.start(i, body, { shared }));
  const created = tasks.length;
  for (const task of tasks) await task.waits;
  await hold("live", parked());

  Atomics.store(shared, GATE, 1);
  Atomics.notify(shared, GATE);
  let finished = 0;
  let checksum = 0;
  for (const result of await crew.joinAll(tasks.splice(0))) {
    finished += 1;
    checksum += result;
  }
  await hold("released", parked());
  return { ops: finished, evidence: { created, finished, checksum } };
}

/** The program of a memory workload: `body` is what each thread does. */
export const parking = (meta, workload, body) =>
  held(
    meta,
    {
      workload,
      parameters: { n: required(integer(1)) },
      settings,
      expected: allReturned,
    },
    ({ n, nonce }, hold) => parkAll(n, nonce, hold, body),
  );
