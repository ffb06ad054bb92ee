// A planted fault: a thread that fails.
import { timed } from "../../harness/program.mjs";
import { crew } from "../../worker/root.mjs";

await timed(import.meta, { workload: "planted", parameters: {}, expected: () => ({}) }, async () =>
  crew.join(crew.start(0, "play", { inbox: null })),
);
