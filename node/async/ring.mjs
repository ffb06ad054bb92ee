// Passes a token around a ring of k tasks, `rounds` times, through one-slot mailboxes.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { form, pass } from "./token.mjs";

export const SPEC = {
  workload: "ring",
  parameters: { k: required(integer(2)), rounds: required(integer(1)) },
  prepare: ({ k, rounds }) => form(k, rounds),
  expected: ({ k, rounds, nonce }) => ({
    ops: k * rounds,
    finished: k,
    messages: k * rounds,
    checksum: nonce + k * rounds,
  }),
};

await timed(import.meta, SPEC, ({ nonce }, formed) => pass(formed, nonce));
