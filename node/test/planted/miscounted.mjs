// A planted fault: a program whose sum is wrong.
import { timed } from "../../harness/program.mjs";

await timed(
  import.meta,
  { workload: "planted", parameters: {}, expected: () => ({ ops: 1, checksum: 1 }) },
  async () => ({ ops: 1, evidence: { checksum: 2 } }),
);
