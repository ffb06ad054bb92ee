// A planted fault: a task fails while it is being prepared.
import { timed } from "../../harness/program.mjs";

await timed(
  import.meta,
  {
    workload: "planted",
    parameters: {},
    async prepare() {
      await undefined;
      throw new Error("planted");
    },
    expected: () => ({}),
  },
  async () => ({}),
);
