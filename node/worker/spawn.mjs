// Starts n threads, then collects and sums their results.
import { integer, required } from "../harness/arguments.mjs";
import { allReturned, timed } from "../harness/program.mjs";
import { crew, settings } from "./root.mjs";

async function spawn({ n, nonce }) {
  const tasks = [];
  for (let i = nonce; i < nonce + n; i++) tasks.push(crew.start(i, "number"));
  const created = tasks.length;

  let finished = 0;
  let checksum = 0;
  for (const result of await crew.joinAll(tasks)) {
    finished += 1;
    checksum += result;
  }
  return { ops: finished, evidence: { created, finished, checksum } };
}

await timed(
  import.meta,
  {
    workload: "spawn",
    parameters: { n: required(integer(1)) },
    settings,
    expected: allReturned,
  },
  spawn,
);
