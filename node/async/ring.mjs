// Passes a token around a ring of k tasks, `rounds` times, through the one-slot mailboxes of hand-off.
import { integer, required } from "../harness/arguments.mjs";
import { timed } from "../harness/program.mjs";
import { traceIfAsked } from "../harness/trace.mjs";
import { Mailbox, player } from "./hand-off.mjs";

const trace = traceIfAsked();

/** The tasks; each waits at its mailbox before the time starts, because the harness lets the event loop turn first. */
function form({ k, rounds }) {
  const boxes = Array.from({ length: k }, () => new Mailbox());
  const players = [];
  for (const [i, inbox] of boxes.entries()) {
    trace?.record("spawn", i);
    players.push(player(i, rounds, inbox, boxes[(i + 1) % k]));
    trace?.record("spawned", i);
  }
  return { root: boxes[0], players };
}

async function ring(_params, { root, players }) {
  root.put(0);
  let finished = 0;
  let messages = 0;
  for (const [i, received] of (await Promise.all(players)).entries()) {
    trace?.record("collect", i);
    finished += 1;
    messages += received;
  }
  const checksum = await root.take(); // the last task sent the token once more than task 0 took it
  return { ops: messages, evidence: { finished, messages, checksum } };
}

export const SPEC = {
  workload: "ring",
  parameters: { k: required(integer(2)), rounds: required(integer(1)) },
  prepare: form,
  expected: ({ k, rounds }) => ({
    ops: k * rounds,
    finished: k,
    messages: k * rounds,
    checksum: k * rounds,
  }),
};

await timed(import.meta, SPEC, ring);
