// Two tasks pass a token back and forth, m times each, through one-slot mailboxes.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { form, pass } from "./token.mjs";

export const SPEC = {
  workload: "hand-off",
  parameters: { m: required(integer(1)) },
  prepare: ({ m }) => form(2, m),
  expected: ({ m, nonce }) => ({
    ops: 2 * m,
    finished: 2,
    messages: 2 * m,
    checksum: nonce + 2 * m,
  }),
};

await timed(import.meta, SPEC, ({ nonce }, formed) => pass(formed, nonce));
