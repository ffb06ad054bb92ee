// Logs what happens around an operation, readings of the clock included.
import { timed } from "../../harness/program.mjs";

const log = [];
const readClock = process.hrtime.bigint;
process.hrtime.bigint = () => {
  log.push("clock");
  return readClock();
};

await timed(
  import.meta,
  {
    workload: "planted",
    parameters: {},
    async prepare() {
      log.push("prepare");
      await undefined;
      log.push("prepared");
      return log.length;
    },
    release: (prepared) => log.push(`release ${prepared}`),
    expected: () => ({ ops: 1 }),
  },
  async (_params, prepared) => {
    log.push(`operate ${prepared}`);
    return { ops: 1, evidence: { log: [...log] } };
  },
);
