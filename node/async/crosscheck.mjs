// Measures the operations of spawn and switch under tinybench; its argument is the folder where tinybench is installed.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { writeLines } from "../harness/lines.mjs";
import { spawn } from "./spawn.mjs";
import { yields } from "./switch.mjs";

const CASES = [
  { workload: "spawn", params: { n: 1_000 }, operation: spawn },
  { workload: "switch", params: { k: 100, m: 200 }, operation: yields },
  { workload: "switch", params: { k: 2, m: 500 }, operation: yields },
];

const { Bench } = createRequire(resolve(process.argv[2], "package.json"))("tinybench");

// As long as those of the runner.
const NONCE = 1_000_000;

async function sample({ workload, params, operation }) {
  const bench = new Bench({
    warmupTime: 500,
    time: 0,
    iterations: 1_000,
    retainSamples: true,
    throws: true,
  });
  const given = { ...params, nonce: NONCE };
  let ops = 0;
  bench.add(
    workload,
    async () => {
      ({ ops } = await operation(given));
    },
    { beforeEach: () => nextTurn() }, // as between the iterations of the workload programs
  );
  const [task] = await bench.run();
  const millisecondsEach = task.result.latency.samples;
  return {
    workload,
    params,
    harness: "tinybench",
    per_op_ns: millisecondsEach.map((ms) => (ms * 1e6) / ops),
  };
}

const lines = [];
for (const one of CASES) lines.push(await sample(one));
writeLines(lines);
