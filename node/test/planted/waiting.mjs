// A clock that ticks once a reading, and a program that holds in between.
import { held } from "../../harness/program.mjs";

let ticks = 0n;
process.hrtime.bigint = () => {
  ticks += 1n;
  return ticks;
};

await held(
  import.meta,
  { workload: "planted", parameters: {}, expected: () => ({ ops: 1 }) },
  async (_params, hold) => {
    ticks += 2n;
    await hold("live", 1);
    ticks += 3n;
    return { ops: 1, evidence: {}, series: { samples: [1.5, -1] } };
  },
);
