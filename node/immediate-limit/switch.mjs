// The same by a promise of one's own around the callback of setImmediate.
import { SPEC } from "../async/switch.mjs";
import { timed } from "../harness/program.mjs";
import { yieldingBy } from "../immediate/switch.mjs";

await timed(
  import.meta,
  SPEC,
  yieldingBy(() => new Promise(setImmediate)),
);
