// A planted fault: a task whose wake-up never comes.
import { timed } from "../../harness/program.mjs";

await timed(
  import.meta,
  { workload: "planted", parameters: {}, expected: () => ({}) },
  () => new Promise(() => {}),
);
