// Two threads pass a token back and forth, m times each, over message ports.
import { SPEC } from "../async/hand-off.mjs";
import { timed } from "../harness/program.mjs";
import { settings } from "./root.mjs";
import { form, pass } from "./token.mjs";

await timed(
  import.meta,
  { ...SPEC, settings, prepare: ({ m }) => form(2, m) },
  ({ nonce }, players) => pass(players, nonce),
);
