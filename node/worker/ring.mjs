// A token travels a ring of k threads, `rounds` times, over message ports.
import { SPEC } from "../async/ring.mjs";
import { timed } from "../harness/program.mjs";
import { settings } from "./root.mjs";
import { form, pass } from "./token.mjs";

await timed(
  import.meta,
  { ...SPEC, settings, prepare: ({ k, rounds }) => form(k, rounds) },
  ({ nonce }, players) => pass(players, nonce),
);
