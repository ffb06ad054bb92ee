// A planted fault: a task that nobody awaits fails.
import { timed } from "../../harness/program.mjs";

async function fails() {
  await undefined;
  throw new Error("planted");
}

await timed(
  import.meta,
  { workload: "planted", parameters: {}, expected: () => ({}) },
  async () => {
    fails();
    await new Promise(() => {});
  },
);
